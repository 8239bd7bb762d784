"""What the panel jointly says, as the report shows it."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.gathered import step_rng
from medassay.analyses.joining import MACE, joining_of
from medassay.consensus import (
    ConsensusDetails,
    mace_settings,
)
from medassay.study.folder import Study
from medassay.validity import (
    RaterDiagnostic,
    diagnose_raters,
)

__all__ = [
    "diagnostic_results",
]

_MOST_REPLICATES: Final = 500
"""The competence of a rater is fitted anew in a tenth of them."""


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
