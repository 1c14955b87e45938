#[automatically_derived]
impl ::tollgate::Record for ShoppingList {
    const KIND: &'static str = "shopping_list";
    const IDLE: ::core::time::Duration = ::core::time::Duration::from_secs(60u64);
    const LIFETIME: ::core::time::Duration = ::core::time::Duration::from_secs(600u64);
    const SEALED: bool = false;
    fn authorize(_: &::tollgate::Caller, _: &Self, access: ::tollgate::Access) -> bool {
        let _ = access;
        true
    }
    fn judge(_: &::tollgate::Caller, _: &[u8], access: ::tollgate::Access) -> bool {
        let _ = access;
        true
    }
}
#[automatically_derived]
impl ::tollgate::Stored for ShoppingList {}
