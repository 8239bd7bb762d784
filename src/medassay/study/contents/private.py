"""What leaves a study: parts without what [privacy] keeps, and what raters are called there."""

import csv
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import count, islice, product
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final, get_args

from medassay.annotations import case_numbers, numbered
from medassay.answers import Answers
from medassay.cases import Case, Cases
from medassay.errors import InvalidInput, Problem
from medassay.judgements import OWN_WORDS, About, Judgements, Preferences, Raters, Rubric
from medassay.metrics.danger import Category
from medassay.scores import ScoreTable, without_defaults
from medassay.study.config.study_toml import NEAR_EQUAL, StudyConfig
from medassay.study.contents.document_labels import DocumentLabel
from medassay.study.contents.metric_scores import Imported
from medassay.study.files.lock import RESULTS
from medassay.study.files.names import RATERS_KEY
from medassay.tables import FORMS, changed, csv_bytes, write_atomically

if TYPE_CHECKING:
    import polars as pl

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


_TAG: Final = "tag "
_VALUE: Final = "value "
_SHOWN: Final = "text "
_KEPT: Final = "kept in the study"
_SCENARIO: Final = "scenario"
"""A tag that the program itself gives a meaning: wordings of one question."""


@dataclass(frozen=True)
class PrivateNames:
    """What the parts of a study are called that keeps its own names.

    Attributes:
        cases: Case to its number; empty where cases keep their ids.
        tags: Each tag that something is computed by to its number; other tags are left out.
        values: Those tags to their values, and these to their numbers.
        parts: Criteria, documents and evidence that a judgement may be about to their numbers;
            empty where they keep their ids.
    """

    cases: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, config: StudyConfig, cases: Cases, rubric: Rubric) -> "PrivateNames":
        """Number what a study's setting keeps: tags under `ids`, cases as well under `none`."""
        dangers = _danger_tags(config, cases)
        used = {tag for tag in (config.ranking.clusters, config.safety.tag) if tag is not None}
        ours = {_SCENARIO: _SCENARIO} | {word: word for word in used & {NEAR_EQUAL}}
        tags = {**ours, **numbered(used - {NEAR_EQUAL}, _TAG)}
        base = config.safety.tag
        tags |= {name: tags[base] + name.removeprefix(base) for name in dangers}
        kinds = _kinds(rubric)
        strange = {value for name in dangers for value in _values(cases, name)} - kinds
        danger = {kind: kind for kind in kinds} | numbered(strange, _VALUE)
        values = {
            name: danger if name in dangers else numbered(_values(cases, name), _VALUE)
            for name in tags
        }
        if config.privacy.texts != "none":
            return cls({}, tags, values)
        return cls(case_numbers(cases.ids), tags, values, numbered(_parts(cases), "part-"))

    def case(self, case: Case) -> Case:
        """Give a case without its other tags, under its number."""
        tags = {
            self.tags[name]: self.values[name][value]
            for name, value in case.tags.items()
            if name in self.tags
        }
        criteria = tuple(
            criterion.model_copy(update={"id": self.parts.get(criterion.id, criterion.id)})
            for criterion in case.criteria
        )
        number = self.cases.get(case.case, case.case)
        return case.model_copy(update={"case": number, "tags": tags, "criteria": criteria})

    def of_cases(self, cases: Cases) -> Cases:
        """Give the cases so."""
        return Cases(changed(self.case, cases.records))

    def of_answers(self, answers: Answers) -> Answers:
        """Give the answers under the numbers of their cases."""
        if not self.cases:
            return replace(answers, warnings=())
        return Answers(
            changed(
                lambda answer: answer.model_copy(update={"case": self.cases[answer.case]}),
                answers.records,
            ),
            asked=answers.asked.called(self.cases),
        )

    def of_judgements(self, judgements: Judgements) -> Judgements:
        """Give the judgements without what raters wrote in words of their own."""
        return judgements.of_rows(self._said(judgements.frame))

    def of_preferences(self, preferences: Preferences) -> Preferences:
        """Give the preferences without what raters wrote in words of their own."""
        return preferences.of_rows(self._said(preferences.frame))

    def of_imported(self, imported: Imported) -> Imported:
        """Give imported scores without what somebody wrote beside a missing one."""
        table = ScoreTable(self._numbered(imported.table.without_details().frame))
        return replace(imported, table=table, notes=())

    def of_relevance(self, labels: Iterable[DocumentLabel]) -> tuple[DocumentLabel, ...]:
        """Give the labels of documents under the numbers of their cases."""
        return tuple(
            label.model_copy(update={"case": self.cases.get(label.case, label.case)})
            for label in labels
        )

    def of_config(self, config: StudyConfig) -> StudyConfig:
        """Give the settings with cases and tags called as everywhere; the domain's are left out."""
        clusters = config.ranking.clusters
        update: dict[str, object] = {
            "ranking": config.ranking.model_copy(
                update={"clusters": None if clusters is None else self.tags[clusters]}
            ),
            "safety": config.safety.model_copy(update={"tag": self.tags[config.safety.tag]}),
            "domain": config.domain.model_copy(update={"tags": []}),
            "corrections": [one.model_copy(update={"reason": _KEPT}) for one in config.corrections],
        }
        if config.consensus is not None:
            controls = [
                control_item.model_copy(
                    update={"case": self.cases.get(control_item.case, control_item.case)}
                )
                for control_item in config.consensus.controls
            ]
            update["consensus"] = config.consensus.model_copy(update={"controls": controls})
        return config.model_copy(update=update)

    def _said(self, frame: "pl.DataFrame") -> "pl.DataFrame":
        import polars as pl

        return self._numbered(
            frame.with_columns(
                pl.when(pl.col(name).is_not_null()).then(pl.lit(_KEPT)).alias(name)
                for name in OWN_WORDS
            )
        )

    def _about(self, text: str) -> str:
        """Give what a judgement is about, with numbers in place of ids."""
        about = About.read(text)
        if about is None or not about.id:
            return text
        # What no case holds, such as a document that a system found, has no number.
        number = self.parts.get(about.id) or hashlib.sha256(about.id.encode()).hexdigest()[:12]
        return text[: len(text) - len(about.id)] + number

    def _numbered(self, frame: "pl.DataFrame") -> "pl.DataFrame":
        import polars as pl

        if not self.cases:
            return frame
        if "about" in frame.columns:
            abouts = {text: self._about(text) for text in frame["about"].unique().to_list()}
            frame = frame.with_columns(pl.col("about").replace(abouts))
        return frame.with_columns(
            pl.col("case").replace_strict(
                list(self.cases), list(self.cases.values()), return_dtype=pl.String()
            )
        )


def numbering_of(cases: Sequence[str]) -> str:
    """Tell one numbering of cases from another: with other cases a number is another case's.

    Example:
        >>> numbering_of(["a", "b"]) == numbering_of(["b", "a"]) != numbering_of(["a", "c"])
        True
    """
    return hashlib.sha256(json.dumps(sorted(cases)).encode()).hexdigest()[:12]


def raters_without_words(raters: Raters) -> Raters:
    """Give the raters without what was written of them; who saw another text is still told."""
    shown = numbered({rater.shown for rater in raters if rater.shown}, _SHOWN)
    return Raters(
        replace(
            rater,
            expertise=_KEPT if rater.expertise else "",
            conflicts=_KEPT if rater.conflicts and not rater.declares_none else rater.conflicts,
            reason=_KEPT if rater.reason else "",
            shown=shown.get(rater.shown, ""),
        )
        for rater in raters
    )


def _danger_tags(config: StudyConfig, cases: Cases) -> set[str]:
    """Name the tags that make a kind of error of a choice: `danger`, `danger-A`."""
    base = config.safety.tag
    return {
        name for case in cases for name in case.tags if name == base or name.startswith(f"{base}-")
    }


def _kinds(rubric: Rubric) -> set[str]:
    """Name the kinds of error that are words of ours or of the rubric's: they tell of no case."""
    own = (dimension.id.removesuffix("-severity") for dimension in rubric.dimensions)
    return {*get_args(Category), *own}


def _parts(cases: Cases) -> set[str]:
    return {
        part.id
        for case in cases
        for parts in (case.criteria, case.documents, case.evidence)
        for part in parts
    }


def _values(cases: Cases, tag: str) -> set[str]:
    return {case.tags[tag] for case in cases if tag in case.tags}
