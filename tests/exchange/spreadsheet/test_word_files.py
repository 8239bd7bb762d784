"""Files of words name roles, and nothing that no column can be."""

import tomllib
from importlib import resources
from importlib.resources.abc import Traversable

import pytest

from medassay.exchange.spreadsheet.columns import ONCE, SAID
from medassay.exchange.spreadsheet.words import ROLES

FILES = sorted(
    (
        file
        for file in (resources.files("medassay") / "data" / "header_words").iterdir()
        if len(file.name) == len("en.toml")
    ),
    key=lambda file: file.name,
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_role_of_a_language_is_one(file: Traversable) -> None:
    roles = tomllib.loads(file.read_text(encoding="utf-8"))["roles"]
    assert sorted(set(roles) - set(ROLES)) == []


def test_every_role_is_declared_once() -> None:
    assert set(SAID) == set(ROLES)
    assert set(SAID) > ONCE
