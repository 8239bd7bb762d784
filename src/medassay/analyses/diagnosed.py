"""What each rater does that the others do not, found once for all that read it."""

from dataclasses import dataclass, replace
from typing import Final

from medassay.analyses.joining import Fitted, joining_of
from medassay.analyses.score_columns import step_rng
from medassay.consensus import mace_settings
from medassay.study.folder import Study
from medassay.validity import RaterDiagnostic, diagnose_raters

__all__ = ["Diagnosed", "diagnosed_of"]

_MOST_REPLICATES: Final = 500
"""The competence of a rater is fitted anew in a tenth of them."""


_MEANT: Final = "the rater was asked, and meant the labels as they were given"


@dataclass(frozen=True)
class Diagnosed:
    """What each rater does that the others do not.

    Attributes:
        effects: By dimension, rater and kind.
    """

    effects: tuple[RaterDiagnostic, ...]


def diagnosed_of(study: Study, fitted: Fitted) -> Diagnosed:
    """Compare each rater with the others on the same answers.

    The competences are those of each MACE that the study names; there are none where it names none.
    """
    own = [name for name in joining_of(study).own if mace_settings(name) is not None]
    meant = {
        (one.rater, one.dimension) for one in study.config.corrections if one.labels == "as-given"
    }
    return Diagnosed(
        tuple(
            replace(found, effect=None, interval=None, reason=_MEANT)
            if found.kind == "reversed" and (found.rater, found.dimension) in meant
            else found
            for found in diagnose_raters(
                study.judgements,
                rng=step_rng(study, "s53"),
                fits=[fit for fit in fitted.ways if fit.method in own],
                clusters=study.clusters,
                replicates=min(_MOST_REPLICATES, study.config.run.replicates),
            )
        )
    )
