"""The library's page is its docstrings, and says of every public name whether it stays."""

from tools.make_library_page import PAGE, page

import medassay


def test_the_page_is_what_the_docstrings_say() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text


def test_every_public_name_is_on_the_page_as_it_stands() -> None:
    stays, provisional = PAGE.read_text(encoding="utf-8").split("## Provisional: other")
    for name in set(medassay.__all__) - {"__version__"}:
        part = stays if name in medassay.STAYS else provisional
        assert f"\n### {name}\n" in part
    assert set(medassay.__all__) > medassay.STAYS


def test_every_public_name_says_what_it_is() -> None:
    assert [
        name for name in medassay.__all__ if not (getattr(medassay, name).__doc__ or "").strip()
    ] == []
