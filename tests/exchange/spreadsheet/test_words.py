"""The files of words name roles that there are, and hold none of the words kept from them."""

import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from medassay.exchange.spreadsheet.words import ROLES, form, lexicon

FRONT_DOOR = Path(__file__).parents[2] / "front_door"


def words_kept_back() -> Iterator[tuple[str, ...]]:
    held = tomllib.loads((FRONT_DOOR / "header_words.toml").read_text(encoding="utf-8"))
    for language in held.values():
        for role, words in language.items():
            for word in words["held_out"]:
                yield role, *form(word)


def test_every_role_of_a_file_of_words_is_one() -> None:
    folder = resources.files("medassay") / "data" / "header_words"
    for file in folder.iterdir():
        roles = tomllib.loads(file.read_text(encoding="utf-8")).get("roles", {})
        assert set(roles) <= set(ROLES), file.name
    assert {role for roles in lexicon().roles.values() for role in roles} <= set(ROLES)


def test_most_words_kept_from_the_files_are_in_none() -> None:
    """Cells are read before words: a column under a strange word is known or asked about.

    A few were in the product before the tables were drawn, and stay: people write them.
    """
    known = lexicon()
    kept = set(words_kept_back())
    there = {word for word in kept if word[1:] in known.roles or word[1:] in known.dimensions}
    assert len(there) <= len(kept) / 10, sorted(there)
