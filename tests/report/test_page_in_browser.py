"""The page in a real browser: it works, asks the network for nothing, and is fit for everyone."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from medassay.analyses.results import Results
from medassay.report import render
from medassay.report.page import page as html

pytestmark = pytest.mark.browser
LAPTOP, PHONE = {"width": 1440, "height": 900}, {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def address(results: Results, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report")
    render(results, folder, formats=["svg"])
    return (folder / "report.html").as_uri()


class Watched:
    """A page with all that it asked for and complained of."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page = context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(address)

    def unfolded(self) -> Page:
        """Open every chapter, as a reader may."""
        self.page.get_by_role("button", name="Open all chapters").press("Enter")
        return self.page


def _open(browser: Browser, address: str, **how: Any) -> Watched:  # noqa: ANN401 - playwright's own options
    how = {"viewport": LAPTOP, "permissions": ["clipboard-read", "clipboard-write"]} | how
    return Watched(browser.new_context(**how), address)


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Page]:
    watched = _open(browser, address)
    yield watched.unfolded()
    assert [
        url for url in watched.requests if not url.startswith(("file:", "data:", "blob:"))
    ] == []
    assert watched.complaints == []
    watched.page.context.close()


def _column(page: Page, table: str, column: int) -> list[str]:
    rows = page.locator(f"#t-{table} tbody tr:not(.group)")
    cells = rows.locator(f":scope > :nth-child({column})")
    return [text.strip() for text in cells.all_inner_texts()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_no_rule_of_accessibility_is_broken(
    browser: Browser, address: str, scheme: str, size: dict[str, int]
) -> None:
    # axe is put into the page by the test, which the page's own security policy forbids.
    page = _open(browser, address, color_scheme=scheme, viewport=size, bypass_csp=True).unfolded()
    page.locator("#case-list summary").first.click()
    found = Axe().run(page).response
    broken = [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found["violations"]]
    assert broken == []
    assert len(found["passes"]) > 20
    page.context.close()


def test_text_of_an_answer_stays_text(opened: Page) -> None:
    opened.locator("#case-list summary").first.click()
    opened.wait_for_selector("#case-list .inside")
    assert opened.title() == "Six systems that summarise evidence · medassay"
    assert opened.locator("img").count() == 0
    assert opened.locator("#case-list b", has_text="bold").count() == 0
    assert "<b>bold</b>" in opened.locator("#case-list .inside").first.inner_text()


def test_a_table_sorts_both_ways_and_keeps_the_missing_last(opened: Page) -> None:
    table = "at-a-glance"
    opened.get_by_text("Systems side by side", exact=True).first.click()
    head = opened.locator(f"#t-{table} th", has_text="Direction agreement")
    place = int(head.evaluate("head => head.cellIndex")) + 1
    assert head.get_attribute("aria-sort") is None
    for way in ("descending", "ascending"):
        head.get_by_role("button").press("Enter")
        assert head.get_attribute("aria-sort") == way
        means = [text.split()[0] for text in _column(opened, table, place)]
        numbers = [float(text) for text in means[:-1]]
        assert numbers == sorted(numbers, reverse=way == "descending")
        assert means[-1] == "none"


def test_a_sort_stays_inside_its_group(opened: Page) -> None:
    opened.locator("#t-tau th", has_text="Fluency").get_by_role("button").click()
    assert _column(opened, "tau", 1)[-1] == "Answer length"
    assert opened.locator("#t-tau tr.group").all_inner_texts() == ["Metrics", "Controls"]


def test_a_copied_table_is_the_file(opened: Page, address: str) -> None:
    opened.get_by_role("button", name="Copy as CSV: Agreement of the raters").click()
    expect(opened.locator("#said")).to_have_text("Copied as CSV.")
    copied = opened.evaluate("navigator.clipboard.readText()")
    file = Path(address.removeprefix("file://")).parent / "tables" / "agreement-main.csv"
    assert copied == file.read_text(encoding="utf-8")


def _shapes(svg: Path) -> list[str]:
    every = ET.parse(svg).iter()  # noqa: S314 - both are ours
    return [" ".join(shape.get("d", "").split()) for shape in every if shape.get("d")]


def test_a_saved_figure_draws_what_the_file_draws(opened: Page, address: str) -> None:
    opened.get_by_text("The figure for a paper", exact=True).click()
    with opened.expect_download() as coming:
        opened.locator("[data-save]").first.click()
    file = (
        Path(address.removeprefix("file://")).parent / "figures" / coming.value.suggested_filename
    )
    saved = Path(coming.value.path())
    assert "var(" not in saved.read_text(encoding="utf-8")
    assert _shapes(saved) == _shapes(file)


def test_a_cell_of_the_heat_map_says_all_on_focus_and_goes_quiet_on_escape(opened: Page) -> None:
    cell = opened.locator("#t-tau td button", has_text="−0.60").first
    cell.focus()
    tip = opened.locator("#tip")
    said = tip.inner_text()
    for part in (
        "over cases: (",
        "over systems: (−1.00 to 0.20)",
        "over both: (",
        "p = 0.136 (exact)",
    ):
        assert part in said
    assert cell.get_attribute("aria-describedby") == "tip"
    opened.keyboard.press("Escape")
    assert tip.is_hidden()
    cell.hover()
    assert tip.is_visible()


def _count(page: Page) -> int:
    return int(page.locator("#case-count").inner_text().split()[0])


def test_cases_are_filtered(opened: Page) -> None:
    assert opened.locator("#case-count").inner_text() == "356 of 356 cases"
    opened.get_by_label("Ranking cases only", exact=True).check()
    assert _count(opened) == 50
    opened.get_by_label("Tag", exact=True).select_option("condition: asthma")
    asthma = _count(opened)
    assert 0 < asthma < 50
    opened.get_by_label("Rated", exact=True).select_option("Fluency")
    opened.get_by_label("as", exact=True).select_option("Major errors")
    opened.get_by_label("System", exact=True).select_option("Fir")
    assert 0 < _count(opened) < asthma
    opened.get_by_role("button", name="Clear").click()
    expect(opened.locator("#case-count")).to_have_text("356 of 356 cases")
    opened.get_by_label("Search").fill("treatment 117 work")
    expect(opened.locator("#case-list details")).to_have_count(1)
    assert opened.locator("#case-list .case-id").inner_text() == "R-0117"
    opened.get_by_label("Search").fill("no such words")
    expect(opened.locator("#case-list details")).to_have_count(0)
    assert opened.locator("#case-count").inner_text() == "None of 356 cases fits all filters."


def test_cases_are_ordered_by_a_score(opened: Page, results: Results) -> None:
    opened.get_by_label("Order").select_option("ROUGE-1, lowest first")
    first = opened.locator("#case-list .case-id").first.inner_text()
    lowest = min(
        (score.value, case.case)
        for case in results.cases
        for answer in case.answers
        for score in answer.scores
        if score.source == "rouge1(ref=human)" and score.value is not None
    )
    assert first == lowest[1]


def test_the_rest_of_the_cases_comes_on_demand(opened: Page) -> None:
    assert opened.locator("#case-list details").count() == 10
    opened.get_by_role("button", name="Show 200 more").click()
    assert opened.locator("#case-list details").count() == 210
    opened.get_by_role("button", name="Show 146 more").click()
    assert opened.locator("#case-list details").count() == 356
    assert opened.locator("#case-more").is_hidden()


@pytest.mark.parametrize("place", [1, 339])
def test_a_case_can_be_linked_to(opened: Page, results: Results, place: int) -> None:
    case = results.cases[place]
    opened.get_by_label("Ranking cases only", exact=True).check()
    opened.evaluate("id => { location.hash = 'case-' + encodeURIComponent(id); }", case.case)
    opened.wait_for_selector("#case-list details[open] .inside")
    assert opened.locator("#case-list details[open] .case-id").inner_text() == case.case
    assert case.answers[3].text
    assert case.answers[3].text in opened.locator("#case-list details[open]").inner_text()


def test_the_scores_of_a_case_can_be_copied(opened: Page, results: Results) -> None:
    fifth = results.cases[4].case
    opened.locator("#case-list summary", has_text=fifth).click()
    opened.get_by_role("button", name=f"Copy as CSV: ratings and scores of case {fifth}").click()
    expect(opened.locator("#said")).to_have_text("Copied as CSV.")
    copied = opened.evaluate("navigator.clipboard.readText()")
    header, *rows = list(csv.reader(io.StringIO(copied)))
    assert [row[0] for row in rows] == [system.id for system in results.systems]
    place = header.index("bleu(ref=human)")
    values = [answer.scores[0].value for answer in results.cases[4].answers]
    assert [float(row[place]) for row in rows] == values


def test_a_phone_never_scrolls_the_page_sideways(browser: Browser, address: str) -> None:
    page = _open(browser, address, viewport=PHONE).unfolded()
    page.locator("#case-list summary").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.context.close()


def test_print_leaves_out_what_paper_cannot_do(browser: Browser, address: str) -> None:
    page = _open(browser, address).page
    page.emulate_media(media="print")
    for gone in (".contents", ".tools", "#case-filters", "#case-list", "#unfold"):
        assert page.locator(gone).first.is_hidden()
    assert page.locator("#cases .print-note").is_visible()
    folded = page.locator(".folded:not([open]) + .print-note")
    assert folded.count() > 0
    assert folded.first.is_visible()
    # What is opened is printed, and then nobody says that it is not.
    page.locator(".chapter .folded").first.evaluate("one => one.open = true")
    assert page.locator(".folded[open] + .print-note").first.is_hidden()
    assert page.pdf(format="A4", prefer_css_page_size=True).startswith(b"%PDF")
    page.context.close()


def test_a_table_goes_on_overleaf_under_its_columns_names(browser: Browser, address: str) -> None:
    # Chromium repeats a table's head on every page, but paints no buttons in the repeated ones.
    page = _open(browser, address).page
    page.emulate_media(media="print")
    shown = "all => all.map(one => getComputedStyle(one).display)"
    assert set(page.locator("thead button").evaluate_all(shown)) == {"contents"}
    kept = "all => all.map(one => getComputedStyle(one).breakAfter)"
    for heading in ("figcaption", "thead", "tr.group"):
        assert set(page.locator(heading).evaluate_all(kept)) == {"avoid"}
    page.context.close()


def test_paper_has_the_harmful_answers_and_no_heading_alone(browser: Browser, address: str) -> None:
    page = _open(browser, address).page
    page.emulate_media(media="print")
    answers = page.locator("#worst blockquote")
    assert answers.count() > 0
    assert answers.first.is_visible()
    below = "all => all.map(part => [part.id, part.innerText.trim().split('\\n').length])"
    shown = page.locator(".part:visible").evaluate_all(below)
    assert len(shown) > 3
    assert [name for name, lines in shown if lines < 2] == []
    page.context.close()


def test_no_table_is_cut_on_paper(browser: Browser, address: str) -> None:
    # The width of A4 between the margins of the print style: 182 mm at 96 px per inch.
    page = _open(browser, address, viewport={"width": 688, "height": 1000}).page
    page.emulate_media(media="print")
    ends = page.locator(":is(figure.table, figure.overview) table:visible").evaluate_all(
        "tables => tables.map((table) => table.getBoundingClientRect().right)"
    )
    assert len(ends) > 5
    assert max(ends) <= 688
    page.context.close()


def test_what_scrolls_sideways_fades_until_its_end_is_seen(browser: Browser, address: str) -> None:
    page = _open(browser, address, viewport=PHONE).unfolded()
    box = page.locator("#t-tau .scroll")
    expect(box).to_have_class("scroll more-right")
    box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    expect(box).to_have_class("scroll")
    page.context.close()


def test_a_laptop_shows_the_answers_and_all_systems_at_once(browser: Browser, address: str) -> None:
    page = _open(browser, address).page
    end = page.locator("#overview table").evaluate("t => t.getBoundingClientRect().bottom")
    assert end <= LAPTOP["height"]
    page.context.close()


def test_chapters_open_one_by_one_all_at_once_and_for_who_is_sent_there(
    browser: Browser, address: str
) -> None:
    page = _open(browser, address).page
    folds = page.locator(".chapter > details")
    assert folds.count() > 4
    assert page.locator(".chapter > details[open]").count() == 0
    page.locator("#panel > details > summary").press("Enter")
    assert page.locator("#t-agreement-main").is_visible()
    page.evaluate("location.hash = 't-leaderboard'")
    expect(page.locator("#t-leaderboard")).to_be_in_viewport()
    page.locator(".contents").get_by_text("Methods").click()
    expect(page.locator("#methods > details")).to_have_attribute("open", "")
    page.get_by_role("button", name="Open all chapters").click()
    assert page.locator(".chapter > details:not([open])").count() == 0
    page.get_by_role("button", name="Close all chapters").click()
    assert page.locator(".chapter > details[open]").count() == 0
    page.context.close()


def test_without_scripts_an_anchor_opens_its_fold(browser: Browser, address: str) -> None:
    page = _open(browser, f"{address}#t-agreement-main", java_script_enabled=False).page
    expect(page.locator("#t-agreement-main")).to_be_in_viewport()
    page.context.close()


def test_without_scripts_all_but_the_cases_is_there(browser: Browser, address: str) -> None:
    page = _open(browser, address, java_script_enabled=False).page
    assert page.locator("#overview table").is_visible()
    for summary in page.locator(".chapter > details > summary").all():
        summary.click()
    for shown in ("#t-leaderboard", "#t-agreement-main", "#t-tau", "noscript p"):
        assert page.locator(shown).is_visible()
    assert page.locator("button[data-copy]").first.is_hidden()
    page.context.close()


def test_the_keyboard_reaches_the_report_first(browser: Browser, address: str) -> None:
    page = _open(browser, address).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.context.close()


def test_a_study_that_keeps_its_texts_shows_ids_and_scores(
    browser: Browser, results: Results, tmp_path: Path
) -> None:
    kept = results.study.model_copy(update={"texts": "ids"})
    (tmp_path / "report.html").write_bytes(html(results.model_copy(update={"study": kept})))
    watched = _open(browser, (tmp_path / "report.html").as_uri())
    page = watched.unfolded()
    page.locator("#case-list summary").nth(4).click()
    inside = page.locator("#case-list .inside").inner_text()
    assert "Ratings and scores" in inside
    assert "Question" not in inside
    assert page.get_by_label("Tag", exact=True).is_hidden()
    assert watched.complaints == []
    page.context.close()
