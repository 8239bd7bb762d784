"""The room in every language: no word of another one, and mirrored where one reads leftward."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.campaign.room.conftest import answer

from medassay.campaign.catalogues import Catalogues, Texts, shipped
from medassay.campaign.room import DemoRoom, Guess, Reviewed, Room, open_demo

from .conftest import Serving, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.web
ROOT = Path(__file__).parents[2] / "src/medassay/web"
LANGUAGES = sorted(shipped().texts)
OTHERS = [language for language in LANGUAGES if language != "en"]
RATER = "rater-1"
# Each text of this language says that it is one; the page runs from right to left.
MARKED = Texts(
    "qps",
    {key: text if key in {"direction", "name"} else f"⟦{text}⟧"
     for key, text in shipped().texts["ar"].words.items()},
)  # fmt: skip
# Words in sight outside of what is marked as a text of the study's, or as a key.
STRAY = """() => {
  const letters = /\\p{L}{2,}/u;
  const bare = (text) => text.replace(/[\\u2068\\u2069]/g, "").replace(/⟦[^⟦⟧]*⟧/g, "");
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.parentElement;
    if (at.closest("[dir=auto], bdi, [lang]:not(html), kbd, script, noscript")) continue;
    if (!at.checkVisibility()) continue;
    if (letters.test(bare(walker.currentNode.data))) found.add(walker.currentNode.data.trim());
  }
  for (const one of document.querySelectorAll("[placeholder]"))
    if (letters.test(bare(one.placeholder))) found.add(one.placeholder);
  return [...found];
}"""


MIDDLES = """() => Object.fromEntries([".question", ".asking", ".saved", ".next"].map((name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  return [name, (box.left + box.right) / 2];
}))"""


def read_all(visitor: Visitor, room: Room, name: str) -> Iterator[tuple[str, str]]:
    """Give every page that somebody of this role can read, by its address."""
    lead = ["/lead", "/lead/agreement", "/lead/signatures"]
    review = ["/review", f"/review/{RATER}", "/settle"]
    pages = {"rater": ["/rate"], "lead": lead + review, "reviewer": review}
    role = next(one.role for one in room.access.people() if one.name == name)
    elsewhere = "/lead" if role == "rater" else "/rate"
    for path in ("/in", elsewhere, *pages[role]):
        yield path, visitor.get(path).text


@pytest.mark.parametrize("language", OTHERS)
def test_no_page_says_in_english_what_its_language_has_words_for(
    language: str, room: Room, visitor: Callable[..., Visitor]
) -> None:
    english, theirs = (shipped().texts[name].words for name in ("en", language))
    known = set(theirs.values())
    sentences = {
        text for text in english.values() if text not in known and re.search(r"\w{3,} \w", text)
    }
    for name in (RATER, "lead", "reviewer"):
        asks = visitor(name)
        asks.post("/language", {"language": language})
        for path, page in read_all(asks, room, name):
            direction = theirs["direction"]
            assert f'<html lang="{language}" dir="{direction}">' in page, (name, path)
            shown = re.sub(
                r'<script type="application/json".*?</script>', "", page, flags=re.DOTALL
            )
            assert [text for text in sentences if text in shown] == [], (name, path)
        asks.post("/language", {"language": "en"})


def tour(page: "Page", room: Room, served: Serving) -> Iterator[str]:
    """Go through every screen of a rater's, whatever its language, and name each."""
    page.goto(served.link(RATER))
    page.locator("#come-in button").wait_for()
    yield "door"
    page.locator("#come-in button").click()
    page.locator(".sheet button.main").wait_for()
    yield "consent"
    page.locator(".sheet button.main").click()
    page.locator(".task").wait_for()
    yield "task"
    for key in ("k", "?", "x"):
        page.keyboard.press(key)
        page.locator("dialog[open]").wait_for()
        yield f"dialog {key}"
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
    page.locator(".menu summary").click()
    yield "menu"
    page.locator(".menu .items button").nth(1).click()
    page.locator("dialog[open]").wait_for()
    yield "information"
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    page.locator(".call:visible").wait_for()
    yield "dangerous"
    code = page.evaluate("async () => (await (await fetch('/api/now')).json()).code")
    begun = room.rating.task(RATER, code)
    assert begun is not None
    answer(room, RATER, begun)
    yield from standings(page, room)


def standings(page: "Page", room: Room) -> Iterator[str]:
    """Go through the screens between answers, and those at the end."""
    met = set[str]()
    while True:
        stand = room.rating.stand(RATER)
        name = stand.standing
        if name not in met:
            met.add(name)
            page.reload()
            page.locator(f"main[data-standing={name}] > *").wait_for()
            yield name
        if name == "task":
            due = room.rating.next(RATER)
            assert due is not None
            answer(room, RATER, due)
        elif name == "break":
            assert stand.pause is not None
            room.rating.take_break(RATER, stand.pause.after)
        elif name == "review":
            room.lead.review(
                "reviewer", Reviewed(RATER, "passed", note="Please look at the second.")
            )
        elif name == "reviewed":
            room.rating.read_review(RATER, stand.review)
        elif name == "guess":
            for due in room.rating.guesses_due(RATER):
                guess = Guess(f"guess-{due.code}", due.code, room.design.systems[0])
                room.rating.guess(RATER, guess)
        else:
            assert name == "done"
            return


@pytest.mark.browser
@pytest.mark.parametrize("rate", ["parts", "pairs"])
def test_every_word_in_sight_is_of_the_catalogue_or_of_the_study(
    rate: DemoRoom, tmp_path: Path, serving: Callable[..., Serving], browser: "Browser"
) -> None:
    """Shown in a language whose texts are all marked: what has no mark was never translated."""
    with open_demo(tmp_path / rate, rate) as room:
        served = serving(room, Catalogues([shipped().texts["en"], MARKED]))
        page = browser.new_page(locale="qps")
        page.context.add_cookies([{"name": "language", "value": "qps", "url": served.address}])
        met = [(screen, page.evaluate(STRAY)) for screen in tour(page, room, served)]
        page.close()
    assert {"task", "break", "review", "reviewed", "guess", "done"} <= {name for name, _ in met}
    assert [(screen, words) for screen, words in met if words] == []


@pytest.mark.browser
@pytest.mark.parametrize("wide", [1300, 390])
def test_arabic_is_a_mirror_of_english(
    wide: int,
    tmp_path: Path,
    serving: Callable[..., Serving],
    browser: "Browser",
    checked: "Callable[[Page, str], None]",
) -> None:
    """What stands at the start of a line stands at the right, and nothing hangs out of the page."""
    places: dict[str, dict[str, float]] = {}
    for language in ("en", "ar"):
        with open_demo(tmp_path / language, "parts") as room:
            served = serving(room)
            page = browser.new_page(locale=language, viewport={"width": wide, "height": 900})
            for screen in tour(page, room, served):
                checked(page, screen)
                if screen == "task":
                    at = page.evaluate(MIDDLES)
                    places[language] = at
            page.close()
    for name, middle in places["en"].items():
        other = places["ar"][name]
        assert (middle < wide / 2) == (other > wide / 2) or abs(middle - other) < wide / 20, name


@pytest.mark.parametrize("sheet", ["room.css", "view.css"])
def test_styles_know_no_left_and_no_right(sheet: str) -> None:
    css = (ROOT / "static" / sheet).read_text(encoding="utf-8")
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    # Sides are named in one place: a shade has none of the line's own.
    sides = r"(?!--)(?:(?:(?:margin|padding|border)-)?(?:left|right) *:|[a-z-]+ *: *(?:left|right))"
    lines = re.findall(rf"(?<=[;{{ ]){sides}(?![\w-])[^;{{}}]*(?=[;}}])", css)
    assert lines == []


def test_a_raters_language_goes_with_them(room: Room, visitor: Callable[..., Visitor]) -> None:
    first, second = visitor("rater-2"), visitor("rater-2")
    assert first.post("/language", {"language": "pt"}).status_code == 303
    assert 'lang="pt"' in second.get("/rate").text
    assert 'lang="pt"' not in visitor(RATER).get("/rate").text
    assert first.post("/language", {"language": "tlh"}).status_code == 422
    first.post("/language", {"language": "en"})
    assert [one.language for one in room.access.people() if one.name == "rater-2"] == ["en"]
