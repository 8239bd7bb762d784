"""Experts label documents on a page that needs no network: nothing is lost, nothing leaks."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from tests.campaign.test_document_sheets import RELEVANT, medassay, sheet_of, study
from typer.testing import CliRunner

from medassay.cli.app import app

__all__ = ["study"]
pytestmark = pytest.mark.browser
HOSTILE = "</script><script>document.title = 'run'</script><!--"


@pytest.fixture
def page(browser: Browser, study: Path) -> Iterator[Page]:
    texts = study / "documents.jsonl"
    texts.write_text(texts.read_text().replace("=Text a", HOSTILE))
    medassay("campaign", "documents", study, "--raters", "anna,ben", "--format", "html")
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(sheet_of(study, "anna", "html").as_uri())
    yield page
    assert [url for url in asked if not url.startswith(("file:", "blob:"))] == []
    context.close()


def labelled(page: Page, query: str, document: str, button: str) -> None:
    section = page.locator("section").filter(has=page.get_by_text(query, exact=True))
    one = section.locator("article").filter(has=page.get_by_text(document, exact=True))
    one.get_by_role("button", name=button, exact=True).click()


def saved(page: Page, into: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save labels").click()
    path = into / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_labels_survive_a_reload_are_saved_and_taken_in(
    page: Page, study: Path, tmp_path: Path
) -> None:
    pairs = [("q1", name) for name in "abce"] + [("q2", name) for name in "ad"]
    for query, name in pairs:
        relevant = (query, name) in RELEVANT
        labelled(page, query, name, "Relevant" if relevant else "Not relevant")
    expect(page.locator("#count")).to_have_text("Labelled: 6 of 6")
    page.reload()
    expect(page.locator("#count")).to_have_text("Labelled: 6 of 6")
    file = saved(page, tmp_path)
    assert file.name == "document-labels-anna.csv"
    said = medassay("campaign", "documents", study, file)
    assert "6 labels added; 0 were there already; 0 documents still open." in said
    with (study / "relevance.csv").open(newline="") as table:
        rows = {(row["case"], row["document"]): row["relevance"] for row in csv.DictReader(table)}
    assert rows == {pair: str(int(pair in RELEVANT)) for pair in pairs}


def test_what_another_tab_keeps_is_shown_here_and_nothing_of_either_is_lost(
    page: Page, study: Path
) -> None:
    labelled(page, "q1", "a", "Relevant")
    other = page.context.new_page()
    other.goto(sheet_of(study, "anna", "html").as_uri())
    expect(other.locator("#count")).to_have_text("Labelled: 1 of 6")
    labelled(other, "q1", "b", "Not relevant")
    expect(page.locator("#count")).to_have_text("Labelled: 2 of 6")
    labelled(page, "q1", "c", "Relevant")
    expect(other.locator("#count")).to_have_text("Labelled: 3 of 6")


def test_a_reload_loses_nothing_where_the_browser_hands_nothing_over(page: Page) -> None:
    """As a browser does that has not yet passed on what it keeps."""
    labelled(page, "q1", "a", "Relevant")
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator("#count")).to_have_text("Labelled: 1 of 6")
    labelled(page, "q1", "a", "Relevant")
    expect(page.locator("#count")).to_have_text("Labelled: 0 of 6")
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator("#count")).to_have_text("Labelled: 0 of 6")


def test_texts_are_texts_and_who_found_a_document_is_nowhere(page: Page, study: Path) -> None:
    assert page.title() == "Which documents are relevant?"
    expect(page.get_by_text(HOSTILE).first).to_be_visible()
    whole = sheet_of(study, "anna", "html").read_text()
    assert "9.5" not in whole
    assert '"system' not in whole


def test_a_file_that_was_saved_is_opened_on_another_computer(
    page: Page, browser: Browser, study: Path, tmp_path: Path
) -> None:
    labelled(page, "q1", "a", "Relevant")
    file = saved(page, tmp_path)
    with browser.new_context() as elsewhere:
        other = elsewhere.new_page()
        other.goto(sheet_of(study, "anna", "html").as_uri())
        expect(other.locator("#count")).to_have_text("Labelled: 0 of 6")
        other.get_by_label("Open labels").set_input_files(file)
        expect(other.locator("#count")).to_have_text("Labelled: 1 of 6")
        other.goto(sheet_of(study, "ben", "html").as_uri())
        other.get_by_label("Open labels").set_input_files(file)
        expect(other.get_by_role("status")).to_contain_text("labels of somebody else")
        expect(other.locator("#count")).to_have_text("Labelled: 0 of 6")


def test_keys_label_what_is_open_and_change_nothing(page: Page) -> None:
    page.keyboard.press("n")
    for _ in range(6):
        page.keyboard.press("1")
    expect(page.locator("#count")).to_have_text("Labelled: 6 of 6")
    page.keyboard.press("0")
    expect(page.locator("[data-label='1']")).to_have_count(6)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_fit_for_everyone(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type] # one of the two
    labelled(page, "q1", "a", "Relevant")
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


ITALIAN = """\
name = "Italiano"
direction = "ltr"
[about]
made = "Traduzione: una squadra."
checked = "Letta da un medico."
[documents]
save = "Salva le etichette"
"""


def test_the_page_speaks_the_languages_of_the_room_and_one_that_a_stranger_adds(
    browser: Browser, study: Path
) -> None:
    languages = study / "campaigns" / "document-labels" / "languages"
    languages.mkdir(parents=True)
    (languages / "it.toml").write_text(ITALIAN, encoding="utf-8")
    said = medassay("campaign", "documents", study, "--raters", "anna", "--format", "html")
    assert "it.toml: " in said
    with browser.new_context(locale="ar-EG", viewport={"width": 390, "height": 800}) as context:
        page = context.new_page()
        page.goto(sheet_of(study, "anna", "html").as_uri())
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        expect(page.get_by_role("button", name="حفظ التقييمات")).to_be_visible()
        assert Axe().run(page).response["violations"] == []
        page.locator("#language").select_option("it")
        expect(page.locator("html")).to_have_attribute("dir", "ltr")
        expect(page.get_by_role("button", name="Salva le etichette")).to_be_visible()
        expect(page.get_by_text("Letta da un medico.")).to_be_visible()
        labelled(page, "q1", "a", "Relevant")
        # A browser may hand its storage over a moment after a reload.
        page.evaluate("localStorage.removeItem('medassay-language')")
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", "it")
        expect(page.locator("#count")).to_have_text("Labelled: 1 of 6")


def test_an_expert_who_is_a_formula_comes_back_as_they_were(
    browser: Browser, study: Path, tmp_path: Path
) -> None:
    medassay("campaign", "documents", study, "--raters", '=SUM(1) "x"', "--format", "html")
    (sheet,) = (study / "campaigns" / "document-labels" / "sheets").iterdir()
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(sheet.as_uri())
        labelled(page, "q1", "a", "Relevant")
        file = saved(page, tmp_path)
        assert '\n"\'=SUM(1) ""x""",q1' in file.read_text(encoding="utf-8-sig")
        page.get_by_label("Open labels").set_input_files(file)
        expect(page.get_by_role("status")).to_contain_text("Labels taken from")
    done = CliRunner().invoke(app, ["campaign", "documents", str(study), str(file)])
    assert "1 label added" in done.output
    assert '"=SUM(1) ""x"""' in (study / "relevance.csv").read_text()
