"""Rows of design/verdicts.md about systems that met different cases."""

from typing import Final

from tools.verdict import Verdict

DESIGN: Final = ("systems", "values", "alike", "shared of 100")
OF_ALLOTTED: Final = (
    Verdict(
        "leads",
        "two systems do not share a group, cases allotted by chance",
        "they are equal, and met different cases",
        5,
        "allotted-cases",
        "now",
        DESIGN,
        studies=2000,
        mark="again",
        missed="by the level of a t test",
    ),
    Verdict(
        "leads",
        "the same, nobody says that chance allotted the cases",
        "they are equal, and one met the hardest cases",
        5,
        "allotted-cases",
        "not declared",
        DESIGN,
        studies=200,
        mark="harder",
        missed="by the level of a sign-flip test",
    ),
)
