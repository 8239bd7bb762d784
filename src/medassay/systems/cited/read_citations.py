"""Sentences of a reply with the numbers in square brackets that they end in."""

import re
from collections.abc import Mapping
from typing import Final

from medassay.answers import Statement
from medassay.cases import Case
from medassay.text import first_words, split_sentences

__all__ = ["MOST_WORDS", "note_fields", "read_statements"]

MOST_WORDS: Final = 75
"""The shared task's longest answer."""
_MARK: Final = re.compile(r"\s*\[([^\[\]]*)\]")
_AFTER_STOP: Final = re.compile(r"([.!?])((?:\s*\[[^\[\]]*\])+)")


def note_fields(case: Case) -> Mapping[str, str]:
    """Give the fields of a prompt about a note: question, letter, numbered sentences, words."""
    return {
        "question": case.asked or "",
        "narrative": case.narrative or "none",
        "sentences": "\n".join(f"[{e.id}] {' '.join(e.text.split())}" for e in case.evidence),
        "words": str(MOST_WORDS),
    }


def read_statements(text: str, case: Case, words: int = MOST_WORDS) -> tuple[Statement, ...]:
    """Read sentences with their citations; a number that the note has not is left out.

    A bracket after the full stop belongs to the sentence before it. The answer ends with the
    sentence that would pass the longest answer; a first sentence that alone is longer is cut.

    Example:
        >>> note = [{"id": 1, "text": "Fever."}, {"id": 2, "text": "Rest."}]
        >>> read = read_statements("He had fever [1, 9]. Rest. [2]", Case(case="1", evidence=note))
        >>> [(statement.text, statement.citations) for statement in read]
        [('He had fever.', ('1',)), ('Rest.', ('2',))]
    """
    known = {evidence.id for evidence in case.evidence}
    inside = _AFTER_STOP.sub(lambda m: f"{m[2].strip()}{m[1]}", " ".join(text.split()))
    statements: list[Statement] = []
    left = words
    for sentence in split_sentences(inside):
        cited = [part.strip() for mark in _MARK.findall(sentence) for part in mark.split(",")]
        plain = _MARK.sub("", sentence).strip()
        if not plain:
            continue
        length = len(plain.split())
        if length > left and statements:
            break
        shown = first_words(plain, left) if length > left else plain
        citations = tuple(dict.fromkeys(mark for mark in cited if mark in known))
        statements.append(Statement(text=shown, citations=citations))
        left -= length
    return tuple(statements)
