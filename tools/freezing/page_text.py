"""The text that a reader of a page sees, line by line."""

from html.parser import HTMLParser
from typing import Final

_UNSEEN: Final = {"script", "style", "svg", "title", "template", "noscript"}
_IN_LINE: Final = {
    "a", "abbr", "b", "bdi", "button", "cite", "code", "em", "i", "kbd", "label", "mark", "q", "s",
    "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
}  # fmt: skip
_CELLS: Final = {"td", "th"}


def visible_text(page: str) -> str:
    r"""Give the text of a page: a line a paragraph or row, cells between bars.

    Example:
        >>> visible_text("<h1>A  <b>b</b></h1><table><tr><td>1</td><td>2 &lt; 3</td></tr></table>")
        'A b\n1 | 2 < 3\n'
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
    return "".join(f"{line}\n" for line in lines if line.strip(" |"))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._unseen = 0
        self._cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in _UNSEEN:
            self._unseen += 1
        elif tag in _CELLS:
            self.parts.append(" | " if self._cell else "")
            self._cell = True
        elif tag not in _IN_LINE and not self._cell:
            self.parts.append("\n")
        elif tag not in _IN_LINE:
            self._row_ends(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen -= 1
        elif tag not in _IN_LINE | _CELLS:
            self._row_ends(tag)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data.replace("\n", " "))

    def _row_ends(self, tag: str) -> None:
        """Blocks inside a cell stay on its line; rows and tables end theirs."""
        if tag in {"tr", "table", "thead", "tbody", "caption"} or not self._cell:
            self._cell = False
            self.parts.append("\n")
        else:
            self.parts.append(" ")
