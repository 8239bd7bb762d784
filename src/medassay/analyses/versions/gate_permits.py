"""What the raters of a study permit a gate to say: the trust table's record, read by `compare`."""

from collections.abc import Sequence
from dataclasses import dataclass

from medassay.analyses.score_columns import StudyColumns
from medassay.analyses.trust import trusted_of
from medassay.study.folder import Study

__all__ = ["GatePermit", "permits_of", "permits_of_both", "permits_words"]


@dataclass(frozen=True)
class GatePermit:
    """One metric that may gate on one dimension.

    Attributes:
        metric: Its canonical name.
        dimension: What a page calls the dimension.
        systems: Over so many systems, families counted once, it was tried.
        threshold: The smallest loss in the metric behind which the raters see one, by the 95 %
            prediction interval for two new systems.
        threshold_loss: What loss by the raters is expected there.
        not_excluded: The loss by the raters that the metric may hide where it does not change.
    """

    metric: str
    dimension: str
    systems: int
    threshold: float
    threshold_loss: float
    not_excluded: float


def permits_of(study: Study, score_columns: StudyColumns) -> tuple[GatePermit, ...] | None:
    """List every permit to gate that a study's trust table gives; None where nobody judged."""
    if not len(study.judgements):
        return None
    return tuple(
        GatePermit(
            entry.metric,
            study.rubric.dimension(on.dimension).title or on.dimension,
            line.systems,
            line.threshold,
            line.threshold_loss,
            line.not_excluded,
        )
        for on in trusted_of(study, score_columns)
        for entry in on.table.entries
        if "gate" in entry.uses
        and (line := entry.surrogacy) is not None
        and line.threshold is not None
        and line.threshold_loss is not None
        and line.not_excluded is not None
    )


def permits_of_both(
    names: Sequence[str], new: Sequence[GatePermit] | None, old: Sequence[GatePermit] | None
) -> tuple[GatePermit, ...] | None:
    """Join the permits of two versions for these metrics; where both have one, the new one's.

    None where nobody judged either.
    """
    if new is None and old is None:
        return None
    joined = {(permit.metric, permit.dimension): permit for permit in (*(old or ()), *(new or ()))}
    return tuple(joined[at] for at in sorted(joined) if at[0] in names)


def permits_words(names: Sequence[str], permits: Sequence[GatePermit] | None) -> list[str]:
    """Say what a gate on each metric means for the raters; a right option needs no rater.

    Args:
        names: The metrics that are gated.
        permits: What the raters permit of them; None where nobody judged.

    Example:
        >>> permit = GatePermit("bleu", "Tone", 14, 0.05, 0.2, 0.3)
        >>> [first, second] = permits_words(["bleu", "rouge1"], [permit])
        >>> first[:79]
        'Behind a loss of 0.05 in bleu the raters see one on Tone (0.2 expected; tried o'
        >>> second
        'The raters do not permit a gate on rouge1; it guards the number, not the quality.'
    """
    sentences = [
        (
            f"Behind a loss of {permit.threshold:.3g} in {permit.metric} the raters see one on "
            f"{permit.dimension} ({permit.threshold_loss:.3g} expected; tried on {permit.systems} "
            f"systems); where {permit.metric} does not change, a loss of up to "
            f"{permit.not_excluded:.3g} by them is not excluded."
        )
        for permit in permits or ()
    ]
    permitted = {permit.metric for permit in permits or ()}
    rest = [name for name in names if name not in permitted]
    rest = [name for name in rest if name.partition("(")[0] != "exact_match"]
    if not rest:
        return sentences
    listed, single = ", ".join(rest), len(rest) == 1
    if permits is None:
        return [
            (
                f"No raters judged either version, so it is not known whether {listed} "
                f"{'means' if single else 'mean'} anything here; a gate on "
                f"{'it' if single else 'them'} guards the number, not the quality."
            )
        ]
    guards = "it guards" if single else "they guard"
    refused = f"The raters do not permit a gate on {listed}; {guards} the number, not the quality."
    return [*sentences, refused]
