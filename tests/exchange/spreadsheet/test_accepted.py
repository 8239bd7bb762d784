"""Several accepted answers in one cell become references of their own."""

from pathlib import Path

import pytest

from medassay.exchange.spreadsheet.importing import Wishes, import_spreadsheet, propose
from medassay.metrics import resolve
from medassay.scores import Score
from medassay.study import Study

HEAD = "question,reference,system,answer"


def _sheet(path: Path, *golds: str) -> Path:
    asked = ("Which drug lowers fever?", "Is it safe with warfarin?")
    rows = (f'{q},"{gold}",MyBot,"The {gold}."' for q, gold in zip(asked, golds, strict=True))
    path.write_text("\n".join((HEAD, *rows)) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def study(tmp_path: Path) -> Study:
    file = _sheet(tmp_path / "golds.csv", "Paracetamol | acetaminophen|Paracetamol", "no")
    import_spreadsheet(tmp_path / "study", [file], Wishes())
    return Study.open_whole(tmp_path / "study")


def test_each_text_is_a_reference_and_any_of_them_counts(study: Study) -> None:
    cases = {case.case: case for case in study.cases}
    assert [r.text for r in cases["1"].references] == ["Paracetamol", "acetaminophen"]
    assert [r.text for r in cases["2"].references] == ["no"]
    answer = study.answers.get("MyBot", "2")
    assert answer is not None
    assert resolve("text_match").score_batch([(cases["2"], answer)]) == [Score(1.0)]


def test_the_proposal_says_what_becomes_of_the_sign(tmp_path: Path) -> None:
    file = _sheet(tmp_path / "golds.csv", "aspirin|ASA", "no")
    shown = propose(tmp_path / "study", [file], Wishes()).shown
    assert "references apart by |" in str(shown)
    done = import_spreadsheet(tmp_path / "study", [file], Wishes())
    assert "references apart by |" in str(done)


def test_the_sign_in_a_long_text_is_part_of_it(tmp_path: Path) -> None:
    long = "P(A|B) is the risk that a positive test leaves, however rare the illness was before."
    import_spreadsheet(tmp_path / "study", [_sheet(tmp_path / "g.csv", long, "a|b")], Wishes())
    texts = [
        [r.text for r in case.references] for case in Study.open_whole(tmp_path / "study").cases
    ]
    assert texts == [[long], ["a|b"]]
