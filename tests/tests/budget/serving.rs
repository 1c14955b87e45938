//! A budget that a server keeps, at start and while its tools change.

use tollgate::{
    Client, Server,
    budget::{Budget, OverBudget},
    serde_json::json,
};
use tollgate_tests::Log;

use super::kit::tool;

/// Three tools, of which all cost the same.
fn notes() -> Server<(), tollgate::AuthUndecided> {
    Server::new("budget", "1").tools(Vec::from(["aaa", "bbb", "ccc"].map(tool)))
}

/// What one of them costs.
fn one() -> usize {
    let server = Server::new("budget", "1").tools(vec![tool("aaa")]).without_auth();
    server.catalog().tokens().total()
}

async fn listed(client: &Client) -> Vec<String> {
    let listed = client.request("tools/list", json!({})).await;
    let tools = listed.response["result"]["tools"].as_array().unwrap().clone();
    tools.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_server_over_its_budget_does_not_start_and_names_the_tools() {
    for policy in [OverBudget::Refuse, OverBudget::Warn, OverBudget::Trim] {
        let server = notes().budget(Budget::total(one() * 2)).over_budget(policy).without_auth();

        let error = server.check().run().unwrap_err();

        let cost = one();
        let expected = format!(
            "tools/list costs {} tokens, the budget is {}: aaa {cost}, bbb {cost}, ccc {cost}",
            cost * 3,
            cost * 2
        );
        assert_eq!(error.faults(), [expected]);
    }
}

#[test]
fn a_server_near_its_budget_starts_and_says_so() {
    let log = Log::start();

    notes().budget(Budget::total(one() * 3).each(one())).without_auth().check().assert();

    assert_eq!(log.with("tools/list costs").len(), 1, "{}", log.text());
    assert_eq!(log.with("of a tool of").len(), 3, "{}", log.text());
}

#[tokio::test]
async fn a_change_over_the_budget_is_refused_and_changes_nothing() {
    let log = Log::start();
    let server = notes().budget(Budget::total(one() * 3)).without_auth();
    let (catalog, client) = (server.catalog(), server.client("ann"));

    let error = catalog.add_tool(tool("ddd")).unwrap_err();

    assert!(error.to_string().starts_with("tools/list costs "), "{error}");
    assert!(error.to_string().contains(&format!(", ddd {}", one())), "{error}");
    assert_eq!(listed(&client).await, ["aaa", "bbb", "ccc"]);
    assert!(client.call_raw("ddd", json!({})).await.is_err());
    assert_eq!(log.with("left_out"), [""; 0]);
}

#[tokio::test]
async fn a_change_within_the_budget_is_made_and_told() {
    let log = Log::start();
    let server = notes().budget(Budget::total(one() * 3)).without_auth();
    let (catalog, client) = (server.catalog(), server.client("ann"));

    assert!(catalog.remove_tool("bbb"));
    catalog.add_tool(tool("ddd")).unwrap();

    assert_eq!(listed(&client).await, ["aaa", "ccc", "ddd"]);
    assert_eq!(catalog.tokens().total(), one() * 3);
    let told = log.with("tools/list has changed");
    assert_eq!(told.len(), 2, "{}", log.text());
    assert!(told[0].starts_with("INFO") && told[0].contains(&format!("tokens={}", one() * 2)), "{}", told[0]);
    assert!(told[1].contains(&format!("budget={}", one() * 3)), "{}", told[1]);
}

#[tokio::test]
async fn a_change_over_the_budget_is_made_where_it_is_only_warned_of() {
    let log = Log::start();
    let server = notes().budget(Budget::total(one() * 3).each(one())).over_budget(OverBudget::Warn);
    let server = server.without_auth();
    let dear = tool("ddd").title("A tool that costs more than any of the others");

    server.catalog().add_tool(dear).unwrap();

    assert_eq!(listed(&server.client("ann")).await, ["aaa", "bbb", "ccc", "ddd"]);
    let told = log.with("tools/list costs more than its budget");
    assert!(told.len() == 1 && told[0].starts_with("WARN"), "{}", log.text());
    assert!(told[0].contains("`ddd` costs "), "{}", told[0]);
}

#[tokio::test]
async fn what_does_not_fit_is_left_out_of_the_list_and_can_be_called() {
    let log = Log::start();
    let server = notes().budget(Budget::total(one() * 4)).over_budget(OverBudget::Trim).without_auth();
    let (catalog, client) = (server.catalog(), server.client("ann"));

    for name in ["ddd", "eee", "fff"] {
        catalog.add_tool(tool(name)).unwrap();
    }

    assert_eq!(listed(&client).await, ["aaa", "bbb", "ccc", "ddd"]);
    assert_eq!(client.call_raw("fff", json!({})).await.unwrap()["content"][0]["text"], "done");
    assert_eq!(catalog.tokens().total(), one() * 6);
    let told = log.with("tools are left out of tools/list");
    assert_eq!(told.len(), 2, "{}", log.text());
    assert!(told[1].starts_with("WARN") && told[1].contains(r#"left_out=["eee", "fff"]"#), "{}", told[1]);

    catalog.remove_tool("aaa");

    assert_eq!(listed(&client).await, ["bbb", "ccc", "ddd", "eee"]);
}

#[tokio::test]
async fn each_caller_s_list_is_filled_by_itself() {
    let server = Server::new("budget", "1")
        .tools(vec![tool("aaa").scope("admin"), tool("bbb"), tool("ccc")])
        .budget(Budget::total(one() * 3))
        .over_budget(OverBudget::Trim)
        .without_auth();
    server.catalog().add_tool(tool("ddd")).unwrap();
    let (admin, reader) = (server.client("ann"), server.client("bob").with_scopes(["none"]));

    assert_eq!(listed(&admin).await, ["aaa", "bbb", "ccc"]);
    assert_eq!(listed(&reader).await, ["bbb", "ccc", "ddd"]);
}

#[test]
fn a_tool_that_is_too_dear_by_itself_is_not_made_to_fit() {
    let server = notes().budget(Budget::total(900).each(one())).over_budget(OverBudget::Trim).without_auth();
    let dear = tool("ddd").title("A tool that costs more than any of the others");

    let error = server.catalog().add_tool(dear).unwrap_err();

    assert!(error.to_string().starts_with("`ddd` costs "), "{error}");
}

#[test]
fn prompts_and_resources_take_nothing_of_the_budget() {
    let server = notes().budget(Budget::total(one() * 3)).without_auth();
    let prompt = tollgate::Prompt::new("hello", "Says hello.", async |_cx, _| Ok("hello"));

    server.catalog().add_prompt(prompt).unwrap();
}
