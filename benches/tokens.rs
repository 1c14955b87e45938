//! What it costs to count what tools cost: lists as they are counted at start and in tests, and one more tool as it is
//! counted while a server serves.
//!
//!     cargo bench -p tollgate-benches --features budget --bench tokens

use divan::{Bencher, black_box};
use tollgate::{
    budget::{Costs, ToolCost, count},
    serde_json::{Value, json},
};

fn main() {
    // The vocabulary is loaded once, and that is not what is measured.
    let _ = count("");
    divan::main();
}

#[divan::bench(args = [4, 50, 500])]
fn a_list(bencher: Bencher<'_, '_>, tools: usize) {
    let list: Vec<_> = (0..tools).map(tool).collect();
    bencher.bench_local(|| Costs::of(black_box(&list)).total());
}

#[divan::bench]
fn one_tool(bencher: Bencher<'_, '_>) {
    let tool = tool(7);
    bencher.bench_local(|| ToolCost::of(black_box(&tool)).tokens());
}

/// A tool as people write them, of about 350 tokens.
fn tool(number: usize) -> Value {
    json!({
        "name": format!("find_invoices_{number}"),
        "title": format!("Find invoices of shop {number}"),
        "description": format!(
            "Finds the invoices of shop {number} that fit all of the given filters, the newest first, and says how \
             many more there are.\n\nUse when the user asks for an invoice by its number, its date or whom it is \
             for.\nDo not use when the invoice is known already: `get_invoice` is cheaper, and tells more."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "number": {"type": "string", "maxLength": 40, "description": "The number that stands on it."},
                "from": {"type": "string", "format": "date", "description": "The first day that counts."},
                "until": {"type": "string", "format": "date", "description": "The last day that counts."},
                "state": {"type": "string", "enum": ["open", "paid", "disputed"]},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
            },
            "required": ["from"],
            "additionalProperties": false,
        },
        "outputSchema": {
            "type": "object",
            "properties": {
                "found": {"type": "array", "items": {"type": "string"}},
                "more": {"type": "integer"},
            },
            "required": ["found", "more"],
        },
        "annotations": {"readOnlyHint": true, "idempotentHint": true},
    })
}
