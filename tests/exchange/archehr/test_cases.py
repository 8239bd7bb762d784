"""Cases from XML and key, and the same files again."""

import json
from pathlib import Path

import pytest

from medassay.answers import Answer
from medassay.cases import Case, Cases, read_cases
from medassay.errors import InvalidInput
from medassay.exchange.archehr.cases import read_archehr_cases
from medassay.exchange.archehr.submission import Form, read_archehr_submission
from medassay.exchange.archehr.write import write_archehr_cases, write_archehr_submission

PRINTED = Path(__file__).parents[2] / "data" / "archehr"


def printed(key: str | None = "table4_key_2026.json") -> Case:
    [case] = read_archehr_cases(PRINTED / "table4.xml", PRINTED / key if key else None)
    return case


def test_the_case_that_the_paper_prints() -> None:
    case = printed()
    assert case.question == "Why was she given antibiotics during her hospital stay?"
    assert case.narrative is not None
    assert case.narrative.startswith("Hi Dr. My mom")
    assert [e.id for e in case.evidence] == list("12345678")
    assert [e.id for e in case.evidence if e.relevance == "essential"] == ["5", "6"]
    assert [e.id for e in case.evidence if e.relevance == "not-relevant"] == list("123478")
    assert case.evidence[0].text == "Discharge Instructions:"  # newline padding is gone
    [reference] = case.references
    assert reference.kind == "human"
    assert reference.text.startswith("The patient was given antibiotics")
    assert "[" not in reference.text


def test_the_2025_key_has_no_clinician_answer() -> None:
    case = printed("table4_key_2025.json")
    assert case.references == ()
    assert case.evidence == printed().evidence
    assert {e.relevance for e in printed(None).evidence} == {None}


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_responses_that_the_paper_prints_are_sound(number: int) -> None:
    known = {"table4": tuple("12345678")}
    file = PRINTED / f"table4_response{number}.json"
    assert read_archehr_submission(file, "archehr2025", known).findings == ()


def test_the_supplements_gold_example_is_marked_disputed() -> None:
    [case] = read_cases(PRINTED / "gold_example.jsonl")
    assert case.tags == {"disputed": "uses-evidence"}
    assert any("likely caused by a virus" in e.text for e in case.evidence)


def test_subtasks_that_ask_something_else() -> None:
    xml, key = PRINTED / "table4.xml", PRINTED / "table4_key_2026.json"
    [question] = read_archehr_cases(xml, key, "archehr2026-st1")
    assert question.question is None
    assert question.references[0].text == printed().question
    [links] = read_archehr_cases(xml, key, "archehr2026-st4")
    gold = [e.id for e in links.evidence if e.relevance == "essential"]
    # As printed: sentences 1 and 2 rest on 5; 3, 4 and 5 on 6; the last cites nothing.
    assert gold == ["1→5", "2→5", "3→6", "4→6", "5→6"]
    assert len(links.evidence) == 6 * 8


def test_citations_of_the_key_may_be_a_list_or_text(tmp_path: Path) -> None:
    given = json.loads((PRINTED / "table4_key_2026.json").read_text(encoding="utf-8"))
    sentences = given[0]["clinician_answer_sentences"]
    for sentence, citations in zip(sentences, ["5, 6", ["5", 6], 5, None, [], ""], strict=True):
        sentence["citations"] = citations
    key = tmp_path / "key.json"
    key.write_text(json.dumps(given), encoding="utf-8")
    [case] = read_archehr_cases(PRINTED / "table4.xml", key, "archehr2026-st4")
    gold = [e.id for e in case.evidence if e.relevance == "essential"]
    assert gold == ["1→5", "1→6", "2→5", "2→6", "3→5"]


BILLION = """<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<annotations><case id="1"><patient_narrative>&b;</patient_narrative></case></annotations>"""
OTHER_FILE = """<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<annotations><case id="1"><patient_narrative>&secret;</patient_narrative></case></annotations>"""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BILLION, "cases.xml: must be XML without document types and entities"),
        (OTHER_FILE, "cases.xml: must be XML without document types and entities"),
        ("<annotations><case id='1'>", "cases.xml, row 1: must be well-formed XML; got no element"),
        ("", "cases.xml, row 1: must be well-formed XML"),
        ('<?xml version="1.0" encoding="no-such"?><a/>', "well-formed XML; got unknown encoding"),
        ("<annotations/>", "cases.xml: must hold at least one case"),
        (
            "<a><case id='1'/><case/><case id='1'/></a>",
            '(case number 3 of the file); got "1" again',
        ),
        (
            (
                "<a><case id='1'><note_excerpt_sentences><sentence>x</sentence>"
                "</note_excerpt_sentences></case></a>"
            ),
            "cases.xml, column case 1: must have sentences with different ids; got none.",
        ),
    ],
)
def test_what_is_wrong_with_the_xml_is_said(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "cases.xml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        read_archehr_cases(file)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ([{"case_id": "9", "answers": []}], "key.json, column case_id: must name cases of the XML"),
        (
            [{"case_id": "table4", "answers": [{"sentence_id": "9", "relevance": "essential"}]}],
            'key.json, column case table4: must name sentences of the note; got "9".',
        ),
        (
            [{"case_id": "table4", "answers": [{"sentence_id": "5", "relevance": "esential"}]}],
            (
                'sentence 5: must be one of essential, supplementary, not-relevant; got "esential".'
                ' Did you mean "essential"?'
            ),
        ),
        ([{"case_id": "table4"}, {"case_id": "table4"}, 3], '"table4" again'),
    ],
)
def test_what_is_wrong_with_the_key_is_said(tmp_path: Path, key: object, message: str) -> None:
    file = tmp_path / "key.json"
    file.write_text(json.dumps(key), encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        read_archehr_cases(PRINTED / "table4.xml", file)
    assert message in str(caught.value)


def test_what_a_key_leaves_out_is_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "key.json"
    file.write_text("[]", encoding="utf-8")
    [warning] = read_archehr_cases(PRINTED / "table4.xml", file).warnings
    assert 'must hold every case; got nothing for "table4"' in str(warning)
    partly = [{"case_id": "table4", "answers": [{"sentence_id": "5", "relevance": "essential"}]}]
    file.write_text(json.dumps(partly), encoding="utf-8")
    [warning] = read_archehr_cases(PRINTED / "table4.xml", file).warnings
    assert "no relevance for 1, 2, 3, 4, 6, 7, 8" in str(warning)


def test_cases_written_are_the_cases_read(tmp_path: Path) -> None:
    odd = Case.model_validate(
        {
            "case": "a & b",
            "question": "Is 3 < 5 & true?",
            "narrative": 'She said "no".',
            "evidence": [{"id": "1", "text": "x > y", "relevance": "supplementary"}],
        }
    )
    xml, key = tmp_path / "out.xml", tmp_path / "key.json"
    cases = Cases.of([printed(), odd])
    write_archehr_cases(xml, key, cases, "archehr2025")
    assert read_archehr_cases(xml, key).records == cases.records


def test_cases_that_the_form_cannot_hold_are_refused(tmp_path: Path) -> None:
    cases = [
        Case.model_validate({"case": "1", "narrative": "a\x00b"}),
        Case.model_validate({"case": "2", "evidence": [{"id": "1", "text": "", "relevance": 2}]}),
    ]
    with pytest.raises(InvalidInput) as caught:
        write_archehr_cases(tmp_path / "out.xml", tmp_path / "key.json", cases, "archehr2025")
    assert [problem.column for problem in caught.value.problems] == ["case 1", "case 2"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_submission_written_is_the_submission_read(tmp_path: Path, number: int) -> None:
    file = PRINTED / f"table4_response{number}.json"
    answers = read_archehr_submission(file, "archehr2025").answers("A")
    again = tmp_path / "again.json"
    write_archehr_submission(again, answers, "archehr2025")
    assert json.loads(again.read_text("utf-8")) == json.loads(file.read_text("utf-8"))


FORMS_2026: list[tuple[Form, object]] = [
    ("archehr2026-st1", "Why was ERCP recommended?"),
    ("archehr2026-st2", ["3", "1"]),
    ("archehr2026-st3", "He fell. He rose."),
    ("archehr2026-st4", [{"answer_id": "1", "evidence_id": ["2", "7"]}]),
]


@pytest.mark.parametrize(("form", "prediction"), FORMS_2026)
def test_the_forms_of_2026_are_written_as_they_came(
    tmp_path: Path, form: Form, prediction: object
) -> None:
    entries = [{"case_id": "1", "prediction": prediction}]
    file, again = tmp_path / "a.json", tmp_path / "again.json"
    file.write_text(json.dumps(entries), encoding="utf-8")
    write_archehr_submission(again, read_archehr_submission(file, form).answers("A"), form)
    assert json.loads(again.read_text("utf-8")) == entries


def test_answers_that_the_form_cannot_hold_are_refused(tmp_path: Path) -> None:
    def cited(case: str, text: str, *ids: str) -> Answer:
        return Answer.model_validate(
            {"system": "A", "case": case, "statements": [{"text": text, "citations": ids}]}
        )

    answers = [
        cited("1", "None."),
        cited("2", "A | b", "1"),
        cited("3", "A.", "1,2"),
        cited("4", "", "1"),
        Answer(system="B", case="5", text="No statements."),
    ]
    with pytest.raises(InvalidInput) as caught:
        write_archehr_submission(tmp_path / "a.json", answers, "archehr2025")
    places = [problem.column for problem in caught.value.problems]
    assert places == [None, "case 1", "case 3", "case 5"]
    assert list(tmp_path.iterdir()) == []
