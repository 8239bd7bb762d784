"""Which label every way of joining raters gives each answer, and how often each label."""

from collections.abc import Sequence

from medassay.analyses.results.consensus import JoinedLabel, LabelShare
from medassay.consensus import ConsensusDetails

__all__ = ["joined_labels", "label_shares"]


def joined_labels(details: Sequence[ConsensusDetails]) -> list[JoinedLabel]:
    """Name the label of each answer, under each method that gives labels."""
    return [
        JoinedLabel(
            dimension=consensus.units.dimension,
            method=consensus.method,
            system=system,
            case=case,
            label=consensus.units.labels[code] if code >= 0 else None,
        )
        for consensus in details
        if consensus.joined.codes is not None
        for (system, case, _, about), code in zip(
            consensus.units.keys, consensus.joined.codes, strict=True
        )
        if not about
    ]


def label_shares(details: Sequence[ConsensusDetails]) -> list[LabelShare]:
    """Count the answers of each label, in the scale's order; those without one come last."""
    return [
        LabelShare(
            dimension=consensus.units.dimension,
            method=consensus.method,
            label=label,
            answers=consensus.joined.codes.count(code),
            of=len(consensus.joined.codes),
        )
        for consensus in details
        if consensus.joined.codes
        for code, label in [*enumerate(consensus.units.labels), (-1, None)]
    ]
