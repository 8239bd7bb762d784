"""How far raters agree, computed once for all that read it, and for the command line."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from medassay.agreement import (
    Agreement,
    DesignNote,
    Headline,
    PassageAgreement,
    Slice,
    agree,
    agree_by,
    agree_on_passages,
    check_design,
    dimensions_of,
    few_cases,
    find_coefficient,
    headlines,
    slicings,
)
from medassay.analyses.inputs.study_columns import ranking_subsets, step_rng
from medassay.annotations import TestWords, record
from medassay.errors import UnknownName
from medassay.judgements import units
from medassay.progress import told
from medassay.study.config.study_toml import hushes_packages
from medassay.study.folder import Study

PARTS: Final = ("phase", "pair", "system", "self")
MAIN: Final = ("main",)


_MOST_RATERS: Final = 10
"""Pairs of a large pool would be thousands of rows; `medassay agree --by pair` has them."""


@record(infers=False)
class Agreed:
    """All that is known about agreement: of the panel, of its parts, and of its design.

    Attributes:
        judgements: How many judgements there are.
        panel: Each coefficient, dimension by dimension.
        headlines: Which of them heads each dimension, and what stands beside it.
        parts: The same with calibration items, for pairs of raters, and of raters with themselves.
        notes: What the design makes of the coefficients.
        cautions: How far the intervals can be trusted; none where there are cases enough.
        passages: How far raters mark the same passages, where they mark any.
    """

    judgements: int
    panel: tuple[Agreement, ...]
    headlines: tuple[Headline, ...]
    parts: tuple[Slice, ...]
    notes: tuple[DesignNote, ...]
    cautions: tuple[TestWords, ...]
    passages: tuple[PassageAgreement, ...] = ()


def agreed_of(study: Study) -> Agreed:
    """Compute what a report shows; a large pool's pairs are left out."""
    few = study.judgements.frame["rater"].n_unique() <= _MOST_RATERS
    return agreement_report(study, by=("phase", "pair", "self") if few else ("phase", "self"))


def agreement_report(
    study: Study,
    *,
    by: Sequence[str] = ("phase", "pair", "self"),
    phases: Sequence[str] | None = None,
    dimensions: Sequence[str] | None = None,
    coefficients: Sequence[str] | Literal["all"] | None = None,
) -> Agreed:
    """Compute agreement of the panel, of its parts, and what its design does to it.

    Args:
        study: The study.
        by: Which parts. phase: calibration items alone and together with main, where there are any.
            pair: every two raters. system: every system. self: raters who judged answers again.
        phases: Which phases the panel, the pairs and the systems read; those that count in the
            study if not given.
        dimensions: Which dimensions; all that have judgements if not given.
        coefficients: Canonical names for the panel; "all" for every one that fits; if not given
            those of study.toml, else those of its protocol that fit.

    Raises:
        InvalidInput: A phase is not known or is adjudication.
        UnknownName: No such part, dimension or coefficient.
    """
    for part in by:
        if part not in PARTS:
            raise UnknownName("part to take agreement by", part, PARTS)
    panel = tuple(
        replace(agreement, subset=subset)
        for subset, cases in told("agreement of the panel", list(ranking_subsets(study)))
        for agreement in _agree(study, cases, phases, dimensions, coefficients)
    )
    parts = tuple(
        piece
        for part in told("agreement by part", by)
        for piece in _parts(study, part, phases, dimensions, coefficients)
    )
    shown = [*panel, *(piece.agreement for piece in parts)]
    few = few_cases(agreement.n_cases for agreement in shown if agreement.interval is not None)
    return Agreed(
        judgements=study.judgements.current().height,
        panel=panel,
        headlines=tuple(
            headlines(
                panel,
                [
                    study.rubric.dimension(name)
                    for name in dict.fromkeys(a.dimension for a in panel)
                ],
                [str(find_coefficient(name)[1]) for name in study.config.rules.headline],
            )
        ),
        parts=parts,
        notes=(*_design(study, phases, dimensions), *_shown(study)),
        cautions=(few,) if few else (),
        passages=tuple(
            agree_on_passages(
                study.judgements, dimensions=dimensions, clusters=study.clusters, phases=phases
            )
        ),
    )


def _agree(
    study: Study,
    cases: Sequence[str] | None,
    phases: Sequence[str] | None,
    dimensions: Sequence[str] | None,
    coefficients: Sequence[str] | Literal["all"] | None,
) -> list[Agreement]:
    rules = study.config.rules.agreement
    return agree(
        study.judgements,
        dimensions=dimensions,
        coefficient_names=None if coefficients == "all" else coefficients or rules,
        # What somebody named and what does not fit stands there with its reason; what the protocol
        # brings along is left out where it is for another panel.
        only_fitting=coefficients is None and study.config.agreement is None,
        headline=coefficients is None,
        cases=cases,
        clusters=study.clusters,
        phases=phases,
        rng=step_rng(study, "s31"),
        replicates=study.config.run.replicates,
        hushed=hushes_packages(study.config),
    )


def _parts(
    study: Study,
    by: str,
    phases: Sequence[str] | None,
    dimensions: Sequence[str] | None,
    coefficients: Sequence[str] | Literal["all"] | None,
) -> list[Slice]:
    slicing = next((slicing_name for slicing_name in slicings() if slicing_name == by), None)
    if slicing is None:
        return [
            Slice("phase", group, agreement)
            for group, read in _phases(study)
            for agreement in _agree(study, None, read, dimensions, coefficients)
        ]
    return agree_by(
        study.judgements,
        slicing,
        dimensions=dimensions,
        coefficient_names=None if coefficients == "all" else coefficients,
        clusters=study.clusters,
        phases=phases,
        rng=step_rng(study, "s32"),
        replicates=study.config.run.replicates,
        hushed=hushes_packages(study.config),
    )


def _phases(study: Study) -> list[tuple[str, tuple[str, ...]]]:
    """Give what to compare main with: nothing where there are no calibration items."""
    if "calibration" not in set(study.judgements.current()["phase"]):
        return []
    return [
        ("main", MAIN),
        ("calibration and main", ("calibration", "main")),
        ("calibration", ("calibration",)),
    ]


def _design(
    study: Study, phases: Sequence[str] | None, dimensions: Sequence[str] | None
) -> list[DesignNote]:
    return [
        note
        for name in dimensions_of(study.judgements, dimensions)
        for note in check_design(units(study.judgements, name, phases=phases, once=True))
    ]


def _shown(study: Study) -> list[DesignNote]:
    frame = study.judgements.current()
    # Who only settled what others disagreed on is in no coefficient.
    judged = set(frame.filter(frame["phase"] != "adjudication")["rater"])
    saw: dict[str, list[str]] = {}
    for rater in study.raters:
        if rater.rater in judged and rater.shown:
            saw.setdefault(rater.shown, []).append(rater.rater)
    if len(saw) < 2:  # noqa: PLR2004 - two texts differ
        return []
    listed = "; ".join(f"{', '.join(raters)}: {shown}" for shown, raters in sorted(saw.items()))
    text = (
        f"raters were shown different texts ({listed}), so they may differ because the texts do, "
        "and a coefficient across them is no measure of one way of reading"
    )
    raters = tuple(rater for _, group in sorted(saw.items()) for rater in group)
    return [DesignNote("", "different texts", raters, text)]
