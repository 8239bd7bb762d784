"""Which analyses a study asks for, and what each finds.

Another package's analysis keeps the study's words.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter

from medassay.analyses.declaration import Analysis
from medassay.analyses.inputs.readable import Inputs
from medassay.analyses.inputs.study_columns import StudyColumns
from medassay.analyses.registry import (
    analyses,
    broken_analyses,
    find_analysis,
    is_ours,
    provided_by,
)
from medassay.analyses.results.whole import NotAsked, Records
from medassay.annotations import Kind, mark_on, pruned
from medassay.annotations.record import GONE, GONE_WITH_ITS_ROW, Gone
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.plugins import unheard, words_of
from medassay.study.files.names import STUDY_FILE
from medassay.study.folder import Study
from medassay.study.scoring.processes import begun, usable_processes

_Record = TypeVar("_Record")
_NAMES: Final = frozenset({Kind.CASE, Kind.DOCUMENT, Kind.SYSTEM, Kind.RATER, Kind.DESIGN})


def only_known_names(record: _Record, study: Study, score_columns: StudyColumns) -> _Record:
    """Give a record with names that the study has, and without words.

    A row about a case, a system or anything else that the study does not have goes whole.
    """
    return pruned(record, _Known(_names_of(study, score_columns)))


@dataclass(frozen=True)
class _Known:
    """Takes out what is not among the names of its kind."""

    names: Mapping[Kind, Collection[str]]

    @classmethod
    def mark_of(cls, hint: Any) -> Kind | None:  # noqa: ANN401 - types of every shape
        """Look at names and at words; texts and tags go by their type, as everybody's do."""
        kind = mark_on(hint, Kind)
        return kind if kind in _NAMES or kind is Kind.WORDS else None

    def take(self, value: object, mark: StrEnum) -> object | Gone:
        """Keep names that are known; nothing is no name."""
        kind = Kind(mark)
        if not value:
            return value
        if kind is Kind.WORDS:
            return GONE
        listed = [value] if isinstance(value, str) else value
        known = isinstance(listed, list | tuple) and all(
            name in self.names[kind] for name in listed
        )
        return value if known else GONE_WITH_ITS_ROW


def _names_of(study: Study, score_columns: StudyColumns) -> dict[Kind, Collection[str]]:
    system_configs = [study.system(system) for system in study.systems]
    rubric = study.rubric.dimensions
    documents = {evidence.id for case in study.cases for evidence in case.evidence}
    documents |= {document.id for case in study.cases for document in case.documents}
    documents |= {
        retrieved.document for answer in study.answers for retrieved in answer.retrieved or ()
    }
    frames = (study.everyone.frame, study.preferences.frame)
    return {
        Kind.CASE: frozenset(study.cases.ids),
        Kind.DOCUMENT: documents,
        Kind.SYSTEM: {
            *study.systems,
            *(system_config.title for system_config in system_configs),
            *(system_config.family for system_config in system_configs),
        },
        Kind.RATER: {rater for frame in frames for rater in frame["rater"].unique()},
        Kind.DESIGN: {
            *(dimension.id for dimension in rubric),
            *(dimension.title for dimension in rubric),
            *(label.label for dimension in rubric for label in dimension.labels),
            *(column.name for column in score_columns.columns),
            *study.config.rules.agreement,
            *study.config.rules.consensus,
        },
    }


_MANY: Final = 10_000
"""From so many answers on a copy of the process costs little beside what it computes."""


def asked_of(inputs: Inputs) -> tuple[Records, tuple[str, ...]]:
    """Run every analysis that the study asks for, each with what it reads and nothing else.

    Returns:
        What they found; and a sentence for each of another package that failed, or whose record is
        not what it declares. Such a one is left out.
    """
    records: dict[str, object] = {}
    failed: list[str] = []
    asked = list(chosen(inputs.study))
    apart = {
        analysis.id: partial(analysis.compute, **inputs.of(analysis))
        for analysis in asked
        if analysis.declared.apart and is_ours(analysis) and len(inputs.study.answers) >= _MANY
    }
    with begun(apart, usable_processes()) as result_of:
        for analysis in asked:
            if analysis.id in apart:
                records[analysis.id] = None  # its place, while a copy of the process works on it
            elif is_ours(analysis):
                records[analysis.id] = analysis.compute(**inputs.of(analysis))
            else:
                _ask_strangers(analysis, inputs, records, failed)
        records |= {name: result_of(name) for name in apart}
    return Records(records).known(), tuple(failed)


def _ask_strangers(
    analysis: Analysis[Any], inputs: Inputs, records: dict[str, object], failed: list[str]
) -> None:
    """Run an analysis of another package; one that fails is left out with a sentence."""
    private = inputs.study.config.privacy.texts != "full"
    try:
        with unheard() if private else nullcontext():
            record = _checked(analysis, analysis.compute(**inputs.of(analysis)))
        if private and record is not None:
            record = only_known_names(record, inputs.study, inputs.score_columns)
        records[analysis.id] = record
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001 - other people's code may raise anything, and exit
        # What it says may quote an answer.
        text = type(error).__name__ if private else words_of(error)
        package = provided_by(analysis) or "no package"
        failed.append(f"Left out: the analysis {analysis.id} of {package}, which failed: {text}.")


def cautions_of(answered: Records) -> list[str]:
    """Say what the analyses have to say among the report's warnings, in their order."""
    return [
        sentence
        for analysis in analyses()
        if analysis.declared.cautions and (record := answered.of(analysis)) is not None
        for sentence in analysis.declared.cautions(record)
    ]


def _checked(analysis: Analysis[Any], record: object) -> object:
    """Hold a record to what it declares: report.json must be read back as it was written."""
    if record is None:
        return None
    adapter = TypeAdapter(analysis.record)
    return adapter.validate_json(adapter.dump_json(record, warnings=False))


def chosen(study: Study) -> Iterator[Analysis[Any]]:
    """Give the analyses of a study: study.toml's word first, then the protocol's, then its cost.

    One that infers is no part of a study whose protocol describes only, whoever asks for it.
    """
    wanted, rules = study.config.report.analyses, study.config.rules
    for analysis in analyses():
        asked = wanted.get(
            analysis.id, rules.analyses.get(analysis.id, analysis.declared.cost == "cheap")
        )
        if asked and not (rules.descriptive and analysis.declared.infers):
            yield analysis


def not_asked(study: Study) -> tuple[NotAsked, ...]:
    """Name the analyses that the study could ask for."""
    rules = study.config.rules
    asked = {analysis.id for analysis in chosen(study)}
    return tuple(
        NotAsked(
            analysis.id,
            analysis.declared.title,
            analysis.declared.question,
            f"{analysis.id} = true",
        )
        for analysis in analyses()
        if analysis.id not in asked and not (rules.descriptive and analysis.declared.infers)
    )


def check_analyses(study: Study) -> None:
    """Refuse a study that asks for an analysis that is not there, and name those that are broken.

    Raises:
        InvalidInput: Each, with where it is asked for.
    """
    problems = []
    broken = {problem.file for problem in broken_analyses()}
    config = study.config
    asked = [
        (STUDY_FILE, "report.analyses", *analysis) for analysis in config.report.analyses.items()
    ]
    of_protocol = config.protocol_file or STUDY_FILE
    asked += [
        (of_protocol, "analyses", *analysis) for analysis in config.whole_protocol.analyses.items()
    ]
    for file, column, name, wanted in asked:
        try:
            find_analysis(name)
        except UnknownName as error:
            must, got = "name an analysis", f'"{name}"'
            problems.append(Problem(file, must, got, error.hint, None, f"{column}.{name}"))
        except InvalidInput as error:
            # What is switched off need not load.
            problems += [problem for problem in error.problems if wanted and problem.file in broken]
    if problems:
        raise InvalidInput(problems)
