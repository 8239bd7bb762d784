"""Who rates in the made-up study: nobody; ids with what a raters table holds."""

from typing import Final

from medassay.study.synthetic.ratings import RATERS

__all__ = ["rater_rows"]

_YEARS: Final = ("third year", "fourth year")
# So that the way from the listed to the counted raters has every step.
_EXCLUDED: Final = (
    "Invented: did not finish the calibration answers",
    "Invented: did not finish the calibration answers",
    "Invented: helped to build one of the systems",
)


def rater_rows() -> list[dict[str, str]]:
    """Give a row for each rater who judged, and for three who were left out before they did."""
    return [
        {
            "rater": f"R{place:02}",
            "rater_kind": "person",
            "expertise": f"Invented: medical student, {_YEARS[place % len(_YEARS)]}",
            "external": "no" if "helped" in reason else "yes",
            "conflicts": "built a system" if "helped" in reason else "none",
            "status": "excluded" if reason else "qualified",
            "reason": reason,
        }
        for place, reason in enumerate([*[""] * RATERS, *_EXCLUDED], start=1)
    ]
