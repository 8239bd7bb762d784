"""README, tutorials and refusals are read once: short sentences, no phrase that readers left."""

from pathlib import Path

import pytest
from tools.read_sentences import MOST_WORDS, PHRASES, prose_sentences, refusals, sentences

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "index.md", *(ROOT / "docs/tutorials").glob("*.md")]


def faults(texts: list[str]) -> list[str]:
    """Give the sentences that are long or hold a phrase."""
    return [
        text
        for text in texts
        if len(text.split()) > MOST_WORDS or any(phrase in text.casefold() for phrase in PHRASES)
    ]


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_that_one_begins_with_has_short_plain_sentences(page: Path) -> None:
    read = list(prose_sentences(page.read_text(encoding="utf-8")))
    assert len(read) > 20
    assert faults(read) == []


def test_refusals_have_short_plain_sentences() -> None:
    read = {
        (path.name, sentence)
        for path in (ROOT / "src").rglob("*.py")
        for text in refusals(path.read_text(encoding="utf-8"))
        for sentence in sentences(text)
    }
    assert len(read) > 1000
    assert [own for own in sorted(read) if faults([own[1]])] == []


@pytest.mark.parametrize(
    "text", ["Each has a folder of its own.", "It is " + "very " * 24 + "long."]
)
def test_what_readers_stumble_over_is_found(text: str) -> None:
    assert faults(list(prose_sentences(f"# Head\n\n- Fine.\n- {text}\n"))) == [text]
    assert faults(list(refusals(f"hint = {text!r}"))) == [text]
