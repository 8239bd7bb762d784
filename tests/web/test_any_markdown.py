"""Any Markdown, any selection: a mark gives back its place in the raw text.

Each letter stands once in a text, so it says itself where it is.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.campaign.conftest import write_study

from medassay.campaign.catalogues import shipped
from medassay.campaign.room import Room
from medassay.text import markdown_tree, packed

from .conftest import Serving, enter, open_room

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.web, pytest.mark.browser]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with open_room(write_study(tmp_path / "study"), tmp_path / "room.db", {}) as room:
        yield room


MARKUP = [
    "# ", "- ", "1. ", "> ", "    ", "**", "*", "_", "`", "```\n", "~~", "| ", " |", "|-|-|\n",
    "[", "](", ")", "![", "]: ", "<", ">", "<br>", "&amp;", "&", "\\", "\n", "\n\n", "  \n", " ",
    "---\n", "===\n", "<http://", "<!-- ",
]  # fmt: skip


def any_markdown(draw: Random) -> str:
    letters = iter(draw.sample([*range(0x4E00, 0x4F00), *range(0x20000, 0x20040)], 200))
    pieces = [
        draw.choice(MARKUP) if draw.random() < 0.5 else "".join(chr(next(letters)) for _ in "abc")
        for _ in range(draw.randrange(1, 50))
    ]
    return "".join(pieces)


TRY = """async ([docs, words]) => {
  const { speak } = await import("/static/dom.js");
  const { answerOf } = await import("/static/answer.js");
  speak(words);
  return docs.map(({ text, layout, picks }) => {
    const statements = [{ place: 1, text, layout, citations: [] }];
    const answer = answerOf({ answer: { text, statements, turns: [], choice: "", reasoning: "" } });
    document.body.append(answer.element);
    const letters = [];
    const read = (root, filter = () => true) => {
      const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found = [];
      while (walk.nextNode()) {
        let at = 0;
        for (const sign of walk.currentNode.data) {
          const letter = sign.codePointAt(0) >= 0x4e00;
          if (letter && filter(walk.currentNode)) found.push([walk.currentNode, at, sign]);
          at += sign.length;
        }
      }
      return found;
    };
    const answers = [];
    for (const written of [false, true]) {
      if (written) answer.write();
      for (const [one, other] of picks) {
        const shown = read(answer.element.querySelector(".statement"));
        if (!shown.length) continue;
        const ends = [one, other].map((share) => Math.floor(share * shown.length));
        const [first, last] = ends.sort((a, b) => a - b);
        const [start, at] = shown[first];
        const [end, until, sign] = shown[last];
        getSelection().setBaseAndExtent(start, at, end, until + sign.length);
        const span = answer.selected();
        answer.show([span]);
        const signs = (all) => all.map(([, , own]) => own);
        const marked = signs(read(answer.element, (node) => node.parentElement.closest("mark")));
        const chosen = signs(shown.slice(first, last + 1));
        answers.push({ chosen, span, marked, shown: signs(shown) });
        answer.show([]);
      }
    }
    answer.element.remove();
    return answers;
  });
}"""


def test_any_selection_in_any_markdown_gives_back_its_place(
    room: Room, serving: Callable[[Room], Serving], browser: "Browser"
) -> None:
    page = browser.new_page(locale="en-GB")
    enter(page, serving(room).link("rater-1"))
    page.get_by_role("button", name="I have read this and take part").wait_for()
    draw = Random(40)  # noqa: S311 - draws texts
    docs = [
        {"text": text, "layout": packed(markdown_tree(text)), "picks": picks}
        for text in (any_markdown(draw) for _ in range(400))
        for picks in [[(draw.random(), draw.random()) for _ in range(3)]]
    ]
    tried = page.evaluate(TRY, [docs, dict(shipped().texts["en"].words)])
    selections = 0
    for doc, answers in zip(docs, tried, strict=True):
        text = str(doc["text"])
        for one in answers:
            selections += 1
            start, end = one["span"]
            places = [text.index(sign) for sign in one["chosen"]]
            # A definition of a link is shown after its block, so its brackets may come along.
            assert start <= min(places), text
            assert max(places) < end, text
            around = text[start : min(places)] + text[max(places) + 1 : end]
            assert not any(ord(sign) >= 0x4E00 for sign in around), (text, one)
            within = [sign for sign in one["shown"] if start <= text.index(sign) < end]
            assert one["marked"] == within, text
    assert selections > 1500
    page.close()
