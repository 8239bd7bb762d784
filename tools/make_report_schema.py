"""Write the JSON Schema of report.json from the records that fill it.

python -m tools.make_report_schema

Each property says what it holds: in the words beside its field, of the record's `Attributes:`, or,
where a name means the same in every record, of `MEANINGS`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

from medassay.analyses.registry import analyses
from medassay.report.store import report_schema
from medassay.tables import json_bytes, write_atomically
from tools.report_meanings import MEANINGS

ROOT: Final = Path(__file__).parents[1]
SCHEMA: Final = ROOT / "docs/reference/report.schema.json"
_ATTRIBUTES: Final = re.compile(r"\n\nAttributes:\n(.*?)(?=\n\n|\Z)", re.DOTALL)
_FOR_CODE: Final = re.compile(r"\n\n(?:Example|Raises):\n.*\Z", re.DOTALL)
_NONE: Final = re.compile(r"\bNone\b(?! of the\b)")
"""Python's word for a value that is missing; in JSON it is another."""
_CLASS_OF: Final = {"report.json": "Results"}
_ATTRIBUTE: Final = re.compile(r"^ {4}(\w+): (.*?)(?=^ {4}\w+: |\Z)", re.DOTALL | re.MULTILINE)


def schema() -> bytes:
    """Give the file's bytes."""
    made = report_schema()
    words_beside = _words_beside_fields()
    for analysis in analyses():
        own = made["properties"]["analyses"]["properties"][analysis.id]
        own.setdefault("description", analysis.declared.question)
    attributes = []
    for name, record in _records(made):
        described = record.get("description", "")
        listed = _ATTRIBUTES.search(described)
        attributes.append(
            (name, record, dict(_ATTRIBUTE.findall(f"{listed[1]}\n" if listed else "")))
        )
        if described:
            words_of_record = _FOR_CODE.sub("", _ATTRIBUTES.sub("", described))
            record["description"] = _NONE.sub("null", words_of_record)
    for name, record, words in attributes:
        for field, value in record["properties"].items():
            meaning = words.get(field) or words_beside.get((_CLASS_OF.get(name, name), field))
            meaning = meaning or MEANINGS.get(f"{name}.{field}")
            if not meaning and len(record["properties"]) == 1:
                meaning = record["description"]  # a list alone is what its record is
            meaning = meaning or value.get("description") or MEANINGS.get(field)
            if meaning:
                value["description"] = _NONE.sub("null", " ".join(meaning.split()))
    return json_bytes(made)


def undescribed(made: dict[str, Any]) -> list[str]:
    """Name the properties that do not say what they hold.

    Example:
        >>> undescribed({"title": "A", "properties": {"n": {"type": "integer"}}})
        ['A.n']
    """
    return [
        f"{name}.{field}"
        for name, record in _records(made)
        for field, value in record["properties"].items()
        if not value.get("description")
    ]


def _records(value: Any, name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401 - any JSON
    """Give every object of a schema that names properties, with its name."""
    if isinstance(value, list):
        for item in value:
            yield from _records(item)
    elif isinstance(value, dict):
        if isinstance(value.get("properties"), dict) and "type" in value | {"type": ""}:
            yield str(name or value.get("title", "")), value
        for key, inner in value.items():
            if key == "properties" and isinstance(inner, dict):
                for own in inner.values():
                    yield from _records(own, own.get("title", ""))
            elif key == "$defs":
                for record, own in inner.items():
                    yield from _records(own, record)
            else:
                yield from _records(inner)


def _words_beside_fields() -> dict[tuple[str, str], str]:
    """Read what stands below each field of each class of the source."""
    words = {}
    for path in sorted((ROOT / "src" / "medassay").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ClassDef):
                continue
            for field, below in zip(node.body, node.body[1:], strict=False):
                match field, below:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(text))),
                    ):
                        words[node.name, name] = dedent(text)
                    case _:
                        pass
    return words


if __name__ == "__main__":
    write_atomically(SCHEMA, schema())
