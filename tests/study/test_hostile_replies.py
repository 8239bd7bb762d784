"""Whatever a system replies: the study goes on, keeps what was sent, and every form is written."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from tools.forked import medassay

from medassay.models.endpoints import Journal, Reply, reply_of_completion
from medassay.study import Study, answer_study
from medassay.systems import load_code
from medassay.tables import holds_halves

CODE = """
from decimal import Decimal
from fractions import Fraction

from medassay.answers import Answer

HALF = "x \\ud83d y"
ODD = "a\\0b\\x1b[31m\\u202e\\ufffe]]><script>alert(1)</script>{{7*7}}=1+1\\r"
REPLIES = [
    HALF, "\\udfff", "\\ud83d", ODD, ODD + HALF, "\\ud83d\\ude00 joined", "=cmd|' /C calc'!A0",
    {"text": HALF, "reasoning": HALF, "retrieved": [{"document": "d1"}]},
    {"statements": [{"text": HALF, "citations": ["1"]}], "raw": HALF},
    {"turns": [{"role": "user", "text": HALF}, {"role": "assistant", "text": HALF}]},
    {"text": "t", "confidence": Decimal("0.5"), "cost": Fraction(1, 2), "seconds": 1},
    {"text": "t", "retrieved": ({"document": name} for name in "ab")},
    {"text": "t", "choice": HALF}, {HALF: HALF}, {"text": HALF, "choice": 7},
]

def reply(case):
    return REPLIES[int(case.case)]
"""
CASES = 15
REFUSED = {"12", "13"}
"""What is no answer at all: an id, and the name of a field, that hold half of a character."""


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "mine.py").write_text(CODE, encoding="utf-8")
    study = folder / "study"
    study.mkdir()
    (study / "study.toml").write_text(
        'schema = 1\ntitle = "T"\n[[dimensions]]\nrubric = "likert5"\n[[metrics]]\n'
        'name = "length"\n[systems.a]\nkind = "python"\n',
        encoding="utf-8",
    )
    rows = [
        {"case": str(number), "question": f"Is {number} safe?", "references": [{"text": "Yes."}]}
        for number in range(CASES)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (study / "cases.jsonl").write_text(text, encoding="utf-8")
    done = answer_study(study, "a", code=load_code(f"{folder / 'mine.py'}:reply"))
    assert (done.answers, done.unanswered) == (CASES - len(REFUSED), len(REFUSED))
    return study


def test_it_is_kept_as_sent_and_shown_as_its_code(answered: Path) -> None:
    sent = {
        row["case"]: row
        for row in map(json.loads, (answered / "calls" / "a.jsonl").read_bytes().splitlines())
    }
    assert sent["0"]["text"] == "x \ud83d y"
    assert sent["7"]["fields"]["reasoning"] == "x \ud83d y"
    answers = {answer.case: answer for answer in Study.open_whole(answered).answers}
    assert answers["0"].text == r"x \ud83d y"
    assert answers["5"].text == "😀 joined"
    assert answers["7"].reasoning == r"x \ud83d y"
    assert answers["10"].confidence == 0.5
    assert [document.document for document in answers["11"].retrieved or ()] == ["a", "b"]
    assert answers.keys() == {str(number) for number in range(CASES)} - REFUSED


def test_it_is_not_asked_again_and_makes_the_same_answers(answered: Path) -> None:
    before = (answered / "answers" / "a.jsonl").read_bytes()
    again = answer_study(answered, "a", code=load_code(f"{answered.parent / 'mine.py'}:reply"))
    assert (again.answers, again.known, again.kept) == (0, CASES - 2, CASES - 2)
    assert (answered / "answers" / "a.jsonl").read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "then",
    [
        [("run", "."), ("report", ".", "--to", "html,md,latex,xlsx,csv,tables")],
        [("campaign", "create", ".", "--raters", "anna,ben"), ("campaign", "sheets", ".")],
        [("campaign", "create", ".", "--raters", "anna,ben"),
         ("campaign", "sheets", ".", "--format", "csv")],
        *[
            [("export", ".", "--to", form, "--into", f"out-{form}")]
            for form in ("inspect", "label-studio", "potato", "redcap", "mt-metrics-eval")
        ],
    ],
    ids=lambda then: "-".join(then[-1]),
)  # fmt: skip
def test_every_form_is_written(
    then: Sequence[Sequence[str]], answered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(answered, tmp_path / "study"))
    for words in then:
        done = medassay(*words)
        assert "Traceback" not in done.stderr, done.stderr[-2000:]
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("text", ["x \ud83d y", "\udfff\ud800", "\0\x1b\u2028", "\ufeff{"])
@pytest.mark.parametrize("name", ["text", "model", "detail"])
def test_a_journal_keeps_it_as_sent(name: str, text: str, tmp_path: Path) -> None:
    path, key = tmp_path / "a.jsonl", "ab" * 32
    with Journal(path, "a") as journal:
        journal.add(
            key, {"case": text}, Reply.of_row({"ended": "answered", "text": "t", name: text})
        )
        kept = journal.get(key)
        assert kept is not None
        assert not holds_halves(str(getattr(kept, name))) or name == "detail"
    assert json.loads(path.read_bytes())[name] == text
    with Journal(path, "a") as again:
        assert again.get(key) == kept


@pytest.mark.parametrize("chance", [float("-inf"), float("inf"), float("nan"), "-inf", None, {}])
def test_chances_that_no_file_can_hold_are_left_out(chance: object, tmp_path: Path) -> None:
    content = [{"token": "a", "logprob": chance, "top_logprobs": []}]
    choice = {"finish_reason": "stop", "message": {"content": "a"}}
    reply = reply_of_completion({"choices": [{**choice, "logprobs": {"content": content}}]})
    assert (reply.text, reply.tokens) == ("a", ())
    with Journal(tmp_path / "a.jsonl", "a") as journal:
        journal.add("ab" * 32, {}, reply)
