"""What the raters of a study permit a gate to say: the trust table's record, read by `compare`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.analyses.inputs.metric_uses import trusted_of
from medassay.analyses.inputs.study_columns import StudyColumns
from medassay.analyses.permit_words import limits
from medassay.study.folder import Study
from medassay.text import shell_line
from medassay.validity import (
    BETWEEN_SYSTEMS,
    BETWEEN_VERSIONS,
    Scope,
    Surrogacy,
    TrustEntry,
    VersionSurrogacy,
)

_NOT_SHOWN: Final = "not shown to follow quality"


@dataclass(frozen=True)
class GatePermit:
    """One metric that may gate on one dimension.

    Attributes:
        metric: Its canonical name.
        dimension: What a page calls the dimension.
        systems: Over so many systems it was tried, families counted once; between versions, over so
            many pairs of versions.
        threshold: The smallest loss in the metric behind which the raters see one, by the 95%
            prediction interval for two new systems, or two versions of one.
        threshold_loss: What loss by the raters is expected there.
        not_excluded: The loss by the raters that the metric may hide where it does not change.
        scope: Whether it holds between systems, or between versions of one.
        families: Between versions, the families that the pairs come from; else 0.
    """

    metric: str
    dimension: str
    systems: int
    threshold: float
    threshold_loss: float
    not_excluded: float
    scope: Scope = BETWEEN_SYSTEMS
    families: int = 0


def permits_of(study: Study, score_columns: StudyColumns) -> tuple[GatePermit, ...] | None:
    """List every permit to gate that a study's trust table gives; None where nobody judged."""
    if not len(study.judgements):
        return None
    return tuple(
        permit
        for on in trusted_of(study, score_columns)
        for entry in on.table.entries
        for permit in _permits(entry, study.rubric.dimension(on.dimension).title or on.dimension)
    )


def _permits(entry: TrustEntry, dimension: str) -> Iterator[GatePermit]:
    lines: tuple[tuple[Scope, Surrogacy | VersionSurrogacy | None], ...] = (
        (BETWEEN_SYSTEMS, entry.surrogacy),
        (BETWEEN_VERSIONS, entry.versions),
    )
    for scope, line in lines:
        if (
            scope in entry.scopes
            and line is not None
            and line.threshold is not None
            and line.threshold_loss is not None
            and line.not_excluded is not None
        ):
            yield GatePermit(
                entry.metric,
                dimension,
                line.pairs if isinstance(line, VersionSurrogacy) else line.systems,
                line.threshold,
                line.threshold_loss,
                line.not_excluded,
                scope,
                line.families if isinstance(line, VersionSurrogacy) else 0,
            )


def permits_of_both(
    names: Sequence[str], new: Sequence[GatePermit] | None, old: Sequence[GatePermit] | None
) -> tuple[GatePermit, ...] | None:
    """Join the permits of two versions for these metrics; where both have one, the new one's.

    None where nobody judged either.
    """
    if new is None and old is None:
        return None
    joined = {
        (permit.metric, permit.dimension, permit.scope): permit
        for permit in (*(old or ()), *(new or ()))
    }
    return tuple(joined[at] for at in sorted(joined) if at[0] in names)


def permits_words(names: Sequence[str], permits: Sequence[GatePermit] | None) -> list[str]:
    """Say what a gate on each metric means for the raters; a right option needs no rater.

    A gate compares versions, so a permit between systems says nothing for it.

    Args:
        names: The metrics that are gated.
        permits: What the raters permit of them; None where nobody judged.

    Example:
        >>> permit = GatePermit("bleu", "Tone", 9, 0.05, 0.2, 0.3, "between versions", 4)
        >>> [first, second] = permits_words(["bleu", "rouge1"], [permit])
        >>> first[:78]
        'A drop of 0.05 in bleu between versions means a loss on Tone by the raters (0.'
        >>> second
        'rouge1 checks the score; not shown to follow quality.'
    """
    between = [permit for permit in permits or () if permit.scope == BETWEEN_VERSIONS]
    sentences = [
        (
            f"A drop of {permit.threshold:.3g} in {permit.metric} between versions means a loss on"
            f" {permit.dimension} by the raters ({permit.threshold_loss:.3g} expected; tested on"
            f" {permit.systems} pairs of versions from {permit.families} families)."
            f" Where {permit.metric} does not change, a loss of up to {permit.not_excluded:.3g}"
            " rating points is still possible."
        )
        for permit in between
    ]
    rest = unshown(names, permits)
    elsewhere = {permit.metric for permit in permits or ()}
    if permits is None and rest:
        return [f"No raters judged either version. {_checks(rest)}; {_NOT_SHOWN}."]
    known = [name for name in rest if name in elsewhere]
    others = [name for name in rest if name not in elsewhere]
    if known:
        sentences.append(
            f"{_checks(known)}; {_NOT_SHOWN} between versions, only between systems, and there"
            f" {limits('gate between systems')}."
        )
    return [*sentences, *([f"{_checks(others)}; {_NOT_SHOWN}."] if others else [])]


def unshown(names: Sequence[str], permits: Sequence[GatePermit] | None) -> list[str]:
    """List the metrics that are not shown to follow quality between versions.

    Example:
        >>> unshown(["exact_match", "bleu"], None)
        ['bleu']
    """
    shown = {permit.metric for permit in permits or () if permit.scope == BETWEEN_VERSIONS}
    rest = [name for name in names if name not in shown]
    return [name for name in rest if name.partition("(")[0] != "exact_match"]


def draw_line(old: str, new: str, metrics: Sequence[str]) -> str:
    """Name the command that draws changed answers which would test a metric.

    Example:
        >>> draw_line("old", "new", ["bleu"])
        'To test it, have people rate changed answers: medassay compare old new --into changed'
    """
    line = shell_line(["medassay", "compare", old, new, "--into", "changed"])
    return (
        f"To test {'it' if len(metrics) == 1 else 'them'}, have people rate changed answers: {line}"
    )


def _checks(names: Sequence[str]) -> str:
    return f"{', '.join(names)} {'checks' if len(names) == 1 else 'check'} the score"
