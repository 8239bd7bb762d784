"""Answers as their Markdown means them, in the room and on every page that shows them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from tests.campaign.conftest import write_study

from medassay.campaign.room import Given, Room, Said
from medassay.judgements import NO_SPAN
from medassay.tables import csv_bytes
from medassay.text import markdown_tree, packed
from medassay.web.laid_out import MarkedStretch, laid_out, pieces_as_markdown
from medassay.web.viewer import Key, Viewed, view_app

from .conftest import Listening, Serving, Visitor, enter, open_room

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.web
RATER = "rater-1"
SPANS = """\
name = "parts"
[[dimensions]]
id = "safe"
question = "Is it safe?"
scale = "ordinal"
labels = [{ label = "safe" }, { label = "harmful" }]
[[dimensions]]
id = "errors"
title = "Errors"
question = "Which words are wrong?"
about = "span"
kinds = [{ label = "minor" }, { label = "major" }]
"""
ANSWER = """\
## Short answer

**No.** See [NHS](https://tracker.example/a "health") and [1].

- rest
  - two days
- `ice`

| drug | dose |
|:-----|-----:|
| ibuprofen | 400 mg |

<script>document.title = "taken"</script> <b onclick="x">x</b> ![p](https://tracker.example/p.png)
[press](javascript:alert(1))

[1]: https://tracker.example/one
"""
WIDE = (
    "|" + "".join(f" drug {at} |" for at in range(10)) + "\n|" + "-|" * 10 + "\n"
    + ("|" + "".join(f" {at} mg with food |" for at in range(10)) + "\n") * 6
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_study(tmp_path / "study")
    (folder / "rubric.toml").write_text(SPANS, encoding="utf-8")
    settings = 'schema = 1\ntitle = "Ankles"\n[[dimensions]]\nrubric = "rubric.toml"\n'
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    for file in (folder / "answers").iterdir():
        rows = [[f"0{at}", ANSWER if at % 2 else WIDE] for at in range(1, 5)]
        file.write_bytes(csv_bytes(["case", "text"], rows))
    return folder


@pytest.fixture
def calibration() -> int:
    return 0


@pytest.fixture
def room(folder: Path, tmp_path: Path, calibration: int) -> Iterator[Room]:
    wishes = {"calibration": calibration, "batch": 12}
    with open_room(folder, tmp_path / "room.db", {"guesses": 0}, **wishes) as room:
        for rater in room.design.settings.raters:
            room.rating.consent(rater, room.design.options.information.version)
        yield room


def rate(room: Room, rater: str, label: str = "safe") -> None:
    """Rate the next answer, with no passage marked."""
    task = room.rating.next(rater)
    assert task is not None
    for dimension, said in (("safe", label), ("errors", NO_SPAN)):
        name = f"{rater}-{task.code}-{dimension}"
        room.rating.say(rater, Said(name, task.code, dimension=dimension, label=said))


def rate_all(room: Room, count: int) -> None:
    for rater in room.design.settings.raters:
        for _ in range(count):
            rate(room, rater, "safe" if rater == RATER else "harmful")


@pytest.mark.parametrize("render", ["markdown", "plain"])
def test_what_a_script_is_given_follows_the_frozen_design(
    folder: Path, tmp_path: Path, render: str
) -> None:
    with open_room(folder, tmp_path / "room.db", {"render": render}) as room:
        assert room.design.render == render
        visitor = Visitor(room, RATER)
        room.rating.consent(RATER, room.design.options.information.version)
        answer = visitor.get("/api/now").json()["task"]["shown"]["answer"]
        layouts = [statement.get("layout") for statement in answer["statements"]]
        texts = [statement["text"] for statement in answer["statements"]]
        laid = [json.loads(json.dumps(packed(markdown_tree(text)))) for text in texts]
        assert layouts == (laid if render == "markdown" else [None])


def test_what_people_say_is_not_laid_out() -> None:
    person: dict[str, Any] = {"role": "user", "text": "*I*"}
    system: dict[str, Any] = {"role": "system", "text": "*you*"}
    answer = {"statements": [], "turns": [person, system], "reasoning": "", "text": ""}
    laid_out({"shown": {"answer": answer, "answer_b": None, "turns": []}}, "markdown")
    assert "layout" not in person
    assert system["layout"] == [["p", ["em", [1, 4]]]]


def test_findings_of_the_viewer_keep_their_marks_and_numbers() -> None:
    text = "Take **5 mg** &amp; *go*"
    cuts = [(0, 5, ()), (5, 13, (1,)), (13, 14, ()), (14, 19, (2,)), (19, 24, ())]
    pieces = [
        MarkedStretch(text[start:end], marks, "danger" * bool(marks)) for start, end, marks in cuts
    ]
    assert pieces_as_markdown(pieces, "Table") == (
        '<p>Take <strong><mark class="danger">5 mg<sup>1</sup></mark></strong> '
        '<mark class="danger">&amp;<sup>2</sup></mark> <em>go</em></p>'
    )


@pytest.mark.parametrize(("calibration", "path"), [(4, "/review/rater-1"), (0, "/settle/1")])
def test_pages_without_a_script_pass_no_html_of_an_answer(
    room: Room, path: str, calibration: int
) -> None:
    rate_all(room, calibration or 12)
    page = Visitor(room, "lead").get(path).text
    assert "<strong>No.</strong>" in page or "<th>drug 0</th>" in page
    assert '<div class="laid"' in page
    for sign in ("<script>document", "<b onclick", 'href="https://tr', "<img", 'href="java'):
        assert sign not in page


# --- in a browser


@pytest.fixture
def served(room: Room, serving: Callable[[Room], Serving]) -> Serving:
    return serving(room)


def come_in(page: "Page", served: Serving, name: str, ready: str) -> None:
    enter(page, served.link(name))
    page.locator(ready).first.wait_for()


def watched(page: "Page", address: str) -> list[str]:
    """Keep what a page asks of others, and what goes wrong in it."""
    wrong: list[str] = []
    here = (address, "data:")
    page.on("request", lambda sent: None if sent.url.startswith(here) else wrong.append(sent.url))
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    return wrong


def to_the_answer(room: Room, page: "Page", words: str) -> str:
    """Go on to an answer with these words; give its text."""
    for _ in range(12):
        task = room.rating.next(RATER)
        assert task is not None
        assert task.shown.answer is not None
        if words in task.shown.answer.text:
            page.reload()
            page.locator(".answer .laid").first.wait_for()
            return task.shown.answer.text
        rate(room, RATER)
    raise AssertionError(words)


SELECT = """([from, to]) => {
  const walk = document.createTreeWalker(document.querySelector(".answer"), NodeFilter.SHOW_TEXT);
  const find = (words) => {
    walk.currentNode = walk.root;
    while (walk.nextNode()) {
      const at = walk.currentNode.data.indexOf(words);
      if (at >= 0) return [walk.currentNode, at];
    }
    throw new Error(words);
  };
  const [start, at] = find(from);
  const [end, until] = find(to);
  getSelection().setBaseAndExtent(start, at, end, until + to.length);
}"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("first", "last"),
    [("No.", "No."), ("NHS", "NHS"), ("two", "days"), ("ice", "ice"), ("400", "mg"),
     ("rest", "ibuprofen"), ("dose", "400")],
)  # fmt: skip
def test_a_mark_in_a_list_a_link_or_a_cell_is_the_same_as_in_the_raw_text(
    room: Room, served: Serving, browser: "Browser", first: str, last: str
) -> None:
    page = browser.new_page(locale="en-GB")
    come_in(page, served, RATER, ".task")
    text = to_the_answer(room, page, "Short answer")
    task = room.rating.next(RATER)
    assert task is not None
    assert page.locator(".answer td.right").inner_text() == "400 mg"
    page.keyboard.press("1")
    page.locator(".spans .current").wait_for()
    page.evaluate(SELECT, [first, last])
    page.keyboard.press("1")
    page.locator(".marks li").wait_for()
    page.keyboard.press("r")
    page.locator(".answer .as-written").wait_for()
    assert page.locator(".answer .as-written").inner_text().strip() == text.strip()
    page.evaluate(SELECT, [first, last])
    page.keyboard.press("2")
    start, end = text.index(first), text.index(last, text.index(first)) + len(last)
    mark = ("errors", f"span:{start}-{end}")
    given: dict[tuple[str, str], Given] = {}
    for _ in range(100):
        held = room.rating.task(RATER, task.code)
        assert held is not None
        given = held.given
        if given.get(mark, Given()).label == "major":
            break
        page.wait_for_timeout(50)
    assert [key for key in given if key[0] == "errors"] == [mark]
    assert given[mark].label == "major"
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1300, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("calibration", [4])
def test_nothing_of_an_answer_runs_and_pages_keep_nobody_out(
    room: Room,
    served: Serving,
    browser: "Browser",
    checked: "Callable[[Page, str], None]",
    calibration: int,
    width: int,
    scheme: Literal["light", "dark"],
) -> None:
    view: Any = {"width": width, "height": 844}
    context = browser.new_context(viewport=view, color_scheme=scheme, locale="en-GB")
    page = context.new_page()
    wrong = watched(page, served.address)
    come_in(page, served, RATER, ".task")
    page.locator(".answer .laid-table").wait_for()
    checked(page, "rendered")
    page.keyboard.press("r")
    page.locator(".answer .as-written").wait_for()
    checked(page, "as written")
    rate_all(room, calibration)
    context.clear_cookies()
    come_in(page, served, "lead", "h1")
    page.goto(f"{served.address}/review/rater-1")
    page.locator(".laid .laid-table").first.wait_for()
    checked(page, "review")
    page.locator("button.written").press("Enter")
    page.locator("details.raw[open]").first.wait_for()
    checked(page, "review as written")
    assert wrong == []
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1300, 390])
def test_who_settles_reads_answers_laid_out(
    room: Room,
    served: Serving,
    browser: "Browser",
    checked: "Callable[[Page, str], None]",
    width: int,
) -> None:
    rate_all(room, 12)
    page = browser.new_page(viewport={"width": width, "height": 844}, locale="en-GB")
    wrong = watched(page, served.address)
    come_in(page, served, "lead", "h1")
    for item in (1, 2):
        page.goto(f"{served.address}/settle/{item}")
        page.locator(".laid .laid-table").first.wait_for()
        checked(page, "settle")
    assert wrong == []
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1300, 390])
def test_the_viewer_lays_answers_out(
    folder: Path, browser: "Browser", checked: "Callable[[Page, str], None]", width: int
) -> None:
    key = Key()
    listening = Listening(view_app(Viewed.open(folder), key))
    page = browser.new_page(viewport={"width": width, "height": 844})
    wrong = watched(page, listening.address)
    page.goto(key.address(listening.address))
    for case in ("01", "02"):
        page.goto(f"{listening.address}/case?case={case}")
        assert page.locator(".card .laid-table").count() == 3
        checked(page, case)
        page.get_by_role("button", name="As written").click()
        page.locator("details.raw[open]").first.wait_for()
        checked(page, f"{case} as written")
    assert wrong == []
    page.close()
    listening.close()
