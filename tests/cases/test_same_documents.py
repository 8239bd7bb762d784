"""Documents that cases share are one object, and say what they would say apart."""

import json
from pathlib import Path

import pytest

from medassay.cases import Case, Document, read_cases
from medassay.errors import InvalidInput

LISTED: tuple[dict[str, object], ...] = (
    {"id": "1", "grade": 2},
    {"id": 1, "grade": 2},
    {"id": "1", "grade": "2"},
    {"id": "1", "grade": 2.5},
    {"id": "1", "grade": None},
    {"id": "1"},
    {"id": "1", "title": "Rest", "grade": 2},
    {"id": "1", "text": "Rest."},
)


def write(path: Path, documents: list[dict[str, object]]) -> Path:
    rows = [{"case": f"{n}", "documents": [one]} for n, one in enumerate(documents)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_every_case_has_the_documents_that_it_would_have_alone(tmp_path: Path) -> None:
    cases = read_cases(write(tmp_path / "cases.jsonl", [*LISTED, *LISTED]))
    alone = [Document.model_validate({k: v for k, v in d.items() if v is not None}) for d in LISTED]
    assert [case.documents for case in cases] == [(one,) for one in [*alone, *alone]]


def test_what_cases_list_alike_is_one_object(tmp_path: Path) -> None:
    first, second = read_cases(write(tmp_path / "cases.jsonl", [LISTED[0], LISTED[0]]))
    assert first.documents[0] is second.documents[0]
    assert first == Case(case="0", documents=second.documents)


@pytest.mark.parametrize("wrong", [{"id": " 1"}, {"id": "1", "grade": -1}, {"id": "1", "grad": 1}])
def test_a_wrong_one_is_named_where_it_stands(tmp_path: Path, wrong: dict[str, object]) -> None:
    path = write(tmp_path / "cases.jsonl", [LISTED[0], wrong, wrong])
    with pytest.raises(InvalidInput) as caught:
        read_cases(path)
    assert [one.row for one in caught.value.problems] == [2, 3]
