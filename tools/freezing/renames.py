"""The map under which two freezes are compared: what a path was, and what it is now."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path


def read_renames(path: Path) -> Callable[[str], str]:
    r"""Read a map of old paths to new ones.

    It is TOML: one line a rename, an old path as a regular expression to what stands in its place.

        'standings\[(.*)\]\.mean' = 'leaderboard[\1].value'

    An expression must fit the beginning of a path, and what it does not cover stays. The first that
    fits holds.

    Returns:
        A function from an old path to the new one.
    """
    lines = tomllib.loads(path.read_text(encoding="utf-8"))
    rules = [(re.compile(old), str(new)) for old, new in lines.items()]

    def renamed(old: str) -> str:
        for rule, new in rules:
            fits = rule.match(old)
            if fits:
                return fits.expand(new) + old[fits.end() :]
        return old

    return renamed
