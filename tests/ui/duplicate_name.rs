use tollgate::prelude::*;

mod front {
    use tollgate::prelude::*;

    /// Opens the door.
    ///
    /// Use when somebody rings.
    /// Do not use when it is open.
    #[tool]
    pub async fn open() {}
}

mod back {
    use tollgate::prelude::*;

    /// Opens the door.
    ///
    /// Use when somebody rings.
    /// Do not use when it is open.
    #[tool]
    pub async fn open() {}
}

fn main() {
    let _: ToolSet = tools![front::open, back::open];
}
