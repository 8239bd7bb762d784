from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.judgements import Preferences, preference_units
from medassay.scores import Unit
from medassay.tables import write_atomically


def row(**cells: object) -> dict[str, object]:
    fixed = {"rater": "r1", "case": "1", "system_a": "A", "system_b": "B", "choice": "a"}
    return {**fixed, **cells}


def test_choices_are_read_in_either_case_and_written_back(tmp_path: Path) -> None:
    rows = [
        row(choice="B"),
        row(case=2, choice="Tie"),
        row(case=3, choice=None, reason="cannot_judge"),
    ]
    preferences = Preferences.from_rows(rows)
    assert preferences.frame["choice"].to_list() == ["b", "tie", None]
    assert preferences.frame["dimension"].unique().to_list() == ["overall"]
    write_atomically(tmp_path / "p.csv", preferences.to_csv())
    assert Preferences.read(tmp_path / "p.csv").frame.equals(preferences.frame)


def test_a_pair_shown_the_other_way_round_is_the_same_pair() -> None:
    other = row(rater="r2", system_a="B", system_b="A", choice="b")
    read = preference_units(Preferences.from_rows([row(), other]), "overall")
    assert read.keys == (Unit("A vs B", "1"),)
    assert read.codes.tolist() == [[0, 0]]
    corrected = Preferences.from_rows([row(), row(system_a="B", system_b="A", choice="a")])
    assert len(corrected) == 2
    assert corrected.current()["winner"].to_list() == ["B"]


def test_later_rows_can_be_appended() -> None:
    both = Preferences.from_rows([row()]).append(Preferences.from_rows([row(choice="tie")]))
    assert both.current()["choice"].to_list() == ["tie"]
    assert both.current()["winner"].to_list() == [None]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"choice": "left"}, "row 1, column choice: must be one of a, b, tie"),
        ({"system_b": "A"}, "column system_b: must be another system than system_a"),
        ({"choice": None}, "column choice: must hold a choice or a reason; got neither"),
        ({"reason": "cannot_judge"}, "must hold a choice or a reason, not both"),
        ({"dimention": "x"}, 'Did you mean "dimension"'),
    ],
)
def test_what_is_no_preference_is_refused(cells: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Preferences.from_rows([row(**cells)])
