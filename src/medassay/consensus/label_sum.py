"""The sum of the labels' scores: what the source paper calls Pyramid."""

from medassay.consensus.label_scores import no_scores, score_sums
from medassay.consensus.method import MethodDeclaration, consensus_method
from medassay.judgements import Units
from medassay.scores import Reason, Score, Unscored

__all__ = ["label_sum"]


@consensus_method(
    MethodDeclaration(
        name="label_sum",
        title="label sum",
        question="What do the scores that an answer's raters gave it add up to?",
        unit="points of the label scores, times the raters of an answer",
        undefined="the labels have no scores, or answers differ in their number of labels",
        parts=("sum of the label scores", "number of labels"),
        source="Soni & Demner-Fushman, who call it Pyramid; content-unit Pyramid is another thing",
        parameters={"scale": ("sum", "mean_x_n")},
        on_scale=False,
    )
)
def label_sum(units: Units, scale: str = "sum", **_: str) -> list[Score | Unscored]:
    """Add up the label scores of each answer.

    A sum rewards an answer for having more raters, so where answers differ in their number of
    labels there is no value. `label_sum(scale=mean_x_n)` takes the mean times the largest number of
    labels instead, which equals the sum where panels are equal.

    Example:
        >>> units = Units.from_codes([[0, 1], [1, -1]], ["no", "yes"], scores=[0, 2])
        >>> print(label_sum(units)[0])
        undefined here: answers have 1 to 2 labels, and a sum needs one number; \
choose label_sum(scale=mean_x_n)
        >>> [score.value for score in label_sum(units, scale="mean_x_n")]
        [2.0, 4.0]
    """
    if units.scores is None:
        return no_scores(units)
    totals, counts = score_sums(units)
    least, most = min(counts, default=0.0), max(counts, default=0.0)
    if scale == "mean_x_n":
        return [
            Score(total / count * most, parts=(total, count))
            for total, count in zip(totals, counts, strict=True)
        ]
    if least != most:
        detail = (
            f"answers have {least:.0f} to {most:.0f} labels, and a sum needs one number; "
            "choose label_sum(scale=mean_x_n)"
        )
        return [Unscored(Reason.UNDEFINED, detail)] * len(units)
    return [Score(total, parts=(total, count)) for total, count in zip(totals, counts, strict=True)]
