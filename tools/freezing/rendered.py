"""Pages of standard studies rendered from what their runs found, where words alone changed."""

import lzma
import tempfile
from pathlib import Path
from typing import Final

from tools.freezing.compare import compare
from tools.freezing.frozen import freeze, read_frozen
from tools.freezing.words import longest_parts

_TREE: Final = Path(__file__).parents[2]
_FROZEN: Final = _TREE / "tests/standard/frozen"
KEPT: Final = "found.json.xz"
"""All that a study's run found; `make freeze` writes it beside what its report says."""


def differences(words: set[str]) -> list[str]:
    """Render the studies that print one of these strings; say how they differ from the frozen."""
    from medassay.analyses.reading import results_of
    from medassay.report import render, write_paper

    parts = longest_parts(words)
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
