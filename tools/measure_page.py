"""How long and how heavy a run is for who reads it: screens, tables, bytes and words.

    python -m tools.measure_page STUDY/results/RUN [MORE ...]

Prints a Markdown table: a row a run. Screens are counted as the page opens and with every chapter
open. Needs a browser (CHROMIUM names one).
"""

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_SIZES: Final = ((1300, 900), (390, 844))
_HEADS: Final = (
    "run", "screens at 1300", "all open", "screens at 390", "all open", "tables", "report.html, kB",
    "run folder, kB", "words of report.md",
)  # fmt: skip


def measured(run: Path, browser: "Browser") -> list[str]:
    """Give the cells of one run's row."""
    page_file = run / "report.html"
    text = page_file.read_text(encoding="utf-8")
    tables = len(re.findall(r'<figure class="table"', text))
    words = len((run / "report.md").read_text(encoding="utf-8").split())
    folder = sum(file.stat().st_size for file in run.rglob("*") if file.is_file())
    screens = [f"{n:.1f}" for size in _SIZES for n in _screens(page_file, browser, *size)]
    sizes = [f"{size / 1000:,.0f}" for size in (page_file.stat().st_size, folder)]
    return [run.parent.parent.name, *screens, str(tables), *sizes, f"{words:,}"]


def _screens(file: Path, browser: "Browser", width: int, height: int) -> tuple[float, float]:
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(file.resolve().as_uri())
    tall = "document.documentElement.scrollHeight"
    as_it_opens = page.evaluate(tall)
    page.evaluate(
        "document.querySelectorAll('.chapter > details').forEach(d => { d.open = true; })"
    )
    opened = page.evaluate(tall)
    page.close()
    return as_it_opens / height, opened / height


def main(runs: list[Path]) -> None:
    """Print the table."""
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(
            executable_path=os.environ.get("CHROMIUM"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        lines = [_HEADS, tuple("---" for _ in _HEADS), *(measured(run, browser) for run in runs)]
        browser.close()
    sys.stdout.write("".join(f"| {' | '.join(line)} |\n" for line in lines))


if __name__ == "__main__":
    main([Path(one) for one in sys.argv[1:]])
