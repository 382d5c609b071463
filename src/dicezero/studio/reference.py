"""The API's page for readers, made from its OpenAPI schema: one HTML file, no script, no other host."""

from __future__ import annotations

from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 2.5rem; } code, pre { font-family: ui-monospace, monospace; font-size: 0.92em; }
section { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px;
  padding: 0 1rem; margin: 1rem 0; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0;
  vertical-align: top; border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
.method { font-weight: 700; text-transform: uppercase; }
"""


def reference_page(schema: dict[str, Any], prefix: str) -> str:
    """The page: every operation with its parameters, body and answers, then every record with its fields."""
    info = schema["info"]
    operations = "".join(
        _operation(prefix + path, method, operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    )
    records = schema.get("components", {}).get("schemas", {})
    tables = "".join(
        _record(name, record) for name, record in sorted(records.items()) if "Validation" not in name
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(info['title'])}: API</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(info['title'])}: API</h1><p>{escape(info['description'])}</p>"
        f'<p>For programs: <a href="{prefix}/openapi.json">openapi.json</a>.</p>'
        f"<h2>Operations</h2>{operations}<h2>Records</h2>{tables}</body></html>"
    )


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    rows = [
        (f"{item['name']} ({item['in']})", _kind(item["schema"]), _limits(item["schema"]))
        for item in operation.get("parameters", [])
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body:
        rows.append(("body", _kind(body["schema"]), ""))
    for status, answer in operation["responses"].items():
        content = answer.get("content", {}).get("application/json", {})
        rows.append((status, _kind(content.get("schema", {})), escape(answer["description"])))
    return (
        f'<section><h3><span class="method">{escape(method)}</span> <code>{escape(path)}</code></h3>'
        f"<p>{escape(operation.get('description', ''))}</p>{_table(rows)}</section>"
    )


def _record(name: str, record: dict[str, Any]) -> str:
    rows = [
        (field, _kind(about), " ".join(filter(None, (_limits(about), escape(about.get("description", ""))))))
        for field, about in record.get("properties", {}).items()
    ]
    about = escape(record.get("description", ""))
    return f'<section id="{escape(name)}"><h3>{escape(name)}</h3><p>{about}</p>{_table(rows)}</section>'


def _table(rows: list[tuple[str, str, str]]) -> str:
    """Rows of (plain text, HTML, HTML)."""
    cells = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{kind}</td><td>{more}</td></tr>"
        for name, kind, more in rows
    )
    return f"<table>{cells}</table>"


def _kind(schema: dict[str, Any]) -> str:
    """The type as HTML: records are links."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_kind(part) for part in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"<code>{escape(repr(value))}</code>" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_kind(schema['additionalProperties'])}"
    return escape(str(schema.get("type", "")))


def _limits(schema: dict[str, Any]) -> str:
    """Default and limits, as HTML."""
    words = {
        "default": "default",
        "minimum": "at least",
        "maximum": "at most",
        "exclusiveMaximum": "below",
        "maxLength": "characters at most",
        "pattern": "matches",
    }
    limits = [f"{word} {schema[key]!r}" for key, word in words.items() if schema.get(key) is not None]
    return escape(", ".join(limits)) + ("." if limits else "")
