"""The secret that a campaign's codes, orders and repeats follow from, and its codes."""

import json
import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from medassay.tables import folded

_BYTES: Final = 32
_LEAST_BYTES: Final = 16
_BLOCK: Final = 64
_WORD: Final = 8
_RANGE: Final = 1 << (8 * _WORD)
_SHARE_BITS: Final = 53
# Without vowels there are no words; without digits there are no numbers, dates or 1E5.
_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
_FREE: Final = 7
# Each has an inverse modulo 20, so one wrong letter always gives another check letter.
_WEIGHTS: Final = (1, 3, 7, 9, 11, 13, 17)
_HALF: Final = (_FREE + 1) // 2


class Draws:
    """Numbers that follow from a key, and tell nothing of it or of one another.

    A generator made for simulations would not do here: a rater sees a good part of what was drawn,
    and the state of such a generator can be worked out from that.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._blocks = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to `bound` - 1, each equally likely."""
        most = _RANGE - _RANGE % bound
        while (word := self._word()) >= most:
            pass
        return word % bound

    def permutation(self, count: int) -> list[int]:
        """Put the numbers from 0 to `count` - 1 into an order, each equally likely.

        Example:
            >>> sorted(Secret(bytes(32)).draws("example").permutation(5))
            [0, 1, 2, 3, 4]
        """
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def sample(self, count: int, size: int) -> list[int]:
        """Draw `size` of the numbers from 0 to `count` - 1, in ascending order."""
        return sorted(self.permutation(count)[:size])

    def _word(self) -> int:
        if not self._words:
            counter = self._blocks.to_bytes(_WORD)
            block = blake2b(counter, key=self._key, digest_size=_BLOCK).digest()
            self._blocks += 1
            self._words = [int.from_bytes(block[at : at + _WORD]) for at in range(0, _BLOCK, _WORD)]
        return self._words.pop()


@dataclass(frozen=True, slots=True)
class Secret:
    """What only the organiser has. Whoever else has it can lift the blinding.

    Attributes:
        key: The bytes, 16 or more: 128 bits are out of reach of guessing. They are never shown.

    Example:
        >>> Secret(bytes(32))
        Secret()
        >>> Secret(b"too few")
        Traceback (most recent call last):
        ...
        ValueError: a secret has 16 bytes or more, not 7
    """

    key: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.key) < _LEAST_BYTES:
            raise ValueError(f"a secret has {_LEAST_BYTES} bytes or more, not {len(self.key)}")

    @classmethod
    def new(cls) -> "Secret":
        """Draw a secret of 256 bits from the operating system."""
        return cls(secrets.token_bytes(_BYTES))

    def draws(self, *purpose: str) -> Draws:
        """Give the numbers for a purpose; those for another purpose tell nothing of them.

        Example:
            >>> secret = Secret(bytes(32))
            >>> secret.draws("codes").below(1000) == secret.draws("codes").below(1000)
            True
        """
        return Draws(self._for(*purpose))

    def share(self, *purpose: str) -> float:
        """Draw a number from 0 to below 1 for a purpose, such as the lot of one answer.

        Example:
            >>> 0 <= Secret(bytes(32)).share("clinic", "01") < 1
            True
        """
        word = int.from_bytes(self._for(*purpose)[:_WORD])
        return (word >> (8 * _WORD - _SHARE_BITS)) / (1 << _SHARE_BITS)

    def _for(self, *purpose: str) -> bytes:
        # As a JSON list no two purposes are written alike: ("a", "bc") is not ("ab", "c").
        words = json.dumps(purpose).encode()
        key = self.key if len(self.key) <= _BLOCK else blake2b(self.key).digest()
        return blake2b(words, key=key, digest_size=_BYTES).digest()


def draw_codes(count: int, draws: Draws, taken: Collection[str] = ()) -> tuple[str, ...]:
    """Draw codes of eight letters, all different; the last letter checks the others.

    Args:
        count: How many.
        draws: Where the letters come from.
        taken: Codes that are in use already.

    Example:
        >>> from medassay.judgements.campaign import Secret
        >>> codes = draw_codes(2, Secret(bytes(32)).draws("codes"))
        >>> codes, [as_code(code) == code for code in codes]
        (('RVSC-NLNQ', 'LMRN-HWSN'), [True, True])
    """
    codes: dict[str, None] = {}
    used = set(taken)
    while len(codes) < count:
        drawn = [draws.below(len(_LETTERS)) for _ in range(_FREE)]
        code = _written(drawn)
        if code not in used:
            codes.setdefault(code)
    return tuple(codes)


def as_code(text: str) -> str | None:
    """Read a code however it was retyped: blanks, dashes and small letters do not matter.

    Returns:
        The code as it is written, or None where the text is none, or has a wrong letter.

    Example:
        >>> as_code(" rvsc nlnq"), as_code("RVSC-NLNB"), as_code("12")
        ('RVSC-NLNQ', None, None)
    """
    letters = "".join(letter for letter in folded(text).upper() if letter.isalpha())
    if len(letters) != _FREE + 1 or not set(letters) <= set(_LETTERS):
        return None
    code = _written([_LETTERS.index(letter) for letter in letters[:-1]])
    return code if code.replace("-", "") == letters else None


def _written(drawn: list[int]) -> str:
    total = sum(weight * letter for weight, letter in zip(_WEIGHTS, drawn, strict=True))
    letters = "".join(_LETTERS[i] for i in [*drawn, total % len(_LETTERS)])
    return f"{letters[:_HALF]}-{letters[_HALF:]}"
