"""What the panel jointly says, as the report shows it."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses import results as r
from medassay.analyses.gathered import step_rng
from medassay.analyses.joining import MACE, joining_of
from medassay.consensus import (
    BradleyTerry,
    ConsensusDetails,
    bradley_terry,
    mace_settings,
)
from medassay.study.folder import Study
from medassay.validity import (
    RaterDiagnostic,
    diagnose_raters,
)

__all__ = [
    "diagnostic_results",
    "strengths_of",
    "with_strengths",
]

_MOST_REPLICATES: Final = 500
"""The competence of a rater is fitted anew in a tenth of them."""


def strengths_of(study: Study) -> list[BradleyTerry]:
    """Fit Bradley-Terry strengths to the preferences of each dimension."""
    return [
        bradley_terry(
            study.preferences,
            dimension,
            rng=step_rng(study, "s52", dimension),
            clusters=study.clusters,
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


def diagnostic_results(study: Study, details: Sequence[ConsensusDetails]) -> list[RaterDiagnostic]:
    """Say of each rater what the others do not do.

    Args:
        study: The study.
        details: Its fitted models. The competences are those of each MACE that the study names;
            of MACE with its defaults where it names none.
    """
    own = [name for name in joining_of(study).own if mace_settings(name) is not None] or [MACE]
    return diagnose_raters(
        study.judgements,
        rng=step_rng(study, "s53"),
        fits=[one for one in details if one.method in own],
        replicates=min(_MOST_REPLICATES, study.config.run.replicates),
    )


def _strengths(found: BradleyTerry) -> dict[str, object]:
    ordered = sorted(found.systems, key=lambda one: (-(one.log_strength or 0.0), one.system))
    return {
        "strengths": tuple(ordered),
        "tie_weight": found.tie,
        "no_strengths": found.undefined,
    }
