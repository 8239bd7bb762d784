"""The four tables that a study grows by, whatever their columns are called."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal

from medassay.exchange.declaration import Columns, Format, Glimpse, Option, Reads
from medassay.exchange.outcome import Outcome
from medassay.study import (
    Study,
    check_meaning,
    import_answers,
    import_judgements,
    import_preferences,
    import_scores,
    read_range,
)

_FILE: Final = "A table, one row each: .csv, .jsonl, .parquet ..."
_SAID: Final = ("text", "choice", "citations", "retrieved", "links")


def _answers(study: Study, files: Sequence[Path], *, column: Columns) -> Outcome:
    return Outcome.of_one(import_answers(study, files[0], column))


def _judgements(study: Study, files: Sequence[Path], *, column: Columns) -> Outcome:
    return Outcome.of_one(import_judgements(study, files[0], column))


def _preferences(study: Study, files: Sequence[Path], *, column: Columns) -> Outcome:
    return Outcome.of_one(import_preferences(study, files[0], column))


def _scores(
    study: Study,
    files: Sequence[Path],
    *,
    column: Columns,
    name: Annotated[str | None, Option("The metric's name; the file's if not given.")] = None,
    direction: Annotated[
        Literal["higher", "lower", "none"] | None,
        Option("Which way is better; as the metric has it whose name it is, or higher."),
    ] = None,
    range_: Annotated[
        str | None,
        Option("Between which values they can lie, such as 0..100.", ("--range",), "LOW..HIGH"),
    ] = None,
    origin: Annotated[str, Option("Who or what computed them, and how: reports say it.")] = "",
) -> Outcome:
    low, high = (None, None) if range_ is None else read_range(range_, "--range")
    options = {"direction": direction, "low": low, "high": high, "origin": origin or None}
    stated = {key: value for key, value in options.items() if value is not None}
    meaning = check_meaning(stated, "--direction, --range")
    return Outcome.of_one(import_scores(study, files[0], column, name, meaning))


def _with(*columns: str) -> Callable[[Glimpse], bool]:
    return lambda seen: seen.has(*columns)


ANSWERS: Final = Format(
    id="answers",
    title="A table of answers",
    reads=Reads(
        about="Answers: system, case, text, and whatever else an answer has.",
        files=_FILE,
        is_one=lambda seen: (
            seen.has("system", "case")
            and not seen.columns.isdisjoint(_SAID)
            and not seen.has("rater")
            and not seen.has("question")
        ),
        take=_answers,
        alone=True,
    ),
)
JUDGEMENTS: Final = Format(
    id="judgements",
    title="A table of judgements",
    reads=Reads(
        about="Judgements: rater, system, case, dimension, label.",
        files=_FILE,
        is_one=_with("rater", "system", "case", "dimension", "label"),
        take=_judgements,
        alone=True,
    ),
)
PREFERENCES: Final = Format(
    id="preferences",
    title="A table of preferences",
    reads=Reads(
        about="Preferences: rater, case, system_a, system_b, dimension, choice.",
        files=_FILE,
        is_one=_with("rater", "case", "system_a", "system_b", "choice"),
        take=_preferences,
        alone=True,
    ),
)
SCORES: Final = Format(
    id="scores",
    title="A table of scores",
    reads=Reads(
        about="Scores: system, case, value. Anyone's scores become a metric of the study.",
        files=_FILE,
        is_one=_with("system", "case", "value"),
        take=_scores,
        alone=True,
    ),
)
