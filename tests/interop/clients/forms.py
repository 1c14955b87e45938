"""Fills in the forms that servers ask with."""

from typing import Any

WORDS = {"name": "Ada", "color": "blue", "email": "ada@example.com"}


def filled_in(schema: dict[str, Any]) -> dict[str, Any]:
    """An answer with a value for every field of a form."""
    return {name: _value(name, field) for name, field in schema["properties"].items()}


def _value(name: str, field: dict[str, Any]) -> Any:
    if "default" in field:
        return field["default"]
    if "enum" in field:
        return field["enum"][0]
    if "oneOf" in field:
        return field["oneOf"][0]["const"]
    match field["type"]:
        case "boolean":
            return True
        case "integer" | "number":
            return field.get("minimum", 1)
        case "array":
            items = field["items"]
            return [items["enum"][0] if "enum" in items else items["anyOf"][0]["const"]]
        case _:
            return WORDS.get(name, "none")
