"""The room's words: each that is used is there, in each language, and each is used."""

import re
from pathlib import Path

import pytest

import medassay.web
from medassay.errors import InvalidInput
from medassay.web.pages import read_catalogue, shipped

pytestmark = pytest.mark.web
FOLDER = Path(medassay.web.__file__).parent
USED = re.compile(r"""\bt\(\s*["']([a-z_]+\.[a-z_]+)["']""")


def sources() -> str:
    files = [*FOLDER.glob("static/*.js"), *FOLDER.glob("templates/*.j2")]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_every_text_that_is_used_is_there() -> None:
    used = set(USED.findall(sources()))
    assert len(used) > 80
    assert used <= set(shipped().texts["en"].words)


def test_every_language_has_every_text_with_the_same_places_for_values() -> None:
    english = read_catalogue("en.toml", (FOLDER / "catalogues/en.toml").read_text("utf-8")).words
    for file in FOLDER.glob("catalogues/*.toml"):
        words = read_catalogue(file.name, file.read_text("utf-8")).words
        assert set(words) == set(english), file.name
        for key, text in words.items():
            places = re.findall(r"\{\w+\}", text)
            assert sorted(places) == sorted(re.findall(r"\{\w+\}", english[key])), key


def test_the_language_is_the_chosen_one_or_the_browsers_or_english() -> None:
    catalogues = shipped()
    assert catalogues.choose("de", "en").language == "de"
    assert catalogues.choose("", "de-CH,en;q=0.5").language == "de"
    assert catalogues.choose("xx", "q=;;,*").language == "en"


def test_a_broken_catalogue_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"mine\.toml"):
        read_catalogue("mine.toml", "name = 3")
