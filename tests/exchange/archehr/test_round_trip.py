"""What is written in a shared task's form is read as the same, or refused with a reason."""

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medassay.answers import Answer
from medassay.cases import Case, Cases
from medassay.errors import InvalidInput
from medassay.exchange.archehr.cases import read_archehr_cases
from medassay.exchange.archehr.submission import FORMS, Form, read_archehr_submission
from medassay.exchange.archehr.write import write_archehr_cases, write_archehr_submission

TEXTS = st.text(st.sampled_from("ab .,|→\n\t\u00a0<&[]12é"), max_size=14)
IDS = st.sampled_from(["1", "2", "10", "a", "1→2", "2→1", "1→2→3", "→1", "1→", "1,2", "␣1"])
RAW = ['["1", "2"]', '["\\ud83d"]', '"\\ud83d"', "[" * 5000, "[" * 400 + "]" * 400, "9" * 5000]
CITED = st.lists(st.tuples(TEXTS, st.lists(IDS, max_size=2)), min_size=1, max_size=3)


def answers() -> st.SearchStrategy[Answer]:
    cited = CITED.map(
        lambda found: {"statements": [{"text": t, "citations": ids} for t, ids in found]}
    )
    ranked = st.lists(IDS, unique=True, max_size=4).map(
        lambda ids: {"retrieved": [{"document": one} for one in ids]}
    )
    fields = st.one_of(cited, ranked, TEXTS.map(lambda text: {"text": text}))
    raw = st.one_of(st.none(), TEXTS, st.sampled_from(RAW))
    return st.builds(
        lambda given, raw: Answer.model_validate({"system": "A", "case": "1", "raw": raw} | given),
        fields,
        raw,
    )


def essence(answer: Answer, form: Form) -> object:
    if form == "archehr2025":
        # The scorer ends sentences, and knows citations by the case.
        texts = [s.text.strip() for s in answer.statements or () if s.text.strip()]
        said = " ".join(" ".join(t.split()).removesuffix(".") for t in texts)
        return said, set(answer.citations)
    if form in {"archehr2026-st1", "archehr2026-st3"}:
        return answer.text
    return {one.document for one in answer.retrieved or ()} or set(answer.citations)


@pytest.mark.parametrize("form", list(FORMS))
@settings(max_examples=75, deadline=None)
@given(answer=answers())
def test_a_submission_is_read_as_it_was_or_refused(form: Form, answer: Answer) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.json"
        try:
            write_archehr_submission(file, [answer], form)
        except InvalidInput:
            assert not file.exists()
            return
        [again] = read_archehr_submission(file, form).answers("A")
        assert essence(again, form) == essence(answer, form)


def cases() -> st.SearchStrategy[Case]:
    evidence = st.lists(
        st.tuples(st.sampled_from("123"), TEXTS, st.sampled_from(
            ["essential", "supplementary", "not-relevant", None])),
        unique_by=lambda one: one[0], max_size=3,
    )  # fmt: skip
    return st.builds(
        lambda question, narrative, found, references, tags: Case.model_validate(
            {
                "case": "1",
                "question": question,
                "narrative": narrative,
                "evidence": [{"id": i, "text": t, "relevance": w} for i, t, w in found],
                "references": [{"text": one} for one in references if one.strip()],
                "tags": tags,
            }
        ),
        st.one_of(st.none(), TEXTS),
        st.one_of(st.none(), TEXTS),
        evidence,
        st.lists(TEXTS, max_size=2),
        st.sampled_from([{}, {}, {"specialty": "x"}]),
    )


@pytest.mark.slow
@pytest.mark.parametrize("form", list(FORMS))
@settings(max_examples=75, deadline=None)
@given(case=cases())
def test_cases_are_read_as_they_were_or_refused(form: Form, case: Case) -> None:
    with tempfile.TemporaryDirectory() as folder:
        xml, key = Path(folder) / "a.xml", Path(folder) / "a.json"
        with contextlib.suppress(InvalidInput):
            write_archehr_cases(xml, key, [case], form)
            assert read_archehr_cases(xml, key, form).records == (case,)
            return
        assert list(Path(folder).iterdir()) == []


PRINTED = Path(__file__).parents[2] / "data" / "archehr"


@pytest.mark.parametrize("form", [form for form in FORMS if form != "archehr2026-st4"])
def test_the_printed_case_survives(tmp_path: Path, form: Form) -> None:
    read = read_archehr_cases(PRINTED / "table4.xml", PRINTED / "table4_key_2026.json", form)
    write_archehr_cases(tmp_path / "a.xml", tmp_path / "a.json", read, form)
    again = read_archehr_cases(tmp_path / "a.xml", tmp_path / "a.json", form)
    assert again.records == read.records


def test_links_cannot_be_written_and_that_is_said(tmp_path: Path) -> None:
    xml, key = PRINTED / "table4.xml", PRINTED / "table4_key_2026.json"
    read: Cases = read_archehr_cases(xml, key, "archehr2026-st4")
    for form in FORMS:
        with pytest.raises(InvalidInput, match="links between their sentences alone"):
            write_archehr_cases(tmp_path / "a.xml", tmp_path / "a.json", read, form)
    assert list(tmp_path.iterdir()) == []


def test_what_was_submitted_is_written_as_it_came(tmp_path: Path) -> None:
    file, again = tmp_path / "a.json", tmp_path / "again.json"
    file.write_text('[{"answer": "\\nHe rests. |1|\\n\\nShe slept |2|", "case_id": "1"}]', "utf-8")
    answers = read_archehr_submission(file, "archehr2025").answers("A")
    write_archehr_submission(again, answers, "archehr2025")
    assert "\\nHe rests. |1|\\n\\nShe slept |2|" in again.read_text("utf-8")
