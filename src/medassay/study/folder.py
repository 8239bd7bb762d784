"""Open a study's folder: read everything, check everything, report every problem at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from medassay.answers import Answers, read_answers
from medassay.cases import Cases, read_cases
from medassay.errors import InvalidInput, MedassayError, Problem, nearest
from medassay.judgements import Judgements, Preferences, Rubric, load_rubric
from medassay.study.config import StudyConfig, SystemConfig, read_config
from medassay.study.imported import Imported, read_imported
from medassay.study.manifest import file_hash

__all__ = ["Study"]

FORMS: Final = (".jsonl", ".csv", ".parquet")

_Read = TypeVar("_Read")


@dataclass(frozen=True)
class Study:
    """Everything that a study's folder holds, checked.

    Attributes:
        path: The folder.
        config: study.toml.
        rubric: The dimensions in use.
        cases: What was asked.
        answers: What was answered.
        judgements: What raters judged.
        preferences: What raters preferred.
        imported: Other people's scores, a table for each file.
        warnings: What a reader should know, though nothing is wrong.
    """

    path: Path
    config: StudyConfig
    rubric: Rubric
    cases: Cases
    answers: Answers
    judgements: Judgements
    preferences: Preferences
    imported: tuple[Imported, ...]
    warnings: tuple[str, ...]

    @classmethod
    def open(cls, path: Path | str) -> "Study":
        """Open a study.

        Raises:
            InvalidInput: Every problem of every file.
        """
        folder = Path(path)
        if not folder.is_dir():
            hint = f"Make one with: medassay new {folder} --protocol ratings"
            raise InvalidInput(
                Problem(str(path), "be the folder of a study", "no such folder", hint)
            )
        config = read_config(folder)
        found = _Problems()
        rubric = found.collect(lambda: _rubric(folder, config), _NO_RUBRIC)
        cases = found.collect(lambda: _cases(folder), Cases(()))
        answers = found.collect(lambda: _answers(folder, cases), Answers(()))
        judgements = found.collect(lambda: _judgements(folder, rubric), _no_judgements(rubric))
        preferences = found.collect(lambda: _preferences(folder), _no_preferences())
        nothing: tuple[Imported, ...] = ()
        imported = found.collect(lambda: read_imported(folder), nothing)
        # Unknown ids are only looked for where what they refer to could be read.
        if not found.problems:
            found.problems += _strangers(cases, answers, judgements, preferences, imported)
            found.problems += _config_strangers(config, answers, judgements, imported)
        if found.problems:
            raise InvalidInput(found.problems)
        warnings = [*map(str, cases.warnings), *map(str, answers.warnings)]
        warnings += _judged_but_not_given(answers, judgements)
        return cls(
            folder, config, rubric, cases, answers, judgements, preferences, imported,
            tuple(warnings),
        )  # fmt: skip

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """List every system that answered, was judged, or has imported scores; sorted."""
        names = set(self.answers.systems)
        names.update(self.judgements.frame["system"].unique())
        for name in ("system_a", "system_b"):
            names.update(self.preferences.frame[name].unique())
        for imported in self.imported:
            names.update(imported.table.frame["system"].unique())
        return tuple(sorted(names))

    def system(self, name: str) -> SystemConfig:
        """Give what study.toml says about a system."""
        return self.config.systems.get(name, SystemConfig())

    @cached_property
    def families(self) -> dict[str, str]:
        """Give the family of each system that has one."""
        return {name: said.family for name, said in self.config.systems.items() if said.family}

    @cached_property
    def clusters(self) -> dict[str, str]:
        """Give the cluster of each case that has the tag named under [ranking] clusters."""
        tag = self.config.ranking.clusters
        return {} if tag is None else {c.case: c.tags[tag] for c in self.cases if tag in c.tags}

    @cached_property
    def inputs(self) -> dict[str, str]:
        """Give the SHA-256 of every file that the study was read from."""
        names = ["study.toml", *(f"{stem}{form}" for stem in _TABLES for form in FORMS)]
        paths = [self.path / name for name in names]
        for inner in ("answers", "scores"):
            paths += sorted((self.path / inner).glob("*")) if (self.path / inner).is_dir() else []
        paths += [
            self.path / choice.rubric
            for choice in self.config.rubrics
            if choice.rubric.endswith(".toml")
        ]
        return {
            path.relative_to(self.path).as_posix(): file_hash(path)
            for path in paths
            if path.is_file() and not path.name.startswith(".")
        }


_TABLES: Final = ("cases", "judgements", "preferences")
_NO_RUBRIC: Final = load_rubric("likert5")


class _Problems:
    """Goes on after a problem, so that all are found in one reading."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def collect(self, read: Callable[[], _Read], otherwise: _Read) -> _Read:
        try:
            return read()
        except InvalidInput as error:
            self.problems += error.problems
        except MedassayError as error:
            self.problems.append(Problem("study.toml", "name what exists", str(error)))
        return otherwise


def _table(folder: Path, stem: str) -> Path | None:
    """Find the one file that holds a table, whatever its form."""
    found = [path for form in FORMS if (path := folder / f"{stem}{form}").is_file()]
    if len(found) > 1:
        names = " and ".join(path.name for path in found)
        raise InvalidInput(
            Problem(stem, "be one file", names, "Keep the one that holds your data.")
        )
    return found[0] if found else None


def _rubric(folder: Path, config: StudyConfig) -> Rubric:
    """Put the dimensions of all rubrics in use together."""
    rubrics, problems = [], []
    for choice in config.rubrics:
        own = choice.rubric.endswith(".toml")
        rubric = load_rubric(folder / choice.rubric if own else choice.rubric)
        for name in choice.only:
            if name not in rubric.ids:
                must = f"be a dimension of {rubric.name}: {', '.join(rubric.ids)}"
                hint = nearest(name, rubric.ids)
                problems.append(
                    Problem("study.toml", must, f'"{name}"', hint, None, "dimensions.only")
                )
        kept = tuple(d for d in rubric.dimensions if not choice.only or d.id in choice.only)
        rubrics.append(rubric.model_copy(update={"dimensions": kept}))
    if problems:
        raise InvalidInput(problems)
    dimensions = tuple(dimension for rubric in rubrics for dimension in rubric.dimensions)
    twice = sorted({d.id for d in dimensions if [e.id for e in dimensions].count(d.id) > 1})
    if twice:
        must, hint = "have each dimension in one rubric", "Choose with `only`."
        raise InvalidInput(
            Problem("study.toml", must, f"{', '.join(twice)} twice", hint, None, "dimensions")
        )
    name = "+".join(rubric.name for rubric in rubrics)
    return rubrics[0].model_copy(update={"name": name, "dimensions": dimensions})


def _cases(folder: Path) -> Cases:
    path = _table(folder, "cases")
    if path is None:
        hint = "Add cases.jsonl, cases.csv or cases.parquet."
        raise InvalidInput(Problem("cases", "be a file of the study", "nothing there", hint))
    return read_cases(path)


def _answers(folder: Path, cases: Cases) -> Answers:
    inner = folder / "answers"
    if not inner.is_dir() or not any(path.suffix in FORMS for path in inner.iterdir()):
        return Answers(())
    return read_answers(inner, cases)


def _judgements(folder: Path, rubric: Rubric) -> Judgements:
    path = _table(folder, "judgements")
    return _no_judgements(rubric) if path is None else Judgements.read(path, rubric)


def _preferences(folder: Path) -> Preferences:
    path = _table(folder, "preferences")
    return _no_preferences() if path is None else Preferences.read(path)


def _no_judgements(rubric: Rubric) -> Judgements:
    return Judgements.from_rows([], rubric)


def _no_preferences() -> Preferences:
    return Preferences.from_rows([])


def _strangers(
    cases: Cases,
    answers: Answers,
    judgements: Judgements,
    preferences: Preferences,
    imported: tuple[Imported, ...],
) -> list[Problem]:
    """Name ids that refer to nothing."""
    systems = answers.systems
    tables = [
        ("judgements", judgements.frame, ("system",)),
        ("preferences", preferences.frame, ("system_a", "system_b")),
        *((one.file, one.table.frame, ("system",)) for one in imported),
    ]
    problems = []
    for file, frame, system_columns in tables:
        for name in sorted(set(frame["case"].unique()) - set(cases.ids)):
            must = "be the id of a case that was asked"
            hint = nearest(name, cases.ids)
            problems.append(Problem(file, must, f'"{name}"', hint, None, "case"))
        for column in system_columns if systems else ():
            for name in sorted(set(frame[column].unique()) - set(systems)):
                must = "be a system that answered"
                hint = nearest(name, systems) or f"Known: {', '.join(systems)}."
                problems.append(Problem(file, must, f'"{name}"', hint, None, column))
    return problems


def _config_strangers(
    config: StudyConfig,
    answers: Answers,
    judgements: Judgements,
    imported: tuple[Imported, ...],
) -> list[Problem]:
    known = set(answers.systems) | set(judgements.frame["system"].unique())
    for one in imported:
        known.update(one.table.frame["system"].unique())
    return [
        Problem(
            "study.toml",
            "name a system of the study",
            f'"{name}"',
            nearest(name, known),
            None,
            f"systems.{name}",
        )
        for name in sorted(config.systems)
        if known and name not in known
    ]


def _judged_but_not_given(answers: Answers, judgements: Judgements) -> list[str]:
    if not len(answers):
        return []
    judged = judgements.current().select("system", "case").unique().sort("system", "case")
    count = sum(answers.get(system, case) is None for system, case in judged.iter_rows())
    if not count:
        return []
    return [f"{count} answers were judged that the study does not have; the judgements are kept."]
