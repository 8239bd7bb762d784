"""What stands beside ratings and is none: remarks, and numbers that others add up to."""

from collections import Counter
from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_first_tries import BAD_INPUT, TEXT, came_in

from medassay.study import Study

HEADS = "id,question,system,answer"


def rows_of(*of_row: tuple[str, ...]) -> list[str]:
    """Give rows of answers of two systems, with these cells behind them, time and again."""
    return [
        f"q{n},q{n}?,{system},{TEXT} {system}{n},{','.join(of_row[(2 * n + at) % len(of_row)])}"
        for n in range(1, 13)
        for at, system in enumerate(("Xa", "Yb"))
    ]


@pytest.mark.parametrize("head", ["Note", "Notes", "Observaciones", "Observações", "Bemerkungen"])
def test_words_here_and_there_beside_a_rating_are_remarks(head: str, tmp_path: Path) -> None:
    rows = rows_of(("Ana", "4", ""), ("Ana", "3", ""), ("Ana", "5", ""), ("Ana", "2", "see 2"))
    code, said, into = came_in(tmp_path, f"{HEADS},Rater,Accuracy (1-5),{head}", *rows)
    assert code == 0, said
    frame = Study.open_whole(into).judgements_on_file.frame
    assert Counter(frame["dimension"]) == {"accuracy": 24}
    assert frame["comment"].to_list().count("see 2") == 6


@pytest.mark.parametrize("cells", [("good", "", "bad", ""), ("4", "", "2", ""), ("ja",) * 4])
def test_a_note_that_is_a_grade_is_no_remark(cells: tuple[str, ...], tmp_path: Path) -> None:
    rows = rows_of(*(("Ana", str(n + 1), cell) for n, cell in enumerate(cells)))
    code, said, _ = came_in(tmp_path, f"{HEADS},Rater,Accuracy (1-5),Note", *rows)
    assert code == BAD_INPUT
    assert '"Note"' in said


@pytest.mark.parametrize("below", [(), ("Mean,,,,3.7,3.4,7.1,.5",)])
@pytest.mark.parametrize("heads", ["Summe,Differenz", "Total,Gap", "Foo,Bar"])
def test_a_sum_and_a_difference_of_raters_rate_nothing(
    heads: str, below: tuple[str, ...], tmp_path: Path
) -> None:
    rated = [(4, 3), (3, 5), (5, 5), (2, 2), (1, 4), (5, 4), (3, 3)]
    rows = rows_of(*((str(a), str(b), str(a + b), str(abs(a - b))) for a, b in rated))
    top = f"{HEADS},Accuracy (1-5) Dr. Alt,Accuracy (1-5) Dr. Neu,{heads}"
    code, said, into = came_in(tmp_path, top, *rows, *below)
    assert code == 0, said
    for word, name in zip(("sum", "difference"), heads.split(","), strict=True):
        assert f"of {name}: the {word} of the 2 others" in " ".join(said.split())
    frame = Study.open_whole(into).judgements_on_file.frame
    assert set(frame["rater"]) == {"Dr. Alt", "Dr. Neu"}
    assert set(frame["dimension"]) == {"accuracy"}
