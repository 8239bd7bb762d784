"""Answers in the report as their Markdown means them, findings marked where they stand."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from tests.campaign.conftest import write_study

from medassay.analyses import run_study
from medassay.report.page import page as html
from medassay.study import open_run
from medassay.tables import csv_bytes
from medassay.text import markdown_tree, packed

pytestmark = pytest.mark.browser
ANSWER = """\
## Short answer

**No.** See [NHS](https://tracker.example/a).

| drug | dose |
|:-----|-----:|
| ibuprofen | 400 mg |

<script>document.title = "taken"</script> ![p](https://tracker.example/p.png)
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = write_study(tmp_path_factory.mktemp("markdown") / "study")
    for file in (folder / "answers").iterdir():
        file.write_bytes(csv_bytes(["case", "text"], [[f"0{at}", ANSWER] for at in range(1, 5)]))
    report = folder.parent / "report.html"
    report.write_bytes(html(run_study(open_run(folder, metrics=["length"]))[0]))
    return report.as_uri()


@pytest.fixture(params=[1300, 390])
def opened(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    size: Any = {"width": request.param, "height": 844}
    page = browser.new_context(viewport=size, bypass_csp=True).new_page()
    page.goto(f"{address}#case-01")
    yield page
    page.context.close()


def test_they_are_laid_out_and_as_written_is_one_key_away(opened: Page) -> None:
    asked: list[str] = []
    opened.on("request", lambda sent: asked.append(sent.url))
    laid = opened.locator("#case-01 .laid").first
    assert laid.locator("td.right").inner_text() == "400 mg"
    assert laid.locator("strong").inner_text() == "No."
    assert laid.locator("a, img, script").count() == 0
    assert opened.title() != "taken"
    found = Axe().run(opened).response["violations"]
    assert [one["id"] for one in found if one["impact"] in {"serious", "critical"}] == []
    assert opened.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    opened.get_by_role("button", name="As written").first.press("Enter")
    raw = opened.locator("#case-01 .as-written").first
    assert raw.inner_text().strip() == ANSWER.strip()
    assert laid.is_hidden()
    assert asked == []


MARK = """([text, layout, start, end]) => {
  const make = (tag, text = "", name = "") => {
    const made = document.createElement(tag);
    made.textContent = text;
    made.className = name;
    return made;
  };
  const one = { kind: "danger", of: "x", says: "y", number: 3, places: [["text", start, end]] };
  const box = document.createElement("div");
  box.append(...laidOut(text, layout, "text", [one], make));
  const marks = [...box.querySelectorAll("mark")].map((mark) => mark.textContent).join("");
  return [marks, box.querySelectorAll("sup").length];
}"""


@pytest.mark.parametrize(
    "found", ["**No.** See", "NHS", "ibuprofen | 400", "answer\n\n**No", "dose"]
)
def test_a_finding_is_marked_once_whatever_lies_within(opened: Page, found: str) -> None:
    start = ANSWER.index(found)
    text = [ANSWER, packed(markdown_tree(ANSWER)), start, start + len(found)]
    words, numbers = opened.evaluate(MARK, text)
    kept = "".join(sign for sign in found if sign.isalnum())
    assert "".join(sign for sign in words if sign.isalnum()) == kept
    assert numbers == 1
