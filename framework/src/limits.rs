//! Every limit of a server, with its default.

use std::time::Duration;

/// What a server accepts and how long it waits. Validated at start: a zero or a contradiction refuses to start.
///
/// ```
/// # use tollgate::Limits;
/// let mut limits = Limits::default();
/// limits.body_bytes = 64 * 1024;
/// assert_eq!(limits.json_depth, 64);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a request's head; over it 431. Looked at while it is read, so that a head of up to twice as much may
    /// pass. Default 32 KiB.
    pub head_bytes: usize,
    /// Header fields of a request; over it 431. Default 64.
    pub header_count: usize,
    /// Bytes of `Mcp-Name` as it travels; over it 400 and -32020. Default 8 KiB.
    pub name_header_bytes: usize,
    /// Bytes of one `Mcp-Param-*` as it travels; over it 400 and -32020. Default 4 KiB.
    pub param_header_bytes: usize,
    /// How many `Mcp-Param-*` fields one request may carry. Default 32.
    pub param_headers: usize,
    /// Bytes of a request's body, counted while it is read; over it 413. Default 4 MiB.
    pub body_bytes: usize,
    /// Bytes of all bodies that are being read at one time; over it 503. Default 64 MiB.
    pub bodies_bytes: usize,
    /// Depth of nested arrays and objects; over it -32700. Default 64.
    pub json_depth: usize,
    /// Values in one document; over it -32700. Default 100 000.
    pub json_values: usize,
    /// Keys in one object; over it -32700. Default 4 096.
    pub json_keys: usize,
    /// Bytes of one key; over it -32700. Default 1 KiB.
    pub json_key_bytes: usize,
    /// Characters of one number; over it -32700. Default 64.
    pub json_number_bytes: usize,
    /// Bytes of `_meta`; over it -32602. Default 16 KiB.
    pub meta_bytes: usize,
    /// Time from the connection, or from the answer before, to a whole request head. Default 15 s.
    pub head_time: Duration,
    /// Time for a whole body; over it 408. Default 30 s.
    pub body_time: Duration,
    /// Time between two chunks of a body; over it 408. Default 10 s.
    pub body_gap: Duration,
    /// How long an answer may make no progress because its reader does not read. Default 30 s.
    pub write_stall: Duration,
    /// Time for one call, unless the tool has a deadline of its own. Default 60 s.
    pub call_time: Duration,
    /// The longest deadline that a tool may have. Default 300 s.
    pub call_time_max: Duration,
    /// Open connections. Default 16 384.
    pub connections: usize,
    /// Calls in flight in this process; over it 503. Default 512.
    pub calls: usize,
    /// Calls in flight for one named caller; over it 429. Default 64.
    pub calls_per_caller: usize,
    /// Calls a second in this process; over it 503. Default: no limit.
    pub calls_per_second: Option<u32>,
    /// Calls a second for one named caller; over it 429. Default: no limit.
    pub calls_per_second_per_caller: Option<u32>,
    /// Open listen streams in this process; over it 503. Default 10 000.
    pub listeners: usize,
    /// Open listen streams for one named caller; over it 429. Default 16.
    pub listeners_per_caller: usize,
    /// Resource URIs that one listen stream may name; over it -32602. Default 100.
    pub listen_uris: usize,
    /// How long a listen stream lives before it ends gracefully. Default 1 h.
    pub listen_time: Duration,
    /// Time between two keep-alive comments on a quiet stream. Default 15 s.
    pub keep_alive: Duration,
    /// Progress and log notifications a second for one call: over it the newest progress
    /// waits, all else is dropped. A burst of as many is let through at once. 0 means no limit. Default 10.
    pub notifications_per_second: u32,
    /// Handles of one kind that a caller may hold. Over it none is made.
    pub handles_per_caller: usize,
    /// Handles that one call may bring. Over it the call is refused.
    pub handles_per_call: usize,
    /// Bytes of one result; over it the model is told that it is too large. Default 4 MiB.
    pub result_bytes: usize,
    /// Items on one page of a list. Default 100.
    pub page_items: usize,
    /// Bytes of the items on one page of a list. Default 512 KiB.
    pub page_bytes: usize,
    /// Bytes of one line on stdio. Default 4 MiB.
    pub line_bytes: usize,
    /// Requests in flight on stdio. Default 64.
    pub stdio_calls: usize,
    /// How long signed state is good for. Default 600 s, at most 24 h.
    pub state_time: Duration,
    /// How often one call may ask before it has to answer. Default 10.
    pub rounds: u32,
    /// How long a legacy session is good for. Default 24 h.
    pub session_time: Duration,
    /// How long calls may go on after the signal to stop. Default 30 s.
    pub drain_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        const KIB: usize = 1024;
        const MIB: usize = 1024 * KIB;
        Self {
            head_bytes: 32 * KIB,
            header_count: 64,
            name_header_bytes: 8 * KIB,
            param_header_bytes: 4 * KIB,
            param_headers: 32,
            body_bytes: 4 * MIB,
            bodies_bytes: 64 * MIB,
            json_depth: 64,
            json_values: 100_000,
            json_keys: 4_096,
            json_key_bytes: KIB,
            json_number_bytes: 64,
            meta_bytes: 16 * KIB,
            head_time: Duration::from_secs(15),
            body_time: Duration::from_secs(30),
            body_gap: Duration::from_secs(10),
            write_stall: Duration::from_secs(30),
            call_time: Duration::from_secs(60),
            call_time_max: Duration::from_secs(300),
            connections: 16_384,
            calls: 512,
            calls_per_caller: 64,
            calls_per_second: None,
            calls_per_second_per_caller: None,
            listeners: 10_000,
            listeners_per_caller: 16,
            listen_uris: 100,
            listen_time: Duration::from_secs(3_600),
            keep_alive: Duration::from_secs(15),
            notifications_per_second: 10,
            handles_per_caller: 1_000,
            handles_per_call: 100,
            result_bytes: 4 * MIB,
            page_items: 100,
            page_bytes: 512 * KIB,
            line_bytes: 4 * MIB,
            stdio_calls: 64,
            state_time: Duration::from_secs(600),
            rounds: 10,
            session_time: Duration::from_secs(24 * 3_600),
            drain_time: Duration::from_secs(30),
        }
    }
}

impl Limits {
    /// What is wrong with these limits, one sentence each.
    pub(crate) fn faults(&self) -> Vec<String> {
        let sizes = [
            ("head_bytes", self.head_bytes),
            ("header_count", self.header_count),
            ("name_header_bytes", self.name_header_bytes),
            ("param_header_bytes", self.param_header_bytes),
            ("param_headers", self.param_headers),
            ("body_bytes", self.body_bytes),
            ("json_depth", self.json_depth),
            ("json_values", self.json_values),
            ("json_keys", self.json_keys),
            ("json_key_bytes", self.json_key_bytes),
            ("json_number_bytes", self.json_number_bytes),
            ("meta_bytes", self.meta_bytes),
            ("connections", self.connections),
            ("calls", self.calls),
            ("calls_per_caller", self.calls_per_caller),
            ("listeners", self.listeners),
            ("listeners_per_caller", self.listeners_per_caller),
            ("result_bytes", self.result_bytes),
            ("page_items", self.page_items),
            ("page_bytes", self.page_bytes),
            ("line_bytes", self.line_bytes),
            ("stdio_calls", self.stdio_calls),
            ("rounds", self.rounds as usize),
        ];
        let times = [
            ("head_time", self.head_time),
            ("body_time", self.body_time),
            ("body_gap", self.body_gap),
            ("write_stall", self.write_stall),
            ("call_time", self.call_time),
            ("call_time_max", self.call_time_max),
            ("drain_time", self.drain_time),
            ("keep_alive", self.keep_alive),
            ("listen_time", self.listen_time),
            ("state_time", self.state_time),
            ("session_time", self.session_time),
        ];
        let mut faults = Vec::new();
        faults.extend(sizes.iter().filter(|it| it.1 == 0).map(|it| format!("the limit `{}` is 0", it.0)));
        faults
            .extend(times.iter().filter(|it| it.1.is_zero()).map(|it| format!("the limit `{}` is 0", it.0)));
        if self.head_bytes < 8 * 1024 {
            faults.push("the limit `head_bytes` is under 8 KiB: no request head fits".into());
        }
        if self.body_bytes > self.bodies_bytes {
            faults.push("the limit `body_bytes` is over `bodies_bytes`: no such body could be read".into());
        }
        if self.body_bytes > u32::MAX as usize || self.line_bytes > u32::MAX as usize {
            faults.push("the limits `body_bytes` and `line_bytes` are at most 4 GiB".into());
        }
        if self.call_time > self.call_time_max {
            faults.push("the limit `call_time` is over `call_time_max`".into());
        }
        if self.json_depth > 120 {
            faults.push("the limit `json_depth` is over 120: deeper documents are not read".into());
        }
        let longest = Duration::from_secs(366 * 24 * 3_600);
        let long =
            times.iter().filter(|it| it.1 > longest).map(|it| format!("the limit `{}` is over a year", it.0));
        faults.extend(long);
        if self.state_time > Duration::from_secs(24 * 3_600) {
            faults.push("the limit `state_time` is over 24 h".into());
        }
        if [self.calls_per_second, self.calls_per_second_per_caller].contains(&Some(0)) {
            faults.push("a limit of calls a second is 0: leave it out, or let one through".into());
        }
        faults
    }
}
