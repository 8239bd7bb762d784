"""Tables whose columns have other names than ours."""

from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.study.intake.judgements import read_tidy


def theirs(folder: Path) -> Path:
    path = folder / "theirs.csv"
    path.write_text("model,case,value\nA,1,0.5\n", encoding="utf-8")
    return path


def test_their_names_become_ours_and_others_stay(tmp_path: Path) -> None:
    sheet = read_tidy(theirs(tmp_path), {"system": "model"})
    assert sheet.columns == {"system": ["A"], "case": ["1"], "value": ["0.5"]}
    assert sheet.rows == [2]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"system": "modell"}, r'have the column "modell" for system; .* Did you mean "model"\?'),
        ({"system": "zzz"}, r"It has: model, case, value\."),
        ({"case": "model"}, r'have one column for case, not "case" and "model"'),
        ({"system": "model", "rater": "model"}, r'have each of its columns named once; got "model'),
    ],
)
def test_a_name_that_does_not_fit_is_refused(
    tmp_path: Path, columns: dict[str, str], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_tidy(theirs(tmp_path), columns)
