"""Read the cases' XML of the shared tasks, 2025 and 2026."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from medassay.errors import InvalidInput, Problem
from medassay.tables import file_bytes

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["XmlCase", "read_cases_xml"]


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
            must = f"have an id of its own (case number {number} of the file)"
            problems.append(Problem(path.name, must, got, column="case"))
            continue
        sentences: dict[str, str] = {}
        for sentence in element.findall("note_excerpt_sentences/sentence"):
            sentence_id = (sentence.get("id") or "").strip()
            if not sentence_id or sentence_id in sentences:
                got = f'"{sentence_id}" again' if sentence_id else "none"
                must = "have sentences with ids of their own"
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
