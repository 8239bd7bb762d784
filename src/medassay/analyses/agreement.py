"""All that is known about agreement in a study, laid out for the report and the command line."""

from collections.abc import Sequence
from typing import Final, Literal

from medassay.agreement import (
    Agreement,
    DesignNote,
    agree,
    agree_by,
    bands_of,
    check_design,
    few_cases,
    find_coefficient,
    slicings,
)
from medassay.analyses.builtin.rater_flow.compute import count_raters
from medassay.analyses.inputs import on_file_of
from medassay.analyses.results.agreement import (
    AgreementPart,
    AgreementReport,
    AgreementResult,
)
from medassay.analyses.score_columns import ALL_CASES, ranking_subsets, step_rng
from medassay.errors import UnknownName
from medassay.judgements import units
from medassay.scores import Name
from medassay.study.folder import Study
from medassay.study.hushed import hushes_packages

__all__ = ["PARTS", "agreement_report", "describe_notes"]

PARTS: Final = ("phase", "pair", "system", "self")
MAIN: Final = ("main",)


def agreement_report(
    study: Study,
    *,
    by: Sequence[str] = ("phase", "pair", "self"),
    phases: Sequence[str] = MAIN,
    dimensions: Sequence[str] | None = None,
    coefficients: Sequence[str] | Literal["all"] | None = None,
) -> AgreementReport:
    """Compute agreement of the panel, of its parts, and what its design does to it.

    Args:
        study: The study.
        by: Which parts. phase: calibration items alone and together with main, where there are any.
            pair: every two raters. system: every system. self: raters who judged answers again.
        phases: Which phases the panel, the pairs and the systems read.
        dimensions: Which dimensions; all that have judgements if not given.
        coefficients: Canonical names for the panel; "all" for every one that fits; if not given
            those of study.toml, else those of its protocol that fit.

    Raises:
        InvalidInput: A phase is not known or is adjudication.
        UnknownName: No such part, dimension or coefficient.
    """
    for one in by:
        if one not in PARTS:
            raise UnknownName("part to take agreement by", one, PARTS)
    panel = [
        _result(study, subset, agreement)
        for subset, cases in ranking_subsets(study)
        for agreement in _agree(study, cases, phases, dimensions, coefficients)
    ]
    parts = [part for one in by for part in _parts(study, one, phases, dimensions, coefficients)]
    shown = [*panel, *(part.agreement for part in parts)]
    few = few_cases(agreement.n_cases for agreement in shown if agreement.interval is not None)
    return AgreementReport(
        panel=panel,
        parts=parts,
        notes=[*_design(study, phases, dimensions), *_shown(study)],
        cautions=[few] if few else [],
        flow=count_raters(on_file_of(study), study.judgements, study.preferences),
    )


def describe_notes(notes: Sequence[DesignNote]) -> list[str]:
    """Say each note once, with the dimensions that it holds for."""
    return [f"Agreement{' on ' if n.dimension else ''}{n.dimension}: {n.text}." for n in notes]


def _agree(
    study: Study,
    cases: Sequence[str] | None,
    phases: Sequence[str],
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
        beyond_chance=coefficients is None,
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
    phases: Sequence[str],
    dimensions: Sequence[str] | None,
    coefficients: Sequence[str] | Literal["all"] | None,
) -> list[AgreementPart]:
    slicing = next((one for one in slicings() if one == by), None)
    if slicing is None:
        return [
            AgreementPart(by="phase", group=group, agreement=_result(study, ALL_CASES, agreement))
            for group, read in _phases(study)
            for agreement in _agree(study, None, read, dimensions, coefficients)
        ]
    slices = agree_by(
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
    return [
        AgreementPart(
            by=this_slice.by,
            group=this_slice.group,
            agreement=_result(study, ALL_CASES, this_slice.agreement),
        )
        for this_slice in slices
    ]


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
    study: Study, phases: Sequence[str], dimensions: Sequence[str] | None
) -> list[DesignNote]:
    judged = set(study.judgements.frame["dimension"])
    asked = [d for d in study.rubric.ids if d in judged] if dimensions is None else dimensions
    return [
        note
        for name in asked
        for note in check_design(units(study.judgements, name, phases=phases))
    ]


def _shown(study: Study) -> list[DesignNote]:
    frame = study.judgements.current()
    # Who only settled what others disagreed on is in no coefficient.
    judged = set(frame.filter(frame["phase"] != "adjudication")["rater"])
    saw: dict[str, list[str]] = {}
    for this_rater in study.raters:
        if this_rater.rater in judged and this_rater.shown:
            saw.setdefault(this_rater.shown, []).append(this_rater.rater)
    if len(saw) < 2:  # noqa: PLR2004 - two texts differ
        return []
    listed = "; ".join(f"{', '.join(raters)}: {shown}" for shown, raters in sorted(saw.items()))
    text = (
        f"raters were shown different texts ({listed}), so they may differ because the texts do, "
        "and a coefficient across them is no measure of one way of reading"
    )
    raters = tuple(rater for _, group in sorted(saw.items()) for rater in group)
    return [DesignNote("", "different texts", raters, text)]


def _result(study: Study, subset: str, agreement: Agreement) -> AgreementResult:
    hushed = hushes_packages(study.config)
    declared = find_coefficient(str(agreement.coefficient), hushed=hushed)[0].declared
    return AgreementResult(
        dimension=agreement.dimension,
        mapping=agreement.mapping,
        subset=subset,
        coefficient=str(agreement.coefficient),
        title=_title(declared.title, agreement.coefficient),
        value=agreement.value,
        reason="" if agreement.reason is None else str(agreement.reason),
        interval=agreement.interval,
        n_units=agreement.n_units,
        n_raters=agreement.n_raters,
        notes=[note for note in (*agreement.notes, agreement.no_interval) if note],
        n_cases=agreement.n_cases,
        n_pairs=agreement.n_pairs,
        one=declared.one,
        zero=declared.zero,
        below_zero=declared.below_zero,
        bands=bands_of(agreement),
    )


def _title(title: str, name: Name) -> str:
    """Give the declared title; what was chosen beside the defaults follows in brackets."""
    chosen = ", ".join(f"{key} {value}" for key, value in name.arguments)
    return f"{title} ({chosen})" if chosen else title
