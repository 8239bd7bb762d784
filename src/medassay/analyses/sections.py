"""The sections of a report, in their one order."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A heading inside a section that several analyses share.

    Attributes:
        id: Names it in declarations, and its place on the page.
        title: Its heading; empty where the section's own is enough.
        lead: A sentence on how to read what stands below it.
    """

    id: str
    title: str
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report.

    Attributes:
        id: Names it in declarations, and its place on the page.
        title: Its heading.
        short: What the page's contents call it.
        about: What a reader finds in it, in a few words.
        parts: Its parts in reading order; analyses with a heading of their own stand behind them.
    """

    id: str
    title: str
    short: str
    about: str
    parts: tuple[SectionPart, ...] = ()

    def part(self, name: str) -> SectionPart | None:
        """Give the part of an id; None where the section has none."""
        return next((part for part in self.parts if part.id == name), None)


RATINGS_GIVEN: Final = SectionPart("ratings-given", "")
"""What stands right under the heading of its section, where anybody rated."""
_CLINICAL: Final = (
    SectionPart("clinical-accuracy", "How often the right option is chosen"),
    SectionPart(
        "clinical-options",
        "Which options are taken for others",
        "A system that prefers one letter shows here: much recall and little precision.",
    ),
    SectionPart(
        "clinical-errors",
        "Why answers are wrong",
        "What failed first, by rules that a person should check on the answers themselves.",
    ),
    SectionPart(
        "clinical-calibration",
        "How well the confidence is calibrated",
        "A confidence of 0.80 is right if four of five such answers are right. Whether "
        "it tells right answers from wrong ones is another question: the area under the curve.",
    ),
    SectionPart(
        "clinical-reasoning",
        "How the answers are reasoned",
        "Rules read the chains of reasoning: which steps are there, which documents they refer "
        "to, and whether they hold together. What a step says may still be wrong.",
    ),
    SectionPart(
        "clinical-safety",
        "How safe the answers are",
        "Rules flag answers for a person to review; only people have verdicts. docs/harm.md "
        "leads from a flag to a verdict and to the most harm that is compatible with it.",
    ),
)
_PANEL: Final = (
    SectionPart("panel-paper", "For the paper"),
    SectionPart("panel-template", "What the template asks of raters"),
    SectionPart("panel-flow", "Who rated"),
    SectionPart(
        "panel-agreement",
        "Agreement between raters",
        "Raters labelled independently, before anyone talked. Agreement shows consistency, not "
        "correctness.",
    ),
    SectionPart(
        "panel-consensus",
        "Consensus of the raters",
        "Aggregation methods differ where raters do: in ties, and in whom they trust.",
    ),
    SectionPart(
        "panel-raters",
        "What each rater does",
        "Every effect compares a rater with the others on the same answers. None of them says who "
        "is right: a lone careful rater stands apart as well.",
    ),
    SectionPart(
        "panel-ranking",
        "What the ranking rests on",
        "Would fewer labels do, and does the order of the systems depend on one rater?",
    ),
    SectionPart(
        "panel-plan",
        "How many more judgements",
        "What differences the study can detect as it is, and with more cases or labels.",
    ),
)
_VALIDITY: Final = (
    SectionPart(
        "validity-raters",
        "",
        "With few systems, chance alone makes large values of tau: read the interval and p "
        "before the colour. A control such as length knows nothing of what an answer says.",
    ),
)
_LEADERS: Final = (SectionPart("leaderboards", ""),)
_JUDGES: Final = (
    SectionPart(
        "judges-tested",
        "",
        "A model that rates is compared with people on the same answers, for this rubric and "
        "questions like these. Another prompt or version is another judge.",
    ),
)
SECTIONS: Final = (
    Section(
        "leaders",
        "Leaderboard",
        "Leaderboard",
        "Which system is better, and by how much",
        _LEADERS,
    ),
    Section(
        "clinical",
        "Choices, reasoning and safety",
        "Choices, reasoning and safety",
        "What was right, why answers are wrong, and how sure they were",
        _CLINICAL,
    ),
    Section(
        "ratings",
        "People's ratings",
        "People's ratings",
        "What raters said of each system",
        (RATINGS_GIVEN,),
    ),
    Section("panel", "The panel", "The panel", "Who rated, agreement, who is stricter", _PANEL),
    Section("preferences", "Preferences", "Preferences", "Which of two answers raters chose"),
    Section(
        "validity",
        "Which metrics agree with raters",
        "Metrics and raters",
        "What each automatic metric may be used for",
        _VALIDITY,
    ),
    Section(
        "judges",
        "The model judges",
        "The model judges",
        "How a model's labels compare with people's",
        _JUDGES,
    ),
    Section("difficulty", "How hard the cases are", "Difficulty", "Cases on which systems fail"),
)
"""Every section of analyses; page, tables, files, LaTeX, workbook and Markdown follow this order.

What was evaluated stands before them, single cases and methods behind.
"""


def section_of(name: str) -> Section:
    """Give the section of an id."""
    return next(section for section in SECTIONS if section.id == name)
