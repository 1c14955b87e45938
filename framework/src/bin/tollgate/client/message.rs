//! One JSON-RPC message that came.

use serde_json::{Value, json};

use super::error::{ClientError, RpcError};
use crate::text;

/// What a message can be to a client.
#[derive(Debug)]
pub(crate) enum Message {
    /// The answer to the request with this id.
    Answer { id: u64, outcome: Result<Value, RpcError> },
    /// An error that names no request of ours.
    Stray(RpcError),
    /// Something to know.
    Notification { method: String, params: Value },
    /// Something to answer.
    Request { id: Value, method: String, params: Value },
}

impl Message {
    pub(crate) fn read(mut value: Value) -> Result<Self, ClientError> {
        let id = value.get("id").cloned();
        let params = value.get_mut("params").map(Value::take).unwrap_or_default();
        if let Some(method) = value.get("method").and_then(Value::as_str) {
            let method = method.to_owned();
            return Ok(match id {
                Some(id) => Self::Request { id, method, params },
                None => Self::Notification { method, params },
            });
        }
        let id = id.as_ref().and_then(Value::as_u64);
        let error = value.get("error").and_then(RpcError::read);
        match (id, value.get_mut("result"), error) {
            (Some(id), Some(result), None) => Ok(Self::Answer { id, outcome: Ok(result.take()) }),
            (Some(id), None, Some(error)) => Ok(Self::Answer { id, outcome: Err(error) }),
            (None, None, Some(error)) => Ok(Self::Stray(error)),
            _ => {
                let shown = text::short(&value.to_string(), 120);
                Err(ClientError::NotMcp(format!("it sent `{shown}`, which is no message of JSON-RPC")))
            }
        }
    }
}

pub(crate) fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(crate) fn notification(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

pub(crate) fn answer(id: &Value, outcome: Result<Value, RpcError>) -> Value {
    match outcome {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error.to_json()}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_told_by_its_members() {
        let read = |value| Message::read(value).unwrap();

        assert!(matches!(read(json!({"id": 3, "result": {}})), Message::Answer { id: 3, outcome: Ok(_) }));
        assert!(matches!(
            read(json!({"id": 3, "error": {"code": -1, "message": "no"}})),
            Message::Answer { id: 3, outcome: Err(_) }
        ));
        assert!(matches!(
            read(json!({"id": null, "error": {"code": -1, "message": "no"}})),
            Message::Stray(_)
        ));
        assert!(matches!(read(json!({"method": "a"})), Message::Notification { .. }));
        assert!(matches!(read(json!({"id": "x", "method": "a"})), Message::Request { .. }));
    }

    #[test]
    fn json_that_is_no_message_is_refused_and_quoted() {
        for bad in [json!({}), json!([]), json!(7), json!({"id": 1, "result": {}, "error": {"code": 1}})] {
            let error = Message::read(bad.clone()).unwrap_err();

            assert!(matches!(error, ClientError::NotMcp(_)), "{bad}");
        }
    }
}
