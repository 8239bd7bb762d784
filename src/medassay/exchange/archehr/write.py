"""Write answers and cases in the shared tasks' own forms."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from medassay.answers import Answer, Statement
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.exchange.archehr.answer import blocks, read_officially, statements
from medassay.exchange.archehr.cases import read_archehr_cases
from medassay.exchange.archehr.submission import Submission, read_archehr_submission
from medassay.study.contents.cases_and_answers import ADD_TEXTS
from medassay.tables import json_bytes, parse_widely, text_bytes, write_atomically

if TYPE_CHECKING:
    from medassay.exchange.archehr.submission import Form

_ARROW: Final = "→"
_LISTS: Final = frozenset({"archehr2026-st2", "archehr2026-st4"})
"""Forms that list what was found, and hold no text."""


def write_archehr_submission(path: Path, answers: Iterable[Answer], form: "Form") -> None:
    """Write the answers of one system as a submission.

    An answer that was imported is written as it was submitted, if that is sound. What is written
    is read again before it is kept: the official scorer reads it as it is here, but for full stops
    at the end of sentences, which the scorer adds in any case.

    Raises:
        InvalidInput: The answers are of several systems, or an answer lacks what the form needs or
            holds what the scorer would misread; every problem is named.
    """
    listed = list(answers)
    systems = sorted({answer.system for answer in listed})
    problems = []
    if len(systems) > 1:
        must = "hold the answers of one system"
        problems.append(Problem(path.name, must, ", ".join(f'"{system}"' for system in systems)))
    if form not in _LISTS and (unread := sum(not answer.held for answer in listed)):
        must = "hold answers whose texts the study has"
        got = f"{unread} of {len(listed)} whose text is not held"
        raise InvalidInput([*problems, Problem(path.name, must, got, ADD_TEXTS)])
    entries: list[dict[str, object]] = []
    for answer in listed:
        try:
            entries.append(_submitted(answer, form) or _entry(answer, form))
        except InvalidInput as error:
            problems += [
                Problem(
                    path.name, problem.must, problem.got, problem.try_, column=f"case {answer.case}"
                )
                for problem in error.problems
            ]
    if problems:
        raise InvalidInput(problems)
    content = json_bytes(entries)
    problems = _changed(content, listed, form, path.name)
    if problems:
        raise InvalidInput(problems)
    write_atomically(path, content)


def _changed(content: bytes, answers: list[Answer], form: "Form", file: str) -> list[Problem]:
    """Read what would be written, and name the answers that would be others."""
    read_again = {again.case: again for again in _read_again(content, form).answers("-")}
    return [
        Problem(file, "be what the scorer reads of the file", "one that it would read otherwise",
                column=f"case {answer.case}")
        for answer in answers
        if _essence(answer, form) != _essence(read_again.get(answer.case), form)
    ]  # fmt: skip


def _read_again(content: bytes, form: "Form") -> Submission:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "again.json"
        file.write_bytes(content)
        return read_archehr_submission(file, form)


def _submitted(answer: Answer, form: "Form") -> dict[str, object] | None:
    """Give the entry as it came, where it came in this form, soundly, and says the same."""
    if answer.raw is None:
        return None
    value: object = answer.raw
    if form in _LISTS:
        try:
            value = parse_widely(answer.raw)
        except (ValueError, RecursionError):
            return None
    key = "answer" if form == "archehr2025" else "prediction"
    entry = {"case_id": answer.case, key: value}
    read = _read_again(json_bytes([entry]), form)
    same = [_essence(again, form) for again in read.answers("-")] == [_essence(answer, form)]
    return entry if same and not blocks(read.findings) else None


def _essence(answer: Answer | None, form: "Form") -> object:
    """Give what the form carries of an answer."""
    if answer is None:
        return None
    if form == "archehr2025":
        worded = [s for s in answer.statements or () if s.text.strip() or s.citations]
        return [_without_stop(statement) for statement in worded]
    if form in {"archehr2026-st1", "archehr2026-st3"}:
        return answer.text
    named = [retrieved.document for retrieved in answer.retrieved or ()] or list(answer.citations)
    return sorted(named) if form == "archehr2026-st4" else named


def _entry(answer: Answer, form: "Form") -> dict[str, object]:
    if form == "archehr2025":
        return {"case_id": answer.case, "answer": _cited(answer)}
    if form in {"archehr2026-st1", "archehr2026-st3"}:
        if answer.text is None or answer.is_blank:
            raise _problem("have a text", "none")
        return {"case_id": answer.case, "prediction": answer.text}
    if answer.retrieved is None and not answer.citations:
        raise _problem("name what it found", "no list of evidence, and no citation")
    named = [retrieved.document for retrieved in answer.retrieved or ()] or list(answer.citations)
    if form == "archehr2026-st2":
        return {"case_id": answer.case, "prediction": named}
    links: dict[str, list[str]] = {}
    for link in named:
        sentence, arrow, evidence = link.partition(_ARROW)
        if not arrow:
            raise _problem("name links such as 1→7", f'"{link}"')
        links.setdefault(sentence, []).append(evidence)
    pairs = [{"answer_id": sentence, "evidence_id": ids} for sentence, ids in links.items()]
    return {"case_id": answer.case, "prediction": pairs}


def _cited(answer: Answer) -> str:
    if answer.statements is None or not answer.citations:
        raise _problem("cite at least one sentence", "no citation")
    lines = [_line(statement) for statement in answer.statements]
    read = statements(read_officially("\n".join(lines)))
    meant = [_without_stop(s) for s in answer.statements if s.text.strip() or s.citations]
    if [_without_stop(s) for s in read] != meant:
        raise _problem(
            "hold sentences and ids that the form can hold", "a pipe, a comma or an empty sentence"
        )
    return "\n".join(lines)


def _line(statement: Statement) -> str:
    text = " ".join(statement.text.split("\n")).strip()
    return f"{text} |{','.join(statement.citations)}|" if statement.citations else text


def _without_stop(statement: Statement) -> tuple[str, tuple[str, ...]]:
    text = " ".join(statement.text.split("\n")).strip()
    return text.removesuffix("."), tuple(dict.fromkeys(statement.citations))


def write_archehr_cases(xml: Path, key: Path, cases: Iterable[Case], form: "Form") -> None:
    """Write cases as the shared tasks' XML and key (2026, which the 2025 scorer reads as well).

    The XML has what the official scorers read, and the note as one text; which phrases of the
    letter hold the question is not known here. What is written is read again before it is kept: it
    gives the same cases, or nothing is written and the reason is said.

    Args:
        xml: Where the cases go.
        key: Where the key goes.
        cases: The cases, as `read_archehr_cases` makes them for this form.
        form: What the submissions to these cases are. For `archehr2026-st1` the reference is the
            clinician's question. Links of `archehr2026-st4` cannot be written: a link does not say
            where one sentence ends and the other begins.

    Raises:
        InvalidInput: A case holds what the files cannot; every such case is named.
    """
    listed = list(cases)
    links = any(_ARROW in evidence.id for case in listed for evidence in case.evidence)
    if form == "archehr2026-st4" or links:
        hint = "Keep the XML and the key that the cases came from."
        must = "be cases whose note and answer are known"
        raise InvalidInput(Problem(xml.name, must, "links between their sentences alone", hint))
    written = [_as_asked(case) if form == "archehr2026-st1" else case for case in listed]
    problems: list[Problem] = []
    for case in written:
        if any(not _holds(sign) for sign in _element(case)):
            must = "hold text that XML can hold"
            problems.append(
                Problem(xml.name, must, "a control character", column=f"case {case.case}")
            )
        if any(isinstance(evidence.relevance, float) for evidence in case.evidence):
            must = "say relevance in words"
            problems.append(Problem(key.name, must, "a grade", column=f"case {case.case}"))
    if problems:
        raise InvalidInput(problems)
    elements = [_element(case) for case in written]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<annotations>", *elements, "</annotations>"]
    contents = text_bytes("\n".join(lines) + "\n"), json_bytes([_key(case) for case in written])
    _check_again(*contents, listed, form, xml.name)
    write_atomically(xml, contents[0])
    write_atomically(key, contents[1])


def _as_asked(case: Case) -> Case:
    """Put the reference of subtask 1 back where the XML has it: it is the clinician's question."""
    human = [reference for reference in case.references if reference.kind == "human"]
    question = human[0].text if human else None
    return case.model_copy(update={"question": question, "references": ()})


def _check_again(xml: bytes, key: bytes, cases: list[Case], form: "Form", file: str) -> None:
    """Read what would be written, and refuse where it is not what was given."""
    with TemporaryDirectory() as folder:
        path, other = Path(folder) / file, Path(folder) / "key.json"
        path.write_bytes(xml)
        other.write_bytes(key)
        read = {case.case: case for case in read_archehr_cases(path, other, form)}
    problems = [
        Problem(file, "hold what the task's files can hold", _lost(case, read.get(case.case)),
                column=f"case {case.case}")
        for case in cases
        if read.get(case.case) != case
    ]  # fmt: skip
    if problems:
        raise InvalidInput(problems)


def _lost(case: Case, read: Case | None) -> str:
    """Name the fields that would be lost or changed."""
    names = [name for name in Case.model_fields if getattr(case, name) != getattr(read, name, None)]
    return f"{', '.join(names)} that would be lost or changed"


def _holds(sign: str) -> bool:
    """Say whether XML 1.0 has the character."""
    low, high = " " <= sign <= "\ud7ff", "\ue000" <= sign <= "\ufffd"
    return sign in "\t\n\r" or low or high or sign > "\uffff"


def _element(case: Case) -> str:
    parts = [f'    <case id="{escape(case.case)}">']
    for tag, text in (
        ("patient_narrative", case.narrative),
        ("clinician_question", case.question),
        ("note_excerpt", " ".join(evidence.text for evidence in case.evidence)),
    ):
        if text:
            parts.append(f"        <{tag}>\n{escape(text)}\n        </{tag}>")
    if case.evidence:
        parts.append("        <note_excerpt_sentences>")
        parts += [
            f'            <sentence id="{escape(evidence.id)}">\n{escape(evidence.text)}\n'
            "            </sentence>"
            for evidence in case.evidence
        ]
        parts.append("        </note_excerpt_sentences>")
    return "\n".join([*parts, "    </case>"])


def _key(case: Case) -> dict[str, object]:
    entry: dict[str, object] = {
        "case_id": case.case,
        "answers": [
            {"sentence_id": evidence.id, "relevance": evidence.relevance}
            for evidence in case.evidence
            if evidence.relevance is not None
        ],
    }
    human = [reference.text for reference in case.references if reference.kind == "human"]
    return entry | ({"clinician_answer_without_citations": human[0]} if human else {})


def _problem(must: str, got: str) -> InvalidInput:
    return InvalidInput(Problem("answer", must, got))
