"""Names of files that every system takes, made of names that people gave."""

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Final

__all__ = ["file_stem", "file_stems"]

# What Windows keeps for devices, with any ending and in small or large letters.
_DEVICE: Final = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin-|conout-)(?=\.|$)", re.IGNORECASE
)
_LONGEST: Final = 120
"""Bytes: with an ending, and the mark of a file that is being written, it stays below 255."""
_KEPT: Final = 100


def file_stem(name: str) -> str:
    """Make a file's name of an id: what a file system may refuse becomes `-`.

    A name that Windows keeps for a device gets a `_`. One that is too long is cut, and ends in a
    hash of the whole, so that two long names stay two.

    Example:
        >>> file_stem("medcon(rule=compat)"), file_stem("../a b"), file_stem("CON"), file_stem("a.")
        ('medcon-rule-compat-', '-a-b', 'CON_', 'a-')
        >>> file_stem("nul.txt"), len(file_stem("a" * 300))
        ('nul_.txt', 109)
    """
    stem = "".join(c if c.isalnum() or c in "._-" else "-" for c in name).lstrip(".") or "-"
    stem = _DEVICE.sub(r"\1_", stem, count=1) if _DEVICE.match(stem) else stem
    if stem.endswith("."):
        stem = f"{stem[:-1]}-"
    if len(stem.encode()) > _LONGEST:
        digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:8]
        stem = f"{stem.encode()[:_KEPT].decode(errors='ignore')}-{digest}"
    return stem


def file_stems(names: Iterable[str], plain: Callable[[str], str] = str) -> dict[str, str]:
    """Give each name a file's name of its own: of two that would be one, the later gets a number.

    Small and large letters are one to many file systems.

    Args:
        names: The names.
        plain: Makes a name shorter or plainer first.

    Example:
        >>> file_stems(["a/b", "A-B", "c"])
        {'a/b': 'a-b', 'A-B': 'A-B-2', 'c': 'c'}
    """
    stems: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        stem = first = file_stem(plain(name))
        turn = 1
        while stem.casefold() in taken:
            turn += 1
            stem = f"{first}-{turn}"
        taken.add(stem.casefold())
        stems[name] = stem
    return stems
