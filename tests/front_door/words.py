"""The words that tables are made of: headers by language and role, and the material of texts."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

__all__ = ["header_words", "material", "words_of"]

_HERE: Final = Path(__file__).parent


@cache
def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((_HERE / name).read_text(encoding="utf-8"))


def material(name: str) -> Any:  # noqa: ANN401 - a table of TOML
    """Give one heading of material.toml."""
    return _toml("material.toml")[name]


def header_words() -> dict[str, dict[str, dict[str, list[str]]]]:
    """Give header_words.toml: language, role, half."""
    return _toml("header_words.toml")


def words_of(language: str, role: str, half: str = "mixed") -> list[str]:
    """List the words of a header: of one half, or of both where they are mixed."""
    halves = header_words()[language][role]
    return halves["known"] + halves["held_out"] if half == "mixed" else halves[half]
