"""On a phone no table of the first screen hides a column behind the edge."""

from typing import Final

import pytest
from playwright.sync_api import Browser, ViewportSize
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

pytestmark = pytest.mark.browser
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
OPEN = """() =>
  document.querySelectorAll("#findings details").forEach((part) => { part.open = true; })"""
CUT = """() => [...document.querySelectorAll("#findings figure.table")]
  .map((figure) => [figure.id, figure.querySelector(".scroll")])
  .filter(([, box]) => box && box.scrollWidth > box.clientWidth + 1)
  .map(([id, box]) => `${id}: ${box.scrollWidth - box.clientWidth} px`)"""
HEADINGS = """() => [...document.querySelectorAll("#findings .cards tbody td:not(.blank)")]
  .map((cell) => getComputedStyle(cell, "::before").content)"""


def test_a_phone_shows_every_column_of_the_first_tables(
    browser: Browser, standard_run: SharedRuns
) -> None:
    page = browser.new_page(viewport=PHONE)
    cut, forms, headings = {}, set(), []
    for study in STANDARD:
        page.goto((standard_run(study).folder / "report.html").as_uri())
        page.evaluate(OPEN)
        if behind := page.evaluate(CUT):
            cut[study] = behind
        forms |= {form for form in ("under", "cards") if page.locator(f"#findings .{form}").count()}
        headings += page.evaluate(HEADINGS)
    page.close()
    assert cut == {}
    assert forms == {"under", "cards"}, "No standard study shows this form any more."
    assert '"Gravest"' in headings
    assert all(len(heading) > 2 for heading in headings)


def test_paper_and_a_desk_have_tables_and_no_cards(
    browser: Browser, standard_run: SharedRuns
) -> None:
    page = browser.new_page(viewport={"width": 1300, "height": 900})
    page.goto((standard_run("criteria").folder / "report.html").as_uri())
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        cell = page.locator("#t-criteria-against td").first
        assert cell.evaluate("cell => getComputedStyle(cell).display") == "table-cell"
    page.close()
