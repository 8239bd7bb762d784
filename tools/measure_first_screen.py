"""How soon a report shows something: pixels and words above its first mark, words on its screen.

    python -m tools.measure_first_screen STUDY/results/RUN [MORE ...]

Prints a Markdown table: a row a run and a width; inf: no mark is seen until something is opened.
A mark is what is drawn: a dot, an interval, a bar. Words are those that are seen as the page
opens; tables count, the contents beside do not. Words of the prose are those of paragraphs, items
and captions, folded or not: neither tables nor figures, questions nor answers, buttons nor what
paper alone shows.
Needs a browser (CHROMIUM names one).
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_SIZES: Final = ((1300, 900), (390, 844))
_HEADS: Final = (
    "study", "width", "first mark, px", "words above it", "words on the screen",
    "words of prose as it opens", "with all opened", "wider than the screen, px",
)  # fmt: skip
_LOOK: Final = """() => {
  const seen = box => box.width > 1 && box.height > 1;
  const marks = [...document.querySelectorAll("main svg, main .stack, main .bar, main .squares")]
    .filter(mark => mark.checkVisibility() && seen(mark.getBoundingClientRect()))
    .map(mark => mark.getBoundingClientRect().top);
  const top = Math.min(...marks), words = { above: 0, screen: 0, prose: 0, open: 0 };
  const prose = [...document.querySelectorAll("main :is(p, li, figcaption, caption, h1, h2, h3)")]
    .filter(own => !own.closest("table, article, .cards, #worst, #cases, .aside-only"))
    .filter(own => !own.matches(".tools, .print-note"))
    .filter(own => !own.querySelector("p, li"));
  for (const own of prose) {
    const count = (own.textContent.match(/\\S*[\\p{L}\\p{N}]\\S*/gu) || []).length;
    words.prose += count;
    words.open += own.checkVisibility() ? count : 0;
  }
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode()); ) {
    if (!text.parentElement.checkVisibility({ visibilityProperty: true })) continue;
    if (text.parentElement.closest(".aside-only")) continue;
    const range = document.createRange();
    for (const word of text.data.matchAll(/\\S*[\\p{L}\\p{N}]\\S*/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const box = range.getBoundingClientRect();
      if (!seen(box)) continue;
      words.above += box.bottom <= top;
      words.screen += box.top < innerHeight;
    }
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  return [top, words.above, words.screen, words.open, words.prose, wide];
}"""


def measured(page_file: Path, browser: "Browser", width: int, height: int) -> list[str]:
    """Give the numbers of one page at one width."""
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(page_file.resolve().as_uri())
    numbers = page.evaluate(_LOOK)
    page.close()
    return [f"{number:.0f}" for number in numbers]


def main(runs: list[Path]) -> None:
    """Print the table."""
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(
            executable_path=os.environ.get("CHROMIUM"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        lines = [_HEADS, tuple("---" for _ in _HEADS)]
        for run in runs:
            file = run if run.suffix == ".html" else run / "report.html"
            name = file.stem if file == run else run.resolve().parent.parent.name
            for width, height in _SIZES:
                numbers = measured(file, browser, width, height)
                lines.append((name, str(width), *numbers))
        browser.close()
    sys.stdout.write("".join(f"| {' | '.join(line)} |\n" for line in lines))


if __name__ == "__main__":
    main([Path(one) for one in sys.argv[1:]])
