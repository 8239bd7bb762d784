"""Answers as their Markdown means them: laid out for the room's scripts, and for pages without."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from medassay.text import leaves, markdown_tree, packed, page_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class MarkedStretch:
    """A stretch of a text, and the findings that it decided.

    Attributes:
        words: The words.
        marks: Numbers of the findings, as the list below the text counts them.
        kind: The kind of the gravest of them; empty where there is none.
    """

    words: str
    marks: tuple[int, ...] = ()
    kind: str = ""


def laid_out(task: Any, render: str) -> Any:  # noqa: ANN401 - JSON is what it is
    """Lay out all that systems say in a task that is plain data already.

    Each statement, turn and account gets a field `layout`, the tree of `markdown_tree`; what people
    say gets none, nor does anything where the study shows answers as they were written.
    """
    if task is None or render != "markdown":
        return task
    if isinstance(task, list):
        return [laid_out(each, render) for each in task]
    shown = task["shown"]
    for answer in filter(None, (shown["answer"], shown["answer_b"])):
        for part in (*answer["statements"], *_of_systems(answer["turns"])):
            part["layout"] = packed(markdown_tree(part["text"]))
        answer["reasoning_layout"] = packed(markdown_tree(answer["reasoning"]))
    for turn in _of_systems(shown["turns"]):
        turn["layout"] = packed(markdown_tree(turn["text"]))
    return task


def _of_systems(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [turn for turn in turns if turn["role"] == "system"]


def as_markdown(text: str, table: str) -> "Markup":
    """Write an answer as HTML of ours with its words in it, all of them escaped.

    Args:
        text: The answer.
        table: What a table in it is called.
    """
    return _markup(page_of(markdown_tree(text), text, table))


def pieces_as_markdown(pieces: "Sequence[MarkedStretch]", table: str) -> "Markup":
    """Write an answer that is cut where findings begin and end, with the findings marked."""
    text = "".join(piece.words for piece in pieces)
    starts = [0, *accumulate(len(piece.words) for piece in pieces)]
    tree = markdown_tree(text)

    def over(start: int, end: int) -> range:
        return range(bisect_right(starts, start) - 1, bisect_left(starts, end))

    # A finding has its number once, after the last words of it.
    last = {at: leaf.start for leaf in leaves(tree) for at in over(leaf.start, leaf.end)}

    def words(start: int, end: int, shown: str) -> str:
        written = []
        whole = shown != text[start:end]
        for at in over(start, end)[: 1 if whole else None]:
            piece = pieces[at]
            own = escape(
                shown if whole else text[max(starts[at], start) : min(starts[at + 1], end)]
            )
            numbers = " ".join(map(str, piece.marks)) if last[at] == start else ""
            number = f"<sup>{numbers}</sup>" if numbers else ""
            kind = escape(piece.kind)
            written.append(f'<mark class="{kind}">{own}{number}</mark>' if piece.marks else own)
        return "".join(written)

    return _markup(page_of(tree, text, table, words))


def _markup(page: str) -> "Markup":
    from markupsafe import Markup

    return Markup(page)  # noqa: S704 - our own tags; `page_of` escapes every sign of a text
