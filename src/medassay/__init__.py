"""medassay: evaluate health chatbots and question-answering systems.

It scores answers, runs the expert review, and measures which of its own numbers the experts bear
out. `import medassay` is light: every public name below is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from medassay.__about__ import __version__

if TYPE_CHECKING:
    from medassay.agreement import agree, cohen_kappa, fleiss_kappa
    from medassay.analyses import run_study
    from medassay.answers import Answer, Answers, CasesPerSystem, read_answers
    from medassay.cases import Case, Cases, read_cases
    from medassay.consensus import consensus, tally_preferences
    from medassay.errors import InvalidInput, MedassayError, MissingBackend, Problem, UnknownName
    from medassay.judgements import Judgements, Preferences, load_rubric
    from medassay.library import CompletedRun, OpenedStudy, open_study
    from medassay.metrics import resolve, score
    from medassay.scores import Grid, Name, Reason, Score, ScoreTable, Unscored
    from medassay.stats import kendall
    from medassay.study import Study, open_run
    from medassay.validity import Source, correlate, rank_systems

# Public name -> the room that holds it.
_ROOMS: Final = {
    "Answer": "answers",
    "Answers": "answers",
    "CasesPerSystem": "answers",
    "Case": "cases",
    "Cases": "cases",
    "CompletedRun": "library",
    "Grid": "scores",
    "InvalidInput": "errors",
    "Judgements": "judgements",
    "MedassayError": "errors",
    "MissingBackend": "errors",
    "Name": "scores",
    "OpenedStudy": "library",
    "Preferences": "judgements",
    "Problem": "errors",
    "Reason": "scores",
    "Score": "scores",
    "ScoreTable": "scores",
    "Source": "validity",
    "Study": "study",
    "UnknownName": "errors",
    "Unscored": "scores",
    "agree": "agreement",
    "cohen_kappa": "agreement",
    "consensus": "consensus",
    "correlate": "validity",
    "fleiss_kappa": "agreement",
    "kendall": "stats",
    "load_rubric": "judgements",
    "open_run": "study",
    "open_study": "library",
    "rank_systems": "validity",
    "read_answers": "answers",
    "read_cases": "cases",
    "resolve": "metrics",
    "run_study": "analyses",
    "score": "metrics",
    "tally_preferences": "consensus",
}

__all__ = [
    "Answer",
    "Answers",
    "Case",
    "Cases",
    "CasesPerSystem",
    "CompletedRun",
    "Grid",
    "InvalidInput",
    "Judgements",
    "MedassayError",
    "MissingBackend",
    "Name",
    "OpenedStudy",
    "Preferences",
    "Problem",
    "Reason",
    "Score",
    "ScoreTable",
    "Source",
    "Study",
    "UnknownName",
    "Unscored",
    "__version__",
    "agree",
    "cohen_kappa",
    "consensus",
    "correlate",
    "fleiss_kappa",
    "kendall",
    "load_rubric",
    "open_run",
    "open_study",
    "rank_systems",
    "read_answers",
    "read_cases",
    "resolve",
    "run_study",
    "score",
    "tally_preferences",
]

STAYS: Final = frozenset({
    "Answer", "Answers", "Case", "Cases", "CompletedRun", "InvalidInput", "Judgements",
    "MedassayError", "MissingBackend", "OpenedStudy", "Preferences", "ScoreTable", "UnknownName",
    "agree", "consensus", "load_rubric", "open_study", "read_answers", "read_cases", "score",
})  # fmt: skip
"""The small surface that stays; every other name is provisional before 1.0."""


def __getattr__(name: str) -> object:
    """Load a public name from its room on first use."""
    if name not in _ROOMS:
        message = f"module 'medassay' has no attribute '{name}'"
        raise AttributeError(message)
    room = import_module(f"medassay.{_ROOMS[name]}")
    # A room that bears its function's name is called as the function.
    value: object = room if _ROOMS[name] == name else getattr(room, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
