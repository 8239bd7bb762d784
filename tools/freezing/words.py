"""Who else says the words that a change took away: pages, tests, other places of the source."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tools.functions import functions_of

_TREE: Final = Path(__file__).parents[2]
_PYTHON: Final = ".venv/bin/python"
_QUOTE: Final = re.compile(r'"([^"\n]+)"')
_FEW: Final = 2
"""Blanks in what is long enough to be somebody's words."""


def lines_of(gone: set[str]) -> list[str]:
    """Say which pages and which sources still say the words that are gone, and what writes them."""
    pages = pages_that_say(gone)
    makers = {page: f"tools.{path.stem}" for page in pages if (path := maker_of(page))}
    lines = [f"{page} says the old words: {_PYTHON} -m {maker}" for page, maker in makers.items()]
    shown = " ".join(page for page in pages if page not in makers or followed(page))
    lines += (
        [f"Where the old words stand: {_PYTHON} -m tools.refresh_docs {shown}"] if shown else []
    )
    return lines + [f"{twin} says the old words too." for twin in sorted(quoting(gone, "src"))]


def maker_of(page: str) -> Path | None:
    """Find the tool that writes a page of all that is declared."""
    name = f'{Path(page).name}"'
    tools = sorted((_TREE / "tools").glob("make_*_page.py"))
    return next((tool for tool in tools if name in tool.read_text(encoding="utf-8")), None)


def followed(page: str) -> bool:
    """Say whether a page shows what commands print."""
    return "```console" in (_TREE / page).read_text(encoding="utf-8")


def pages_that_say(words: set[str]) -> list[str]:
    """Name the pages of the documentation that hold one of these strings, or much of it."""
    parts = {part for part in longest_parts(words) if " " in part}
    pages = [path for folder in (".", "docs", "examples") for path in (_TREE / folder).glob("*.md")]
    pages += (_TREE / "docs").glob("*/**/*.md")
    texts = {str(page.relative_to(_TREE)): page.read_text(encoding="utf-8") for page in pages}
    return sorted(name for name, text in texts.items() if any(part in text for part in parts))


def quoting(words: Iterable[str], folder: str, tree: Path = _TREE) -> set[str]:
    """Name the functions (`file::function`) below a folder that quote much of one of these strings.

    A quotation is the string's longest part without a place for a value, or three words or more
    of it; in the source it may be broken over lines.
    """
    parts = {part for part in longest_parts(words) if " " in part}
    found = set()
    for path in sorted((tree / folder).rglob("*.py")) if parts else ():
        text, name = path.read_text(encoding="utf-8"), str(path.relative_to(tree))
        quotes = [quote for quote in _QUOTE.findall(text) if quote.strip().count(" ") >= _FEW]
        if any(
            all(word in text for word in part.split()) or any(quote in part for quote in quotes)
            for part in parts
        ):
            found |= {
                f"{name}::{function}"
                for function, of in functions_of(text, name).items()
                if any(_quotes(said, part) for said in of.words for part in parts)
            }
    return found


def longest_parts(words: Iterable[str]) -> set[str]:
    """Give of each string the longest piece without a place for a value."""
    return {max(word.replace("\n", " ").split("{"), key=len).strip() for word in {*words} - {""}}


def _quotes(said: str, part: str) -> bool:
    own = said.strip()
    short, long = sorted((own, part), key=len)
    return own == part or (short.count(" ") >= _FEW and short in long)
