"""Every public name of the library is on the page that documents it."""

import re
from pathlib import Path

import medassay

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "library.md"


def test_the_library_page_has_every_public_name() -> None:
    shown = re.findall(
        r"^::: medassay\.(?:\w+\.)*(\w+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(shown) == sorted(set(medassay.__all__) - {"__version__"})


def test_every_public_name_says_what_it_is() -> None:
    assert [
        name for name in medassay.__all__ if not (getattr(medassay, name).__doc__ or "").strip()
    ] == []
