"""The shared tasks' cases: their XML, their key, and the cases that both make."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final

from medassay.cases import Case, Cases
from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.archehr.answer import JsonItem, in_words, read_json_list, shortened
from medassay.exchange.archehr.submission import link_id
from medassay.tables import file_bytes

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from medassay.exchange.archehr.submission import Form


@dataclass(frozen=True, slots=True)
class XmlCase:
    """A case as the XML has it, texts stripped.

    Attributes:
        id: The case's id.
        narrative: The patient's letter; None where the file has none.
        question: The clinician's reading of the question; None where the file has none.
        sentences: Sentences of the note, id to text, in document order.
    """

    id: str
    narrative: str | None
    question: str | None
    sentences: dict[str, str]


def read_cases_xml(path: Path) -> tuple[XmlCase, ...]:
    """Read a file of cases.

    Document types and entities are refused unread: they can make a small file fill the memory, or
    read other files.

    Raises:
        InvalidInput: The file is broken or holds entities, or a case lacks what it needs; every
            problem is named.
    """
    root = _parse(path)
    problems: list[Problem] = []
    xml_cases: dict[str, XmlCase] = {}
    for number, element in enumerate(root.iter("case"), start=1):
        case = (element.get("id") or "").strip()
        if not case or case in xml_cases:
            got = f'"{case}" again' if case else "none"
            must = f"have its own id (case number {number} of the file)"
            problems.append(Problem(path.name, must, got, column="case"))
            continue
        sentences: dict[str, str] = {}
        for sentence in element.findall("note_excerpt_sentences/sentence"):
            sentence_id = (sentence.get("id") or "").strip()
            if not sentence_id or sentence_id in sentences:
                got = f'"{sentence_id}" again' if sentence_id else "none"
                must = "have sentences with different ids"
                problems.append(Problem(path.name, must, got, column=f"case {case}"))
            sentences[sentence_id] = _text(sentence) or ""
        xml_cases[case] = XmlCase(
            case, _text_at(element, "patient_narrative"), _text_at(element, "clinician_question"),
            sentences,
        )  # fmt: skip
    if not xml_cases and not problems:
        hint = "The file's root holds <case id=...> elements."
        problems.append(Problem(path.name, "hold at least one case", "none", hint))
    if problems:
        raise InvalidInput(problems)
    return tuple(xml_cases.values())


def _parse(path: Path) -> "Element":
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    file = path.name
    try:
        root: Element = fromstring(file_bytes(path, file), forbid_dtd=True)
    except DefusedXmlException as error:
        hint = "It was not read. Remove the <!DOCTYPE ...> and write the text out."
        raise InvalidInput(
            Problem(file, "be XML without document types and entities", "one that has them", hint)
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        row = error.position[0] if isinstance(error, ParseError) else None
        raise InvalidInput(Problem(file, "be well-formed XML", str(error), row=row)) from error
    return root


def _text_at(element: "Element", tag: str) -> str | None:
    inner = element.find(tag)
    return None if inner is None else _text(inner)


def _text(element: "Element") -> str | None:
    return "".join(element.itertext()).strip() or None


_RELEVANCE: Final = ("essential", "supplementary", "not-relevant")
_ANSWERS: Final = "answers"
_ANSWER: Final = "clinician_answer_without_citations"
_SENTENCES: Final = "clinician_answer_sentences"
_KEYS: Final = ("case_id", _ANSWERS, "clinician_answer", _ANSWER, _SENTENCES)
_MISSPELT: Final = 0.85
"""How alike a key and a known one must be: clinician_question is no misspelt clinician_answer."""


@dataclass(frozen=True, slots=True)
class KeySentence:
    """A sentence of the clinician's answer, with the sentences of the note that it cites."""

    id: str
    text: str
    citations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeyCase:
    """What the key says of a case.

    Attributes:
        id: The case.
        relevance: Sentence of the note to essential, supplementary or not-relevant.
        answer: The clinician's answer without citations; None in the 2025 key, which has none.
        sentences: The same answer sentence by sentence; empty where the key has none.
    """

    id: str
    relevance: Mapping[str, str]
    answer: str | None = None
    sentences: tuple[KeySentence, ...] = field(default=())


@dataclass(frozen=True)
class _Place:
    """Where in a key something stands, and the problems that were found so far."""

    file: str
    case: str
    problems: list[Problem]

    def wrong(self, must: str, got: str, hint: str = "", inside: str = "") -> None:
        column = f"case {shortened(self.case)}{inside}"
        self.problems.append(Problem(self.file, must, got, hint, column=column))

    def list_at(self, mapping: Mapping[str, object], key: str) -> list[object]:
        """Give the list under a key; empty where there is none, and a problem if it is no list."""
        if key not in mapping:
            return []
        value = mapping[key]
        if not isinstance(value, list):
            self.wrong(f'have a list under "{key}"', in_words(value))
            return []
        return value


def read_key(path: Path) -> dict[str, KeyCase]:
    """Read a key, 2025 or 2026.

    Citations may be a list of ids or text such as `1,4`: both are found in the wild.

    Raises:
        InvalidInput: Every problem of the file.
    """
    problems: list[Problem] = []
    key_cases: dict[str, KeyCase] = {}
    for number, item in enumerate(read_json_list(path), start=1):
        record = item.value
        raw = record.get("case_id") if isinstance(record, dict) else None
        case = str(raw).strip() if isinstance(raw, str | int) else ""
        if not isinstance(record, dict) or not case or case in key_cases:
            must = "hold objects that each have their own case_id"
            got = f'"{shortened(case)}" again' if case else "none"
            problems.append(Problem(path.name, must, got, column=f"case number {number}"))
            continue
        place = _Place(path.name, case, problems)
        _check_keys(record, item, place)
        answer = _text_under(record, _ANSWER, place)
        key_cases[case] = KeyCase(
            case, _relevance(record, place), answer.strip() or None, _sentences(record, place)
        )
    if problems:
        raise InvalidInput(problems)
    return key_cases


def _check_keys(record: Mapping[str, object], item: JsonItem, place: _Place) -> None:
    for name in item.twice:
        place.wrong("have each key once", f'"{shortened(name)}" twice', "Remove one.")
    if item.halves:
        place.wrong("hold whole characters", "half of a surrogate pair, which is none")
    for name in record:
        lacking = [] if name in _KEYS else [key for key in _KEYS if key not in record]
        for key in get_close_matches(name, lacking, n=1, cutoff=_MISSPELT):
            place.wrong(f'have the key "{key}"', f'"{shortened(name)}"', "Rename it.")


def _text_under(mapping: Mapping[str, object], key: str, place: _Place, inside: str = "") -> str:
    value = mapping.get(key, "")
    if isinstance(value, str):
        return value
    place.wrong(f'have text under "{key}"', in_words(value), inside=inside)
    return ""


def _relevance(mapping: Mapping[str, object], place: _Place) -> Mapping[str, str]:
    relevance: dict[str, str] = {}
    for answer in place.list_at(mapping, _ANSWERS):
        if not isinstance(answer, dict):
            must = f'have objects with sentence_id and relevance under "{_ANSWERS}"'
            place.wrong(must, in_words(answer))
            continue
        sentence = _id(answer.get("sentence_id"))
        word = answer.get("relevance")
        if word not in _RELEVANCE:
            hint = nearest(word, _RELEVANCE) if isinstance(word, str) else ""
            got = f'"{shortened(word)}"' if isinstance(word, str) else in_words(word)
            must = f"be one of {', '.join(_RELEVANCE)}"
            place.wrong(must, got, hint, f", sentence {shortened(sentence)}")
        if not sentence or sentence in relevance:
            got = f'"{shortened(sentence)}" again' if sentence else "none"
            place.wrong("have its own sentence_id", got)
        relevance[sentence] = str(word)
    return relevance


def _sentences(mapping: Mapping[str, object], place: _Place) -> tuple[KeySentence, ...]:
    key_sentences: dict[str, KeySentence] = {}
    for sentence_entry in place.list_at(mapping, _SENTENCES):
        sentence = _id(sentence_entry.get("id")) if isinstance(sentence_entry, dict) else ""
        if not isinstance(sentence_entry, dict) or not sentence or sentence in key_sentences:
            got = f'"{shortened(sentence)}" again' if sentence else "none"
            place.wrong("have a different id for each sentence of the clinician's answer", got)
            continue
        inside = f", sentence {shortened(sentence)}"
        text = _text_under(sentence_entry, "text", place, inside).strip()
        cited = _ids(sentence_entry.get("citations"), place, inside)
        key_sentences[sentence] = KeySentence(sentence, text, cited)
    return tuple(key_sentences.values())


def _ids(ids: object, place: _Place, inside: str) -> tuple[str, ...]:
    parts = ids.split(",") if isinstance(ids, str) else ids
    parts = [parts] if isinstance(parts, int) and not isinstance(parts, bool) else parts
    if parts is None:
        return ()
    if not isinstance(parts, list):
        place.wrong("have a list of sentence ids, or text such as 1,4", in_words(parts),
                    inside=inside)  # fmt: skip
        return ()
    for part in parts:
        if not isinstance(part, str) and not _id(part):
            place.wrong("cite sentence ids", in_words(part), inside=inside)
    return tuple(dict.fromkeys(name for part in parts if (name := _id(part))))


def _id(value: object) -> str:
    """Give an id as text; empty where it is none."""
    known = isinstance(value, str | int) and not isinstance(value, bool)
    return str(value).strip() if known else ""


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
