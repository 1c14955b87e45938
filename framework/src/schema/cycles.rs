//! Refuses references that lead back to themselves without going deeper into the instance.

use super::SchemaError;
use super::index::Index;
use super::rule::{Node, Rule};

/// # Errors
///
/// When a schema applies to the same value as itself, or the longest chain of schemas on one value is over 64.
pub(super) fn refuse(nodes: &[Node], index: &Index<'_>) -> Result<(), SchemaError> {
    let edges: Vec<Vec<usize>> =
        nodes.iter().map(|node| node.rules.iter().flat_map(Rule::in_place).collect()).collect();
    let mut incoming = vec![0_usize; nodes.len()];
    edges.iter().flatten().for_each(|to| incoming[*to] += 1);
    let mut ready: Vec<usize> = (0..nodes.len()).filter(|id| incoming[*id] == 0).collect();
    let mut depths = vec![0_usize; nodes.len()];
    while let Some(from) = ready.pop() {
        for to in &edges[from] {
            depths[*to] = depths[*to].max(depths[from] + 1);
            incoming[*to] -= 1;
            if incoming[*to] == 0 {
                ready.push(*to);
            }
        }
    }
    let pointer = |id: usize| index.place(id).map(|it| it.pointer.clone()).unwrap_or_default();
    if let Some(id) = (0..nodes.len()).find(|id| incoming[*id] > 0 && is_on_cycle(*id, &edges)) {
        return Err(SchemaError::new(pointer(id), "this schema refers back to itself on the same value"));
    }
    match depths.iter().position(|it| *it > LONGEST) {
        Some(id) => Err(SchemaError::new(
            pointer(id),
            format!("more than {LONGEST} schemas in a row apply to one value"),
        )),
        None => Ok(()),
    }
}

fn is_on_cycle(start: usize, edges: &[Vec<usize>]) -> bool {
    let mut seen = vec![false; edges.len()];
    let mut open = edges[start].clone();
    while let Some(id) = open.pop() {
        if id == start {
            return true;
        }
        if !std::mem::replace(&mut seen[id], true) {
            open.extend(&edges[id]);
        }
    }
    false
}

/// The longest chain of schemas that apply to one value.
const LONGEST: usize = 64;
