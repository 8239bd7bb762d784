"""The words that decided, marked where they stand in the answers of the case pages."""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page
from tools.toy_judge import ToyJudge

from medassay.analyses import Results, run_study
from medassay.analyses.results import MarkResult
from medassay.models import ModelSetup
from medassay.report.page import page as html
from medassay.study import open_run

pytestmark = pytest.mark.browser
STUDY = Path(__file__).parents[1] / "data" / "clinical_reasoning"
PHONE = 360
PAGE: dict[str, Any] = {"viewport": {"width": PHONE, "height": 740}, "bypass_csp": True}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("marks") / "study"
    shutil.copytree(STUDY, folder)
    # A letter of two units before the words that decide: places are counted in characters.
    hasty = folder / "answers" / "hasty.jsonl"
    text = hasty.read_text(encoding="utf-8")
    assert text.count("Acute kidney injury with") == 1
    hasty.write_text(text.replace("Acute kidney injury with", "🫁 Acute kidney injury with"))
    # Claims are marked where their support is judged; no entailment model comes along.
    name = "hallucination(against=retrieved,of=reasoning)"
    with pytest.MonkeyPatch.context() as patch:
        given = partial(ModelSetup, given={"nli": ToyJudge()})
        patch.setattr("medassay.study.config.study_toml.ModelSetup", given)
        return run_study(open_run(folder, metrics=[name]))[0]


@pytest.fixture(scope="module")
def address(found: Results, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_bytes(html(found))
    return file.as_uri()


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Page]:
    # axe is put into the page by the test, which the page's own security policy forbids.
    page = browser.new_context(**PAGE).new_page()
    page.goto(f"{address}#case-Q052")
    yield page
    page.context.close()


def of_answer(found: Results, system: str, case: str) -> tuple[str, list[MarkResult]]:
    answers = next(one for one in found.cases if one.case == case).answers
    answer = next(one for one in answers if one.system == system)
    return answer.reasoning or "", answer.marks


def hasty(page: Page) -> Locator:
    return page.locator("#case-Q052 dt.system:text-is('hasty') + dd")


def test_marks_stand_where_the_words_stand(found: Results) -> None:
    chain, marks = of_answer(found, "hasty", "Q052")
    said = {
        (mark.kind, mark.of): [chain[place.start : place.end] for place in mark.places]
        for mark in marks
    }
    assert said["danger", "ibuprofen-dose"] == ["ibuprofen 800 mg every 4 hours"]
    assert said["step", "symptoms"] == ["swelling"]
    assert said["step", "guideline"] == []
    assert said["document", "GL_011"] == ["Acute kidney injury"]
    assert said["document", ""] == []
    assert said["claim", "not found"] == [
        "🫁 Acute kidney injury with swelling.",
        "Give ibuprofen 800 mg every 4 hours for the discomfort.",
        "The answer is A.",
    ]
    first = [mark.places[0].start for mark in marks if mark.places]
    assert first == sorted(first)
    chain, marks = of_answer(found, "hasty", "Q005")
    [fault] = [mark for mark in marks if mark.kind == "fault"]
    words = [chain[place.start : place.end] for place in fault.places]
    assert words == ["Stroke is unlikely", "diagnosis is stroke"]


def test_the_page_marks_them_and_says_what_each_belongs_to(opened: Page) -> None:
    answer = hasty(opened)
    assert answer.locator("mark.danger").first.text_content() == "ibuprofen 800 mg every 4 hours"
    assert answer.locator("p.marked mark.step").text_content() == "swelling"
    key = answer.locator("dl.key")
    assert "more than 3200 mg of ibuprofen in a day" in key.inner_text()
    assert "for review, not a verdict" in key.inner_text()
    assert "missing: Guideline applied" in key.inner_text()


def test_a_screen_reader_hears_where_a_mark_begins_ends_and_why(opened: Page) -> None:
    heard = " ".join((hasty(opened).locator("p.marked").first.text_content() or "").split())
    begins, ends = heard.index("begins] ibuprofen 800 mg"), heard.index("every 4 hours [mark")
    assert begins < ends
    assert "ends: flag, not a verdict: more than 3200 mg of ibuprofen in a day" in heard[ends:]


def test_each_kind_of_mark_has_a_shape_of_its_own(opened: Page) -> None:
    # Told apart without colour: by the shape of a line, or a frame.
    looks = opened.evaluate(
        """() => Array.from(document.querySelectorAll("#case-Q052 dl.key dt mark"))
        .map((mark) => [mark.className, getComputedStyle(mark)])
        .map(([kind, own]) => [kind, own.textDecorationLine + own.textDecorationStyle
            + (own.boxShadow === "none" ? "" : "frame")])"""
    )
    shapes = dict(looks)
    assert {"step", "document", "danger", "claim"} <= set(shapes)
    assert len(set(shapes.values())) == len(shapes)


def test_a_phone_shows_them_without_scrolling_sideways(opened: Page) -> None:
    assert opened.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_an_opened_case_is_printed_and_a_closed_one_is_not(opened: Page) -> None:
    opened.emulate_media(media="print")
    assert hasty(opened).locator("mark.danger").first.is_visible()
    assert opened.locator("#case-Q052").is_visible()
    assert opened.locator("#case-Q005").is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_of_accessibility_is_broken(opened: Page, scheme: str) -> None:
    opened.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    broken = Axe().run(opened, context="#case-Q052").response["violations"]
    assert [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in broken] == []
