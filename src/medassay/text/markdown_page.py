"""A tree of Markdown as HTML; the scripts of room and report make the same elements of it."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from medassay.text.markdown import Leaf, Node

__all__ = ["page_of"]

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
