"""A passphrase of the rater's own: what it must be, and the only form in which it is kept."""

import unicodedata
from functools import cache
from typing import Final

from medassay.campaign.room.sql import Sql
from medassay.models import need_package

__all__ = ["LONGEST", "SHORTEST", "fits", "hashed", "is_right"]

SHORTEST: Final = 12
LONGEST: Final = 200
_DIFFERENT: Final = 5


def fits(passphrase: str) -> bool:
    """Say whether a passphrase is long enough, and more than a few characters repeated.

    Example:
        >>> fits("four green teapots"), fits("teapots"), fits("abababababababab")
        (True, False, False)
    """
    plain = _plain(passphrase)
    return SHORTEST <= len(plain) <= LONGEST and len(set(plain)) >= _DIFFERENT


def hashed(passphrase: str) -> str:
    """Give what is kept of a passphrase: a salted hash that is slow and costly to guess."""
    return str(_hasher().hash(_plain(passphrase)))


def is_right(passphrase: str, kept: str) -> bool:
    """Say whether this is the passphrase of which that was kept."""
    wrong: Sql = need_package("argon2", "signatures").exceptions.VerifyMismatchError
    try:
        return bool(_hasher().verify(kept, _plain(passphrase)))
    except wrong:
        return False


def _plain(passphrase: str) -> str:
    # Phones put a blank behind the last word, and write an accented letter as one sign or as two.
    return unicodedata.normalize("NFKC", passphrase).strip()


@cache
def _hasher() -> Sql:
    return need_package("argon2", "signatures").PasswordHasher()
