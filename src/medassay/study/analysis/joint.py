"""What the panel jointly says, as the report shows it."""

from collections.abc import Sequence
from typing import Final

from medassay.consensus import (
    BradleyTerry,
    ConsensusDetails,
    bradley_terry,
    find_method,
    harm_prevalence,
    mace_settings,
)
from medassay.judgements import Units, units
from medassay.study import results as r
from medassay.study.analysis.gathered import step_rng
from medassay.study.folder import Study
from medassay.validity import KINDS, annotation_budget, diagnose_raters, leave_one_rater_out

__all__ = [
    "budget_results",
    "diagnostic_results",
    "harm_results",
    "panel_methods",
    "strengths_of",
    "with_strengths",
    "without_rater_results",
]

_MACE: Final = "mace"
_ALWAYS: Final = ("majority", "majority(ties=lower)", "dawid_skene", _MACE)
_RANKED_BY: Final = ("mean", "mace(restarts=2)")
"""Fitted hundreds of times: two restarts each, and the name says so."""
_DRAWS: Final = 50
_MOST_REPLICATES: Final = 500
"""The competence of a rater is fitted anew in a tenth of them."""
_COUNTS: Final = {"judgements": "all judgements", "any_rater": "any rater"}


def panel_methods(study: Study) -> tuple[str, ...]:
    """Give the methods that stand side by side: a few always, and the study's own."""
    return tuple(dict.fromkeys([*_ALWAYS, *_own_methods(study)]))


def _own_methods(study: Study) -> list[str]:
    return [str(find_method(name)[1]) for name in study.config.rules.consensus]


def harm_results(study: Study) -> list[r.HarmResult]:
    """Count harm under every consensus, the study's own methods among them."""
    found = harm_prevalence(
        study.judgements,
        panel_methods(study),
        given=study.given,
        rng=step_rng(study, "s51"),
        replicates=study.config.run.replicates,
    )
    return [
        r.HarmResult(
            dimension=one.dimension,
            method=one.method,
            title=_title(one.method),
            harmful=one.harmful,
            undecided=one.undecided,
            n=one.n,
            share=one.share,
            interval=one.interval,
        )
        for one in found
    ]


def strengths_of(study: Study) -> list[BradleyTerry]:
    """Fit Bradley-Terry strengths to the preferences of each dimension."""
    return [
        bradley_terry(
            study.preferences,
            dimension,
            rng=step_rng(study, "s52", dimension),
            replicates=study.config.run.replicates,
        )
        for dimension in sorted(study.preferences.current()["dimension"].unique())
    ]


def with_strengths(
    preferences: Sequence[r.PreferencesResult], fitted: Sequence[BradleyTerry]
) -> list[r.PreferencesResult]:
    """Lay strengths beside the shares of wins."""
    of = {one.dimension: one for one in fitted}
    return [
        one.model_copy(update=_strengths(of[one.dimension])) if one.dimension in of else one
        for one in preferences
    ]


def diagnostic_results(
    study: Study, details: Sequence[ConsensusDetails]
) -> list[r.DiagnosticResult]:
    """Say of each rater what the others do not do.

    Args:
        study: The study.
        details: Its fitted models. The competences are those of each MACE that the study names;
            of MACE with its defaults where it names none.
    """
    own = [name for name in _own_methods(study) if mace_settings(name) is not None] or [_MACE]
    found = diagnose_raters(
        study.judgements,
        rng=step_rng(study, "s53"),
        fits=[one for one in details if one.method in own],
        replicates=min(_MOST_REPLICATES, study.config.run.replicates),
    )
    return [
        r.DiagnosticResult(
            rater=one.rater,
            dimension=one.dimension,
            kind=one.kind,
            meaning=f"{KINDS[one.kind]}, by {_title(one.about)}"
            if one.kind == "competence"
            else KINDS[one.kind],
            about=one.about,
            effect=one.effect,
            interval=one.interval,
            n=one.n,
            reason=one.undefined,
        )
        for one in found
    ]


def budget_results(study: Study) -> list[r.BudgetResult]:
    """Draw k of n labels an answer, and see how near the ranking comes."""
    found = [
        point
        for read in _read(study)
        for point in annotation_budget(
            read, _RANKED_BY, rng=step_rng(study, "s54", read.dimension), draws=_DRAWS
        )
    ]
    return [
        r.BudgetResult(
            dimension=one.dimension,
            method=one.method,
            against=one.against,
            k=one.k,
            panel=one.panel,
            answers=one.answers,
            systems=one.systems,
            draws=one.draws,
            tau=one.tau,
            low=one.low,
            high=one.high,
            reason=one.undefined,
        )
        for one in found
    ]


def without_rater_results(study: Study) -> list[r.WithoutRaterResult]:
    """Rank the systems without each rater in turn."""
    found = [
        one
        for read in _read(study)
        for one in leave_one_rater_out(read, _RANKED_BY, rng=step_rng(study, "s55", read.dimension))
    ]
    return [
        r.WithoutRaterResult(
            rater=one.rater,
            dimension=one.dimension,
            method=one.method,
            answers=one.answers,
            lost=one.lost,
            tau=one.tau,
            same_order=one.same_order,
            same_best=one.same_best,
            largest_move=one.largest_move,
            moved=one.moved,
            reason=one.undefined,
        )
        for one in found
    ]


def _read(study: Study) -> list[Units]:
    """Lay out each dimension that was judged and has scores."""
    judged = set(study.judgements.current()["dimension"])
    return [
        units(study.judgements, dimension.id)
        for dimension in study.rubric.dimensions
        if dimension.id in judged and dimension.scores is not None
    ]


def _strengths(found: BradleyTerry) -> dict[str, object]:
    ordered = sorted(found.systems, key=lambda one: (-(one.log_strength or 0.0), one.system))
    return {
        "strengths": tuple(
            r.StrengthResult(
                system=one.system,
                log_strength=one.log_strength,
                interval=one.interval,
                n=one.n,
            )
            for one in ordered
        ),
        "tie_weight": found.tie,
        "no_strengths": found.undefined,
    }


def _title(method: str) -> str:
    if method in _COUNTS:
        return _COUNTS[method]
    declared, name = find_method(method)
    chosen = ", ".join(f"{key} {value}" for key, value in name.arguments)
    return f"{declared.declared.title} ({chosen})" if chosen else declared.declared.title
