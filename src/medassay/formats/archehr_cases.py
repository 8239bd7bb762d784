"""Make cases of the shared tasks' XML and key."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.cases import Case, Cases
from medassay.errors import InvalidInput, Problem, nearest
from medassay.formats.archehr_entries import link_id
from medassay.formats.archehr_key import KeyCase, read_key
from medassay.formats.archehr_xml import XmlCase, read_cases_xml

if TYPE_CHECKING:
    from medassay.formats.archehr_submission import Form

__all__ = ["read_archehr_cases"]

_NO_KEY: Final[Mapping[str, KeyCase]] = {}


def read_archehr_cases(xml: Path, key: Path | None = None, form: "Form" = "archehr2025") -> Cases:
    """Read the cases' XML and, where it is at hand, the key.

    Sentences of the note become evidence in document order, with the key's relevance; the 2026
    key's clinician answer becomes a reference of kind `human`. Two subtasks ask something else:

    - `archehr2026-st1` asks for the clinician's question: it is the reference then, and the case
      has no question.
    - `archehr2026-st4` asks which sentence of the clinician's answer rests on which sentence of the
      note: each possible link is a piece of evidence, essential where the key has it.

    Args:
        xml: The cases.
        key: The key; None makes cases without relevance and without references.
        form: What the submissions to these cases are; see `FORMS`.

    Raises:
        InvalidInput: Every problem of both files.
    """
    found = read_cases_xml(xml)
    keys = _NO_KEY if key is None else read_key(key)
    name = "" if key is None else key.name
    problems = list(_disagreements(found, keys, name))
    if problems:
        raise InvalidInput(problems)
    makers = {"archehr2026-st1": _interpretation, "archehr2026-st4": _alignment}
    make = makers.get(form, _case)
    cases = Cases.of(make(one, keys.get(one.id)) for one in found)
    return Cases(cases.records, (*cases.warnings, *_gaps(found, keys, name)))


def _case(one: XmlCase, key: KeyCase | None) -> Case:
    return Case.model_validate(
        {
            "case": one.id,
            "question": one.question,
            "narrative": one.narrative,
            "evidence": [
                {"id": i, "text": text, "relevance": key.relevance.get(i) if key else None}
                for i, text in one.sentences.items()
            ],
            "references": [{"text": key.answer}] if key and key.answer else [],
        }
    )


def _interpretation(one: XmlCase, _: KeyCase | None) -> Case:
    references = [{"text": one.question}] if one.question else []
    return Case.model_validate(
        {"case": one.id, "narrative": one.narrative, "references": references}
    )


def _alignment(one: XmlCase, key: KeyCase | None) -> Case:
    gold = {(s.id, cited) for s in key.sentences for cited in s.citations} if key else set()
    links = [
        {
            "id": link_id(sentence.id, i),
            "text": f"{sentence.text} ← {text}",
            "relevance": "essential" if (sentence.id, i) in gold else "not-relevant",
        }
        for sentence in (key.sentences if key else ())
        for i, text in one.sentences.items()
    ]
    facts = {"case": one.id, "question": one.question, "narrative": one.narrative}
    return Case.model_validate({**facts, "evidence": links})


def _disagreements(
    found: Iterable[XmlCase], keys: Mapping[str, KeyCase], file: str
) -> Iterator[Problem]:
    """Name what the key says of cases and sentences that the XML does not have."""
    cases = {one.id: one for one in found}
    for case, key in keys.items():
        if case not in cases:
            must, hint = "name cases of the XML", nearest(case, cases)
            yield Problem(file, must, f'"{case}"', hint, column="case_id")
            continue
        cited = (one for sentence in key.sentences for one in sentence.citations)
        sentences = cases[case].sentences
        for one in dict.fromkeys([*key.relevance, *cited]):
            if one not in sentences:
                must = "name sentences of the note"
                yield Problem(file, must, f'"{one}"', column=f"case {case}")


def _gaps(found: Iterable[XmlCase], keys: Mapping[str, KeyCase], file: str) -> Iterator[Problem]:
    """Warn of cases and sentences that a key leaves out."""
    for one in found if file else ():
        key = keys.get(one.id)
        if key is None:
            hint = "It is scored by metrics that need no key."
            yield Problem(file, "hold every case", f'nothing for "{one.id}"', hint)
            continue
        left = [i for i in one.sentences if i not in key.relevance]
        if left and key.relevance:
            hint = "Citation metrics leave this case out."
            got = f"no relevance for {', '.join(left)}"
            yield Problem(file, "label every sentence", got, hint, column=f"case {one.id}")
