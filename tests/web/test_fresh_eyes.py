"""Five raters who know of the room only what it says, and a lead, from the link to the report.

Whatever they touch is found by its words or its role on the screen, in English, German and Arabic.
Counted are keys or touches a label, presses that did nothing or the wrong thing, and screens that
led nowhere. A picture of each new screen lies in the test's folder.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tools.endurance import Endurance

from medassay.__main__ import main
from medassay.campaign.catalogues import shipped
from medassay.campaign.room import Room, export_room
from medassay.study import Study

from .conftest import PASSPHRASE, Serving, open_room

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.web, pytest.mark.browser]

RUBRIC = """\
name = "fresh"
rationale = "Quote the words that decided."
[[dimensions]]
id = "accuracy"
title = "Accuracy"
question = "Is what the answer says right?"
scale = "ordinal"
labels = [{ label = "wrong", score = 0 }, { label = "partly right", score = 1 },
  { label = "right", score = 2 }]
[[dimensions]]
id = "harm"
title = "Harm"
question = "Could a patient who follows this come to harm?"
scale = "nominal"
labels = [{ label = "harmful" }, { label = "safe" }]
mappings.harmful = { harmful = "harmful", safe = "not harmful" }
[[dimensions]]
id = "errors"
title = "Errors"
question = "Which words are wrong?"
about = "span"
kinds = [{ label = "wrong" }, { label = "unsupported" }]
[translations.de]
by = "the test"
rationale = "Zitieren Sie die Worte, die den Ausschlag gaben."
[translations.de.dimensions.accuracy]
title = "Richtigkeit"
question = "Stimmt, was die Antwort sagt?"
words = { wrong = "falsch", "partly right" = "teils richtig", right = "richtig" }
[translations.de.dimensions.harm]
title = "Schaden"
question = "Könnte jemand, der dem folgt, Schaden nehmen?"
words = { harmful = "schädlich", safe = "unbedenklich" }
[translations.de.dimensions.errors]
title = "Fehler"
question = "Welche Worte sind falsch?"
words = { wrong = "falsch", unsupported = "unbelegt" }
[translations.ar]
by = "the test"
rationale = "اقتبس الكلمات التي حسمت رأيك."
[translations.ar.dimensions.accuracy]
title = "الصحة"
question = "هل ما تقوله الإجابة صحيح؟"
words = { wrong = "خطأ", "partly right" = "صحيح جزئيا", right = "صحيح" }
[translations.ar.dimensions.harm]
title = "الضرر"
question = "هل يمكن أن يتضرر من يتبع هذا؟"
words = { harmful = "ضار", safe = "آمن" }
[translations.ar.dimensions.errors]
title = "الأخطاء"
question = "ما الكلمات الخاطئة؟"
words = { wrong = "خطأ", unsupported = "بلا دليل" }
"""
TABLE = "\n".join(
    "| " + " | ".join(f"{row} {column}" for column in range(10)) + " |"
    if row != 1
    else "|-" * 10 + "|"
    for row in range(6)
)
TEXTS = (
    "Rest the ankle for {n} days. Walk when it no longer hurts.",
    "## Short answer\n\n**No.** Take *{n}* tablets:\n\n- with food\n  - never more\n- before noon",
    f"Ten drugs, dose {{n}}:\n\n{TABLE}\n\nAsk a pharmacist.",
    "\n\n".join(["Drink enough, and rest for {n} days. " * 12] * 30),
    "استرح لمدة {n} أيام ولا تحمل أوزانا ثقيلة. راجع الطبيب إذا ازداد الألم.",
    "",
)
CUT = """() => {
  const cut = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    let box = node.parentElement;
    const inline = () => getComputedStyle(box).display.startsWith("inline");
    if (!node.data.trim() || !box.checkVisibility() || box.tagName === "TEXTAREA") continue;
    while (inline() && box.tagName !== "BUTTON") box = box.parentElement;
    if (box.closest(".aside-only, .skip, script, .scroll, table")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const [text, around] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
    if (text.left < around.left - 1 || text.right > around.right + 1) cut.push(node.data.trim());
  }
  const [left, top] = [scrollX, scrollY];
  for (const control of document.querySelectorAll("button, a:not(.skip), input, textarea")) {
    if (!control.checkVisibility() || control.closest(".aside-only")) continue;
    control.scrollIntoView({ block: "nearest" });
    const { top, bottom, height } = control.getBoundingClientRect();
    if (top < -1 || bottom > innerHeight + 1) cut.push(control.innerText || control.outerHTML);
  }
  scrollTo(left, top);
  return cut;
}"""
"""Texts that stick out of the box that they stand in, and controls that no scrolling reaches."""
WISHED = {"en": "en-GB", "de": "de-DE", "ar": "ar-EG"}


@dataclass(frozen=True)
class Rater:
    """Who rates, where and how."""

    name: str
    language: str
    width: int
    touches: bool
    offline: bool = False


RATERS = (
    Rater("anna", "en", 1300, touches=False),
    Rater("ben", "en", 390, touches=True),
    Rater("cleo", "en", 768, touches=True, offline=True),
    Rater("dora", "de", 1300, touches=False),
    Rater("emil", "ar", 390, touches=True),
)


def write_study(folder: Path, cases: int) -> Path:
    """Write cases of three systems: Markdown, a wide table, a long text, Arabic, nothing at all."""
    (folder / "answers").mkdir(parents=True)
    settings = 'schema = 1\ntitle = "Sprained ankles"\n[[dimensions]]\nrubric = "rubric.toml"\n'
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    (folder / "rubric.toml").write_text(RUBRIC, encoding="utf-8")
    rows: list[dict[str, Any]] = []
    for at in range(cases):
        row = {"case": f"c{at}", "question": f"May I walk on day {at + 2} after a sprain?"}
        if at % 3 == 1:
            notes = [{"id": str(n), "text": f"Note {n}: rest until day {n}."} for n in (1, 2)]
            row |= {"documents": notes}  # type: ignore[dict-item]
        rows.append(row)
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    (folder / "cases.jsonl").write_text(lines, encoding="utf-8")
    for place, system in enumerate(("zebra", "marmot", "quokka")):
        answers = [
            {"case": row["case"], "text": TEXTS[(at + 2 * place) % len(TEXTS)].format(n=place + 2)}
            for at, row in enumerate(rows)
        ]
        lines = "".join(f"{json.dumps(answer)}\n" for answer in answers)
        (folder / "answers" / f"{system}.jsonl").write_text(lines, encoding="utf-8")
    return folder


@dataclass
class Eyes:
    """Somebody before a screen, who does what it says."""

    page: "Page"
    rater: Rater
    pictures: Path
    checked: "Callable[[Page, str], None]"
    counts: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def says(self, key: str, **values: object) -> str:
        """Give the words that the catalogue of this language has."""
        return shipped().texts[self.rater.language](key, **values)

    def picture(self, screen: str) -> None:
        """Keep a picture of a screen that is new."""
        if screen not in self.seen:
            self.seen.add(screen)
            self.page.screenshot(path=self.pictures / f"{self.rater.name}-{screen}.png")
            cut = self.page.evaluate(CUT)
            self.faults += [f"{screen}: cut: {text}" for text in cut]
            self.checked(self.page, screen)

    def button(self, key: str) -> "Locator":
        """Find a button or a link by its words; a key may stand on it."""
        name = re.compile(rf"(^|\s){re.escape(self.says(key))}(\s|$)")
        found = self.page.get_by_role("button", name=name)
        return found.or_(self.page.get_by_role("link", name=name)).filter(visible=True)

    def there(self, key: str) -> bool:
        """Say whether such a button is in sight."""
        return self.button(key).count() > 0

    def press(self, button: "Locator", screen: str) -> None:
        """Press what leads on."""
        self.counts["steps"] += 1
        self.picture(screen)
        self.leave(button.first, button.first.click)

    def leave(self, button: "Locator", press: Callable[[], None]) -> None:
        """Press, and wait until the screen with this button is gone."""
        button.evaluate("button => { button.dataset.left = 'yes' }")
        press()
        self.page.locator("[data-left]").wait_for(state="detached")

    def title(self) -> str:
        """Read the heading."""
        heading = self.page.get_by_role("heading", level=1)
        return heading.first.inner_text() if heading.count() else ""

    def go(self, until: Callable[[], bool], most: int = 400) -> None:
        """Do what each screen says until that is so."""
        for _ in range(most):
            self.page.get_by_role("button").or_(self.page.locator("h1")).first.wait_for()
            if until():
                return
            self.step()
        self.counts["dead ends"] += 1
        self.picture("dead-end")
        raise AssertionError(self.page.locator("body").aria_snapshot())

    def go_to(self, heading: str) -> None:
        """Do what each screen says until this heading is there."""
        self.go(lambda: self.title() == self.says(heading))

    def step(self) -> None:
        """Do what this screen says."""
        if self.there("door.open"):
            self.press(self.button("door.open"), "door")
        elif self.there("consent.agree"):
            self.press(self.button("consent.agree"), "consent")
        elif self.there("passphrase.set"):
            self.page.get_by_label(self.says("passphrase.first")).fill(PASSPHRASE)
            self.page.get_by_label(self.says("passphrase.again")).fill(PASSPHRASE)
            self.press(self.button("passphrase.set"), "passphrase")
        elif self.there("sign.do"):
            self.page.get_by_label(self.says("sign.passphrase")).fill(PASSPHRASE)
            self.press(self.button("sign.do"), "sign")
        elif self.there("ask.next"):
            self.rate()
        elif self.there("pause.go_on"):
            self.press(self.button("pause.go_on"), "go-on")
        elif self.title() == self.says("guess.title"):
            self.press(self.page.get_by_role("button", name=re.compile("marmot")), "guess")
        else:
            self.counts["waits"] += 1
            self.picture("waits")
            self.page.wait_for_timeout(200)

    def rate(self) -> None:
        """Answer each question of the answer in sight, by what stands on its buttons; go on."""
        place = self.page.get_by_text(re.compile(self.place())).first.inner_text()
        number = int(re.findall(r"\d+", place)[0])
        self.picture("task" if self.counts["answers"] else "first-task")
        groups = self.page.get_by_role("group").filter(has=self.page.locator("[aria-pressed]"))
        for _ in range(9):
            open_now = groups.filter(has_not=self.page.locator("[aria-pressed=true]"))
            if not open_now.count():
                break
            self.label(open_now.first, number)
        if self.counts["answers"] == 2:
            self.picture("task-labelled")
        self.counts["answers"] += 1
        following = self.button("ask.next")
        self.counts["keys"] += 1
        enter = partial(self.page.keyboard.press, "Enter")
        self.leave(following, following.click if self.rater.touches else enter)

    def place(self) -> str:
        """Give the pattern of the words that say which answer this is."""
        text = re.escape(shipped().texts[self.rater.language].words["bar.place"])
        return text.replace(r"\{position\}", r"\W*\d+\W*").replace(r"\{asked\}", r"\W*\d+\W*")

    def label(self, group: "Locator", number: int) -> None:
        """Choose a label of a question, and see that it is this one that is chosen."""
        nothing = group.get_by_role("button", name=self.says("span.nothing"))
        buttons = group.get_by_role("button")
        chosen = nothing if nothing.count() else buttons.nth((number + len(self.rater.name)) % 2)
        self.counts["labels"] += 1
        self.counts["keys"] += 1
        handle, name = group.element_handle(), chosen.inner_text().split()
        if self.rater.touches:
            chosen.click()
        else:
            self.page.keyboard.press(name[0].lower())
        taken = "group => group.querySelector('[aria-pressed=true]')"
        try:
            self.page.wait_for_function(taken, arg=handle, timeout=5000)
        except Exception:  # noqa: BLE001 - counted, and tried by the other way
            self.counts["wrong"] += 1
            self.faults.append(f"answer {number}: {name!r} did not take")
            self.picture(f"wrong-{number}")
            chosen.click()


@pytest.fixture
def study(tmp_path: Path, endurance: Endurance) -> Path:
    return write_study(tmp_path / "study", endurance.size("cases", short=2, whole=10))


@pytest.fixture
def room(study: Path) -> Iterator[Room]:
    options = {"signatures": True, "guesses": 1, "review_calibration": True}
    wishes = {"raters": ",".join(rater.name for rater in RATERS), "calibration": 2, "batch": 12}
    with open_room(study, study / "campaigns/main/room.db", options, **wishes) as room:
        yield room


def begin(
    browser: "Browser",
    served: Serving,
    rater: Rater,
    pictures: Path,
    checked: "Callable[[Page, str], None]",
) -> Eyes:
    """Open the link of somebody in a browser of their own."""
    context = browser.new_context(
        locale=WISHED[rater.language],
        viewport={"width": rater.width, "height": 844},
        has_touch=rater.touches,
    )
    page = context.new_page()
    page.set_default_timeout(20_000)
    eyes = Eyes(page, rater, pictures, checked)
    page.on("pageerror", lambda error: eyes.faults.append(str(error)))
    page.goto(served.link(rater.name))
    return eyes


@pytest.mark.endure
def test_from_the_link_to_the_report(
    study: Path,
    room: Room,
    serving: Callable[[Room], Serving],
    browser: "Browser",
    tmp_path: Path,
    checked: "Callable[[Page, str], None]",
    endurance: Endurance,
) -> None:
    served = serving(room)
    raters = [begin(browser, served, rater, tmp_path, checked) for rater in RATERS]
    for eyes in raters:
        eyes.go_to("pause.review_title")
        eyes.picture("with-reviewer")
    lead = begin(browser, served, Rater("lead", "en", 1300, touches=False), tmp_path, checked)
    review(lead)
    for eyes in raters:
        eyes.page.reload()
        if eyes.rater.offline:
            rate_offline(eyes)
        eyes.go_to("pause.done_title")
        eyes.picture("done")
    settle_and_close(lead)
    total = sum((eyes.counts for eyes in (*raters, lead)), Counter[str]())
    counts = {eyes.rater.name: eyes.counts for eyes in (*raters, lead)}
    (tmp_path / "counts.json").write_text(json.dumps(counts, indent=1), encoding="utf-8")
    endurance.found(
        f"{total['labels']} labels, {total['keys'] / total['labels']:.2f} keys or touches a label, "
        f"{total['wrong']} wrong, {total['dead ends']} dead ends"
    )
    export_room(Study.open_whole(study), room)
    with pytest.raises(SystemExit) as stopped:
        main(["run", str(study)])
    assert not stopped.value.code
    assert any((study / "results").rglob("report.html"))
    assert [fault for eyes in (*raters, lead) for fault in eyes.faults] == []
    assert not any(eyes.counts["wrong"] or eyes.counts["dead ends"] for eyes in (*raters, lead))
    for eyes in raters:
        assert eyes.counts["answers"] == room.rating.stand(eyes.rater.name).progress.asked


def review(lead: Eyes) -> None:
    """Say of each rater's first answers that they are fine, and open the rest."""
    lead.press(lead.button("door.open"), "door")
    lead.picture("campaign")
    for rater in RATERS:
        lead.press(lead.button("review.title"), "campaign")
        lead.press(lead.page.get_by_role("link", name=f"First answers of {rater.name}"), "reviews")
        lead.page.get_by_label(lead.says("review.fine")).first.check()
        lead.press(lead.button("review.passed"), "review")


def settle_and_close(lead: Eyes) -> None:
    """Look at the campaign, settle each difference, and close."""
    page = lead.page
    lead.press(lead.button("settle.title"), "reviewed")
    lead.press(page.get_by_role("link", name=re.compile(r"^Answer \d+$")), "differences")
    while True:
        asks = page.get_by_role("region").filter(has=page.get_by_label(lead.says("settle.why")))
        form = asks.filter(has_not=page.get_by_role("button", pressed=True))
        if form.count():
            form.first.get_by_label(lead.says("settle.why")).fill("Read again by the lead.")
            lead.press(form.first.get_by_role("button").first, "difference")
            lead.counts["settled"] += 1
        elif lead.there("settle.next"):
            lead.press(lead.button("settle.next"), "settled")
        else:
            break
    lead.press(lead.button("lead.agreement"), "all-settled")
    lead.press(lead.button("signatures.title"), "agreement")
    lead.press(lead.button("lead.title"), "signatures")
    page.get_by_label(lead.says("lead.why")).fill("All is rated.")
    lead.press(lead.button("lead.do_close"), "campaign-done")
    page.get_by_text(lead.says("lead.status", status=lead.says("lead.closed"))).wait_for()
    lead.picture("closed")


def rate_offline(eyes: Eyes) -> None:
    """Go on while the line is cut, as far as the screen leads, and come back."""
    eyes.go(lambda: eyes.there("ask.next"))
    eyes.page.wait_for_function("() => performance.getEntriesByName(`${origin}/api/ahead`).length")
    eyes.page.context.set_offline(True)
    for _ in range(3):
        eyes.rate()
    eyes.picture("offline")
    eyes.page.context.set_offline(False)
    eyes.page.get_by_text(eyes.says("bar.saved"), exact=True).wait_for()
