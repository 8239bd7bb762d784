"""What a rubric lacks that raters or analyses will miss."""

from collections.abc import Iterator
from itertools import pairwise

from medassay.judgements.rubric import Dimension, Rubric

__all__ = ["rubric_gaps"]


def rubric_gaps(rubric: Rubric) -> list[str]:
    """Say what is missing though nothing is wrong, a sentence each.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> rubric_gaps(load_rubric("likert5"))
        ['quality: no label has a worked example, so raters learn it from descriptions alone.']
    """
    return [f"{dimension.id}: {gap}" for dimension in rubric.dimensions for gap in _gaps(dimension)]


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
