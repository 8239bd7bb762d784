"""Which dimensions of a study were judged so that raters' severity can pass for quality."""

from collections.abc import Collection
from dataclasses import dataclass

from medassay.judgements import units
from medassay.study.folder import Study
from medassay.validity import Allotment, RaterAdjustment, allotment

__all__ = ["RaterShares", "describe_allotted", "rater_shares"]


@dataclass(frozen=True, eq=False)
class RaterShares:
    """How the raters of one dimension fell to the systems, and what can be done about it.

    Attributes:
        allotment: Whether they fell as by chance.
        adjustment: What takes them out of the systems' means.
    """

    allotment: Allotment
    adjustment: RaterAdjustment

    @property
    def fair(self) -> bool:
        """Say whether chance alone may have dealt the raters out."""
        return self.allotment.kind == "even"

    @property
    def adjusts(self) -> bool:
        """Say whether systems are ranked by means adjusted for raters."""
        return self.allotment.adjusts and not self.adjustment.undefined


def rater_shares(study: Study, cases: Collection[str] | None = None) -> dict[str, RaterShares]:
    """Look at how raters fell to systems, for each judged dimension.

    Args:
        study: The study; labels that do not count are not read.
        cases: Only these cases; all if not given.
    """
    judged = set(study.judgements.current()["dimension"])
    shares = {}
    for name in study.rubric.ids:
        if name not in judged:
            continue
        read = units(study.judgements, name)
        read = read if cases is None else read.of_cases(cases)
        shares[name] = RaterShares(allotment(read), RaterAdjustment(read, study.clusters or None))
    return shares


def describe_allotted(study: Study) -> list[str]:
    """Say of each such dimension what is wrong, and what to do."""
    lines = []
    for name, shares in rater_shares(study).items():
        if shares.fair:
            continue
        uneven = shares.allotment
        who = f" (the rater is {uneven.rater})" if uneven.rater else ""
        so = (
            "Systems are ranked by means adjusted for raters."
            if shares.adjusts
            else f"No system is ranked on it: {_why_not(shares)}."
        )
        lines.append(
            f"On {name} {uneven.words}{who}. {so} Let each rater judge all systems of a case, or "
            "deal raters out by chance (medassay campaign plans it)."
        )
    return lines


def _why_not(shares: RaterShares) -> str:
    why = shares.adjustment.undefined
    return why or "means cannot be adjusted for it"
