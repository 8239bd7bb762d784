"""Who searches the pages for a word of their own paper finds it."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = "your-papers-words.md"
SECTIONS = dict(
    part.split("\n", 1)
    for part in (ROOT / "docs" / PAGE).read_text(encoding="utf-8").split("\n## ")[1:]
)
WORDS = tomllib.loads((ROOT / "tests" / "data" / "paper_words.toml").read_text(encoding="utf-8"))
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")


def test_the_page_has_the_four_sources() -> None:
    assert list(SECTIONS) == list(WORDS)


@pytest.mark.parametrize("source", WORDS)
def test_each_word_of_a_source_has_a_line(source: str) -> None:
    lines = re.findall(r"^\| (?!---)(.+?) \|", SECTIONS[source], re.MULTILINE)[1:]
    words = " | ".join(lines).casefold()
    assert [word for word in WORDS[source] if word.casefold() not in words] == []


@pytest.mark.parametrize("source", WORDS)
def test_each_line_says_what_it_is_and_where(source: str) -> None:
    rows = [line for line in SECTIONS[source].splitlines() if line.startswith("| ")][2:]
    for row in rows:
        term, here, where = row.strip("| ").split(" | ")
        assert term
        assert here
        assert re.fullmatch(r"`medassay [^`]+`|\[[^\]]+\]\([^)]+\)", where), row


@pytest.mark.parametrize(
    ("start", "target"),
    [
        (f"docs/{PAGE}", "design/verdicts.md"),
        ("README.md", "design/verdicts.md"),
        ("docs/index.md", "design/verdicts.md"),
        ("README.md", f"docs/{PAGE}"),
        ("docs/index.md", f"docs/{PAGE}"),
    ],
)
def test_the_page_and_the_verdicts_are_linked(start: str, target: str) -> None:
    page = ROOT / start
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert (ROOT / target).resolve() in {(page.parent / link).resolve() for link in links}


def test_the_page_stands_in_the_navigation() -> None:
    assert f": {PAGE}\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
