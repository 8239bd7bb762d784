"""Take the citations out of one line of an answer, whatever way they were written."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

__all__ = ["Group", "Piece", "pieces", "read_ids"]

Form = Literal["pipes", "unclosed", "brackets"]

# No list of sentence ids is longer; it keeps a 50 MB line from being searched for one.
_LONGEST: Final = 200
_BRACKETS: Final = re.compile(rf"\[([^\[\]]{{1,{_LONGEST}}})\]")
_DASH: Final = re.compile(r" ?[-–—] ?")
_RANGE: Final = re.compile(r"([0-9]+)-([0-9]+)")
_SEPARATORS: Final = re.compile(r"(?:[,;&\s]|\band\b)+")


@dataclass(frozen=True, slots=True)
class Group:
    """Citations that stand together.

    Attributes:
        written: As they were written, with their pipes or brackets.
        ids: The ids meant.
        form: How they were marked.
        ranged: Whether a range such as 1-3 was among them.
        inner: What stood between the marks.
    """

    written: str
    ids: tuple[str, ...]
    form: Form
    ranged: bool
    inner: str


@dataclass(slots=True)
class Piece:
    """A stretch of text with the citations that follow it."""

    text: str
    groups: list[Group] = field(default_factory=list)


def read_ids(inner: str, known: Collection[str] | None = None) -> tuple[tuple[str, ...], bool]:
    """Read a list of sentence ids; empty where it is no such list.

    Ids are numbers, separated by commas, semicolons, blanks or `and`; a range such as 1-3 means
    all of its numbers, unless the case has a sentence of that very id.

    Returns:
        The ids in the order written, each once, and whether a range was among them.

    Example:
        >>> read_ids("2, 3"), read_ids("1-3;7"), read_ids("see above")
        ((('2', '3'), False), (('1', '2', '3', '7'), True), ((), False))
    """
    if len(inner) > _LONGEST:
        return (), False
    ids: list[str] = []
    ranged = False
    for part in filter(None, _SEPARATORS.split(_DASH.sub("-", " ".join(inner.split())))):
        span = _RANGE.fullmatch(part)
        if part.isdecimal() or (known is not None and part in known):
            ids.append(part)
        elif span and 0 <= int(span[2]) - int(span[1]) < _LONGEST:
            ids += map(str, range(int(span[1]), int(span[2]) + 1))
            ranged = True
        else:
            return (), False
    return tuple(dict.fromkeys(ids)), ranged


def pieces(line: str, known: Collection[str] | None = None) -> list[Piece]:
    """Split a line into stretches of text, each with the citations behind it.

    A list of ids counts between pipes, after a last pipe that nothing closes, and in brackets
    (there, where the case's ids are known, only if one of them is in it: `[140]` may be a lab
    value). Whatever stands between the last two pipes at the end of a line is citations. Citations
    before the only text of a line belong to it.

    Example:
        >>> [(p.text, [g.ids for g in p.groups]) for p in pieces("Rest. |1| Drink |2,3|.")]
        [('Rest.', [('1',)]), ('Drink.', [('2', '3')])]
    """
    stretches = [Piece("")]
    for item in _items(line, known):
        if isinstance(item, Group):
            stretches[-1].groups.append(item)
        elif not item.strip():
            continue
        elif not any(sign.isalnum() for sign in item) and stretches[-1].groups:
            _end_with(stretches[-1], item.strip())
        elif stretches[-1].groups:
            stretches.append(Piece(item))
        else:
            stretches[-1].text += item
    if len(stretches) == 2 and not stretches[0].text.strip() and not stretches[1].groups:  # noqa: PLR2004 - the opening citations and the text behind them
        stretches = [Piece(stretches[1].text, stretches[0].groups)]
    for piece in stretches:
        piece.text = piece.text.strip()
    return [piece for piece in stretches if piece.text or piece.groups]


def _end_with(piece: Piece, signs: str) -> None:
    """Put a full stop that stands behind a citation where the sentence ends."""
    text = piece.text.rstrip()
    piece.text = text if not text or text.endswith((".", "!", "?")) else text + signs


def _items(line: str, known: Collection[str] | None) -> Iterator[str | Group]:
    segments = line.split("|")
    last = len(segments) - 1
    text = segments[0]
    closed = False
    for i, segment in enumerate(segments[1:], start=1):
        ids, ranged = read_ids(segment, known)
        # Between the last two pipes of a line the format has citations, whatever they look like.
        if not ids and i == last - 1 and not segments[last].strip() and not closed:
            ids = tuple(dict.fromkeys(part.strip() for part in segment.split(",") if part.strip()))
        if ids or (not segment.strip() and i == last - 1):
            yield from _in_brackets(text, known)
            form: Form = "pipes" if i < last else "unclosed"
            yield Group(f"|{segment}" + "|" * (i < last), ids, form, ranged, segment)
            text, closed = "", True
        else:
            text += segment if closed else f"|{segment}"
            closed = False
    yield from _in_brackets(text, known)


def _in_brackets(text: str, known: Collection[str] | None) -> Iterator[str | Group]:
    start = 0
    for match in _BRACKETS.finditer(text):
        ids, ranged = read_ids(match[1], known)
        if not ids or (known is not None and not any(name in known for name in ids)):
            continue
        yield text[start : match.start()]
        yield Group(match[0], ids, "brackets", ranged, match[1])
        start = match.end()
    yield text[start:]
