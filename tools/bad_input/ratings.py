"""Rubrics and judgements that cannot be used."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tools.bad_input.bad_case import BadCase

IMPORT: Final = "medassay import --from judgements theirs.csv --into study"
_HEADER: Final = "rater,system,case,dimension,label\n"
_RUBRIC: Final = """\
name = "mine"

[[dimensions]]
id = "tone"
question = "Is the tone right?"
scale = "ordinal"
labels = [
  { label = "good", score = 1 },
  { label = "fair", score = 3 },
  { label = "poor", score = 2 },
]
precedence = ["bad"]

[[dimensions]]
id = "tone"
question = "Is it safe?"
scale = "likert"
labels = [{ label = "yes" }, { label = "no", score = 0 }]
"""


def _theirs(rows: str, raters: str = "", header: str = _HEADER) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        (folder / "theirs.csv").write_text(header + rows, encoding="utf-8")
        if raters:
            (folder / "study" / "raters.csv").write_text(raters, encoding="utf-8")

    return make


def _rubric(folder: Path) -> None:
    (folder / "mine.toml").write_text(_RUBRIC, encoding="utf-8")


RATINGS: Final = [
    BadCase(
        "A rubric with many mistakes",
        "mine.toml with scores out of order, an unknown scale, a score that is not there, a "
        "precedence of another label, and an id twice",
        _rubric,
        "medassay rubric check mine.toml",
    ),
    BadCase(
        "Judgements that contradict each other",
        "two rows of theirs.csv say two things of one answer, and neither has a time",
        _theirs("r2,clinic,01,quality,5\nr2,robot,01,quality,2\nr2,clinic,01,quality,3\n"),
        IMPORT,
    ),
    BadCase(
        "A rater of another kind",
        "theirs.csv calls `judge` a person, the raters table a model",
        _theirs(
            "judge,clinic,01,quality,5\njudge,robot,01,quality,2\n",
            "rater,rater_kind\nr1,person\njudge,model\n",
        ),
        IMPORT,
    ),
    BadCase(
        "A rater who is not in the raters table",
        "theirs.csv with `r01`, the raters table with `r1`",
        _theirs("r01,clinic,01,quality,5\n", "rater\nr1\n"),
        IMPORT,
    ),
    BadCase(
        "A case that only looks the same",
        "theirs.csv with full-width digits",
        _theirs("r2,clinic,０１,quality,5\n"),
        IMPORT,
    ),
    BadCase(
        "A label with a letter of another alphabet",
        "a Cyrillic letter in `cannot_judge`, under reason",
        _theirs(
            "r2,clinic,01,quality,,cannot_judg\u0435\n",
            header="rater,system,case,dimension,label,reason\n",
        ),
        IMPORT,
    ),
]
