"""The built site asks nobody else for anything, and can be searched without a server."""

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.site
SITE = Path(__file__).parents[2] / "site"
# What a browser fetches by itself: sources, and links other than those that a reader clicks.
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*\b(?:src|data)=["']?([^"'\s>]+)"""
    r"""|<link\b(?![^>]*rel=["']?(?:canonical|next|prev))[^>]*\bhref=["']?([^"'\s>]+)"""
)
STYLED = re.compile(r"""(?:@import\s*|url\()\s*["']?([^"')\s]+)""")


@pytest.fixture(scope="module")
def pages() -> dict[Path, str]:
    found = {path: path.read_text(encoding="utf-8") for path in sorted(SITE.rglob("*.html"))}
    if not found:
        pytest.fail("There is no site to look through. Build it: make docs")
    return found


def fetched(pages: dict[Path, str]) -> list[tuple[Path, str]]:
    """List every address that a browser fetches when it shows these pages."""
    sheets = [(path, path.read_text(encoding="utf-8")) for path in SITE.rglob("*.css")]
    return [
        *(
            (path, one[1] or one[2])
            for path, text in pages.items()
            for one in FETCHED.finditer(text)
        ),
        *((path, one[1]) for path, text in sheets for one in STYLED.finditer(text)),
    ]


def test_nothing_comes_from_elsewhere(pages: dict[Path, str]) -> None:
    found = fetched(pages)
    assert len(found) > len(pages)
    elsewhere = [(path, url) for path, url in found if re.match(r"(?:[a-z]+:)?//", url)]
    assert elsewhere == []


def test_a_third_party_would_be_seen() -> None:
    text = '<script defer src="https://cdn.test/a.js"><link rel=stylesheet href=//fonts.test/b.css>'
    assert [one[1] or one[2] for one in FETCHED.finditer(text)] == [
        "https://cdn.test/a.js",
        "//fonts.test/b.css",
    ]
    assert STYLED.findall("@font-face { src: url('https://f.test/x') }") == ["https://f.test/x"]


def test_every_local_address_exists(pages: dict[Path, str]) -> None:
    links = [
        (path, urldefrag(url)[0])
        for path, text in pages.items()
        for url in re.findall(r'<a\b[^>]*\bhref="([^"]*)"', text)
        if not re.match(r"[a-z]+:", url)
    ]
    absent = [(p, url) for p, url in links if url and not (p.parent / url).exists()]
    assert links
    # The page for what is not found is served from any depth, so its links begin at the root.
    assert [one for one in absent if one[0].name != "404.html"] == []


@pytest.mark.browser
def test_search_works_in_pages_opened_from_the_folder(
    pages: dict[Path, str], browser: "Browser"
) -> None:
    assert pages
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((SITE / "index.html").as_uri())
    page.click(".md-search__input")
    page.keyboard.type("kappa", delay=40)
    page.locator(".md-search-result__item").first.wait_for()
    assert [url for url in asked if not url.startswith("file:")] == []
    page.close()


@pytest.mark.browser
def test_what_is_copied_from_a_terminal_is_what_a_reader_types(
    pages: dict[Path, str], browser: "Browser"
) -> None:
    assert pages
    page = browser.new_page()
    page.goto((SITE / "index.html").as_uri())
    button = page.locator(".language-console [data-clipboard-target]").first
    button.click()
    copied = (button.get_attribute("data-clipboard-text") or "").splitlines()
    assert copied
    assert {line.split()[0] for line in copied} == {"medassay"}
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1200])
def test_no_page_is_wider_than_its_window_and_sentences_break(
    pages: dict[Path, str], browser: "Browser", width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    wide = []
    for path in pages:
        page.goto(path.as_uri())
        found = page.evaluate(
            """() => [document.documentElement, ...document.querySelectorAll("pre .sentence")]
                .filter((one) => (one.matches("html") ? one.scrollWidth :
                    one.getBoundingClientRect().width) > window.innerWidth)
                .map((one) => one.textContent.slice(0, 60))"""
        )
        wide += [(path.name, one) for one in found]
    assert wide == []
    page.close()
