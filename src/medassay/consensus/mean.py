"""The mean of the labels' scores."""

from medassay.consensus.label_scores import no_scores, score_sums
from medassay.consensus.method import MethodDeclaration, consensus_method
from medassay.judgements import Units
from medassay.scores import Score, Unscored

__all__ = ["mean"]


@consensus_method(
    MethodDeclaration(
        name="mean",
        title="mean",
        question="What score do the raters of an answer give it on average?",
        unit="points of the label scores; a share where labels are read through a mapping",
        undefined="the labels have no scores",
        numbers=True,
        parts=("sum of the label scores", "number of labels"),
    )
)
def mean(units: Units, **_: str) -> list[Score | Unscored]:
    """Divide the sum of the label scores by the number of labels given.

    Through a mapping such as `harmful` it is the share of the raters who chose its first label.

    Example:
        >>> units = Units.from_codes([[0, 1], [1, -1]], ["no", "yes"], scores=[0, 1])
        >>> [score.value for score in mean(units)]
        [0.5, 1.0]
    """
    if units.scores is None:
        return no_scores(units)
    totals, counts = score_sums(units)
    return [
        Score(total / count, parts=(total, count))
        for total, count in zip(totals, counts, strict=True)
    ]
