"""medassay: the assay for health question-answering systems.

It scores answers, runs the expert review, and measures which of its own numbers the experts bear
out. `import medassay` is light: every public name below is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from medassay.__about__ import __version__

if TYPE_CHECKING:
    from medassay.answers import Answer, Answers, read_answers, write_answers
    from medassay.cases import Case, Cases, read_cases, write_cases
    from medassay.errors import InvalidInput, MedassayError, MissingBackend, Problem, UnknownName
    from medassay.metrics import metric, resolve, score
    from medassay.scores import Reason, Score, ScoreTable, Unscored

# Public name -> the room that holds it.
_ROOMS = {
    "Answer": "medassay.answers",
    "Answers": "medassay.answers",
    "Case": "medassay.cases",
    "Cases": "medassay.cases",
    "InvalidInput": "medassay.errors",
    "MedassayError": "medassay.errors",
    "MissingBackend": "medassay.errors",
    "Problem": "medassay.errors",
    "Reason": "medassay.scores",
    "Score": "medassay.scores",
    "ScoreTable": "medassay.scores",
    "UnknownName": "medassay.errors",
    "Unscored": "medassay.scores",
    "metric": "medassay.metrics",
    "read_answers": "medassay.answers",
    "read_cases": "medassay.cases",
    "resolve": "medassay.metrics",
    "score": "medassay.metrics",
    "write_answers": "medassay.answers",
    "write_cases": "medassay.cases",
}

__all__ = [
    "Answer",
    "Answers",
    "Case",
    "Cases",
    "InvalidInput",
    "MedassayError",
    "MissingBackend",
    "Problem",
    "Reason",
    "Score",
    "ScoreTable",
    "UnknownName",
    "Unscored",
    "__version__",
    "metric",
    "read_answers",
    "read_cases",
    "resolve",
    "score",
    "write_answers",
    "write_cases",
]


def __getattr__(name: str) -> object:
    """Load a public name from its room on first use."""
    if name not in _ROOMS:
        message = f"module 'medassay' has no attribute '{name}'"
        raise AttributeError(message)
    value: object = getattr(import_module(_ROOMS[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
