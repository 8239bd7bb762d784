"""Markdown of an answer as a tree whose every leaf says where it stands in the answer.

No HTML is written from an answer: the tree has a closed list of tags, and pages put text into
them. A leaf is a slice of the text as it was written, so whoever marks a word in a list, a link or
a cell of a table marks the same characters as in the raw text.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from typing import Any, Final

_DEEPEST: Final = 16
"""Lists and quotations deeper than this are not indented further."""
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_NOT_CODE: Final = re.compile(r"\r?\n[ \t>]*|[ \t]|\\(?=\|)")
_BREAKS: Final = frozenset({"SoftBreak", "HardBreak"})
_NUMBER: Final = re.compile(r"\d{1,9}[.)]")
_WORD: Final = re.compile(r"[^\W_]")
_BLOCK: Final = re.compile(r"(?:[^\n]|\n(?![ \t\r]*\n))+")
_HOLDING: Final = frozenset({"ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr"})
_LISTS: Final = frozenset({"ul", "ol"})
_MARKUP: Final = " \t\r\n|*_>#`~-:\\"
_BY_ADDRESS: Final = frozenset({"Autolink", "Email"})
_ALIGNED: Final = {"Right": ".right", "Center": ".center"}
_PLAIN_TAGS: Final = {
    "Paragraph": "p", "HtmlBlock": "p", "BlockQuote": "blockquote", "CodeBlock": "pre",
    "Item": "li", "Table": "table", "TableHead": "tr",
    "TableRow": "tr", "Emphasis": "em", "Strong": "strong",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leaf:
    """A stretch of the text.

    Attributes:
        start: Where it begins, in characters.
        end: Where it ends.
        shown: What is shown in its place, such as `&` for `&amp;`; None: the stretch itself.
    """

    start: int
    end: int
    shown: str | None = None


@dataclass(slots=True)
class Node:
    """A part of the page.

    Attributes:
        tag: p, h1 to h6, ul, ol, li, blockquote, pre, code, table, thead, tbody, tr, th, td, em,
            strong, del, hr or address (where a link would lead); what follows a dot is the number
            that a list begins with, or how a cell is aligned.
        inside: What it holds.
        start: Where it begins in the text.
        end: Where it ends.
    """

    tag: str
    inside: list["Node | Leaf"] = field(default_factory=list)
    start: int = 0
    end: int = 0


@lru_cache(256)
def markdown_tree(text: str) -> tuple[Node | Leaf, ...]:
    r"""Read an answer as Markdown (CommonMark, tables, `~~struck~~`).

    No word is lost: HTML, what a link leads to, definitions of links and cells beyond a table's
    last column are shown as text. `~5 mg` strikes nothing: two tildes do. Takes time in proportion
    to the text.

    Example:
        >>> text = "Take *one*."
        >>> (paragraph,) = markdown_tree(text)
        >>> [text[leaf.start : leaf.end] for leaf in leaves((paragraph,))]
        ['Take ', 'one', '.']
    """
    import pyromark

    options = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH
    builder = _Builder(text)
    for event, span in pyromark.events_with_range(text, options=options):
        builder.take(event, span["start"], span["end"])
    return tuple(builder.whole())


def leaves(nodes: "Sequence[Node | Leaf]") -> Iterator[Leaf]:
    """Give the leaves in the order of reading."""
    for node in nodes:
        if isinstance(node, Leaf):
            yield node
        else:
            yield from leaves(node.inside)


def is_marked_up(text: str) -> bool:
    """Say whether a text reads otherwise than it was written.

    Example:
        >>> is_marked_up("Take it."), is_marked_up("Take *it*.")
        (False, True)
    """
    return not all(
        isinstance(block, Node)
        and block.tag == "p"
        and all(isinstance(leaf, Leaf) and leaf.shown is None for leaf in block.inside)
        for block in markdown_tree(text)
    )


def packed(nodes: "Sequence[Node | Leaf]") -> list[Any]:
    """Give a tree as JSON: a node is its tag and what it holds, a leaf is its numbers.

    Example:
        >>> packed(markdown_tree("Take *one*."))
        [['p', [0, 5], ['em', [6, 9]], [10, 11]]]
    """
    return [
        [node.tag, *packed(node.inside)]
        if isinstance(node, Node)
        else [node.start, node.end]
        if node.shown is None
        else [node.start, node.end, node.shown]
        for node in nodes
    ]


@dataclass
class _Open:
    """A node that is open, and what has to be said where it ends."""

    node: Node
    kind: str
    start: int
    last: int
    told: Mapping[str, Any] = field(default_factory=dict)


class _Builder:
    """Takes the parser's events, whose places are counted in bytes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = _points(text)
        self._root = Node("")
        self._open = [_Open(self._root, "", 0, 0)]
        self._told = bytearray(len(text))
        self._aligned: Sequence[str] = ()
        self._cell = 0
        self._head = False

    def take(self, event: Any, first: int, last: int) -> None:  # noqa: ANN401 - a str or a mapping
        """Take one event."""
        start, end = self._at[first], self._at[last]
        kind, value = (event, None) if isinstance(event, str) else next(iter(event.items()))
        if kind == "Start":
            self._begin(*_named(value), start, end)
            return
        if kind == "End":
            self._end(_named(value)[0], end)
        elif kind == "Code":
            self._code(str(value), start, end)
        elif kind == "Rule":
            self._top.inside.append(Node("hr", [], start))
        elif kind in _BREAKS or (kind == "InlineHtml" and _BREAK.fullmatch(str(value))):
            self._leaf(start, end, "\n")
        elif kind in {"Text", "Html", "InlineHtml"}:
            self._leaf(start, end, value)
        else:
            raise ValueError(f"an event of Markdown that no option asks for: {kind}")
        self._open[-1].last = max(self._open[-1].last, end)

    def whole(self) -> list["Node | Leaf"]:
        """Give the tree, with what the parser leaves out put where it stood."""
        for start, end in reversed(list(self._lost())):
            within, at = _place_of(self._root, start)
            tag = "td" if within.tag == "tr" else "p"
            within.inside.insert(at, Node(tag, [Leaf(start, end)], start, end))
        return self._root.inside

    @property
    def _top(self) -> Node:
        return self._open[-1].node

    def _begin(self, kind: str, value: Any, start: int, end: int) -> None:  # noqa: ANN401 - as it comes
        told = value if isinstance(value, Mapping) else {}
        if kind == "Table":
            self._aligned = value
        elif kind in {"TableHead", "TableRow"}:
            self._head, self._cell = kind == "TableHead", 0
        elif kind == "Item" and (number := _NUMBER.match(self._text, start)):
            self._tell(start, number.end())
        elif kind == "CodeBlock":
            self._name_of(told.get("Fenced", ""), start, end)
        node, tag = self._top, self._tag(kind, value, start)
        if tag and len(self._open) <= _DEEPEST:
            node = Node(tag, [], start, end)
            self._top.inside.append(node)
        self._open.append(_Open(node, kind, start, start, told))
        if kind in {"Link", "Image"}:
            opens = self._open[-1].last = start + (2 if kind == "Image" else 1)
            if told["link_type"] not in {"Inline", *_BY_ADDRESS}:
                self._leaf(start, opens)
        elif kind == "Strikethrough" and not tag:
            self._leaf(start, start + 1)

    def _tag(self, kind: str, value: Any, start: int) -> str:  # noqa: ANN401 - as it comes
        """Name what something becomes; nothing for links, and for what one tilde strikes."""
        if kind == "Heading":
            return str(value["level"]).lower()
        if kind == "List":
            return "ul" if value is None else f"ol.{value}"
        if kind == "TableCell":
            aligned = self._aligned[self._cell] if self._cell < len(self._aligned) else ""
            self._cell += 1
            return ("th" if self._head else "td") + _ALIGNED.get(aligned, "")
        if kind == "Strikethrough":
            return "del" if self._text.startswith("~~", start) else ""
        return _PLAIN_TAGS.get(kind, "")

    def _end(self, kind: str, end: int) -> None:
        ended = self._open[-1]
        if kind in {"Link", "Image"}:
            self._address(ended, end)
        elif kind == "Strikethrough" and not self._text.startswith("~~", ended.start):
            self._leaf(end - 1, end)
        elif kind == "Table" and ended.node.tag == "table":
            head, *rows = ended.node.inside
            ended.node.inside = [Node("thead", [head], head.start, head.end)]
            if rows:
                ended.node.inside.append(Node("tbody", rows, rows[0].start, end))
        self._open.pop()

    def _address(self, link: _Open, end: int) -> None:
        """Show where a link would lead, beside its words; of another kind, all as it is written."""
        if link.told["link_type"] in _BY_ADDRESS:
            return
        if link.told["link_type"] != "Inline":
            self._leaf(link.last, end)
            return
        closes = self._text.find("](", link.last, end)
        if closes < 0:
            return
        start, end = _trimmed(self._text, closes + 2, end - 1, " \t\r\n<>")
        words = self._text[link.start : closes].lstrip("![")
        if words == self._text[start:end]:
            self._tell(start, end)
        elif start < end:
            self._top.inside.append(Node("address", [Leaf(start, end)], start))
            self._tell(start, end)

    def _name_of(self, language: str, start: int, end: int) -> None:
        """Show what a block of code is called, as the line that it is."""
        at = self._text.find(language, start, end) if language else -1
        if at >= 0:
            end = at + len(language)
            self._top.inside.append(Node("p.name", [Leaf(at, end)], at, end))
            self._tell(at, at + len(language))

    def _code(self, shown: str, start: int, end: int) -> None:
        first, last = _trimmed(self._text, start, end, "`")
        at = self._text.find(shown, first, last)
        code = Node("code", [Leaf(at, at + len(shown))], start)
        if at < 0:
            code.inside = _aligned(self._text[first:last], shown, first)
        self._top.inside.append(code)
        self._tell(start, end)

    def _leaf(self, start: int, end: int, shown: str | None = None) -> None:
        if start >= end:
            return
        inside = self._top.inside
        if shown == self._text[start:end]:
            shown = None
        before = inside[-1] if inside else None
        if (
            shown is None
            and isinstance(before, Leaf)
            and before.shown is None
            and before.end == start
        ):
            inside[-1] = Leaf(before.start, end)
        else:
            inside.append(Leaf(start, end, shown))
        self._tell(start, end)

    def _tell(self, start: int, end: int) -> None:
        self._told[start:end] = b"\1" * (end - start)

    def _lost(self) -> Iterator[tuple[int, int]]:
        """Give what has words and stands in no leaf: definitions of links, cells too many."""
        for untold in re.finditer(rb"\0+", self._told):
            for block in _BLOCK.finditer(self._text, *untold.span()):
                start, end = _trimmed(self._text, *block.span(), _MARKUP)
                if _WORD.search(self._text, start, end):
                    yield start, end


def _aligned(raw: str, shown: str, first: int) -> "list[Node | Leaf]":
    r"""Say line by line where code stands: ends of lines are shown as blanks, `\|` as a bar."""
    inside: list[Node | Leaf] = []
    begun = at = to = 0

    def line() -> None:
        if at > begun:
            inside.append(Leaf(first + begun, first + at))

    while to < len(shown):
        if raw[at : at + 1] == shown[to]:
            at, to = at + 1, to + 1
            continue
        # Lines of a quotation begin with signs that are none of the code.
        skip = _NOT_CODE.match(raw, at)
        if skip is None:
            return [Leaf(first, first + len(raw), shown)]
        line()
        if skip[0][0] in "\r\n" and shown[to] == " ":
            inside.append(Leaf(first + at, first + skip.end(), " "))
            to += 1
        begun = at = skip.end()
    line()
    return inside


def _place_of(within: Node, start: int) -> tuple[Node, int]:
    """Say in which block something stands that is in no leaf, and before which of its parts."""
    at = bisect_right(within.inside, start, key=lambda part: part.start)
    before = within.inside[at - 1] if at else None
    holds = isinstance(before, Node) and before.tag.partition(".")[0] in _HOLDING
    # A list holds nothing but items.
    if isinstance(before, Node) and holds and (start < before.end or within.tag[:2] in _LISTS):
        return _place_of(before, start)
    return within, at


def _named(value: Any) -> tuple[str, Any]:  # noqa: ANN401 - as it comes
    return (value, None) if isinstance(value, str) else next(iter(value.items()))


def _points(text: str) -> Sequence[int]:
    """Say for each byte of a text in UTF-8 which character it belongs to."""
    if text.isascii():
        return range(len(text) + 1)
    points = [at for at, sign in enumerate(text) for _ in range(len(sign.encode()))]
    return [*points, len(text)]


def _trimmed(text: str, start: int, end: int, signs: str) -> tuple[int, int]:
    while start < end and text[start] in signs:
        start += 1
    while start < end and text[end - 1] in signs:
        end -= 1
    return start, end


_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_TAGS: Final = _HEADINGS | {
    "p", "ul", "ol", "li", "blockquote", "pre", "code", "table", "thead", "tbody", "tr", "th", "td",
    "em", "strong", "del", "hr", "address",
}  # fmt: skip
_LARGEST: Final = 3
"""A heading of an answer stands below those of the page."""


def page_of(
    nodes: "Sequence[Node | Leaf]",
    text: str,
    table: str = "Table",
    words: Callable[[int, int, str], str] = lambda _start, _end, shown: escape(shown),
) -> str:
    """Write a tree as HTML; every sign of the text that HTML reads is escaped.

    Args:
        nodes: The tree.
        text: The text that it is of.
        table: What a table is called to whoever does not see it.
        words: Writes a leaf, escaped: where it begins, where it ends, what is shown.

    Example:
        >>> from medassay.text.markdown import markdown_tree
        >>> text = "**No** <b>drug</b>"
        >>> page_of(markdown_tree(text), text)
        '<p><strong>No</strong> &lt;b&gt;drug&lt;/b&gt;</p>'
    """
    return "".join(_piece(node, text, table, words) for node in nodes)


def _piece(
    node: "Node | Leaf", text: str, table: str, words: Callable[[int, int, str], str]
) -> str:
    if isinstance(node, Leaf):
        shown = text[node.start : node.end] if node.shown is None else node.shown
        return words(node.start, node.end, shown)
    inside = page_of(node.inside, text, table, words)
    name, _, more = node.tag.partition(".")
    if name not in _TAGS:
        raise ValueError(f"no part of a page: {name}")
    if name == "hr":
        return "<hr>"
    if name == "address":
        return f'<span class="address">{inside}</span>'
    if name == "ol":
        return f'<ol start="{int(more)}">{inside}</ol>'
    if name == "table":
        region = f'class="laid-table" role="region" tabindex="0" aria-label="{escape(table)}"'
        return f"<div {region}><table>{inside}</table></div>"
    if name == "th" and not node.inside:
        name = "td"
    if name in _HEADINGS:
        name = f"h{min(int(name[1]) + _LARGEST - 1, 6)}"
    opens = f'{name} class="{more}"' if more else name
    return f"<{opens}>{inside}</{name}>"
