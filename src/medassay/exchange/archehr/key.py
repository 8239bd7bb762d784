"""Read the key of the shared tasks: which sentences are relevant, and what the clinician wrote."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.archehr.json_items import JsonItem, in_words, read_json_list, shortened

__all__ = ["KeyCase", "KeySentence", "read_key"]

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
            must = "hold objects with a case_id of their own"
            got = f'"{shortened(case)}" again' if case else "none"
            problems.append(Problem(path.name, must, got, column=f"case number {number}"))
            continue
        place = _Place(path.name, case, problems)
        _check_keys(record, item, place)
        answer = _text(record, _ANSWER, place)
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


def _text(mapping: Mapping[str, object], key: str, place: _Place, inside: str = "") -> str:
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
            place.wrong("have a sentence_id of its own", got)
        relevance[sentence] = str(word)
    return relevance


def _sentences(mapping: Mapping[str, object], place: _Place) -> tuple[KeySentence, ...]:
    key_sentences: dict[str, KeySentence] = {}
    for sentence_entry in place.list_at(mapping, _SENTENCES):
        sentence = _id(sentence_entry.get("id")) if isinstance(sentence_entry, dict) else ""
        if not isinstance(sentence_entry, dict) or not sentence or sentence in key_sentences:
            got = f'"{shortened(sentence)}" again' if sentence else "none"
            place.wrong("have an id of its own for each sentence of the clinician's answer", got)
            continue
        inside = f", sentence {shortened(sentence)}"
        text = _text(sentence_entry, "text", place, inside).strip()
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
