"""What people who rate are called outside of a study's own files, and the lead's key to it.

Numbers do not stand in the order of the names: whoever knows who was asked could read them off the
alphabet. They follow from what each person said, names aside. So renaming everybody in the files
renames nobody in a report, and changes no number of it.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from medassay.judgements import Judgements, Preferences, Raters
from medassay.study.files import RATERS_KEY
from medassay.study.relevance import DocumentLabel
from medassay.tables import csv_bytes, write_atomically

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Pseudonyms"]


@dataclass(frozen=True)
class Pseudonyms:
    """What each person who rates is called; models keep their names.

    Attributes:
        of: Name to pseudonym; empty where raters are named, or have their pseudonyms already.

    Example:
        >>> told = Pseudonyms({"Maya": "rater-2"})
        >>> told.named("Maya"), told.named("gpt-judge")
        ('rater-2', 'gpt-judge')
    """

    of: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def given(
        cls,
        judgements: Judgements,
        preferences: Preferences,
        raters: Raters,
        labels: Iterable[DocumentLabel],
    ) -> "Pseudonyms":
        """Number the people of a study by what they said and what is written of them.

        People of whom all of this is the same stand in the order of their names.
        """
        said = _said(judgements, preferences, raters, labels)
        models = _models(judgements, preferences, raters)
        people = sorted(
            (digest.hexdigest(), name) for name, digest in said.items() if name not in models
        )
        free = _free(len(people), models)
        return cls({name: next(free) for _, name in people})

    def named(self, rater: str) -> str:
        """Give what a rater is called."""
        return self.of.get(rater, rater)

    def of_judgements(self, judgements: Judgements) -> Judgements:
        """Give the judgements under the pseudonyms."""
        return Judgements(self._renamed(judgements.frame), judgements.rubric)

    def of_preferences(self, preferences: Preferences) -> Preferences:
        """Give the preferences under the pseudonyms."""
        return Preferences(self._renamed(preferences.frame))

    def of_raters(self, raters: Raters) -> Raters:
        """Give the raters under their pseudonyms."""
        return Raters(replace(one, rater=self.named(one.rater)) for one in raters)

    def of_labels(self, labels: Iterable[DocumentLabel]) -> tuple[DocumentLabel, ...]:
        """Give experts' labels of documents under the pseudonyms, in the order of a file's."""
        renamed = (one.model_copy(update={"rater": self.named(one.rater)}) for one in labels)
        return tuple(sorted(renamed, key=lambda one: (one.case, one.document, one.rater)))

    def write_key(self, study: Path) -> None:
        """Write who is who, for the lead alone; nothing where nobody has a pseudonym."""
        if self.of:
            rows = sorted((pseudonym, name) for name, pseudonym in self.of.items())
            content = csv_bytes(["pseudonym", "rater"], rows)
            write_atomically(study / RATERS_KEY, content, owner_only=True)

    def _renamed(self, frame: "pl.DataFrame") -> "pl.DataFrame":
        import polars as pl

        return frame.with_columns(pl.col("rater").replace(dict(self.of)))


def _said(
    judgements: Judgements,
    preferences: Preferences,
    raters: Raters,
    labels: Iterable[DocumentLabel],
) -> dict[str, "hashlib._Hash"]:
    """Give each rater a digest of the rows that are theirs, names aside."""
    found: dict[str, hashlib._Hash] = {}

    def add(rater: str, row: object) -> None:
        found.setdefault(rater, hashlib.sha256()).update(f"{row!r}\n".encode())

    for table in (judgements.frame, preferences.frame):
        rest = [name for name in table.columns if name != "rater"]
        # Rows of one rater that differ in nothing else stand as in the file: its order means time.
        for rater, *row in table.select("rater", *rest).iter_rows():
            add(rater, row)
    for label in labels:
        add(label.rater, (label.case, label.document, label.relevance))
    for one in raters:
        add(one.rater, astuple(one)[1:])
    return found


def _models(judgements: Judgements, preferences: Preferences, raters: Raters) -> set[str]:
    models = {one.rater for one in raters if one.kind == "model"}
    for table in (judgements.frame, preferences.frame):
        models.update(table.filter(table["rater_kind"] == "model")["rater"])
    return models


def _free(people: int, taken: Collection[str]) -> Iterator[str]:
    """Give names that no model has, padded so that they sort by number."""
    width = len(str(people + len(taken)))
    return (name for n in count(1) if (name := f"rater-{n:0{width}}") not in taken)
