"""Tables of people: what nobody can guess, and what cannot be."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import written

_TEXT: Final = "Rest it for a day or two and then move it gently says {} of {}."
_MINE: Final = "medassay import mine.csv --into new --yes"


def _table(header: str, row: Callable[[int], str], rows: int = 12) -> Callable[[Path], object]:
    lines = "".join(f"{row(n)}\n" for n in range(1, rows + 1))
    return written("mine.csv", f"{header}\n{lines}")


def _with(file: str, text: str, table: Callable[[Path], object]) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        table(folder)
        written(file, text)(folder)

    return make


def _answered(n: int) -> str:
    return f"q{n},What is {n}?,{_TEXT.format('it', n)}"


_ANSWERS: Final = _table("id,question,answer", _answered)

TABLES: Final = (
    BadCase(
        "Questions alone",
        "mine.csv with the columns id and question",
        _table("id,question", lambda n: f"q{n},What is {n}?"),
        _MINE,
    ),
    BadCase(
        "A column that may be two things",
        "mine.csv with the columns Question, GPT-4 and Musing, both of long texts",
        _table(
            "Question,GPT-4,Musing",
            lambda n: f"What is {n}?,{_TEXT.format('one', n)},{_TEXT.format('two', n)}",
        ),
        _MINE,
    ),
    BadCase(
        "Ratings that nobody gave",
        "mine.csv with the columns id, system and Accuracy (1-5)",
        _table("id,system,Accuracy (1-5)", lambda n: f"q{n},Bot,{1 + n % 5}"),
        _MINE,
    ),
    BadCase(
        "One cause in 500 cells",
        "mine.csv, a log in which one question has 500 answers",
        _table("question,answer", lambda n: f"What is it?,{_TEXT.format('it', n)}", rows=500),
        _MINE,
    ),
    BadCase(
        "Nobody to ask",
        "mine.csv with the columns id, question and answer, and no `--yes`",
        _ANSWERS,
        "medassay import mine.csv --into new",
    ),
    BadCase(
        "A column that there is not, in a file of columns",
        "columns.csv says that Anwser is a tag",
        _with("columns.csv", "column,role\nAnwser,tag\n", _ANSWERS),
        f"{_MINE} --column columns.csv",
    ),
    BadCase(
        "A role that there is not, in a file of columns",
        "columns.csv says that answer is a replay",
        _with("columns.csv", "column,role\nanswer,replay\n", _ANSWERS),
        f"{_MINE} --column columns.csv",
    ),
    BadCase(
        "What was answered about other columns",
        "import.toml speaks of a column Musing",
        _with(
            "import.toml",
            '[[recipe]]\nheaders = ["question", "Musing"]\ncolumns = ["answer=Musing"]\n',
            _ANSWERS,
        ),
        f"{_MINE} --recipe import.toml",
    ),
    BadCase(
        "What was answered names a file",
        "import.toml names ../rubric.toml",
        _with("import.toml", '[[recipe]]\nrubric = "../rubric.toml"\n', _ANSWERS),
        f"{_MINE} --recipe import.toml",
    ),
    BadCase(
        "One id for several retrieved texts",
        "mine.csv with the ids d1, d2 beside other contexts in each row",
        _table(
            "id,question,answer,contexts,retrieved_ids",
            lambda n: f'{_answered(n)},"[""One of {n}"", ""Two of {n}""]","[""d1"", ""d2""]"',
        ),
        _MINE,
    ),
    BadCase(
        "A column whose place was taken",
        "mine.csv with the columns question, answer and Musing, and Musing was named as the answer",
        _table("id,question,answer,Musing", lambda n: f"{_answered(n)},{_TEXT.format('two', n)}"),
        f"{_MINE} --column answer=Musing",
    ),
)
