"""Answers with citations: each sentence says on which sentences of the case's note it rests.

What enters: a case with numbered evidence. What leaves: an answer whose statements cite evidence by
id, each id one that the note has. Three systems, one file each: a model that answers and cites
together, one that answers first and cites after, and one that quotes and needs no model.
"""

import re
from collections.abc import Mapping
from typing import Final

from medassay.answers import Answer, Statement
from medassay.cases import Case
from medassay.systems.dialogue import Dialogue, PromptFile
from medassay.systems.extract import TfidfIndex
from medassay.text import first_words, split_sentences

__all__ = ["answer_first", "answer_together", "quote_note", "read_statements"]

_MOST: Final = 4
_MOST_WORDS: Final = 75
"""The shared task's longest answer."""
_MARK: Final = re.compile(r"\s*\[([^\[\]]*)\]")
_AFTER_STOP: Final = re.compile(r"([.!?])((?:\s*\[[^\[\]]*\])+)")


def answer_first(case: Case, system: str, prompts: PromptFile) -> Dialogue[Answer]:
    """Ask for an answer, then for its citations; the words stay those of the first reply.

    A sentence that the second reply does not repeat cites nothing: what a model says when it was
    asked to cite must not change what it answered.
    """
    fields = _note_fields(case)
    first = yield prompts.asked("answer", fields)
    answered = read_statements(first, case)
    first_words_said = " ".join(statement.text for statement in answered)
    second = yield prompts.asked("cite", {**fields, "answer": first_words_said})
    citations = {s.text: s.citations for s in read_statements(second, case)}
    statements = tuple(
        Statement(text=s.text, citations=citations.get(s.text, ())) for s in answered
    )
    raw = f"{first}\n\n{second}"
    return Answer(system=system, case=case.case, statements=statements, raw=raw)


def answer_together(case: Case, system: str, prompts: PromptFile) -> Dialogue[Answer]:
    """Ask for an answer whose sentences cite the note, and keep the citations that the note has."""
    reply = yield prompts.asked("together", _note_fields(case))
    statements = read_statements(reply, case)
    return Answer(system=system, case=case.case, statements=statements, raw=reply)


def quote_note(case: Case, system: str) -> Dialogue[Answer]:
    """Quote up to four sentences within 75 words, by the cosine of TF-IDF with question and letter.

    Example:
        >>> from medassay.systems.dialogue import converse
        >>> note = [{"id": 1, "text": "He had fever."}, {"id": 2, "text": "The weather was fine."}]
        >>> case = Case(case="1", question="Why was there fever?", evidence=note)
        >>> converse(quote_note(case, "quote")).statements
        (Statement(text='He had fever.', citations=('1',)),)
    """
    texts = {evidence.id: " ".join(evidence.text.split()) for evidence in case.evidence}
    asked = " ".join(filter(None, (case.asked, case.narrative)))
    chosen: set[str] = set()
    left = _MOST_WORDS
    for name, _ in TfidfIndex(texts).rank(asked, len(texts)):
        length = len(texts[name].split())
        if length <= left and len(chosen) < _MOST:
            chosen.add(name)
            left -= length
    statements = tuple(
        Statement(text=text, citations=(name,)) for name, text in texts.items() if name in chosen
    )
    return Answer(system=system, case=case.case, statements=statements)
    yield  # a dialogue that asks nobody


def _note_fields(case: Case) -> Mapping[str, str]:
    """Give the fields of a prompt about a note: question, letter, numbered sentences, words."""
    return {
        "question": case.asked or "",
        "narrative": case.narrative or "none",
        "sentences": "\n".join(f"[{e.id}] {' '.join(e.text.split())}" for e in case.evidence),
        "words": str(_MOST_WORDS),
    }


def read_statements(text: str, case: Case, words: int = _MOST_WORDS) -> tuple[Statement, ...]:
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
