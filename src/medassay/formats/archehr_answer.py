"""One answer in the 2025 form: both readings, and what to know about each of its lines."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from medassay.answers import Statement
from medassay.formats.archehr_citations import Group, pieces
from medassay.formats.archehr_finding import Effect, Finding
from medassay.formats.archehr_readings import (
    Sentence,
    read_as_meant,
    read_officially,
    statements,
)

__all__ = ["WORDS", "AnswerReadings", "read_answer"]

WORDS: Final = 75
"""The shared task's limit: the scorer compares the first 75 words of an answer, and no more."""

_LEAST_PARTS: Final = 3
_SHORT: Final = 60


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
    findings: list[Finding] = []
    for number, line in enumerate(answer.split("\n"), start=1):
        found = [
            Finding(effect=effect, kind=kind, file=file, case=case, line=number, must=must,
                    got=got, cost=cost, try_=try_)
            for effect, kind, must, got, cost, try_ in _of_line(line, known)
        ]  # fmt: skip
        if not found and _differs(number, official, meant):
            found.append(
                Finding(effect="misread", kind="pipe-in-text", file=file, case=case, line=number,
                        must="hold pipes around citations only", got=_short(line),
                        cost="The scorer reads what is between the last two pipes as citations.",
                        try_="Write one sentence a line, with |1,2| at its end.")
            )  # fmt: skip
        findings += found
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
            " and ".join(group.written for group in piped),
            f"The scorer takes {piped[-1].written} alone; the others stay in the text as words.",
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
    ids = ",".join(group.ids)
    if group.form == "brackets":
        yield (
            "misread", "brackets", "cite between pipes", group.written,
            "The scorer reads no citation here, and counts it as words.",
            f"Write |{ids}| at the end of the line.",
        )  # fmt: skip
        return
    if group.form == "unclosed":
        yield (
            "misread", "unclosed-citation", "close its citations with a pipe", group.written,
            "The scorer reads no citation here.", f"Write |{ids}|.",
        )  # fmt: skip
    if group.ranged:
        yield (
            "misread", "range", "name every id", group.written,
            f"The scorer reads {_quoted(group.inner.split(','))}, which is no sentence.",
            f"Write |{ids}|.",
        )  # fmt: skip
        return
    given = [part for part in group.inner.split(",") if part.strip()]
    if any(len(part.replace(";", " ").split()) > 1 for part in given):
        kind = "separator"
    elif any(part != part.strip() for part in given):
        kind = "blank-in-citation"
    elif not given:
        yield "harmless", "empty-citation", "name at least one id", group.written, "", ""
        return
    else:
        return
    yield (
        "misread", kind, "separate ids by commas alone", f'"{group.written}"',
        f"The scorer reads {_quoted(given)}: an id with a blank or another sign in it is none.",
        f'Write "|{ids}|".',
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
        for one in sentence.ids:
            if known is not None and one not in known:
                yield sentence.line, (
                    "costs", "unknown-id", "cite sentences of the note", f'"{one}"',
                    "It counts as a wrong citation.", _known(known),
                )  # fmt: skip


def _length_facts(official: list[Sentence]) -> Iterator[tuple[int | None, _Fact]]:
    text = " ".join(sentence.text for sentence in official if sentence.text)
    words = sum(bool(word.strip()) for word in text.split(" "))
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
                f"|{','.join(sentence.ids)}| behind word {before}",
                "The sentence is cut off; its citations count all the same.", "",
            )  # fmt: skip
        before += len(sentence.text.split())


def _differs(number: int, official: list[Sentence], meant: list[Sentence]) -> bool:
    def read(sentences: list[Sentence]) -> tuple[str, set[str]]:
        mine = [sentence for sentence in sentences if sentence.line == number]
        text = " ".join(word for sentence in mine for word in sentence.text.split())
        return text, {one for sentence in mine for one in sentence.ids}

    return read(official) != read(meant)


def _known(known: Collection[str]) -> str:
    listed = ", ".join(known)
    shown = listed if len(listed) <= _SHORT else f"{listed[:_SHORT]}…"
    return f"The note has the sentences {shown}." if known else ""


def _quoted(ids: Collection[str]) -> str:
    return ", ".join(f'"{one}"' for one in ids)


def _short(text: str) -> str:
    stripped = text.strip()
    return f'"{stripped[:_SHORT]}…"' if len(stripped) > _SHORT else f'"{stripped}"'
