"""Read the key of the shared tasks: which sentences are relevant, and what the clinician wrote."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.formats.archehr_json import read_json_list

__all__ = ["KeyCase", "KeySentence", "read_key"]

_RELEVANCE: Final = ("essential", "supplementary", "not-relevant")


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


def read_key(path: Path) -> dict[str, KeyCase]:
    """Read a key, 2025 or 2026.

    Citations may be a list of ids or text such as `1,4`: both are found in the wild.

    Raises:
        InvalidInput: Every problem of the file.
    """
    problems: list[Problem] = []
    found: dict[str, KeyCase] = {}
    for number, given in enumerate(read_json_list(path), start=1):
        raw = given.get("case_id") if isinstance(given, dict) else None
        case = "" if raw is None else str(raw).strip()
        if not isinstance(given, dict) or not case or case in found:
            must = "hold objects with a case_id of their own"
            got = f'"{case}" again' if case else "none"
            problems.append(Problem(path.name, must, got, column=f"case number {number}"))
            continue
        found[case] = KeyCase(
            case,
            _relevance(given.get("answers"), case, path.name, problems),
            _answer(given),
            _sentences(given.get("clinician_answer_sentences"), case, path.name, problems),
        )
    if problems:
        raise InvalidInput(problems)
    return found


def _answer(given: Mapping[str, object]) -> str | None:
    text = given.get("clinician_answer_without_citations")
    return text.strip() or None if isinstance(text, str) else None


def _relevance(given: object, case: str, file: str, problems: list[Problem]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for one in given if isinstance(given, list) else []:
        sentence = str(one.get("sentence_id", "")).strip() if isinstance(one, dict) else ""
        word = str(one.get("relevance", "")).strip() if isinstance(one, dict) else ""
        place = f"case {case}, sentence {sentence}"
        if word not in _RELEVANCE:
            must, hint = f"be one of {', '.join(_RELEVANCE)}", nearest(word, _RELEVANCE)
            problems.append(Problem(file, must, f'"{word}"', hint, column=place))
        if not sentence or sentence in found:
            got = f'"{sentence}" again' if sentence else "none"
            must = "have a sentence_id of its own"
            problems.append(Problem(file, must, got, column=f"case {case}"))
        found[sentence] = word
    return found


def _sentences(
    given: object, case: str, file: str, problems: list[Problem]
) -> tuple[KeySentence, ...]:
    found: dict[str, KeySentence] = {}
    for one in given if isinstance(given, list) else []:
        sentence = str(one.get("id", "")).strip() if isinstance(one, dict) else ""
        if not sentence or sentence in found:
            got = f'"{sentence}" again' if sentence else "none"
            must = "have an id of its own for each sentence of the clinician's answer"
            problems.append(Problem(file, must, got, column=f"case {case}"))
            continue
        text = one.get("text")
        found[sentence] = KeySentence(
            sentence, text.strip() if isinstance(text, str) else "", _ids(one.get("citations"))
        )
    return tuple(found.values())


def _ids(given: object) -> tuple[str, ...]:
    parts = given if isinstance(given, list) else str("" if given is None else given).split(",")
    return tuple(dict.fromkeys(one for part in parts if (one := str(part).strip())))
