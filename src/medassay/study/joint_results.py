"""What the panel jointly says, as the report shows it."""

from collections.abc import Sequence
from typing import Final

from medassay.consensus import BradleyTerry, bradley_terry, find_method, harm_prevalence
from medassay.study import results as r
from medassay.study.analysis import step_rng
from medassay.study.folder import Study

__all__ = ["harm_results", "strengths_of", "with_strengths"]

_ALWAYS: Final = ("majority", "majority(ties=lower)", "dawid_skene", "mace")
_COUNTS: Final = {"judgements": "all judgements", "any_rater": "any rater"}


def harm_results(study: Study) -> list[r.HarmResult]:
    """Count harm under every consensus, the study's own methods among them."""
    own = [str(find_method(name)[1]) for name in study.config.rules.consensus]
    found = harm_prevalence(
        study.judgements,
        tuple(dict.fromkeys([*_ALWAYS, *own])),
        rng=step_rng(study, "harm"),
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
            interval=r.IntervalResult.of(one.interval),
        )
        for one in found
    ]


def strengths_of(study: Study) -> list[BradleyTerry]:
    """Fit Bradley-Terry strengths to the preferences of each dimension."""
    return [
        bradley_terry(
            study.preferences,
            dimension,
            rng=step_rng(study, f"strengths, {dimension}"),
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


def _strengths(found: BradleyTerry) -> dict[str, object]:
    ordered = sorted(found.systems, key=lambda one: (-(one.log_strength or 0.0), one.system))
    return {
        "strengths": tuple(
            r.StrengthResult(
                system=one.system,
                log_strength=one.log_strength,
                interval=r.IntervalResult.of(one.interval),
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
