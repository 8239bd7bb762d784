"""What must hold within one dimension of a rubric; every problem of it, not just the first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite
from typing import Final

from medassay.judgements.harm_readings import HARM_READINGS

__all__ = ["DimensionFacts", "dimension_problems"]

_KEYS: Final = frozenset({"label", "score", "description", "aliases", "examples"})
_NO_NUMBER: Final = inf

Finding = tuple[str, str, str]
"""What must be, what was found, and what to try."""


@dataclass(frozen=True)
class DimensionFacts:
    """A dimension as plain data, as far as it could be read.

    Attributes:
        labels: Each label with its score, None where it has none; in order.
        aliases: All other words for the labels.
        scale: nominal, ordinal or interval.
        precedence: Labels, the one to choose where two hold first.
        mappings: Coarser readings, name to {label: coarser label}.
    """

    labels: Sequence[tuple[str, float | None]]
    aliases: Sequence[str]
    scale: str
    precedence: Sequence[str]
    mappings: Mapping[str, Mapping[str, str]]

    @classmethod
    def of_raw(cls, values: Mapping[str, object]) -> "DimensionFacts":
        """Take what can be taken of a dimension that was written with mistakes."""
        labels = list(_listed(values.get("labels")))
        tables = [label for label in labels if isinstance(label, dict)]
        names = [name for table in tables if isinstance(name := table.get("label"), str)]
        scores = [_number(table.get("score")) for table in tables]
        # A key that is misspelt, or a score that is a word, was named; what it meant is not known.
        known = (
            set(names) and all(set(table) <= _KEYS for table in tables) and _NO_NUMBER not in scores
        )
        maps = values.get("mappings")
        whole = len(names) == len(labels)
        return cls(
            [(name, scores[i] if known and whole else None) for i, name in enumerate(names)],
            [word for table in tables for word in _words(table.get("aliases"))],
            str(values.get("scale", "")),
            _words(values.get("precedence")) if whole else [],
            {
                str(name): {str(k): v for k, v in mapping.items() if isinstance(v, str)}
                for name, mapping in (maps.items() if whole and isinstance(maps, dict) else ())
                if isinstance(mapping, dict) and all(isinstance(v, str) for v in mapping.values())
            },
        )


def dimension_problems(facts: DimensionFacts) -> Iterator[Finding]:
    """Name everything that does not hold together.

    Example:
        >>> labels = [("low", 1.0), ("middle", 3.0), ("high", 2.0)]
        >>> list(dimension_problems(DimensionFacts(labels, [], "ordinal", [], {})))[0][:2]
        ('order the scores as the labels', 'low 1, middle 3, high 2')
    """
    names = [name for name, _ in facts.labels]
    words = [*names, *facts.aliases]
    twice = sorted({word for word in words if words.count(word) > 1})
    if twice:
        yield "use each label or alias once", f"{', '.join(twice)} twice", ""
    scored = [name for name, score in facts.labels if score is not None]
    if scored and len(scored) < len(names):
        yield "give every label a score or none", f"scores for {', '.join(scored)} only", ""
    yield from _order(facts)
    stray = sorted(set(facts.precedence) - set(names))
    if stray:
        yield "name only labels in precedence", ", ".join(stray), ""
    for name, mapping in facts.mappings.items():
        yield from _mapping(name, mapping, names)


def _order(facts: DimensionFacts) -> Iterator[Finding]:
    """Hold the scores of an ordered scale against the order of its labels, best or worst first."""
    scores = [score for _, score in facts.labels if score is not None]
    if facts.scale not in {"ordinal", "interval"} or len(scores) < len(facts.labels):
        return
    up = all(a <= b for a, b in pairwise(scores))
    down = all(a >= b for a, b in pairwise(scores))
    if not up and not down:
        got = ", ".join(f"{name} {score:g}" for name, score in facts.labels)
        hint = f"Write the labels of an {facts.scale} scale from one end to the other, or change "
        hint += "the scores; where the labels have no order, the scale is nominal."
        yield "order the scores as the labels", got, hint


def _mapping(name: str, mapping: Mapping[str, str], names: Sequence[str]) -> Iterator[Finding]:
    if name == "full":
        yield "call a mapping something else", '"full"', "full means no mapping."
    if set(mapping) != set(names):
        yield f"map each of {', '.join(names)} in {name}", ", ".join(mapping) or "none", ""
    coarse = list(dict.fromkeys(mapping.values()))
    if len(coarse) != 2:  # noqa: PLR2004 - binary means two
        yield f"map onto two labels in {name}", ", ".join(coarse) or "none", ""
    if name in HARM_READINGS and coarse and coarse[0] != name:
        # What is written first is what is counted: harm must never be counted the wrong way.
        must = f'write a label that reads "{name}" first in {name}'
        yield must, f'"{coarse[0]}"', "What is written first is what is counted."


def _listed(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else ()


def _words(value: object) -> list[str]:
    return [one for one in _listed(value) if isinstance(one, str)]


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return float(value)
    return _NO_NUMBER
