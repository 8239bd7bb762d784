"""Submissions of both years: what is wrong with them, and what can be read all the same."""

import json
from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.exchange.archehr.answer import blocks
from medassay.exchange.archehr.submission import Form, Submission, read_archehr_submission

KNOWN = {"1": ("1", "2", "3"), "2": ("1", "2")}


def submit(
    folder: Path,
    content: object,
    form: Form = "archehr2025",
    known: dict[str, tuple[str, ...]] | None = None,
) -> Submission:
    file = folder / "a.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return read_archehr_submission(file, form, known)


def kinds(submission: Submission) -> list[tuple[str, str, str | None]]:
    return [(f.effect, f.kind, f.case) for f in submission.findings]


GOOD = [{"case_id": "1", "answer": "A. |1,2|\nB."}, {"case_id": "2", "answer": "C. |2|"}]


def test_a_sound_submission_has_no_findings(tmp_path: Path) -> None:
    found = submit(tmp_path, GOOD, known=KNOWN)
    assert found.findings == ()
    for reading in ("official", "tolerant"):
        first, second = found.answers("A", reading)
        assert [(s.text, s.citations) for s in first.statements or ()] == [
            ("A.", ("1", "2")),
            ("B.", ()),
        ]
        assert (first.system, second.case, first.raw) == ("A", "2", "A. |1,2|\nB.")


def test_one_bad_case_never_hides_the_others(tmp_path: Path) -> None:
    bad: list[object] = [
        3,
        {"case": "1", "answer": "A. |1|"},
        {"case_id": "1", "anwser": "A. |1|"},
        {"case_id": "1", "answer": ["A. |1|"]},
        {"case_id": 2, "answer": "C. |2|"},
    ]
    found = submit(tmp_path, bad)
    assert kinds(found) == [
        ("refused", "no-object", "number 1"),
        ("refused", "no-id", "number 2"),
        ("refused", "no-answer", "1"),
        ("refused", "answer-not-text", "1"),
        ("refused", "id-not-text", "2"),
    ]
    assert found.findings[1].try_ == 'Rename the key "case" to "case_id".'
    assert found.findings[2].try_ == 'Rename the key "anwser" to "answer".'
    assert [answer.case for answer in found.answers("A")] == ["2"]


def test_cases_missing_unknown_and_twice(tmp_path: Path) -> None:
    given = [GOOD[0], {"case_id": "01", "answer": "C. |2|"}, GOOD[0]]
    assert kinds(submit(tmp_path, given, known=KNOWN)) == [
        ("refused", "unknown-case", "01"),
        ("misread", "duplicate-case", "1"),
        ("refused", "missing-case", "2"),
    ]
    # Without the cases nobody knows which are missing.
    assert kinds(submit(tmp_path, given)) == [("misread", "duplicate-case", "1")]


def test_nothing_submitted_is_refused(tmp_path: Path) -> None:
    assert kinds(submit(tmp_path, [])) == [("refused", "empty", None)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'[{"case_id": "1",]', "a.json, row 1: must be JSON; got"),
        (b'{"1": "A. |1|"}', "a.json: must be a list of cases; got one object."),
        (b"\xff\xfe[\x00", "a.json: must be text in UTF-8"),
        (b"[" * 100_000, "a.json: must be JSON; got lists within lists"),
        (b"", "a.json, row 1: must be JSON"),
    ],
)
def test_a_file_that_cannot_be_read_at_all(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(content)
    with pytest.raises(InvalidInput) as caught:
        read_archehr_submission(file, "archehr2025")
    assert message in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="must be a file that exists"):
        read_archehr_submission(tmp_path / "none.json", "archehr2025")


def test_texts_of_2026_are_kept_as_they_are(tmp_path: Path) -> None:
    words = " ".join(["w"] * 16)
    given = [{"case_id": "1", "prediction": words}, {"case_id": "2", "prediction": " "}]
    question = submit(tmp_path, given, "archehr2026-st1")
    assert kinds(question) == [("costs", "over-limit", "1"), ("refused", "empty", "2")]
    assert [answer.text for answer in question.answers("A")] == [words, ""]
    cited = [{"case_id": "1", "prediction": "He fell [1]. |2|"}]
    assert kinds(submit(tmp_path, cited, "archehr2026-st3")) == [
        ("costs", "citation-in-text", "1"),
        ("costs", "citation-in-text", "1"),
    ]
    assert submit(tmp_path, given[:1], "archehr2026-st3").findings == ()


def test_evidence_of_2026_has_no_text(tmp_path: Path) -> None:
    given = [
        {"case_id": "1", "prediction": ["3", 1, " 2", "9", None]},
        {"case_id": "2", "prediction": "1"},
    ]
    found = submit(tmp_path, given, "archehr2026-st2", KNOWN)
    assert kinds(found) == [
        ("refused", "id-not-text", "1"),
        ("refused", "blank-in-id", "1"),
        ("refused", "id-not-text", "1"),
        ("refused", "unknown-id", "1"),
        ("refused", "no-list", "2"),
    ]
    [answer] = found.answers("A")
    assert answer.text is None
    assert [one.document for one in answer.retrieved or ()] == ["3", "1", "2", "9"]


def test_links_of_2026_are_named_by_both_ids(tmp_path: Path) -> None:
    given = [
        {
            "case_id": "1",
            "prediction": [
                {"answer_id": "1", "evidence_id": ["2", "3"]},
                {"answer_id": "2", "evidence_id": []},
                {"answer_id": 3, "evidence_id": ["2"]},
                {"answer": "1"},
                {"answer_id": "4", "evidence_id": "2"},
            ],
        }
    ]
    found = submit(tmp_path, given, "archehr2026-st4")
    assert kinds(found) == [
        ("refused", "id-not-text", "1"),
        ("refused", "no-link", "1"),
        ("refused", "no-list", "1"),
    ]
    [answer] = found.answers("A")
    assert [one.document for one in answer.retrieved or ()] == ["1→2", "1→3", "3→2"]


def test_only_what_the_scorer_refuses_or_misreads_blocks(tmp_path: Path) -> None:
    assert not blocks(submit(tmp_path, GOOD).findings)
    costs = [{"case_id": "1", "answer": "A. |9|"}, GOOD[1]]
    assert not blocks(submit(tmp_path, costs, known=KNOWN).findings)
    assert blocks(submit(tmp_path, [{"case_id": "1", "answer": "A. |1, 2|"}]).findings)
