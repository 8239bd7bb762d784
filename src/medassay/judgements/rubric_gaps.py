"""What a rubric lacks that raters or analyses will miss."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from medassay.judgements.about import AboutKind
from medassay.judgements.rubric import Dimension, Reads, Rubric

__all__ = ["rubric_gaps", "unsaid_reads"]

_SPEAKS_OF: Final[dict[Reads, str]] = {
    "evidence": r"\bthe notes\b",
    "retrieved": r"\bretriev\w+",
    "cited": r"\bcit(?:e|es|ed|ation|ations)\b",
    "references": r"\b(?:reference|gold) answers?\b",
}
_SHOWN_AS_PART: Final[dict[AboutKind, Reads]] = {"citation": "cited", "document": "retrieved"}


def rubric_gaps(rubric: Rubric) -> list[str]:
    """Say what is missing though nothing is wrong, a sentence each.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> rubric_gaps(load_rubric("likert5"))
        ['quality: no label has a worked example, so raters learn it from descriptions alone.']
    """
    return [
        f"{dimension.id}: {gap}"
        for dimension in rubric.dimensions
        for gap in (*_gaps(dimension), *_unsaid(dimension))
    ]


def unsaid_reads(dimension: Dimension) -> str:
    """Say what a question speaks of by its words where the rubric does not say; else nothing.

    Example:
        >>> labels = ({"label": "yes"}, {"label": "no"})
        >>> asked = Dimension(id="a", question="Does it keep to the notes?", scale="nominal",
        ...     labels=labels)
        >>> unsaid_reads(asked)
        'it speaks of "the notes": write reads = ["evidence"] in the rubric, or reads = []'
    """
    if dimension.reads is not None or dimension.derived:
        return ""
    said = " ".join([dimension.question, *(label.description for label in dimension.labels)])
    for what, words in _SPEAKS_OF.items():
        found = re.search(words, said, re.IGNORECASE)
        if found is not None and _SHOWN_AS_PART.get(dimension.about) != what:
            line = f'reads = ["{what}"] in the rubric, or reads = []'
            return f'it speaks of "{found[0]}": write {line}'
    return ""


def _unsaid(dimension: Dimension) -> Iterator[str]:
    unsaid = unsaid_reads(dimension)
    if unsaid:
        yield f"model judges are not asked: {unsaid}."


def _gaps(dimension: Dimension) -> Iterator[str]:
    words = (*dimension.labels, *dimension.kinds, *dimension.severities)
    silent = [label.label for label in words if not label.description]
    if silent:
        yield f"without a description: {', '.join(silent)}."
    number = dimension.number
    if number is not None and (number.low is None or number.high is None):
        yield "no lowest and highest number, so a slip of the pen is taken for a number."
    if not dimension.labels:
        return
    if not any(label.examples for label in dimension.labels) and not dimension.derived:
        yield "no label has a worked example, so raters learn it from descriptions alone."
    if dimension.scale != "nominal" and dimension.scores is None:
        yield "labels have no scores, so there are no means, sums or intraclass correlations."
    if dimension.scale != "nominal" and len(set(dimension.scores or ())) < len(
        dimension.scores or ()
    ):
        yield "two labels have one score, so means and sums cannot tell them apart."
    if dimension.scale == "interval" and dimension.scores is not None:
        steps = {round(b - a, 9) for a, b in pairwise(dimension.scores)}
        if len(steps) > 1:
            yield "the steps between its scores differ, though the scale is interval."
    if len(dimension.labels) > 2 and not dimension.mappings:  # noqa: PLR2004 - two need none
        yield "no binary mapping, so agreement is reported on the full labels alone."
