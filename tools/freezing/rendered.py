"""Pages of standard studies rendered from what their runs found, where words alone changed."""

import lzma
import tempfile
from pathlib import Path
from typing import Final

from tools.freezing.compare import compare
from tools.freezing.frozen import freeze, read_frozen

__all__ = ["KEPT", "differences", "pages_that_say"]

_TREE: Final = Path(__file__).parents[2]
_FROZEN: Final = _TREE / "tests/standard/frozen"
KEPT: Final = "found.json.xz"
"""All that a study's run found; `make freeze` writes it beside what its report says."""


def differences(words: set[str]) -> list[str]:
    """Render the studies that print one of these strings; say how they differ from the frozen."""
    from medassay.analyses.reading import results_of
    from medassay.report import render, write_paper

    parts = _parts(words)
    found: list[str] = []
    for folder in sorted(_FROZEN.iterdir()):
        text = (folder / "page.txt").read_text("utf-8") + (folder / "tables.txt").read_text("utf-8")
        if any(part in text for part in parts):
            results = results_of(lzma.decompress((folder / KEPT).read_bytes()))
            with tempfile.TemporaryDirectory() as around:
                render(results, Path(around))
                write_paper(results, Path(around) / "paper", formats=())
                now = freeze(Path(around))
            found += map(str, compare(folder.name, read_frozen(folder), now))
    return found


def pages_that_say(words: set[str]) -> list[str]:
    """Name the pages of the documentation that hold one of these strings, or much of it."""
    parts = {part for part in _parts(words) if " " in part}
    pages = [path for folder in (".", "docs", "examples") for path in (_TREE / folder).glob("*.md")]
    pages += (_TREE / "docs").glob("*/**/*.md")
    texts = {str(page.relative_to(_TREE)): page.read_text(encoding="utf-8") for page in pages}
    return sorted(name for name, text in texts.items() if any(part in text for part in parts))


def _parts(words: set[str]) -> set[str]:
    """Give of each string the longest piece without a place for a value."""
    return {max(word.replace("\n", " ").split("{"), key=len).strip() for word in words} - {""}
