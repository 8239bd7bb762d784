"""A sheet that the others contradict, or that is of nothing asked, is left out by its title."""

import re
import shlex
from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_first_tries import BAD_INPUT, TEXT
from tests.exchange.spreadsheet.test_styles import workbook
from tests.front_door.compared import import_as_a_script

from medassay.study import Study

RATINGS: list[list[object]] = [["Nr", "Question", "Model", "Answer", "Rater", "Accuracy (1-5)"]]
RATINGS += [
    [n, f"Is {n} bad?", system, f"{TEXT} {system} {n}", who, (n + len(who)) % 5 + 1]
    for n in range(1, 8)
    for system in ("Ka", "Zu")
    for who in ("Ruiz", "Parker")
]
OLD: list[list[object]] = [RATINGS[0], *([*row[:-1], 6 - int(str(row[-1]))] for row in RATINGS[1:])]
IDS: list[list[object]] = [["Nr"]]
IDS += [[n] for n in range(1, 8)]


@pytest.mark.parametrize("beside", [OLD, IDS])
def test_what_a_refusal_of_a_sheet_says_to_type_works_when_typed(
    beside: list[list[object]], tmp_path: Path
) -> None:
    book = workbook(tmp_path / "all.xlsx", **{"Ratings": RATINGS, "Old (draft)": beside})
    into = tmp_path / "study"
    code, told = import_as_a_script([str(book), "--into", str(into), "--yes"])
    assert code == BAD_INPUT
    advice = re.search(r"Or leave the sheet out: (--column .*)$", told, re.MULTILINE)
    assert advice is not None, told
    typed = shlex.split(advice[1])
    assert typed == ["--column", "skip=Old (draft)"]
    code, told = import_as_a_script([str(book), "--into", str(into), *typed, "--yes"])
    assert code == 0, told
    alone = tmp_path / "alone"
    book = workbook(tmp_path / "ratings.xlsx", Ratings=RATINGS)
    assert import_as_a_script([str(book), "--into", str(alone), "--yes"])[0] == 0
    labels = [Study.open_whole(of).judgements_on_file.frame["label"] for of in (into, alone)]
    assert labels[0].to_list() == labels[1].to_list()
    book = tmp_path / "all.xlsx"
    again = tmp_path / "again"
    recipe = ["--recipe", str(into / "import.toml")]
    code, told = import_as_a_script([str(book), "--into", str(again), *recipe, "--yes"])
    assert code == 0, told


def test_a_sheet_is_nothing_but_left_out(tmp_path: Path) -> None:
    book = workbook(tmp_path / "all.xlsx", Ratings=RATINGS, Old=IDS)
    typed = ["--column", "answer=Old"]
    code, told = import_as_a_script([str(book), "--into", str(tmp_path / "s"), *typed, "--yes"])
    assert code == BAD_INPUT
    assert 'must name one of their columns behind answer=; got "Old"' in told
