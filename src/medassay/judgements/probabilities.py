"""How likely a model holds each label: one JSON object a row."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Final, TypeGuard

import polars as pl

from medassay.errors import nearest
from medassay.tables import json_bytes, json_fault, parse_strictly

if TYPE_CHECKING:
    from medassay.judgements.intake import Intake

__all__ = ["read_probabilities"]

_SLACK: Final = 0.01
"""How far from 1 rounded probabilities may add up."""
_EXAMPLE: Final = 'Such as {"yes": 0.8, "no": 0.2}.'


def read_probabilities(
    intake: "Intake", name: str, rows: pl.Series, words: Mapping[str, str]
) -> list[str | None]:
    """Read how likely each label is: of these rows, written in one way; None for other rows.

    A label that is not named has a probability of 0.

    Args:
        intake: The sheet, and where problems go.
        name: The column.
        rows: Which rows to read.
        words: Every accepted word, to its label, in the labels' order.
    """
    cells = intake.objects(name)
    read: list[str | None] = [None] * len(cells)
    known: dict[str, str | tuple[str, str, str]] = {}
    for row in (rows & cells.is_not_null()).arg_true().to_list():
        text = cells[row]
        if text not in known:
            known[text] = _canonical(text, words)
        outcome = known[text]
        if isinstance(outcome, str):
            read[row] = outcome
        else:
            must, got, hint = outcome
            intake.refuse_one(row, name, must, got, hint)
    return read


def _canonical(text: str, words: Mapping[str, str]) -> str | tuple[str, str, str]:
    """Write the object in one way, or say what must be, what was got and what to try."""
    labels = list(dict.fromkeys(words.values()))
    try:
        value = parse_strictly(text)
    except (ValueError, RecursionError) as error:
        return "be JSON from label to probability", json_fault(error), _EXAMPLE
    if not isinstance(value, dict) or not value:
        return "be JSON from label to probability", text, _EXAMPLE
    fault = _fault(value, words, labels)
    if fault is not None:
        return fault
    of = {words[word]: share for word, share in value.items()}
    return json_bytes(of, compact=True).decode().strip()


def _fault(
    value: Mapping[str, object], words: Mapping[str, str], labels: Sequence[str]
) -> tuple[str, str, str] | None:
    strange = [word for word in value if word not in words]
    if strange:
        return f"name labels: {', '.join(labels)}", strange[0], nearest(strange[0], words)
    if len({words[word] for word in value}) < len(value):
        return "name each label once", ", ".join(value), ""
    shares = [share for share in value.values() if _is_probability(share)]
    if len(shares) < len(value):
        bad = next(share for share in value.values() if not _is_probability(share))
        return "hold probabilities from 0 to 1", str(bad), ""
    total = sum(shares)
    return (
        ("hold probabilities that add up to 1", f"{total:g}", "")
        if abs(total - 1) > _SLACK
        else None
    )


def _is_probability(value: object) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isfinite(value) and 0 <= value <= 1
