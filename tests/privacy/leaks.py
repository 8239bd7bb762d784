"""Whether anything that was marked stands in what a command wrote or printed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.privacy.marking import KINDS, MARK, mark, read_settings, texts_in, write_settings
from tests.privacy.opening import said_in

from medassay.annotations import Texts

__all__ = ["ALLOWED", "Marked"]

ALLOWED: Final[dict[Texts, frozenset[str]]] = {
    "full": frozenset({*KINDS, "phrase"}) - {"rater"},
    "ids": frozenset({"case", "document", "judge"}),
    "none": frozenset({"judge"}),
}
"""What each setting shows of what was marked, where people who rate have pseudonyms."""
_WORD: Final = re.compile(r"[^\W_]+")
_REPLICATES: Final = 100
_PHRASE: Final = 6
"""So many words in a row are a quotation."""


@dataclass(frozen=True)
class Marked:
    """A study whose every word can be told from ours.

    Attributes:
        folder: The study's.
        texts: Its setting.
        digits: Ids of cases that are digits alone.
        phrases: Every few words in a row of its texts.
    """

    folder: Path
    texts: Texts
    digits: frozenset[str]
    phrases: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, folder: Path, texts: Texts, raters: str = "pseudonyms") -> "Marked":
        """Mark a study in place."""
        phrases = frozenset(phrase for text in texts_in(folder) for phrase in _phrases(text))
        digits = mark(folder)
        settings = read_settings(folder)
        settings["privacy"] = {"texts": texts, "raters": raters}
        # How sure a number is says nothing of a person.
        settings["run"] = {**settings.get("run", {}), "replicates": _REPLICATES}
        write_settings(folder, settings)
        return cls(folder, texts, digits, phrases)

    def found_in(self, said: str) -> set[str]:
        """Give the kinds of what is marked and stands in something that was said."""
        low = said.casefold()
        found = {mark[1] for mark in MARK.finditer(low)}
        if any(name in low for name in self.digits):
            found.add("case")
        if not self.phrases.isdisjoint(_phrases(MARK.sub(" ", low))):
            found.add("phrase")
        return found

    def leaked(self, said: str) -> set[str]:
        """Give the kinds among them that the study keeps."""
        return self.found_in(said) - ALLOWED[self.texts]

    def leaks(self, folder: Path) -> dict[str, set[str]]:
        """Give the files of a folder that hold what the study keeps, and what kinds of it."""
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        assert files, f"nothing was written into {folder}"
        found = {str(path.relative_to(folder)): self.leaked(said_in(path)) for path in files}
        return {name: kinds for name, kinds in found.items() if kinds}


def _phrases(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return zip(*(words[i:] for i in range(_PHRASE)), strict=False)
