//! What a list costs, what may change without a word, and what may not.

use std::{
    fs,
    path::PathBuf,
    sync::LazyLock,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::*;

static TOOLS: LazyLock<Vec<Value>> = LazyLock::new(|| (0..12).map(tool).collect());

/// A tool as people write them.
fn tool(number: usize) -> Value {
    let nouns = ["invoice", "customer", "shipment", "warehouse", "refund", "contract", "ticket"];
    let noun = nouns[number % nouns.len()];
    json!({
        "name": format!("find_{noun}_{number}"),
        "title": format!("Find a {noun}"),
        "description": format!(
            "Finds the {noun}s that fit all of the given filters, the newest first, and says how many more there \
             are.\n\nUse when the user asks for a {noun} by its number, its date or whom it is for.\nDo not use when \
             the {noun} is known already: `get_{noun}` is cheaper, and tells more."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "number": {"type": "string", "maxLength": 40, "description": format!("The number of the {noun}.")},
                "from": {"type": "string", "format": "date", "description": "The first day that counts."},
                "until": {"type": "string", "format": "date", "description": "The last day that counts."},
                "state": {"type": "string", "enum": ["open", "closed", "disputed"]},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
            },
            "required": ["from"],
            "additionalProperties": false,
        },
        "outputSchema": {
            "type": "object",
            "properties": {"found": {"type": "array", "items": {"type": "string"}}, "more": {"type": "integer"}},
            "required": ["found", "more"],
        },
        "annotations": {"readOnlyHint": true, "idempotentHint": true},
    })
}

fn bare(name: &str, description: &str) -> Value {
    json!({"name": name, "description": description, "inputSchema": {"type": "object"}})
}

/// How far one count is from another, in thousandths of it.
fn thousandths(one: usize, other: usize) -> usize {
    one.abs_diff(other) * 1000 / other
}

fn file(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tollgate-budget-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

// --- counting ---

#[test]
fn a_text_has_the_tokens_that_the_tokenizer_s_makers_count() {
    // From tiktoken, o200k_base.
    assert_eq!(count(""), 0);
    assert_eq!(count("hello world"), 2);
    assert_eq!(count("tiktoken is great!"), 6);
}

#[test]
fn tools_counted_one_by_one_cost_what_the_whole_list_costs() {
    let costs = Costs::of(&TOOLS);
    let mut wire = Value::Array(TOOLS.clone());
    wire.sort_all_objects();
    let function = |it: &Value| {
        let parameters = &it["inputSchema"];
        json!({"type": "function", "function": {"name": it["name"], "description": it["description"], "parameters": parameters}})
    };
    let functions = Value::Array(TOOLS.iter().map(function).collect());

    assert!(thousandths(costs.total_in(Form::Wire), count(&wire.to_string())) <= 10);
    assert!(thousandths(costs.total_in(Form::Function), count(&functions.to_string())) <= 10);
    assert!(thousandths(costs.total(), count(&wire.to_string())) <= 10);
}

#[test]
fn the_dearer_form_counts_tool_by_tool() {
    let costs = Costs::of(&[TOOLS[0].clone(), bare("ping", "Says pong.")]);
    let [rich, bare] = costs.tools() else { panic!("two tools") };

    assert_eq!((rich.form(), rich.tokens()), (Form::Wire, rich.tokens_in(Form::Wire)));
    assert_eq!((bare.form(), bare.tokens()), (Form::Function, bare.tokens_in(Form::Function)));
    assert_eq!(costs.total(), rich.tokens() + bare.tokens());
}

#[test]
fn one_more_tool_changes_no_other() {
    let fewer = Costs::of(&TOOLS[..11]);
    let more = Costs::of(&TOOLS);

    assert_eq!(fewer.tools(), &more.tools()[..11]);
    assert_eq!(more.total(), fewer.total() + more.tools()[11].tokens());
}

#[test]
fn the_fields_of_a_tool_cost_together_what_it_costs() {
    let costs = Costs::of(&TOOLS);

    for tool in costs.tools() {
        for form in Form::ALL {
            assert_eq!(tool.fields_in(form).total(), tool.tokens_in(form));
            assert!(tool.fields_in(form)[Field::Description] > 50);
        }
        assert!(tool.fields_in(Form::Wire)[Field::Annotations] > 5);
        assert_eq!(tool.fields_in(Form::Function)[Field::OutputSchema], 0);
        assert!(Field::ALL.iter().all(|it| tool.fields()[*it] > 0));
    }
}

#[test]
fn what_is_no_definition_is_counted_as_it_is() {
    let costs = Costs::of(&[json!({}), json!(7), json!({"name": 1})]);

    assert!(costs.tools().iter().all(|it| it.name().is_empty()));
    assert!(costs.tools().iter().all(|it| it.tokens() > 0));
    assert_eq!(Costs::of(&[]).total(), 0);
}

#[test]
fn five_hundred_tools_are_counted_while_nobody_notices() {
    let tools: Vec<_> = (0..500).map(tool).collect();
    assert!(count("the vocabulary is loaded by now") > 1);
    let start = Instant::now();

    let costs = Costs::of(&tools);

    assert!(costs.total() > 100_000);
    // It takes half a second without optimization, and `benches/tokens.rs` says what it takes with it. The rest is for
    // a machine that is busy.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

// --- limits ---

#[test]
fn what_is_over_names_the_tools_and_what_they_cost() {
    let costs = Costs::of(&[bare("start_note", "Starts a note."), bare("read_note", "Reads a note.")]);
    let [start, read] = costs.tools() else { panic!("two tools") };

    let over = Budget::total(40).each(25).description(2).over(&costs);

    let told = format!(
        "tools/list costs {} tokens, the budget is 40: start_note {}, read_note {}",
        costs.total(),
        start.tokens(),
        read.tokens()
    );
    assert_eq!(over[0].to_string(), told);
    let subjects: Vec<_> = over.into_iter().map(|it| it.subject).collect();
    let description = |it: &str| Subject::Description(it.into());
    assert_eq!(subjects[1..], [description("start_note"), description("read_note")]);
}

#[test]
fn of_many_tools_the_dearest_are_named() {
    let mut tools: Vec<_> = (0..20).map(|it| bare(&format!("ping_{it:02}"), "Says pong.")).collect();
    tools[19]["description"] = json!("Says pong, and is the one that says more than any other of them.");
    let over = Budget::total(1).over(&Costs::of(&tools));

    let told = over[0].to_string();

    assert!(told.contains("the budget is 1: ping_19 "), "{told}");
    assert!(told.contains(", and 8 others "), "{told}");
}

#[test]
fn a_tool_over_its_limit_says_which_fields_it_is_made_of() {
    let over = Budget::unlimited().each(20).over(&Costs::of(&[bare("ping", "Says pong.")]));

    let told = over[0].to_string();

    assert!(told.starts_with("`ping` costs 24 tokens, the budget of a tool is 20: name "), "{told}");
    assert!(told.contains("input schema "), "{told}");
}

#[test]
fn a_limit_that_is_kept_but_for_a_fifth_is_near() {
    let costs = Costs::of(&[bare("ping", "Says pong.")]);
    let total = costs.total();
    let near = |limit: usize| Budget::total(limit).near(&costs);

    assert_eq!(near(total - 1), []);
    assert_eq!(near(total)[0].to_string(), "tools/list costs 24 tokens, 100 % of the budget of 24");
    assert_eq!(near(total * 10 / 8)[0].percent(), 80);
    assert_eq!(near(total * 2), []);
}

#[test]
fn a_budget_of_nothing_is_over_with_the_first_tool() {
    assert_eq!(Budget::total(0).over(&Costs::of(&[])), []);
    assert_eq!(Budget::total(0).over(&Costs::of(&TOOLS)).len(), 1);
    assert_eq!(Budget::unlimited().over(&Costs::of(&TOOLS)), []);
}

// --- baseline ---

#[test]
fn a_baseline_that_was_written_is_read_again() {
    let path = file("folder/written.json");
    let written = Baseline::new(&Costs::of(&TOOLS), Budget::default());

    written.write(&path).unwrap();

    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(Baseline::read(&path), Ok(written.clone()));
    assert!(text.ends_with("}\n"));
    assert_eq!(text, written.to_string());
}

#[test]
fn a_baseline_says_what_was_counted_and_with_what() {
    let baseline = Baseline::new(&Costs::of(&[bare("ping", "Says pong.")]), Budget::total(900).each(300));

    let json: Value = serde_json::from_str(&baseline.to_string()).unwrap();

    assert_eq!(json["tokenizer"], "o200k_base (bpe-openai 0.3.2)");
    assert_eq!(json["limits"], json!({"total": 900, "each": 300}));
    assert_eq!((&json["version"], &json["form"], &json["total"]), (&json!(1), &json!(1), &json!(24)));
    assert_eq!(json["tools"][0]["name"], "ping");
    assert_eq!(json["tools"][0]["hash"].as_str().unwrap().len(), "sha256-".len() + 44);
}

#[test]
fn a_baseline_that_cannot_be_compared_with_says_why() {
    let good = Baseline::new(&Costs::of(&TOOLS), Budget::default()).to_string();
    let told = |name: &str, text: String| {
        fs::write(file(name), text).unwrap();
        Baseline::read(file(name)).unwrap_err().to_string()
    };

    let missing = Baseline::read(file("nowhere.json")).unwrap_err();
    assert!(missing.is_missing());
    assert!(missing.to_string().ends_with("nowhere.json` is not there: write it once, and commit it"));
    let tokenizer = told("tokenizer", good.replace("o200k_base", "cl100k_base"));
    assert!(tokenizer.contains("counted with `cl100k_base (bpe-openai 0.3.2)`"), "{tokenizer}");
    let form = told("form", good.replace("\"form\": 1", "\"form\": 7"));
    assert!(form.contains("forms of version 7, and this build knows 1"), "{form}");
    let version = told("version", good.replace("\"version\": 1", "\"version\": 2"));
    assert!(version.contains("has version 2, and this build reads 1"), "{version}");
    let limit = told("limit", good.replace("\"each\"", "\"per_tool\""));
    assert!(limit.contains("is no baseline of tools: unknown field `per_tool`"), "{limit}");
    assert!(told("json", "{".into()).contains("` is not JSON: "));
    assert!(told("other", "{}".into()).contains("is no baseline of tools: it has no `version`"));
    assert!(told("array", "[]".into()).contains("is no baseline of tools"));
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    fs::write(file("no-folder"), "").unwrap();

    let error =
        Baseline::new(&Costs::of(&[]), Budget::default()).write(file("no-folder/x.json")).unwrap_err();

    assert!(error.to_string().contains("no-folder/x.json` cannot be written: "), "{error}");
}

// --- drift ---

fn drift(before: &[Value], after: &[Value]) -> Drift {
    Baseline::new(&Costs::of(before), Budget::default()).drift(&Costs::of(after))
}

#[test]
fn indentation_and_the_order_of_keys_and_tools_are_no_change() {
    let mut turned: Vec<Value> = TOOLS
        .iter()
        .map(|it| {
            let mut members: Vec<_> = it.as_object().unwrap().clone().into_iter().collect();
            members.reverse();
            Value::Object(members.into_iter().collect())
        })
        .collect();
    turned.reverse();
    let indented =
        serde_json::from_str::<Vec<Value>>(&serde_json::to_string_pretty(&turned).unwrap()).unwrap();

    assert_eq!(drift(&TOOLS, &indented), Drift { changes: vec![], unchanged: 12 });
    let baseline = |it: &[Value]| Baseline::new(&Costs::of(it), Budget::default()).to_string();
    assert_eq!(baseline(&TOOLS), baseline(&indented));
}

#[test]
fn one_word_in_a_description_is_a_change_of_the_description() {
    let mut after = TOOLS.clone();
    let text = after[3]["description"].as_str().unwrap().replace("newest first", "newest of all first");
    after[3]["description"] = text.into();

    let drift = drift(&TOOLS, &after);

    let [Change::Changed { name, before, after, fields }] = &drift.changes[..] else { panic!("{drift:?}") };
    assert_eq!((name.as_str(), *after), ("find_warehouse_3", before + 2));
    assert_eq!(fields[..], [(Field::Description, 2)]);
    assert!(drift.to_string().contains("tokens, +2 (description +2)"), "{drift}");
    assert!(drift.must_be_agreed_to());
    assert_eq!((drift.tokens(), drift.unchanged), (2, 11));
}

#[test]
fn a_change_that_costs_nothing_must_be_agreed_to() {
    let drift = drift(&[bare("ping", "Says pong.")], &[bare("ping", "Says song.")]);

    assert_eq!(drift.to_string(), "`ping` has changed: 24 tokens, as before");
    assert!(drift.must_be_agreed_to());
}

#[test]
fn annotations_are_part_of_what_was_agreed_to() {
    let mut after = TOOLS.clone();
    after[0]["annotations"]["readOnlyHint"] = false.into();

    assert!(drift(&TOOLS, &after).must_be_agreed_to());
}

#[test]
fn a_new_tool_and_one_that_is_gone_must_be_agreed_to() {
    let new = drift(&TOOLS[..11], &TOOLS);
    let gone = drift(&TOOLS, &TOOLS[..11]);

    let cost = Costs::of(&TOOLS[11..]).total();
    assert_eq!(new.changes, [Change::New { name: "find_refund_11".into(), tokens: cost }]);
    assert_eq!(gone.changes, [Change::Gone { name: "find_refund_11".into(), tokens: cost }]);
    assert_eq!(new.tokens(), -gone.tokens());
    assert!(new.must_be_agreed_to() && gone.must_be_agreed_to());
}

#[test]
fn a_tool_that_only_became_smaller_passes() {
    let mut after = TOOLS.clone();
    after[0]["description"] = "Finds invoices.".into();

    let drift = drift(&TOOLS, &after);

    assert!(drift.changes[0].is_smaller());
    assert!(!drift.is_none() && !drift.must_be_agreed_to());
}

#[test]
fn tools_of_one_name_are_told_apart_by_their_order() {
    let (one, two) = (bare("ping", "Says pong."), bare("ping", "Says pong twice, as some do."));

    assert!(drift(&[one.clone(), two.clone()], &[one.clone(), two.clone()]).is_none());
    assert_eq!(drift(std::slice::from_ref(&one), &[one.clone(), two]).changes.len(), 1);
}

// --- report ---

#[test]
fn a_report_says_what_is_wrong_before_what_it_costs() {
    let before = Costs::of(&TOOLS[..2]);
    let baseline = Baseline::new(&before, Budget::default());
    let report = Report::new(Costs::of(&TOOLS[1..3]), Budget::total(300)).since(&baseline);

    let text = report.to_string();
    let lines: Vec<_> = text.lines().collect();

    assert!(!report.passes());
    assert!(lines[0].starts_with("over: tools/list costs "), "{text}");
    assert!(lines[1].starts_with("`find_shipment_2` is new: "), "{text}");
    assert!(lines[2].starts_with("`find_invoice_0` is gone: it had "), "{text}");
    assert!(lines[3].starts_with("tokens since the baseline: "), "{text}");
    let titles: Vec<_> = lines[4].split_whitespace().collect();
    assert_eq!(titles[..4], ["tokens", "wire", "function", "name"]);
    let total: Vec<_> = lines.last().unwrap().split_whitespace().collect();
    assert_eq!(total[..2], ["total", &report.costs.total().to_string()]);
}

#[test]
fn a_report_without_a_fault_passes() {
    let costs = Costs::of(&TOOLS);
    let baseline = Baseline::new(&costs, Budget::default());

    assert!(Report::new(costs, Budget::default()).since(&baseline).passes());
}
