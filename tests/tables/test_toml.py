"""TOML becomes a checked record, and what is wrong with it has a place."""

import pytest
from pydantic import BaseModel, ConfigDict

from medassay.errors import InvalidInput
from medassay.tables import read_toml


class Paint(BaseModel):
    model_config = ConfigDict(extra="forbid")
    colour: str
    coats: int = 1


def test_a_byte_order_mark_is_skipped() -> None:
    assert read_toml(Paint, b'\xef\xbb\xbfcolour = "red"', "p.toml") == Paint(colour="red")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'colour = "red"\ncoats 2', r"^p.toml, row 2: must be TOML in UTF-8; got Expected '='"),
        (b'colour = "r\xe9d"', r"row 1: must be TOML in UTF-8; got byte 0xe9"),
        (b'color = "red"', r'column color: must be one of colour, coats; got "color". Did you'),
        (b"coats = 1", r"column colour: must be given; got nothing"),
        (b'colour = "red"\ncoats = "many"', r"column coats: must be a whole number"),
    ],
)
def test_what_is_wrong_has_a_place(content: bytes, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_toml(Paint, content, "p.toml")


def test_all_problems_come_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_toml(Paint, b'color = "red"\ncoats = "many"', "p.toml")
    # That `colour` is missing is not said again where `color` is named as a slip for it.
    assert {one.column for one in caught.value.problems} == {"color", "coats"}
