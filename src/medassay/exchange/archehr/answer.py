"""One answer in the 2025 form: both readings, and what to know about each of its lines."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from medassay.answers import Statement
from medassay.exchange.archehr.citations import Group, pieces
from medassay.exchange.archehr.finding import Effect, Finding
from medassay.exchange.archehr.json_items import shortened
from medassay.exchange.archehr.readings import (
    Sentence,
    read_as_meant,
    read_officially,
    statements,
)
from medassay.text import count_words

__all__ = ["WORDS", "AnswerReadings", "read_answer"]

WORDS: Final = 75
"""The shared task's limit: the scorer compares the first 75 words of an answer, and no more."""

_LEAST_PARTS: Final = 3
_MOST: Final = 5


@dataclass(frozen=True, slots=True)
class AnswerReadings:
    """What was read of one answer.

    Attributes:
        official: As the official scorer reads it.
        tolerant: As it was meant.
        findings: What to know about it, line by line; then about all of it.
    """

    official: tuple[Statement, ...]
    tolerant: tuple[Statement, ...]
    findings: tuple[Finding, ...]


def read_answer(
    answer: str, *, file: str, case: str, known: Collection[str] | None = None
) -> AnswerReadings:
    """Read one answer both ways, and say where the readings differ and what that costs.

    Args:
        answer: The answer as submitted.
        file: The submission's name, for findings.
        case: The case's id, for findings.
        known: The ids of the case's sentences; None where they are not at hand.
    """
    official, meant = read_officially(answer), read_as_meant(answer, known)
    differing = _differing(official, meant)
    findings: list[Finding] = []
    for number, line in enumerate(answer.split("\n"), start=1):
        of_line = [
            Finding(effect=effect, kind=kind, file=file, case=case, line=number, must=must,
                    got=got, cost=cost, try_=try_)
            for effect, kind, must, got, cost, try_ in _of_line(line, known)
        ]  # fmt: skip
        if not of_line and number in differing:
            of_line.append(
                Finding(effect="misread", kind="pipe-in-text", file=file, case=case, line=number,
                        must="hold pipes around citations only", got=_short(line),
                        cost="The scorer reads what is between the last two pipes as citations.",
                        try_="Write one sentence a line, with |1,2| at its end.")
            )  # fmt: skip
        findings += of_line
    of_answer = [*_citation_facts(official, meant, known), *_length_facts(official)]
    findings += [
        Finding(effect=effect, kind=kind, file=file, case=case, line=number, must=must, got=got,
                cost=cost, try_=try_)
        for number, (effect, kind, must, got, cost, try_) in of_answer
    ]  # fmt: skip
    return AnswerReadings(statements(official), statements(meant), tuple(findings))


_Fact = tuple[Effect, str, str, str, str, str]


def _of_line(line: str, known: Collection[str] | None) -> Iterator[_Fact]:
    groups = [group for piece in pieces(line, known) for group in piece.groups]
    piped = [group for group in groups if group.form != "brackets"]
    for group in groups:
        yield from _of_group(group)
    if len(piped) > 1:
        yield (
            "misread", "several-citations", "cite once a line, at its end",
            _listed([group.written for group in piped]),
            f"The scorer takes {shortened(piped[-1].written)} alone; the others stay as words.",
            "Put each sentence with its citations on a line of its own.",
        )  # fmt: skip
    parts = line.rsplit("|", maxsplit=2)
    if len(parts) < _LEAST_PARTS:
        return
    behind = parts[2].strip()
    if any(sign.isalnum() for sign in behind):
        count = len(behind.split())
        yield (
            "misread", "text-behind-citation", "end with its citations", _short(behind),
            f"The scorer drops {'that word' if count == 1 else f'those {count} words'}.",
            "Put the citations behind the sentence, and the next sentence on the next line.",
        )  # fmt: skip


def _of_group(group: Group) -> Iterator[_Fact]:
    ids, written = shortened(",".join(group.ids)), shortened(group.written)
    if group.form == "brackets":
        yield (
            "misread", "brackets", "cite between pipes", written,
            "The scorer reads no citation here, and counts it as words.",
            f"Write |{ids}| at the end of the line.",
        )  # fmt: skip
        return
    if group.form == "unclosed":
        yield (
            "misread", "unclosed-citation", "close its citations with a pipe", written,
            "The scorer reads no citation here.", f"Write |{ids}|.",
        )  # fmt: skip
    if group.ranged:
        yield (
            "misread", "range", "name every id", written,
            f"The scorer reads {_quoted(group.inner.split(','))}, which is no sentence.",
            f"Write |{ids}|.",
        )  # fmt: skip
        return
    parts = [part for part in group.inner.split(",") if part.strip()]
    if any(len(part.replace(";", " ").split()) > 1 for part in parts):
        kind = "separator"
    elif any(part != part.strip() for part in parts):
        kind = "blank-in-citation"
    elif not parts:
        yield "harmless", "empty-citation", "name at least one id", written, "", ""
        return
    else:
        return
    readable = all(name.isdecimal() for name in group.ids)
    yield (
        "misread", kind, "separate ids by commas alone", f'"{written}"',
        f"The scorer reads {_quoted(parts)}: an id with a blank or another sign in it is none.",
        f'Write "|{ids}|".' if readable else "Write ids and commas alone, such as |1,2|.",
    )  # fmt: skip


def _citation_facts(
    official: list[Sentence], meant: list[Sentence], known: Collection[str] | None
) -> Iterator[tuple[int | None, _Fact]]:
    if not any(sentence.ids for sentence in official):
        yield None, (
            "refused", "no-citations", "cite at least one sentence", "no citation",
            "One such answer stops the scorer for all cases.", "",
        )  # fmt: skip
    for sentence in meant if known is not None else ():
        for cited in sentence.ids:
            if known is not None and cited not in known:
                yield sentence.line, (
                    "costs", "unknown-id", "cite sentences of the note", f'"{shortened(cited)}"',
                    "It counts as a wrong citation.", _known(known),
                )  # fmt: skip


def _length_facts(official: list[Sentence]) -> Iterator[tuple[int | None, _Fact]]:
    text = " ".join(sentence.text for sentence in official if sentence.text)
    words = count_words(text, "blanks")
    if words <= WORDS:
        return
    yield None, (
        "costs", "over-limit", f"have at most {WORDS} words", f"{words}",
        f"The scorer compares the first {WORDS} alone.", "",
    )  # fmt: skip
    before = 0
    for sentence in official:
        if sentence.ids and before >= WORDS:
            yield sentence.line, (
                "harmless", "citation-behind-limit", f"cite within the first {WORDS} words",
                f"|{shortened(','.join(sentence.ids))}| behind word {before}",
                "The sentence is cut off; its citations count all the same.", "",
            )  # fmt: skip
        before += count_words(sentence.text, "blanks")


def _differing(official: list[Sentence], meant: list[Sentence]) -> set[int]:
    """Give the lines that the two readings read differently."""
    read = _by_line(official), _by_line(meant)
    return {line for line in {*read[0], *read[1]} if read[0].get(line) != read[1].get(line)}


def _by_line(sentences: list[Sentence]) -> dict[int, tuple[list[str], set[str]]]:
    by_line: dict[int, tuple[list[str], set[str]]] = {}
    for sentence in sentences:
        words, ids = by_line.setdefault(sentence.line, ([], set()))
        words += sentence.text.split()
        ids |= set(sentence.ids)
    return by_line


def _known(known: Collection[str]) -> str:
    return f"The note has the sentences {shortened(', '.join(known))}." if known else ""


def _quoted(ids: Collection[str]) -> str:
    return _listed([f'"{shortened(name)}"' for name in ids], ", ")


def _listed(words: list[str], between: str = " and ") -> str:
    shown = between.join(map(shortened, words[:_MOST]))
    return shown if len(words) <= _MOST else f"{shown} and {len(words) - _MOST:,} more"


def _short(text: str) -> str:
    return f'"{shortened(text.strip())}"'
