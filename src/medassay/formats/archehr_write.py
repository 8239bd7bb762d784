"""Write answers and cases in the shared tasks' own forms."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.answers import Answer, Statement
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.formats.archehr_readings import read_officially, statements
from medassay.tables import json_bytes, write_atomically

if TYPE_CHECKING:
    from medassay.formats.archehr_submission import Form

__all__ = ["write_archehr_cases", "write_archehr_submission"]

_ARROW: Final = "→"


def write_archehr_submission(path: Path, answers: Iterable[Answer], form: "Form") -> None:
    """Write the answers of one system as a submission.

    What is written is read by the official scorer as it is here, but for full stops at the end of
    sentences, which the scorer adds in any case.

    Raises:
        InvalidInput: The answers are of several systems, or an answer lacks what the form needs or
            holds what the scorer would misread; every problem is named.
    """
    kept = list(answers)
    systems = sorted({answer.system for answer in kept})
    problems = []
    if len(systems) > 1:
        must = "hold the answers of one system"
        problems.append(Problem(path.name, must, ", ".join(f'"{one}"' for one in systems)))
    entries: list[dict[str, object]] = []
    for answer in kept:
        try:
            entries.append(_entry(answer, form))
        except InvalidInput as error:
            problems += [
                Problem(path.name, one.must, one.got, one.try_, column=f"case {answer.case}")
                for one in error.problems
            ]
    if problems:
        raise InvalidInput(problems)
    write_atomically(path, json_bytes(entries))


def _entry(answer: Answer, form: "Form") -> dict[str, object]:
    if form == "archehr2025":
        return {"case_id": answer.case, "answer": _cited(answer)}
    if form in {"archehr2026-st1", "archehr2026-st3"}:
        if answer.text is None or answer.is_blank:
            raise _problem("have a text", "none")
        return {"case_id": answer.case, "prediction": answer.text}
    named = [one.document for one in answer.retrieved or ()] or list(answer.citations)
    if form == "archehr2026-st2":
        return {"case_id": answer.case, "prediction": named}
    links: dict[str, list[str]] = {}
    for one in named:
        sentence, arrow, evidence = one.partition(_ARROW)
        if not arrow:
            raise _problem("name links such as 1→7", f'"{one}"')
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


def write_archehr_cases(xml: Path, key: Path, cases: Iterable[Case]) -> None:
    """Write cases as the shared tasks' XML and key (2026, which the 2025 scorer reads as well).

    The XML has what the official scorers read, and the note as one text; which phrases of the
    letter hold the question is not known here. The key has the first human reference.

    Raises:
        InvalidInput: A case holds characters that XML cannot, or relevance that is no word.
    """
    problems: list[Problem] = []
    elements: list[str] = []
    keys: list[dict[str, object]] = []
    for case in cases:
        element = _element(case)
        if any(ord(sign) < ord(" ") and sign not in "\t\n\r" for sign in element):
            must = "hold text that XML can hold"
            problems.append(Problem(xml.name, must, "a control character", column=case.case))
        if any(isinstance(one.relevance, float) for one in case.evidence):
            must = "say relevance in words"
            problems.append(Problem(key.name, must, "a grade", column=case.case))
        elements.append(element)
        keys.append(_key(case))
    if problems:
        raise InvalidInput(problems)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<annotations>", *elements, "</annotations>"]
    write_atomically(xml, ("\n".join(lines) + "\n").encode())
    write_atomically(key, json_bytes(keys))


def _element(case: Case) -> str:
    parts = [f'    <case id="{escape(case.case)}">']
    for tag, text in (
        ("patient_narrative", case.narrative),
        ("clinician_question", case.question),
        ("note_excerpt", " ".join(one.text for one in case.evidence)),
    ):
        if text:
            parts.append(f"        <{tag}>\n{escape(text)}\n        </{tag}>")
    if case.evidence:
        parts.append("        <note_excerpt_sentences>")
        parts += [
            f'            <sentence id="{escape(one.id)}">\n{escape(one.text)}\n'
            "            </sentence>"
            for one in case.evidence
        ]
        parts.append("        </note_excerpt_sentences>")
    return "\n".join([*parts, "    </case>"])


def _key(case: Case) -> dict[str, object]:
    entry: dict[str, object] = {
        "case_id": case.case,
        "answers": [
            {"sentence_id": one.id, "relevance": one.relevance}
            for one in case.evidence
            if one.relevance is not None
        ],
    }
    human = [one.text for one in case.references if one.kind == "human"]
    return entry | ({"clinician_answer_without_citations": human[0]} if human else {})


def _problem(must: str, got: str) -> InvalidInput:
    return InvalidInput(Problem("answer", must, got))
