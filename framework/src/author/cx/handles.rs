//! What a tool does with records: it keeps new ones, and lists those that the caller holds.

use super::Cx;
use crate::author::{
    error::Result,
    held,
    record::{self, Handle, Record, Stored},
};

impl<S> Cx<S> {
    /// Keeps a record on the server, and gives the name under which its owner, the caller, may use it from now on.
    ///
    /// The call may start again after a question, and then this would keep another record: mint after asking.
    ///
    /// # Errors
    /// When the caller has too many of that kind, or the record is over 1 MiB: the model is told. When the store cannot be
    /// reached.
    pub async fn mint<T: Record>(&self, record: T) -> Result<Handle<T>> {
        let data = serde_json::to_vec(&record)?;
        let kind = record::kind::<T>();
        let handles = &self.call.backing.handles;
        let minted = handles.mint(&self.call.caller, kind, data).await;
        Ok(Handle::of(&minted.map_err(|unmade| held::unmade(unmade, kind))?))
    }

    /// The handles of a kind that the caller holds, their own and those shared with them, those used last first.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn handles<T: Stored>(&self) -> Result<Vec<Handle<T>>> {
        let all = self.call.backing.handles.list(&self.call.caller, record::kind::<T>()).await?;
        Ok(all.iter().map(|it| Handle::of(it)).collect())
    }
}
