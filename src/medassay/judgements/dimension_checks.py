"""What must hold within one dimension of a rubric; every problem of it, not just the first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite
from typing import Final

from medassay.judgements.harm_readings import HARM_READINGS

__all__ = ["NO_SPAN", "UNIT_INTERVAL", "DimensionFacts", "dimension_problems"]

NO_SPAN: Final = "none"
"""The kind by which a rater says that there is no span to mark, or takes one back."""

UNIT_INTERVAL: Final = "0-1"
"""What `confidence` says where raters give theirs as a number."""

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
        asked: Which of labels, number and kinds it has.
        about: What is judged.
        ends: The lowest and the highest number, None where there is no bound.
        kinds: All words for kinds of spans.
        severities: All words for their severities.
        confidence: How sure raters may say that they are.
    """

    labels: Sequence[tuple[str, float | None]]
    aliases: Sequence[str]
    scale: str
    precedence: Sequence[str]
    mappings: Mapping[str, Mapping[str, str]]
    asked: Sequence[str] = ("labels",)
    about: str = "answer"
    ends: tuple[float | None, float | None] = (None, None)
    kinds: Sequence[str] = ()
    severities: Sequence[str] = ()
    confidence: Sequence[str] = ()

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
            [name for name in ("labels", "number", "kinds") if name in values],
            str(values.get("about", "answer")),
            _ends(values.get("number")),
            _all_words(values.get("kinds")),
            _all_words(values.get("severities")),
            _words(values.get("confidence")),
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
    yield from _what_is_asked(facts)
    yield from _spans(facts)
    if len(facts.confidence) == 1 and facts.confidence[0] != UNIT_INTERVAL:
        must = f'be "{UNIT_INTERVAL}" or two words and more, from unsure to sure, in confidence'
        yield must, f'"{facts.confidence[0]}"', ""
    if UNIT_INTERVAL in facts.confidence[1:]:
        yield f'be "{UNIT_INTERVAL}" alone in confidence', ", ".join(facts.confidence), ""


def _what_is_asked(facts: DimensionFacts) -> Iterator[Finding]:
    """Hold a dimension to one thing: labels, a number, or spans of some kinds."""
    if len(facts.asked) != 1:
        got = " and ".join(facts.asked) or "none of them"
        yield "have labels, number or kinds, one of the three", got, ""
    if "number" in facts.asked and facts.scale and facts.scale != "interval":
        hint = "Leave it out: steps between numbers are equal."
        yield "be interval in scale where a number is asked", f'"{facts.scale}"', hint
    low, high = facts.ends
    if low is not None and high is not None and low >= high:
        yield "have low below high in number", f"low {low:g}, high {high:g}", ""


def _spans(facts: DimensionFacts) -> Iterator[Finding]:
    if facts.kinds and facts.about != "span":
        hint = 'Write about = "span": kinds are of the spans that raters mark.'
        yield "be about spans where it has kinds", f'"{facts.about}"', hint
    if facts.severities and not facts.kinds:
        yield "have kinds where it has severities", "none", ""
    for name, words in (("kinds", facts.kinds), ("severities", facts.severities)):
        twice = sorted(word for word, n in Counter(words).items() if n > 1)
        if twice:
            yield f"use each word once in {name}", f"{', '.join(twice)} twice", ""
    if NO_SPAN in facts.kinds:
        hint = f'"{NO_SPAN}" says that an answer has no such span.'
        yield f'call a kind something else than "{NO_SPAN}"', f'"{NO_SPAN}"', hint


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
    return [entry for entry in _listed(value) if isinstance(entry, str)]


def _all_words(value: object) -> list[str]:
    """Give the words and aliases of a list of labels, as far as they can be read."""
    tables = [label for label in _listed(value) if isinstance(label, dict)]
    names = [name for table in tables if isinstance(name := table.get("label"), str)]
    return [*names, *(word for table in tables for word in _words(table.get("aliases")))]


def _ends(value: object) -> tuple[float | None, float | None]:
    if not isinstance(value, dict):
        return None, None
    low, high = (_number(value.get(name)) for name in ("low", "high"))
    return (None, None) if _NO_NUMBER in {low, high} else (low, high)


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return float(value)
    return _NO_NUMBER
