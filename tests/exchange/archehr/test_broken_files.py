"""Files of the shared task that are broken in ways of their own: said, counted, never silent."""

import json
import os
import sys
import time
from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.exchange.archehr.cases import read_archehr_cases
from medassay.exchange.archehr.submission import Form, Submission, read_archehr_submission

PRINTED = Path(__file__).parents[2] / "data" / "archehr"
XML = PRINTED / "table4.xml"


def read(folder: Path, content: str | bytes) -> Submission:
    file = folder / "a.json"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_archehr_submission(file, "archehr2025")


def refusal(folder: Path, content: str | bytes) -> str:
    with pytest.raises(InvalidInput) as caught:
        read(folder, content)
    return str(caught.value)


def key_of(folder: Path, change: dict[str, object], *, without: str = "") -> Path:
    [entry] = json.loads((PRINTED / "table4_key_2026.json").read_text(encoding="utf-8"))
    entry.pop(without, None)
    file = folder / "key.json"
    file.write_text(json.dumps([{**entry, **change}]), encoding="utf-8")
    return file


def said_of(key: Path, form: Form = "archehr2025") -> str:
    """Give the refusal, or the warnings where the key is read all the same."""
    try:
        return "\n".join(map(str, read_archehr_cases(XML, key, form).warnings))
    except InvalidInput as error:
        return f"refused: {error}"


def test_a_number_of_five_thousand_digits(tmp_path: Path) -> None:
    content = f'[{{"case_id": {"7" * 5000}}}]'
    assert "must be JSON; got a number too long to read. Ids are text" in refusal(tmp_path, content)
    (tmp_path / "key.json").write_text(content, encoding="utf-8")
    assert "got a number too long" in said_of(tmp_path / "key.json")


def test_half_a_character_is_marked_and_can_be_written(tmp_path: Path) -> None:
    found = read(tmp_path, r'[{"case_id": "1", "answer": "He \ud800 rests. |1|"}]')
    assert [(f.effect, f.kind, f.case) for f in found.findings] == [
        ("misread", "half-character", "1")
    ]
    [answer] = found.answers("A")
    assert answer.raw == "He � rests. |1|"
    answer.model_dump_json().encode()
    # A whole pair is one character, and nothing to be said of.
    assert read(tmp_path, r'[{"case_id": "1", "answer": "\ud83d\ude42 |1|"}]').findings == ()


def test_a_key_twice_is_a_finding_of_its_case_alone(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        '[{"case_id": "1", "answer": "good |1|", "answer": "bad |2|"},'
        ' {"case_id": "2", "answer": "fine |1|"}]',
    )
    assert [(f.kind, f.case, f.got) for f in found.findings] == [
        ("duplicate-key", "1", '"answer" twice')
    ]
    first, second = found.answers("A")
    assert (first.text, second.text) == ("bad.", "fine.")  # the last, as the scorer reads it


def test_a_key_twice_in_the_key_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "key.json"
    twice = '[{"case_id": "table4", "answers": [{"sentence_id": "5", "relevance": "essential", '
    file.write_text(twice + '"relevance": "not-relevant"}]}]', encoding="utf-8")
    assert said_of(file) == (
        'refused: key.json, column case table4: must have each key once; got "relevance" twice. '
        "Remove one."
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answers": {"5": "essential"}}, 'have a list under "answers"; got one object'),
        ({"answers": None}, 'have a list under "answers"; got nothing (null)'),
        ({"answers": ["5"]}, 'sentence_id and relevance under "answers"; got the text "5"'),
        (
            {"clinician_answer_without_citations": 5},
            'have text under "clinician_answer_without_citations"; got the number 5',
        ),
        (
            {"clinician_answer_sentences": "foo"},
            'have a list under "clinician_answer_sentences"; got the text "foo"',
        ),
        (
            {"clinician_answer_sentences": [{"id": "1", "text": "a", "citations": [[5], None]}]},
            "sentence 1: must cite sentence ids; got a list",
        ),
        (
            {"clinician_answer_sentences": [{"id": "1", "text": 4, "citations": []}]},
            'sentence 1: must have text under "text"; got the number 4',
        ),
    ],
)
def test_a_key_of_another_shape_is_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    said = said_of(key_of(tmp_path, change))
    assert said.startswith("refused: key.json, column case table4")
    assert message in said


def test_a_misspelt_key_is_named(tmp_path: Path) -> None:
    said = said_of(key_of(tmp_path, {"answer": []}, without="answers"))
    assert 'must have the key "answers"; got "answer". Rename it.' in said
    # A key that nobody knows and that is like none is no mistake.
    assert said_of(key_of(tmp_path, {"clinician_question": "Why?"})) == ""


def test_what_the_key_leaves_out_altogether_is_counted(tmp_path: Path) -> None:
    none = said_of(key_of(tmp_path, {}, without="answers"))
    assert 'must label every sentence; got no relevance at all in "table4"' in none
    assert "Citation metrics leave these cases out." in none
    silent = key_of(tmp_path, {}, without="clinician_answer_without_citations")
    assert said_of(silent) == ""  # as in 2025
    assert 'hold the clinician\'s answer; got none in "table4"' in said_of(
        silent, "archehr2026-st3"
    )
    no_links = key_of(tmp_path, {}, without="clinician_answer_sentences")
    assert 'by sentence; got no sentences in "table4"' in said_of(no_links, "archehr2026-st4")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match="must be a file; got a pipe or a device"):
        read_archehr_submission(tmp_path / "pipe", "archehr2025")
    with pytest.raises(InvalidInput, match="must be a file; got a pipe or a device"):
        read_archehr_cases(tmp_path / "pipe")


def test_encodings_come_with_what_to_do(tmp_path: Path) -> None:
    good = '[{"case_id": "1", "answer": "Naïve. |1|"}]'
    for encoding in ("cp1252", "utf-16"):
        assert 'open(file, "w", encoding="utf-8")' in refusal(tmp_path, good.encode(encoding))


@pytest.mark.slow
def test_ten_times_the_lines_take_some_ten_times_as_long(tmp_path: Path) -> None:
    def seconds(lines: int) -> float:
        content = json.dumps([{"case_id": "1", "answer": "a |1|\n" * lines}])
        begun = time.process_time()
        read(tmp_path, content)
        return time.process_time() - begun

    few = min(seconds(2_000) for _ in range(3))
    assert seconds(20_000) < 40 * few  # a scan of all sentences for each line takes 100 times


@pytest.mark.slow
def test_a_message_stays_a_message(tmp_path: Path) -> None:
    long = "x" * 100_000
    answers = ["|1|" * 300_000, f"a |{long} 1|", f"a |{long}|", f"a [{long}] |1|", f"{long} | b"]
    entries = [{"case_id": str(i), "answer": one} for i, one in enumerate(answers)]
    odd = {"case_id": "7" * 2000, long: 1}
    found = read(tmp_path, json.dumps([*entries, odd, 7 * 10**3000, {"case_id": int("7" * 999)}]))
    assert len(found.findings) > 5
    assert max(len(str(finding)) for finding in found.findings) < 2500
    assert "and 299,995 more" in found.findings[0].got


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("|1 and 2|", 'Write "|1,2|".'),
        ("|1 & 2|", 'Write "|1,2|".'),
        ("|sentence 1|", "Write ids and commas alone, such as |1,2|."),
    ],
)
def test_a_hint_never_says_what_is_there_already(tmp_path: Path, written: str, hint: str) -> None:
    [finding] = read(
        tmp_path, json.dumps([{"case_id": "1", "answer": f"He rests. {written}"}])
    ).findings
    assert finding.try_ == hint


def test_words_of_a_programming_language_are_not_shown(tmp_path: Path) -> None:
    given = [None, 3, {"case_id": None}, {"case_id": ["1"]}, {"case_id": "1", "answer": None}]
    said = "\n".join(map(str, read(tmp_path, json.dumps(given)).findings))
    assert [word for word in ("None", "int", "str", "dict") if word in said.split()] == []
    assert "got nothing (null)" in said
