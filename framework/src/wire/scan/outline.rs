//! Where the members stand that every request is judged by.

/// Where the members stand that requests are judged by, if the body has them.
#[derive(Debug)]
pub(crate) struct Outline([Span; Slot::ALL.len()]);

macro_rules! slots {
    ($($Slot:ident in $place:ident is $name:literal,)*) => {
        /// A member that requests are judged by.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Slot { $($Slot,)* }

        impl Slot {
            const ALL: &[Self] = &[$(Self::$Slot,)*];

            /// The key of the member.
            pub(crate) const fn name(self) -> &'static str {
                let name: &[u8] = match self { $(Self::$Slot => $name,)* };
                match std::str::from_utf8(name) {
                    Ok(name) => name,
                    Err(_) => "",
                }
            }

            #[cfg(test)]
            pub(super) const fn place(self) -> Place {
                match self { $(Self::$Slot => Place::$place,)* }
            }

            /// The slot of a key in one of the three objects. Most keys are told by their tag.
            #[inline(always)]
            fn of(place: Place, tagged: u32, key: &[u8]) -> Option<Self> {
                match place {
                    $(Place::$place if tagged == const { tag($name) } && key == $name => Some(Self::$Slot),)*
                    _ => None,
                }
            }
        }
    };
}

/// One of the three objects whose members are noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The body itself.
    Top,
    /// The object at `params`.
    Params,
    /// The object at `_meta` in `params`.
    Meta,
}

slots! {
    Jsonrpc in Top is b"jsonrpc",
    Id in Top is b"id",
    Method in Top is b"method",
    Params in Top is b"params",
    Result in Top is b"result",
    Error in Top is b"error",
    Name in Params is b"name",
    Arguments in Params is b"arguments",
    Meta in Params is b"_meta",
    Uri in Params is b"uri",
    RequestState in Params is b"requestState",
    InputResponses in Params is b"inputResponses",
    Cursor in Params is b"cursor",
    Ref in Params is b"ref",
    Argument in Params is b"argument",
    Notifications in Params is b"notifications",
    Version in Params is b"protocolVersion",
    Capabilities in Params is b"capabilities",
    Level in Params is b"level",
    RequestId in Params is b"requestId",
    Reason in Params is b"reason",
    MetaVersion in Meta is b"io.modelcontextprotocol/protocolVersion",
    MetaCapabilities in Meta is b"io.modelcontextprotocol/clientCapabilities",
    MetaInfo in Meta is b"io.modelcontextprotocol/clientInfo",
    MetaLogLevel in Meta is b"io.modelcontextprotocol/logLevel",
    ProgressToken in Meta is b"progressToken",
}

impl Default for Outline {
    fn default() -> Self {
        Self([Span { start: 0, end: 0 }; Slot::ALL.len()])
    }
}

impl Outline {
    /// Where the value of a member stands.
    pub(crate) fn get(&self, slot: Slot) -> Option<Span> {
        // No value stands at the start: there the body opens.
        Some(self.0[slot as usize]).filter(|it| it.start > 0)
    }

    #[inline(always)]
    pub(super) fn note(&mut self, place: Place, tagged: u32, key: &[u8], value: Span) {
        if let Some(slot) = Slot::of(place, tagged, key) {
            self.0[slot as usize] = value;
        }
    }

    #[cfg(test)]
    pub(super) fn slots() -> &'static [Slot] {
        Slot::ALL
    }
}

/// Where a value stands in a body; a string with its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// The position of its first byte.
    pub(crate) start: u32,
    /// The position after its last byte.
    pub(crate) end: u32,
}

impl Span {
    /// The bytes of the value.
    ///
    /// # Panics
    ///
    /// When the body is shorter than the one that was scanned.
    pub(crate) fn of(self, body: &[u8]) -> &[u8] {
        &body[self.start as usize..self.end as usize]
    }

    /// The bytes between the quotes of a string.
    #[inline(always)]
    pub(super) fn inside(self, body: &[u8]) -> &[u8] {
        &body[self.start as usize + 1..self.end as usize - 1]
    }
}

/// The length, the first and the last byte of a key, from which most keys can be told apart.
#[inline(always)]
pub(super) const fn tag(key: &[u8]) -> u32 {
    match *key {
        [] => 0,
        [only] => only as u32,
        [first, .., last] => position(key.len()) << 16 | (first as u32) << 8 | last as u32,
    }
}

/// A position or a count, which are all below the length of the body.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "`scan` refuses a body whose positions do not fit")]
pub(super) const fn position(at: usize) -> u32 {
    at as u32
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    String,
    Number,
    Bool,
    Null,
}

/// Tells what a value of a scanned body is, from its first byte.
pub(crate) fn kind(body: &[u8], span: Span) -> Kind {
    match span.of(body).first() {
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::Array,
        Some(b'"') => Kind::String,
        Some(b't' | b'f') => Kind::Bool,
        Some(b'n') | None => Kind::Null,
        Some(_) => Kind::Number,
    }
}
