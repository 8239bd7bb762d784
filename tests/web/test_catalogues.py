"""The room's words: each that is used is there, in each language, and each is used."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.campaign.conftest import write_study

import medassay.web
from medassay.campaign.catalogues import read_catalogue, shipped
from medassay.campaign.room import Room
from medassay.errors import InvalidInput

from .conftest import Serving, enter, open_room

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.web
FOLDER = Path(medassay.web.__file__).parent
CATALOGUES = FOLDER.parent / "data" / "catalogues"
USED = re.compile(r"""\bt\(\s*["']([a-z_]+\.[a-z_]+)["']""")


def sources() -> str:
    files = [*FOLDER.glob("static/*.js"), *FOLDER.glob("templates/*.j2")]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_every_text_that_is_used_is_there() -> None:
    used = set(USED.findall(sources()))
    assert len(used) > 80
    assert used <= set(shipped().texts["en"].words)


def test_every_language_has_every_text_with_the_same_places_for_values() -> None:
    english = read_catalogue("en.toml", (CATALOGUES / "en.toml").read_text("utf-8")).words
    for file in CATALOGUES.glob("*.toml"):
        words = read_catalogue(file.name, file.read_text("utf-8")).words
        assert set(words) == set(english), file.name
        for key, text in words.items():
            places = re.findall(r"\{\w+\}", text)
            assert sorted(places) == sorted(re.findall(r"\{\w+\}", english[key])), key


def test_shares_are_said_as_each_language_writes_them() -> None:
    """English as in reports, German with the space that its rules of writing ask for."""
    texts = {language: shipped().texts[language].words for language in ("en", "de")}
    said = {key for key, text in texts["en"].items() if "%" in text}
    assert said
    for key in said:
        assert re.search(r"\S%", texts["en"][key]), key
        assert re.search(r"\S[ \u00a0\u202f]%", texts["de"][key]), key


def test_the_language_is_the_chosen_one_or_the_browsers_or_english() -> None:
    catalogues = shipped()
    assert catalogues.choose("de", "en").language == "de"
    assert catalogues.choose("", "de-CH,en;q=0.5").language == "de"
    assert catalogues.choose("xx", "q=;;,*").language == "en"


def test_a_broken_catalogue_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"mine\.toml"):
        read_catalogue("mine.toml", "name = 3")


def italian(folder: Path, more: str = "") -> Path:
    made = '[about]\nmade = "Traduzione: una squadra"\nchecked = "Nessuno"\n'
    path = folder / "it.toml"
    path.write_text(f'name = "Italiano"\ndirection = "ltr"\n{made}{more}', encoding="utf-8")
    return path


def test_a_stranger_adds_a_language_by_one_file(tmp_path: Path) -> None:
    more = '[door]\ntitle = "Le tue valutazioni"\n[bar]\nsaved = "Salvato"\n'
    catalogues, notes = shipped().with_files([italian(tmp_path, more)])
    texts = catalogues.choose("it", "")
    assert (texts("door.title"), texts("door.open")) == ("Le tue valutazioni", "Open my answers")
    (note,) = notes
    assert note.startswith("it.toml: ")
    assert note.endswith(" texts are said in English.")
    assert ("it", "Italiano") in catalogues.languages
    # Each language says who made it, and whether somebody checked it.
    for texts in catalogues.texts.values():
        assert texts("about.made")
        assert texts("about.checked")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('[door]\ntitel = "x"\n', 'Did you mean "door.title"?'),
        ('[bar]\nplace = "Risposta"\n', "have the values {asked} {position}"),
        ('[bar]\nsaved = "{count}"\n', "have no value in braces"),
    ],
)
def test_what_a_language_file_cannot_say_is_named(tmp_path: Path, more: str, told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        shipped().with_files([italian(tmp_path, more)])
    assert told in str(refused.value)
    assert "it.toml" in str(refused.value)


def test_a_language_file_says_who_made_it(tmp_path: Path) -> None:
    path = tmp_path / "it.toml"
    path.write_text('name = "Italiano"\ndirection = "up"\n', encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        shipped().with_files([path])
    assert "say who made it" in str(refused.value)
    assert "say whether a native speaker checked it" in str(refused.value)
    assert "be ltr or rtl" in str(refused.value)


def test_placeholder_words_are_no_consent() -> None:
    from medassay.campaign.options import Information, refuse_placeholders

    refuse_placeholders("main", Information(text="We compare answers."))
    refuse_placeholders("main", Information())
    example = Information(ethics="Reference of the ethics committee")
    with pytest.raises(InvalidInput, match="be the study's own words"):
        refuse_placeholders("main", example)


@pytest.mark.browser
def test_the_language_changes_inside(
    tmp_path: Path,
    serving: Callable[[Room], Serving],
    browser: "Browser",
    checked: "Callable[[Page, str], None]",
) -> None:
    with open_room(write_study(tmp_path / "study"), tmp_path / "room.db", {"guesses": 0}) as room:
        room.rating.consent("rater-1", room.design.options.information.version)
        page = browser.new_page(locale="en-GB")
        enter(page, serving(room).link("rater-1"))
        page.locator(".task").wait_for()
        page.get_by_text("Menu", exact=True).click()
        checked(page, "menu")
        page.get_by_label("Language").select_option("de")
        page.get_by_role("button", name="Nächste Antwort").wait_for()
        page.close()
