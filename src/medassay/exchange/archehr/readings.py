"""Read an answer in the 2025 form twice: as the official scorer does, and as it was meant.

The form is one sentence a line with the ids that it cites at its end: `He was given it. |1,4|`.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from medassay.answers import Statement
from medassay.exchange.archehr.citations import Piece, pieces

__all__ = ["Reading", "Sentence", "read_as_meant", "read_officially", "statements"]

Reading = Literal["official", "tolerant"]

_ENDS: Final = (".", "!", "?")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer.

    Attributes:
        line: The line that it stands on, from 1.
        text: What it says; empty where a line holds citations alone.
        ids: The ids that it cites, as the reading has them: the official one keeps blanks.
    """

    line: int
    text: str
    ids: tuple[str, ...]


def _lines(answer: str) -> Iterator[tuple[int, str]]:
    stripped = answer.strip()
    above = answer[: len(answer) - len(answer.lstrip())].count("\n")
    for number, line in enumerate(stripped.split("\n"), start=above + 1):
        if line.strip():
            yield number, line


def _ended(text: str) -> str:
    return text if not text or text.endswith(_ENDS) else f"{text}."


def read_officially(answer: str) -> list[Sentence]:
    """Read an answer by the rule of the shared task's 2025 scorer.

    A line is cut at its last two pipes: what is before is the sentence, what is between are ids,
    split at commas and **not stripped**; what is behind is dropped. A line with fewer than two
    pipes has no citations. A sentence that does not end in . ! or ? gets a full stop.

    Source: github.com/soni-sarvesh/archehr-qa, evaluation/scoring.py at 771b948.

    Example:
        >>> read_officially("He fell |2, 3|")
        [Sentence(line=1, text='He fell.', ids=('2', ' 3'))]
    """
    sentences = []
    for number, line in _lines(answer):
        parts = line.rsplit("|", maxsplit=2)
        cited = len(parts) > 2  # noqa: PLR2004 - a sentence, its ids, and what is behind them
        text = parts[0].strip() if cited else line.strip()
        ids = [part for part in parts[1].split(",") if part.strip()] if cited else []
        sentences.append(Sentence(number, _ended(text), tuple(dict.fromkeys(ids))))
    return sentences


def read_as_meant(answer: str, known: Collection[str] | None = None) -> list[Sentence]:
    """Read an answer by what its writer evidently meant.

    Blanks between ids, ranges, brackets, an unclosed pipe and several citations on a line are all
    read; text behind a citation is a sentence of its own. Sentences end as the scorer ends them, so
    that the two readings differ only where the scorer loses something.

    Args:
        answer: The answer as submitted.
        known: The ids of the case's sentences, where they are known.

    Example:
        >>> read_as_meant("He fell |2, 3|")
        [Sentence(line=1, text='He fell.', ids=('2', '3'))]
    """
    return [
        Sentence(number, _ended(piece.text), _cited(piece))
        for number, line in _lines(answer)
        for piece in pieces(line, known)
    ]


def _cited(piece: Piece) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for group in piece.groups for name in group.ids))


def statements(sentences: Collection[Sentence]) -> tuple[Statement, ...]:
    r"""Make statements of sentences.

    Citations without a sentence go to the sentence before them, or else to the first. Ids of ours
    have no blanks around them: one that the official scorer reads with a blank is kept with the
    sign for it, such as `␣3`, and so names no sentence, just as it does there.

    Example:
        >>> statements(read_officially("He fell |2, 3|\n|4|"))
        (Statement(text='He fell.', citations=('2', '␣3', '4')),)
    """
    texts: list[tuple[str, list[str]]] = []
    waiting: list[str] = []
    for sentence in sentences:
        ids = [_without_blanks(name) for name in sentence.ids]
        if sentence.text:
            texts.append((sentence.text, [*waiting, *ids]))
            waiting = []
        elif texts:
            texts[-1][1].extend(ids)
        else:
            waiting += ids
    if waiting:
        texts.append(("", waiting))
    return tuple(Statement(text=text, citations=tuple(dict.fromkeys(ids))) for text, ids in texts)


def _without_blanks(name: str) -> str:
    return "".join("␣" if sign.isspace() else sign if sign.isprintable() else "�" for sign in name)
