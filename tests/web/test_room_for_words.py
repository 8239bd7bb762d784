"""In every language and at every width a control has room for its words, and a place of its own."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.campaign.room.conftest import answer

from medassay.campaign.catalogues import shipped

from .conftest import Serving, enter, open_room
from .test_fresh_eyes import write_study

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.web, pytest.mark.browser]
RATER = "rater-1"
WEIGHED = {
    '{ label = "unsupported" }]': '{ label = "unsupported" }]\n'
    'severities = [{ label = "minor", score = 1 }, { label = "major", score = 5 }]',
    'unsupported = "unbelegt"': 'unsupported = "unbelegt", minor = "gering", major = "schwer"',
    'unsupported = "بلا دليل"': 'unsupported = "بلا دليل", minor = "بسيط", major = "خطير"',
}
"""Passages that weigh something: each kind with each weight is a button."""
CROWDED = """() => {
  const told = [], controls = [...document.querySelectorAll("button, summary")];
  const shown = controls.filter((control) => control.checkVisibility());
  for (const control of shown) {
    control.scrollIntoView({ block: "nearest" });
    const words = document.createRange();
    words.selectNodeContents(control);
    const [box, inside] = [control.getBoundingClientRect(), words.getBoundingClientRect()];
    const pane = control.closest(".going, .asking, body").getBoundingClientRect();
    const out = (small, large) => small.left < large.left - 1 || small.right > large.right + 1;
    if (out(inside, box)) told.push(`${control.innerText}: cut`);
    if (out(box, pane)) told.push(`${control.innerText}: out of its pane`);
    for (const other of shown) {
      if (control === other || control.parentElement !== other.parentElement) continue;
      const its = other.getBoundingClientRect();
      const beside = box.right < its.left + 1 || its.right < box.left + 1;
      if (!beside && box.bottom > its.top + 1 && its.bottom > box.top + 1)
        told.push(`${control.innerText}: lies upon ${other.innerText}`);
    }
  }
  const blocks = document.querySelector(".blocks");
  const phone = innerWidth < 720 && !document.querySelector(".tools.open");
  if (phone && blocks.scrollHeight > blocks.clientHeight + 1) told.push("a question must be scrolled");
  return told;
}"""  # noqa: E501 - JavaScript


@pytest.mark.parametrize("kinds", [2, 4])
def test_no_control_is_cut_or_lies_upon_another(
    kinds: int, tmp_path: Path, serving: Callable[..., Serving], browser: "Browser"
) -> None:
    crowded: list[tuple[str, int, list[str]]] = []
    folder = write_study(tmp_path / "study", 1)
    rubric = folder / "rubric.toml"
    text = rubric.read_text(encoding="utf-8")
    for words, weighed in WEIGHED.items() if kinds == 4 else ():
        text = text.replace(words, weighed)
    rubric.write_text(text, encoding="utf-8")
    with open_room(folder, tmp_path / "room.db", {}) as room:
        room.rating.consent(RATER, room.design.options.information.version)
        due = room.rating.next(RATER)
        assert due is not None
        answer(room, RATER, due)  # so that there is a way back
        page = browser.new_page()
        page.set_default_timeout(20_000)
        enter(page, serving(room).link(RATER))
        for language in sorted(shipped().texts):
            room.access.speak(RATER, language)
            page.reload()
            page.locator(".task .back").wait_for()
            for width in (390, 720, 768, 1000, 1100, 1300):
                page.set_viewport_size({"width": width, "height": 844})
                for _ in range(3 if width < 720 else 1):
                    crowded.append((language, width, page.evaluate(CROWDED)))
                    if width < 720:
                        page.locator(".steps button").last.click()
                if width < 1100:
                    page.locator(".more").click()
                    crowded.append((language, width, page.evaluate(CROWDED)))
                    page.locator(".more").click()
        page.close()
    assert [told for told in crowded if told[2]] == []
