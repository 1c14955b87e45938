//! Every kind of content that a tool can show.

use serde_json::json;
use tollgate::{Annotations, Contents, ResourceLink, Role, prelude::*};

use crate::{client, good};

/// Shows everything.
///
/// Use when all kinds are wanted.
/// Do not use when one is.
#[tool]
async fn show() -> Contents {
    let mut hints = Annotations::default();
    hints.audience = vec![Role::User, Role::Assistant];
    hints.priority = Some(0.5);
    hints.last_modified = Some("2026-07-28T00:00:00Z".into());
    let mut link = ResourceLink::new("file:///a.txt", "a");
    link.title = Some("A".into());
    link.mime_type = Some("text/plain".into());
    link.size = Some(3);
    [
        Content::text("a text").annotated(hints),
        Content::image(b"\x89PNG", "image/png"),
        Content::audio(b"RIFF", "audio/wav"),
        Content::link(link),
        Content::resource(ResourceContents::text("file:///b.txt", "text/plain", "b")),
        Content::resource(ResourceContents::blob("file:///c", "application/octet-stream", [0, 255])),
    ]
    .into()
}

#[tokio::test]
async fn every_kind_of_content_travels_as_the_protocol_has_it() {
    let client = client(tools![show]);

    let content = good(&client, "show", json!({})).await["content"].clone();

    assert_eq!(
        content,
        json!([
            {
                "type": "text",
                "text": "a text",
                "annotations": {
                    "audience": ["user", "assistant"],
                    "priority": 0.5,
                    "lastModified": "2026-07-28T00:00:00Z",
                },
            },
            {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
            {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
            {
                "type": "resource_link",
                "uri": "file:///a.txt",
                "name": "a",
                "title": "A",
                "mimeType": "text/plain",
                "size": 3,
            },
            {"type": "resource", "resource": {"uri": "file:///b.txt", "mimeType": "text/plain", "text": "b"}},
            {
                "type": "resource",
                "resource": {"uri": "file:///c", "mimeType": "application/octet-stream", "blob": "AP8="},
            },
        ]),
    );
}

/// Shows a picture.
///
/// Use when one is wanted.
/// Do not use when none is.
#[tool]
async fn picture(there: bool) -> Result<Content> {
    if !there {
        fail!("There is no picture. Ask for another.");
    }
    Ok(Content::image([0], "image/png"))
}

#[tokio::test]
async fn a_tool_that_shows_one_piece_of_content_can_fail() {
    let client = client(tools![picture]);

    let shown = good(&client, "picture", json!({"there": true})).await;
    let told = client.call_raw("picture", json!({"there": false})).await.unwrap_err();

    assert_eq!(shown["content"][0]["data"], "AA==");
    assert_eq!(told.text(), "There is no picture. Ask for another.");
}
