"""What is said of names of columns that are missing, double, or spread over two rows."""

from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.tables import read_sheet


def refused(path: Path) -> str:
    with pytest.raises(InvalidInput) as caught:
        read_sheet(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "case,,answer\n1,2,3\n",
            "got no name for column 2 (B). Write a name into it, or delete the column.",
        ),
        (
            "case,answer,answer\n1,2,3\n",
            'got "answer" twice, in columns B and C. Rename one, such as "answer 2", or',
        ),
        (
            "case,ChatGPT,,Gemini,\n,answer,safe,answer,safe\n1,Rest.,5,Go.,2\n",
            'got two: "ChatGPT" above "answer" and "safe". Write both into one row, such as "Chat',
        ),
        (
            "case,question,answer,Rating,Rating,Rating\n,,,accuracy,safety,clarity\n1,a,b,1,2,3\n",
            'row 1: must have one row of names; got two: "Rating" above "accuracy" and "safety"',
        ),
    ],
)
def test_a_header_is_refused_with_what_to_do(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(text, encoding="utf-8")
    assert message in refused(file)
    assert refused(file).count("must") == 1


@pytest.mark.parametrize(
    "text",
    [
        "case,question,\n1,Why?,no\n2,How?,yes\n",
        "case,answer,answer\n1,Rest at home.,Walk.\n2,Yes,No\n",
        "case,,\n1,4,5\n2,3,3\n",
    ],
)
def test_a_missing_or_double_name_alone_is_no_second_row(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(text, encoding="utf-8")
    assert "one row of names" not in refused(file)
