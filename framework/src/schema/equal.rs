//! When two JSON values are the same for `const`, `enum` and `uniqueItems`: `1` is `1.0`, members have no order.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use serde_json::Value;

use super::number;

pub(super) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => number::compare(left, right) == Ordering::Equal,
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let same_member =
                |(name, value): (&String, &Value)| right.get(name).is_some_and(|it| same(value, it));
            left.len() == right.len() && left.iter().all(same_member)
        }
        _ => left == right,
    }
}

/// Whether no two items are the same. Short lists are compared pair by pair, long ones by a keyed hash.
pub(super) fn all_different(items: &[Value]) -> bool {
    if items.len() <= PAIRWISE {
        return items.iter().enumerate().all(|(at, item)| !items[..at].iter().any(|it| same(it, item)));
    }
    let keys = RandomState::new();
    let mut hashed: Vec<(u64, &Value)> = items.iter().map(|it| (hash(&keys, it), it)).collect();
    hashed.sort_unstable_by_key(|(hash, _)| *hash);
    hashed.chunk_by(|left, right| left.0 == right.0).all(|chunk| {
        chunk.iter().enumerate().all(|(at, (_, item))| !chunk[..at].iter().any(|(_, it)| same(it, item)))
    })
}

fn hash(keys: &RandomState, value: &Value) -> u64 {
    let mut hasher = keys.build_hasher();
    match value {
        Value::Null => 0_u8.hash(&mut hasher),
        Value::Bool(value) => (1_u8, value).hash(&mut hasher),
        Value::Number(value) => match number::as_whole(value) {
            Some(whole) => (2_u8, whole).hash(&mut hasher),
            None => (3_u8, value.as_f64().map(f64::to_bits)).hash(&mut hasher),
        },
        Value::String(value) => (4_u8, value).hash(&mut hasher),
        Value::Array(items) => {
            5_u8.hash(&mut hasher);
            items.iter().for_each(|item| hash(keys, item).hash(&mut hasher));
        }
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| keys.hash_one((name, hash(keys, value)));
            (6_u8, members.iter().map(member).fold(0, u64::wrapping_add)).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// The longest list that is compared pair by pair.
const PAIRWISE: usize = 16;
