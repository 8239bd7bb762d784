"""The canonical name of whatever makes a number: `name[@k](key=value,...)`.

A name is an identity: it prints, parses back to itself, sorts, hashes, and heads a table. What
changes the value is in the name; versions and hashes are in the signature.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from medassay.errors import InvalidInput, Problem

_WORD: Final = r"[A-Za-z][A-Za-z0-9_.-]*"
_NAME: Final = re.compile(rf"({_WORD})(?:@([1-9][0-9]{{0,17}}))?(?:\((.*)\))?")


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """A parsed canonical name.

    Attributes:
        base: The word before everything else, such as `rouge1`.
        k: The cut-off after `@`, where there is one.
        arguments: Key and value pairs, sorted by key. Values are text on one line without
            `( ) , =` and without blanks around it.

    Raises:
        InvalidInput: A part cannot stand in a name: it would not parse back.

    Example:
        >>> name = Name.parse("recall@5(ref=human, gold=strict)")
        >>> str(name)
        'recall@5(gold=strict,ref=human)'
        >>> name.base, name.k, name["gold"]
        ('recall', 5, 'strict')
    """

    base: str
    k: int | None = None
    arguments: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what would not parse back."""
        keys = [key for key, _ in self.arguments]
        if not (
            re.fullmatch(_WORD, self.base)
            and (self.k is None or self.k > 0)
            and all(re.fullmatch(_WORD, key) for key in keys)
            and keys == sorted(set(keys))
            and all(_stands_in_a_name(value) for _, value in self.arguments)
        ):
            raise InvalidInput(_problem(str(self)))

    @classmethod
    def of(cls, base: str, k: int | None = None, /, **arguments: str) -> "Name":
        """Make a name from its parts, in canonical order.

        Example:
            >>> str(Name.of("mean", dimension="fluency"))
            'mean(dimension=fluency)'
        """
        return cls(base, k, tuple(sorted(arguments.items())))

    @classmethod
    def parse(cls, text: str) -> "Name":
        """Read a name; spaces around its parts are allowed and dropped.

        Raises:
            InvalidInput: The text does not have the form `name[@k](key=value,...)`.
        """
        match = _NAME.fullmatch(text.strip())
        if match is None:
            raise InvalidInput(_problem(text))
        base, k, inside = match.groups()
        arguments: dict[str, str] = {}
        for part in (inside or "").split(",") if inside else []:
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or key in arguments or "=" in value:
                raise InvalidInput(_problem(text))
            arguments[key] = value
        return cls(base, int(k) if k else None, tuple(sorted(arguments.items())))

    def __str__(self) -> str:
        """Print the canonical form, which parses back to an equal name."""
        at = f"@{self.k}" if self.k is not None else ""
        inside = ",".join(f"{key}={value}" for key, value in self.arguments)
        return f"{self.base}{at}({inside})" if inside else f"{self.base}{at}"

    def __getitem__(self, key: str) -> str:
        """Give one argument's value."""
        return dict(self.arguments)[key]

    def get(self, key: str) -> str | None:
        """Give one argument's value, or None where the name has no such argument."""
        return dict(self.arguments).get(key)

    def with_arguments(self, arguments: Mapping[str, str]) -> "Name":
        """Give the same name with exactly these arguments."""
        return Name(self.base, self.k, tuple(sorted(arguments.items())))


def is_word(text: str) -> bool:
    """Say whether a text can be the word that names something.

    Example:
        >>> is_word("rouge1"), is_word("rouge 1"), is_word("recall@5"), is_word("")
        (True, False, False, False)
    """
    return re.fullmatch(_WORD, text) is not None


def _stands_in_a_name(value: str) -> bool:
    return value.isprintable() and value == value.strip() != "" and not set(value) & set("(),=")


def _problem(text: str) -> Problem:
    return Problem(
        "name",
        "have the form name[@k](key=value,...)",
        f'"{text}"',
        "For example rouge1(ref=human).",
    )
