"""A shared task's own files: submissions, cases and keys that are not as they must be."""

import json
import os
from pathlib import Path
from typing import Final

from tools.bad_input.bad_case import BadCase
from tools.bad_input.making import Make

CHECK: Final = "medassay check --format archehr2025 answers.json"
WITH_CASES: Final = f"{CHECK} --cases cases.xml"
IMPORT: Final = (
    "medassay import --from archehr answers.json --cases cases.xml --key key.json --into new"
)
XML: Final = """<?xml version="1.0" encoding="UTF-8"?>
<annotations><case id="1"><patient_narrative>I fell.</patient_narrative>
<clinician_question>Why?</clinician_question><note_excerpt_sentences>
<sentence id="1">He fell.</sentence><sentence id="2">He rose.</sentence>
</note_excerpt_sentences></case></annotations>
"""
KEY: Final = [
    {
        "case_id": "1",
        "answers": [
            {"sentence_id": "1", "relevance": "essential"},
            {"sentence_id": "2", "relevance": "not-relevant"},
        ],
    }
]
SOUND: Final = "He fell. |1|"
ENTITIES: Final = '<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;&x;">]>'


def _files(
    answer: object = SOUND, *, raw: str | bytes = b"", xml: str = XML, key: str = ""
) -> Make:
    """Write answers.json, cases.xml and key.json; `raw` is all of answers.json."""
    given = raw.encode() if isinstance(raw, str) else raw

    def make(folder: Path) -> None:
        content = json.dumps([{"case_id": "1", "answer": answer}]).encode()
        (folder / "answers.json").write_bytes(given or content)
        (folder / "cases.xml").write_text(xml, encoding="utf-8")
        (folder / "key.json").write_text(key or json.dumps(KEY), encoding="utf-8")

    return make


def _pipe(folder: Path) -> None:
    os.mkfifo(folder / "answers.json")


def _answer(name: str, answer: str, command: str = CHECK, code: int = 2) -> BadCase:
    return BadCase(name, f"`{answer}`", _files(answer), command, code)


SUBMISSIONS: Final = [
    _answer("Blanks between ids", "He fell. |1, 2|"),
    _answer("A range of ids", "He fell. |1-2|"),
    _answer("Words between ids", "He fell. |1 and 2|"),
    _answer("Citations in brackets", "He fell. [1] |2|"),
    _answer("A citation that never closes", "He fell. |1"),
    _answer("Two citations on a line", "He fell. |1| He rose. |2|"),
    _answer("Text behind a citation", "He fell. |1| (see note)"),
    _answer("No citation at all", "He fell."),
    _answer("An id that the note does not have", "He fell. |9|", WITH_CASES, 0),
    BadCase(
        "More than 75 words",
        "80 words and a citation",
        _files(" ".join(["word"] * 80) + " |1|"),
        CHECK,
        0,
    ),
    BadCase("A case twice", "the same case again", _files(raw=json.dumps(
        [{"case_id": "1", "answer": SOUND}, {"case_id": "1", "answer": "He rose. |2|"}]
    )), CHECK),
    BadCase("A case that is missing or unknown", "case 2 instead of case 1", _files(
        raw=json.dumps([{"case_id": "2", "answer": SOUND}])), WITH_CASES),
    BadCase("A key twice in an object", "two answers in one object", _files(
        raw='[{"case_id": "1", "answer": "He fell. |1|", "answer": "He rose. |2|"}]'), CHECK),
    BadCase("A number for an id", '`"case_id": 1`', _files(
        raw='[{"case_id": 1, "answer": "He fell. |1|"}]'), CHECK),
    BadCase("A misspelt key", "`anwser`", _files(
        raw='[{"case_id": "1", "anwser": "He fell. |1|"}]'), CHECK),
    BadCase("Nothing instead of an answer", "`null`", _files(None), CHECK),
    BadCase("Half a character", r"`\ud800` in the answer", _files("He \ud800 fell. |1|"), CHECK),
    BadCase("One object instead of a list", '`{"1": "He fell. |1|"}`', _files(
        raw='{"1": "He fell. |1|"}'), CHECK),
    BadCase("A JSON file that was cut off", "the last sign is missing", _files(
        raw='[{"case_id": "1", "answer": "He fell. |1|"}'), CHECK),
    BadCase("A number of 5,000 digits", "as a case_id", _files(
        raw=f'[{{"case_id": {"7" * 5000}}}]'), CHECK),
    BadCase("A submission in UTF-16", "saved as 'Unicode'", _files(
        raw='[{"case_id": "1", "answer": "He fell. |1|"}]'.encode("utf-16")), CHECK),
    BadCase("A submission in Windows-1252", "with `naïve` in it", _files(
        raw='[{"case_id": "1", "answer": "naïve |1|"}]'.encode("cp1252")), CHECK),
    BadCase("A pipe", "answers.json is a named pipe", _pipe, CHECK),
]  # fmt: skip
CASES_AND_KEYS: Final = [
    BadCase("Broken XML", "cases.xml cut off", _files(xml=XML[:80]), WITH_CASES),
    BadCase("Entities in XML", "cases.xml with a document type", _files(
        xml=XML.replace("<annotations>", f"{ENTITIES}<annotations>")), WITH_CASES),
    BadCase("XML without cases", "a login page saved as cases.xml", _files(
        xml="<html><body>login</body></html>"), WITH_CASES),
    BadCase("A sentence twice in the XML", "two sentences 1", _files(
        xml=XML.replace('id="2"', 'id="1"')), WITH_CASES),
    BadCase("A key whose answers are no list", '`"answers": {"1": "essential"}`', _files(
        key='[{"case_id": "1", "answers": {"1": "essential"}}]'), IMPORT),
    BadCase("A key with a misspelt key", '`"answer"` for `"answers"`', _files(
        key=json.dumps(KEY).replace("answers", "answer")), IMPORT),
    BadCase("A word for relevance that there is not", "`esential`", _files(
        key=json.dumps(KEY).replace('"essential"', '"esential"')), IMPORT),
    BadCase("A key of another note", "sentence 7", _files(
        key=json.dumps(KEY).replace('"sentence_id": "2"', '"sentence_id": "7"')), IMPORT),
    BadCase("A clinician's answer that is no text", "a number", _files(
        key=json.dumps([{**KEY[0], "clinician_answer_without_citations": 5}])), IMPORT),
]  # fmt: skip
SHARED_TASK: Final = [*SUBMISSIONS, *CASES_AND_KEYS]
