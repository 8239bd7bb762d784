"""What people who rate are called outside of a study's own files, and the lead's key to it.

Numbers do not stand in the order of the names: whoever knows who was asked could read them off the
alphabet. They follow from what each person said, names aside. So renaming everybody in the files
changes no number of a report. None looks like a name that the study has: rater-2 is never somebody
else than the rater2 of its files. Where a report names people all the same,
it is computed under pseudonyms first, so that no number follows from a name.
"""

import csv
import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import count, islice, product
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final

from medassay.errors import InvalidInput, Problem
from medassay.judgements import Judgements, Preferences, Raters
from medassay.scores import without_defaults
from medassay.study.contents.document_labels import DocumentLabel
from medassay.study.files.links import RESULTS
from medassay.study.files.names import RATERS_KEY
from medassay.tables import FORMS, csv_bytes, write_atomically

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Pseudonyms", "lacks_key", "people_tables"]


_HEADER: Final = 1000
"""Bytes that a row of names of columns has at most."""


@dataclass(frozen=True)
class Pseudonyms:
    """What each person who rates is called; models keep their names.

    Attributes:
        of: Name to pseudonym; empty where raters have their pseudonyms already.
        named: Whether people are told by their names all the same.
        drawn_as: Pseudonym to what draws follow from, whatever the pseudonyms look like.

    Example:
        >>> told = Pseudonyms({"Maya": "rater-2"})
        >>> told.called("Maya"), told.called("gpt-judge")
        ('rater-2', 'gpt-judge')
    """

    of: Mapping[str, str] = field(default_factory=dict)
    named: bool = False
    drawn_as: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def given(
        cls,
        judgements: Judgements,
        preferences: Preferences,
        raters: Raters,
        labels: Iterable[DocumentLabel],
        *,
        named: bool = False,
    ) -> "Pseudonyms":
        """Number the people of a study by what they said and what is written of them.

        People of whom all of this is the same stand in the order of their names.
        """
        digests = _said(judgements, preferences, raters, labels)
        models = _models(judgements, preferences, raters)
        people = sorted(
            (digest.hexdigest(), name) for name, digest in digests.items() if name not in models
        )
        width = len(str(len(people) + len(models)))
        plain = [f"{n:0{width}}" for n in range(1, len(people) + 1)]
        marks = _marks(len(people), digests.keys() | models, plain)
        return cls(
            {name: f"rater-{mark}" for (_, name), mark in zip(people, marks, strict=True)},
            named,
            {f"rater-{mark}": f"rater-{n}" for mark, n in zip(marks, plain, strict=True)},
        )

    def called(self, rater: str) -> str:
        """Give what a rater is called."""
        return self.of.get(rater, rater)

    def of_judgements(self, judgements: Judgements) -> Judgements:
        """Give the judgements under the pseudonyms."""
        return judgements.of_rows(self._renamed(judgements.frame))

    def of_preferences(self, preferences: Preferences) -> Preferences:
        """Give the preferences under the pseudonyms."""
        return preferences.of_rows(self._renamed(preferences.frame))

    def of_raters(self, raters: Raters) -> Raters:
        """Give the raters under their pseudonyms."""
        return Raters(replace(rater, rater=self.called(rater.rater)) for rater in raters)

    def of_labels(self, labels: Iterable[DocumentLabel]) -> tuple[DocumentLabel, ...]:
        """Give experts' labels of documents under the pseudonyms, in the order of a file's."""
        renamed = (label.model_copy(update={"rater": self.called(label.rater)}) for label in labels)
        return tuple(
            sorted(
                renamed,
                key=lambda document_label: (
                    document_label.case,
                    document_label.document,
                    document_label.rater,
                ),
            )
        )

    def people(self) -> Mapping[str, str]:
        """Give pseudonym to name where people are told by their names; else nothing."""
        return {text: name for name, text in self.of.items()} if self.named else {}

    def person(self, study: Path, rater: str) -> str:
        """Give the name of whom a lead means, by name or by a pseudonym of any run that is kept.

        Args:
            study: The study's folder.
            rater: The name or the pseudonym.

        Raises:
            InvalidInput: The pseudonym was several people's, or the key is none of ours.
        """
        if rater in self.of:
            return rater
        keys = {(text, name) for name, text in self.of.items()}
        keys |= {(text, name) for _, text, name in _kept(study / RATERS_KEY)}
        names = sorted({name for text, name in keys if text == rater})
        if len(names) > 1:
            must = f"be a name, since {rater} was {' and '.join(names)} in runs of this study"
            raise InvalidInput(Problem("RATER", must, f'"{rater}"'))
        return names[0] if names else rater

    def write_key(self, study: Path, run: str = "") -> None:
        """Write who is who, for the lead alone; nothing where nobody has a pseudonym.

        Pseudonyms change when judgements are added, so the key keeps those of every run whose
        results are still there, beside those that hold now.

        Args:
            study: The study's folder.
            run: The name of the run that they are of; none for what a command prints.

        Raises:
            InvalidInput: A file of that name is no key of ours, or the folder cannot be written.
        """
        if not self.of or self.named:
            return
        path = study / RATERS_KEY
        results = study / RESULTS
        rows = {row for row in _kept(path) if row[0] != run and (results / row[0]).is_dir()}
        rows |= {(of, text, name) for of in {_NOW, run or _NOW} for name, text in self.of.items()}
        content = csv_bytes(_KEY_COLUMNS, sorted(rows))
        if not path.is_file() or path.read_bytes() != content:
            write_atomically(path, content, owner_only=True)

    def _renamed(self, frame: "pl.DataFrame") -> "pl.DataFrame":
        import polars as pl

        return frame.with_columns(pl.col("rater").replace(dict(self.of)))


_NOW: Final = "now"
_SAYING: Final = ("judgements", "preferences", "relevance", "raters")
"""Tables in which people say something, or are told of."""
_KEY_COLUMNS: Final = ("run", "pseudonym", "rater")


def people_tables(study: Path) -> dict[str, tuple[int, int]]:
    """Give the tables in which people say something, with what changes where they are written."""
    tables = (study / f"{stem}{form}" for stem in _SAYING for form in FORMS)
    return {
        path.name: (path.stat().st_mtime_ns, path.stat().st_size)
        for path in tables
        if path.exists() and not _is_header(path)
    }


def _is_header(path: Path) -> bool:
    """Say whether a table holds the names of its columns and nothing else, as a new study's do."""
    short = path.suffix == ".csv" and path.stat().st_size < _HEADER
    return short and len(path.read_bytes().splitlines()) <= 1


def lacks_key(study: Path, run: str) -> bool:
    """Say whether a study may have people, and the lead's key has none of a run's."""
    return bool(people_tables(study)) and all(row[0] != run for row in _kept(study / RATERS_KEY))


def _kept(path: Path) -> set[tuple[str, str, str]]:
    """Read the key that is there.

    Raises:
        InvalidInput: It is no key of ours, or it is damaged: rows of earlier runs would be lost.
    """
    if not path.is_file():
        return set()
    must = f"be the key that medassay wrote, with the columns {', '.join(_KEY_COLUMNS)}"
    hint = "Move it out of the study, or take the key from your backup."
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, strict=True)
            entries = {(row["run"], row["pseudonym"], row["rater"]) for row in rows}
            whole = tuple(rows.fieldnames or ()) == _KEY_COLUMNS
    except OSError as error:
        got = error.strerror or str(error)
        raise InvalidInput(Problem(RATERS_KEY, "be readable", got, hint)) from error
    except (ValueError, KeyError, csv.Error) as error:
        raise InvalidInput(Problem(RATERS_KEY, must, "something else", hint)) from error
    if not whole or any(None in row for row in entries):
        raise InvalidInput(Problem(RATERS_KEY, must, "something else", hint))
    return entries


def _said(
    judgements: Judgements,
    preferences: Preferences,
    raters: Raters,
    labels: Iterable[DocumentLabel],
) -> dict[str, "hashlib._Hash"]:
    """Give each rater a digest of the rows that are theirs, names aside.

    A column counts where it says something: one that is empty, or that a later version of
    medassay adds, gives nobody another pseudonym.
    """
    digests: dict[str, hashlib._Hash] = {}

    def add(rater: str, row: Mapping[str, object]) -> None:
        filled = {name: row[name] for name in sorted(row) if row[name] not in (None, "")}
        digests.setdefault(rater, hashlib.sha256()).update(f"{filled!r}\n".encode())

    for table in (without_defaults(judgements.frame), preferences.frame):
        # Rows of one rater that differ in nothing else stand as in the file: its order means time.
        for rater, rows in _written(table):
            digests.setdefault(rater, hashlib.sha256()).update(rows.encode())
    for label in labels:
        add(label.rater, label.model_dump(exclude={"rater"}))
    for listed_rater in raters:
        add(listed_rater.rater, {**asdict(listed_rater), "rater": ""})
    return digests


def _written(table: "pl.DataFrame") -> Iterator[tuple[str, str]]:
    """Write each rater's rows as `add` writes one, a column at a time: words repeat in most."""
    import polars as pl

    if table.is_empty():
        return
    columns = []
    for name in sorted(set(table.columns) - {"rater"}):
        column = table[name]
        if column.null_count() == len(column):
            continue
        words = column.unique() if column.dtype == pl.String else column
        said = [None if v in {None, ""} else f"{name!r}: {v!r}" for v in words.to_list()]
        if column.dtype == pl.String:
            columns.append(column.replace_strict(words, said, return_dtype=pl.String))
        else:
            columns.append(pl.Series(name, said, dtype=pl.String))
    words_of = pl.DataFrame([table["rater"], *columns]).group_by("rater", maintain_order=True)
    for (rater,), rows in words_of:  # one at a time: as text they take much room
        row = pl.concat_str(pl.exclude("rater"), separator=", ", ignore_nulls=True)
        yield rater, rows.select(("{" + row + "}\n").str.join("")).item()


def _models(judgements: Judgements, preferences: Preferences, raters: Raters) -> set[str]:
    models = {rater.rater for rater in raters if rater.kind == "model"}
    for table in (judgements.frame, preferences.frame):
        models.update(table.filter(table["rater_kind"] == "model")["rater"])
    return models


def _marks(people: int, raters: Collection[str], plain: Sequence[str]) -> Sequence[str]:
    """Give what stands behind `rater-`, so that nobody takes it for a name of the study.

    What tells numbered raters apart is the number, whatever stands before it: where one of them
    has a number in the name, pseudonyms have letters, and where one has a letter, numbers; where
    both are, numbers above all of theirs.

    Example:
        >>> _marks(2, ["ann", "bob"], ["1", "2"]), _marks(2, ["r1", "Rater 2"], ["1", "2"])
        (['1', '2'], ['A', 'B'])
        >>> _marks(2, ["A", "B"], ["1", "2"]), _marks(2, ["rater-1", "B"], ["1", "2"])
        (['1', '2'], ['101', '102'])
    """
    # A name may hold a number of thousands of digits, which is none of ours by its length.
    numbers = [int(number[:9]) for name in raters for number in re.findall(r"\d+", name)]
    if not numbers:
        return plain
    width = next(n for n in count(1) if len(ascii_uppercase) ** n >= people)
    alone = rf"(?<![^\W_])[^\W\d_]{{1,{width}}}(?![^\W_])"
    if any(re.search(alone, name) for name in raters):
        above = 100 * (1 + max(numbers) // 100)
        return [str(above + n).zfill(len(str(above + people))) for n in range(1, people + 1)]
    return ["".join(mark) for mark in islice(product(ascii_uppercase, repeat=width), people)]
