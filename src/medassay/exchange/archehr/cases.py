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
    found = read_cases_xml(xml)
    keys = _NO_KEY if key is None else read_key(key)
    name = "" if key is None else key.name
    problems = list(_disagreements(found, keys, name))
    if problems:
        raise InvalidInput(problems)
    makers = {"archehr2026-st1": _interpretation, "archehr2026-st4": _alignment}
    make = makers.get(form, _case)
    cases = Cases.of(make(one, keys.get(one.id)) for one in found)
    return Cases(cases.records, (*cases.warnings, *_gaps(found, keys, name, form)))


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


def _gaps(
    found: Sequence[XmlCase], keys: Mapping[str, KeyCase], file: str, form: "Form"
) -> Iterator[Problem]:
    """Warn of what a key leaves out: one line for what many cases lack."""
    if not file or form == "archehr2026-st1":
        return
    there = [one for one in found if one.id in keys]
    hint = "They are scored by metrics that need no key."
    lacking = [one.id for one in found if one.id not in keys]
    yield from _counted(file, "hold every case", "nothing for", lacking, len(found), hint)
    if form == "archehr2026-st4":
        hint = "Without them a case has no links and is left out."
        lacking = [one.id for one in there if not keys[one.id].sentences]
        must, what = "hold the clinician's answer by sentence", "no sentences in"
        yield from _counted(file, must, what, lacking, len(found), hint)
        return
    hint = "Citation metrics leave these cases out."
    lacking = [one.id for one in there if one.sentences and not keys[one.id].relevance]
    must = "label every sentence"
    yield from _counted(file, must, "no relevance at all in", lacking, len(found), hint)
    for one in there:
        relevance = keys[one.id].relevance
        left = [i for i in one.sentences if i not in relevance] if relevance else []
        if left:
            hint = "Citation metrics leave this case out."
            got = f"no relevance for {', '.join(left)}"
            yield Problem(file, must, got, hint, column=f"case {one.id}")
    lacking = [one.id for one in there if keys[one.id].answer is None]
    # The key of 2025 has no clinician's answer in any case.
    if len(lacking) < len(there) or form == "archehr2026-st3":
        hint = "Metrics against the human reference leave these cases out."
        must, what = "hold the clinician's answer", "none in"
        yield from _counted(file, must, what, lacking, len(found), hint)


def _counted(
    file: str, must: str, got: str, cases: Sequence[str], n: int, hint: str
) -> Iterator[Problem]:
    if cases:
        named = ", ".join(f'"{one}"' for one in cases[:_NAMED])
        more = f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else ""
        whole = f" ({len(cases)} of {n} cases)" if n > 1 else ""
        yield Problem(file, must, f"{got} {named}{more}{whole}", hint)
