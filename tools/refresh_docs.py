"""Follow the pages of docs/ and put in what is printed now, where it is not what they show.

    python -m tools.refresh_docs                    every page that is quick
    python -m tools.refresh_docs docs/NAME.md ...   these

An output that is shown in part (with `...`) and has changed is put in whole: cut it again by hand.
Read the difference before you commit it: a changed output is a change of medassay.
"""

import re
import sys
import tempfile
from pathlib import Path
from typing import Final

from tools.docs_blocks import follow, is_slow, says

_DOCS: Final = Path(__file__).parents[1] / "docs"
# A run is called after all that went into it, versions of libraries too.
_RUN: Final = re.compile(r"\bresults/[0-9a-f]{12}\b")


def refreshed(text: str, folder: Path) -> tuple[str, list[str]]:
    """Give a page with what its commands print now, and the commands that failed."""
    failed = []
    changes = []
    for shown in follow(text, folder):
        # Behind a pipe a command that broke ends with 0.
        if shown.code or "Traceback (most recent call last)" in shown.got:
            failed.append(f"{shown.command}: exit code {shown.code}\n{shown.got}")
        elif shown.wanted is not None and not says(shown.wanted, shown.got):
            changes.append(shown)
    for shown in reversed(changes):
        end = shown.start + len(shown.wanted or "")
        said = _RUN.sub("results/...", shown.got).rstrip()
        got = "".join(f"{line.rstrip()}\n" for line in said.splitlines())
        text = text[: shown.start] + got + text[end:]
    return text, failed


def main(names: list[str]) -> int:
    """Refresh these pages, or all that are quick; 1 where a command of one failed."""
    pages = [Path(name) for name in names] or [
        page for page in sorted(_DOCS.rglob("*.md")) if not is_slow(page.read_text("utf-8"))
    ]
    failures = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "here"
            place.mkdir()
            new, failed = refreshed(text, place)
        if new != text:
            page.write_text(new, encoding="utf-8")
            print(f"{page}: changed")
        for one in failed:
            failures += 1
            print(f"{page}: {one}")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
