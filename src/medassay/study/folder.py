"""Open a study's folder: read everything, check everything, report every problem at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from medassay.answers import Answers, read_answers
from medassay.cases import Cases, read_cases, read_documents, with_documents
from medassay.consensus import Given
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Judgements, Preferences, Raters, Rubric
from medassay.study.choices import choice_problems, rubric_in_use
from medassay.study.config import StudyConfig, SystemConfig, read_config
from medassay.study.document_labels import counted_labels, labelled_documents, with_labels
from medassay.study.files import (
    ANSWERS,
    STUDY_FILE,
    misnamed,
    read_table,
    table_file,
    tables_in,
    unread,
    unreadable,
)
from medassay.study.given import given_in, given_problems
from medassay.study.imported import Imported, read_imported
from medassay.study.inputs import input_hashes
from medassay.study.judges.read import Judges, read_judges
from medassay.study.judges.words import say_judges
from medassay.study.odd_questions import odd_questions
from medassay.study.own_rules import rule_problems
from medassay.study.panel import count_left_out, read_raters, say_left_out
from medassay.study.relevance import DocumentLabel, read_relevance
from medassay.study.results.judge import StandingOfCertificate
from medassay.study.same_names import opening_problems
from medassay.study.strangers import Known, read_known
from medassay.tables import uncollected

__all__ = ["Study"]

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
        judgements_on_file: What raters judged, excluded raters among them.
        preferences_on_file: What raters preferred, excluded raters among them.
        raters: Who they are; empty where the study does not say.
        imported: Other people's scores, a table for each file.
        judges: Who the model raters are, and their certificates.
        warnings: What a reader should know, though nothing is wrong.
        relevance: What single experts say of documents, as far as it counts; the cases hold what
            they jointly say.
    """

    path: Path
    config: StudyConfig
    rubric: Rubric
    cases: Cases
    answers: Answers
    judgements_on_file: Judgements
    preferences_on_file: Preferences
    raters: Raters
    imported: tuple[Imported, ...]
    judges: Judges
    warnings: tuple[str, ...]
    relevance: tuple[DocumentLabel, ...] = ()

    @classmethod
    @uncollected()
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
        found = _Problems()
        notes: list[Problem] = []
        found.problems += unreadable(folder)
        found.problems += misnamed(folder)
        config = found.collect(lambda: read_config(folder))
        rubric = None if config is None else found.collect(lambda: rubric_in_use(folder, config))
        cases = found.collect(lambda: _cases(folder))
        answers = found.collect(lambda: _answers(folder, cases))
        known = Known(
            cases=None if cases is None else cases.ids,
            systems=() if answers is None else answers.systems,
        )
        judgements = found.collect(lambda: _judgements(folder, rubric, known, notes))
        preferences = found.collect(lambda: _preferences(folder, known, notes))
        raters = found.collect(lambda: read_raters(folder, judgements, preferences, notes))
        imported = found.collect(lambda: read_imported(folder, known))
        labels = found.collect(lambda: read_relevance(folder, known.cases, raters))
        cases = found.collect(lambda: _with_documents(folder, cases, answers, labels or ()))
        judges = found.collect(lambda: _judges(folder, config, judgements, preferences, raters))
        if config is not None and rubric is not None:
            found.problems += choice_problems(config, rubric, cases, imported or ())
            found.problems += rule_problems(folder, config)
            found.problems += given_problems(config, rubric, cases)
            if imported and not found.problems:
                found.problems += opening_problems(folder, config, cases, imported)
        if (
            found.problems
            or config is None
            or rubric is None
            or cases is None
            or answers is None
            or judgements is None
            or preferences is None
            or raters is None
            or imported is None
            or judges is None
            or labels is None
        ):
            raise InvalidInput(dict.fromkeys(found.problems))
        apart = () if config.raters.models == "counted" else judges.raters
        relevance, lost = counted_labels(labels, raters, apart)
        cases, said = with_labels(cases, relevance, answers)
        notes += said
        notes += [note for one in imported for note in one.notes]
        notes += odd_questions(cases, answers)
        warnings = [str(note) for note in (*cases.warnings, *answers.warnings, *notes)]
        warnings += [*map(str, unread(folder)), *_judged_but_not_given(answers, judgements)]
        warnings += lost
        warnings += say_left_out(raters, count_left_out(raters, judgements, preferences))
        study = cls(
            folder, config, rubric, cases, answers, judgements, preferences, raters, imported,
            judges, tuple(warnings), relevance,
        )  # fmt: skip
        strange = study.unknown_systems()
        if strange:
            raise InvalidInput(strange)
        return replace(study, warnings=(*study.warnings, *say_judges(study)))

    @cached_property
    def everyone(self) -> Judgements:
        """Give what people and models judged; what excluded raters said is left out."""
        excluded = [one.rater for one in self.raters.excluded]
        on_file = self.judgements_on_file
        return on_file.without_raters(excluded) if excluded else on_file

    @cached_property
    def judgements(self) -> Judgements:
        """Give what counts as people's judgement: models' only as far as [raters] lets them."""
        apart = {
            dimension: [name for name in self.judges.raters if not self.counts(name, dimension)]
            for dimension in self.rubric.ids
        }
        return self.everyone.without(apart) if self.judges.raters else self.everyone

    @cached_property
    def preferences_of_all(self) -> Preferences:
        """Give what people and models preferred; what excluded raters said is left out."""
        excluded = [one.rater for one in self.raters.excluded]
        on_file = self.preferences_on_file
        return on_file.without_raters(excluded) if excluded else on_file

    @cached_property
    def preferences(self) -> Preferences:
        """Give what counts as people's preference; no certificate speaks of preferences."""
        if self.config.raters.models == "counted" or not self.judges.raters:
            return self.preferences_of_all
        return self.preferences_of_all.without_raters(self.judges.raters)

    def standing(self, judge: str, dimension: str) -> StandingOfCertificate:
        """Say whether a judge's certificate holds here, and whether its labels are counted."""
        asked = self.rubric.dimension(dimension)
        return self.judges.standing(judge, asked, self.config, self.cases)

    def counts(self, judge: str, dimension: str) -> bool:
        """Say whether a model's labels on a dimension are counted like a person's."""
        return self.standing(judge, dimension).counted

    @cached_property
    def left_out(self) -> dict[str, int]:
        """Count what each excluded rater said."""
        return count_left_out(self.raters, self.judgements_on_file, self.preferences_on_file)

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

    def missing(self, system: str) -> int:
        """Count the cases that a system never answered; none where the study holds no answers."""
        given = sum(answer.system == system for answer in self.answers)
        return len(self.cases) - given if len(self.answers) else 0

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
    def given(self) -> dict[str, Given]:
        """Give each dimension's control items and label priors."""
        return given_in(self.config.consensus, self.rubric)

    @cached_property
    def known(self) -> Known:
        """Give the ids that rows may refer to."""
        return Known(self.cases.ids, self.answers.systems)

    @cached_property
    def inputs(self) -> dict[str, str]:
        """Give the SHA-256 of every file that the study was read from."""
        return input_hashes(self.path, self.config)

    def unknown_systems(self) -> list[Problem]:
        """Name the systems of study.toml that the study's tables do not have."""
        return [
            Problem(
                STUDY_FILE,
                "name a system of the study",
                f'"{name}"',
                nearest(name, self.systems) or f"Known: {', '.join(self.systems)}.",
                None,
                f"systems.{name}",
            )
            for name in sorted(self.config.systems)
            if self.systems and name not in self.systems
        ]


class _Problems:
    """Goes on after a problem, so that all are found in one reading."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def collect(self, read: Callable[[], _Read]) -> _Read | None:
        try:
            return read()
        except InvalidInput as error:
            self.problems += error.problems
        return None


def _judges(
    folder: Path,
    config: StudyConfig | None,
    judgements: Judgements | None,
    preferences: Preferences | None,
    raters: Raters | None,
) -> Judges | None:
    if config is None or judgements is None or preferences is None or raters is None:
        return None
    return read_judges(folder, config, judgements, preferences, raters)


def _cases(folder: Path) -> Cases:
    path = table_file(folder, "cases")
    if path is None:
        hint = "Add cases.jsonl, cases.csv or cases.parquet."
        raise InvalidInput(Problem("cases", "be a file of the study", "nothing there", hint))
    return read_cases(path)


def _answers(folder: Path, cases: Cases | None) -> Answers:
    inner = folder / ANSWERS
    return read_answers(inner, cases) if tables_in(inner) else Answers(())


def _with_documents(
    folder: Path, cases: Cases | None, answers: Answers | None, labels: Sequence[DocumentLabel]
) -> Cases | None:
    """Give the cases the texts of documents.jsonl, where the study has one."""
    path = table_file(folder, "documents")
    if path is None:
        return cases
    shared = read_documents(path)
    if cases is None or answers is None:
        return cases
    named = labelled_documents(labels)
    for answer in answers:
        named.setdefault(answer.case, []).extend(r.document for r in answer.retrieved or ())
    return with_documents(cases, shared, named)


def _judgements(
    folder: Path, rubric: Rubric | None, known: Known, notes: list[Problem]
) -> Judgements | None:
    sheet = read_table(folder, "judgements")
    notes += sheet.notes if sheet is not None else ()
    if rubric is None:
        return None
    if sheet is None:
        return Judgements.from_rows([], rubric)
    return read_known(sheet, lambda rows: Judgements.from_sheet(rows, rubric), known)


def _preferences(folder: Path, known: Known, notes: list[Problem]) -> Preferences:
    sheet = read_table(folder, "preferences")
    notes += sheet.notes if sheet is not None else ()
    if sheet is None:
        return Preferences.from_rows([])
    return read_known(sheet, Preferences.from_sheet, known)


def _judged_but_not_given(answers: Answers, judgements: Judgements) -> list[str]:
    if not len(answers):
        return []
    judged = judgements.current().select("system", "case").unique().sort("system", "case")
    count = sum(answers.get(system, case) is None for system, case in judged.iter_rows())
    if not count:
        return []
    said = "1 answer was" if count == 1 else f"{count} answers were"
    return [f"{said} judged that the study does not have; the judgements are kept."]
