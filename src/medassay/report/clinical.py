"""The clinical part of the page: what was chosen, and how far the confidence can be believed."""

from collections.abc import Mapping
from typing import Final

from medassay.analyses.results import Results
from medassay.exhibits.numbers import count_of, listed_few
from medassay.report.names import Names
from medassay.report.parts import PanelPart
from medassay.report.pictures import Shown
from medassay.report.reasoning_safety import reasoning_and_safety
from medassay.report.tables import calibration_tables, choice_tables, error_tables

__all__ = ["clinical_parts"]

_ERRORS: Final = (
    "error-causes",
    "retrieval-failures",
    "error-groups",
    "condition-errors",
    "condition-pairs",
    "confident-errors",
)


def clinical_parts(results: Results, figures: Mapping[str, Shown]) -> list[PanelPart]:
    """Lay out what is known of choices; parts without anything are left out."""
    every = (*choice_tables(results), *error_tables(results), *calibration_tables(results))
    known = {table.id: table for table in every}
    parts = [
        PanelPart(
            "clinical-accuracy",
            "How often the right option is chosen",
            "",
            pictures=tuple(name for name in figures if name == "performance_summary"),
            tables=tuple(known[one] for one in ("accuracy", "mcnemar") if one in known),
        ),
        PanelPart(
            "clinical-options",
            "Which options are taken for others",
            "A system that prefers one letter shows here: much recall and little precision.",
            pictures=tuple(name for name in figures if name == "confusion_matrix"),
            tables=tuple(
                known[one]
                for one in ("option-figures", "options", "option-confusion")
                if one in known
            ),
        ),
        PanelPart(
            "clinical-errors",
            "Why answers are wrong",
            "What failed first, by rules that a person should check on the answers themselves.",
            pictures=tuple(name for name in figures if name == "error_analysis"),
            tables=tuple(known[one] for one in _ERRORS if one in known),
        ),
        PanelPart(
            "clinical-calibration",
            "How far the confidence can be believed",
            "A confidence of .80 can be believed if four of five such answers are right. Whether "
            "it tells right answers from wrong ones is another question: the area under the curve.",
            notes=_notes(results),
            pictures=tuple(name for name in figures if name in {"reliability", "risk-coverage"}),
            tables=tuple(known[one] for one in known if one.startswith("calibration")),
        ),
    ]
    parts += reasoning_and_safety(results)
    return [part for part in parts if part.tables or part.pictures]


def _notes(results: Results) -> tuple[str, ...]:
    """Say where there are too few answers, and where some have no confidence."""
    names = Names(results)
    few = [names.of_system(one.system) for one in results.calibration if one.few]
    said = []
    if few:
        said.append(
            f"{listed_few(few)}: fewer than about 300 answers with a confidence. Calibration "
            "errors are then large even for a perfectly calibrated system; read their intervals, "
            "and do not rank systems by them."
        )
    said += [
        f"{names.of_system(one.system)}: {count_of(one.without, 'answer')} without a confidence, "
        "left out here."
        for one in results.calibration
        if one.without
    ]
    return tuple(said)
