"""Make cases of the shared tasks' XML and key."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.cases import Case, Cases
from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.archehr.cases_xml import XmlCase, read_cases_xml
from medassay.exchange.archehr.entries import link_id
from medassay.exchange.archehr.key import KeyCase, read_key

if TYPE_CHECKING:
    from medassay.exchange.archehr.submission import Form

__all__ = ["read_archehr_cases"]

_NO_KEY: Final[Mapping[str, KeyCase]] = {}
_NAMED: Final = 5


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
    xml_cases = read_cases_xml(xml)
    keys = _NO_KEY if key is None else read_key(key)
    name = "" if key is None else key.name
    problems = list(_disagreements(xml_cases, keys, name))
    if problems:
        raise InvalidInput(problems)
    makers = {"archehr2026-st1": _interpretation, "archehr2026-st4": _alignment}
    make = makers.get(form, _case)
    cases = Cases.of(make(xml_case, keys.get(xml_case.id)) for xml_case in xml_cases)
    return Cases(cases.records, (*cases.warnings, *_gaps(xml_cases, keys, name, form)))


def _case(xml_case: XmlCase, key: KeyCase | None) -> Case:
    return Case.model_validate(
        {
            "case": xml_case.id,
            "question": xml_case.question,
            "narrative": xml_case.narrative,
            "evidence": [
                {"id": i, "text": text, "relevance": key.relevance.get(i) if key else None}
                for i, text in xml_case.sentences.items()
            ],
            "references": [{"text": key.answer}] if key and key.answer else [],
        }
    )


def _interpretation(xml_case: XmlCase, _: KeyCase | None) -> Case:
    references = [{"text": xml_case.question}] if xml_case.question else []
    return Case.model_validate(
        {"case": xml_case.id, "narrative": xml_case.narrative, "references": references}
    )


def _alignment(xml_case: XmlCase, key: KeyCase | None) -> Case:
    gold = {(s.id, cited) for s in key.sentences for cited in s.citations} if key else set()
    links = [
        {
            "id": link_id(sentence.id, i),
            "text": f"{sentence.text} ← {text}",
            "relevance": "essential" if (sentence.id, i) in gold else "not-relevant",
        }
        for sentence in (key.sentences if key else ())
        for i, text in xml_case.sentences.items()
    ]
    facts = {"case": xml_case.id, "question": xml_case.question, "narrative": xml_case.narrative}
    return Case.model_validate({**facts, "evidence": links})


def _disagreements(
    xml_cases: Iterable[XmlCase], keys: Mapping[str, KeyCase], file: str
) -> Iterator[Problem]:
    """Name what the key says of cases and sentences that the XML does not have."""
    cases = {xml_case.id: xml_case for xml_case in xml_cases}
    for case, key in keys.items():
        if case not in cases:
            must, hint = "name cases of the XML", nearest(case, cases)
            yield Problem(file, must, f'"{case}"', hint, column="case_id")
            continue
        cited = (citation for sentence in key.sentences for citation in sentence.citations)
        sentences = cases[case].sentences
        for fromkey in dict.fromkeys([*key.relevance, *cited]):
            if fromkey not in sentences:
                must = "name sentences of the note"
                yield Problem(file, must, f'"{fromkey}"', column=f"case {case}")


def _gaps(
    xml_cases: Sequence[XmlCase], keys: Mapping[str, KeyCase], file: str, form: "Form"
) -> Iterator[Problem]:
    """Warn of what a key leaves out: one line for what many cases lack."""
    if not file or form == "archehr2026-st1":
        return
    there = [xml_case for xml_case in xml_cases if xml_case.id in keys]
    hint = "They are scored by metrics that need no key."
    lacking = [xml_case.id for xml_case in xml_cases if xml_case.id not in keys]
    yield from _counted(file, "hold every case", "nothing for", lacking, len(xml_cases), hint)
    if form == "archehr2026-st4":
        hint = "Without them a case has no links and is left out."
        lacking = [xml_case.id for xml_case in there if not keys[xml_case.id].sentences]
        must, what = "hold the clinician's answer by sentence", "no sentences in"
        yield from _counted(file, must, what, lacking, len(xml_cases), hint)
        return
    hint = "Citation metrics leave these cases out."
    lacking = [
        xml_case.id for xml_case in there if xml_case.sentences and not keys[xml_case.id].relevance
    ]
    must = "label every sentence"
    yield from _counted(file, must, "no relevance at all in", lacking, len(xml_cases), hint)
    for case in there:
        relevance = keys[case.id].relevance
        left = [i for i in case.sentences if i not in relevance] if relevance else []
        if left:
            hint = "Citation metrics leave this case out."
            got = f"no relevance for {', '.join(left)}"
            yield Problem(file, must, got, hint, column=f"case {case.id}")
    lacking = [xml_case.id for xml_case in there if keys[xml_case.id].answer is None]
    # The key of 2025 has no clinician's answer in any case.
    if len(lacking) < len(there) or form == "archehr2026-st3":
        hint = "Metrics against the human reference leave these cases out."
        must, what = "hold the clinician's answer", "none in"
        yield from _counted(file, must, what, lacking, len(xml_cases), hint)


def _counted(
    file: str, must: str, got: str, cases: Sequence[str], n: int, hint: str
) -> Iterator[Problem]:
    if cases:
        named = ", ".join(f'"{case}"' for case in cases[:_NAMED])
        more = f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else ""
        whole = f" ({len(cases)} of {n} cases)" if n > 1 else ""
        yield Problem(file, must, f"{got} {named}{more}{whole}", hint)
