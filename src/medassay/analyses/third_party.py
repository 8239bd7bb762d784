"""Other packages' analyses in a study that keeps its words: a string is what it says, or it goes.

A record says by its types what its strings are of, and `[privacy]` believes it. A package may be
wrong about it, so where words are kept its names are held against the study's own, and words that
it wrote around them are left out.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

from medassay.analyses.score_columns import StudyColumns
from medassay.marks import Kind, mark_on, pruned
from medassay.marks.pruning import GONE, GONE_WITH_ITS_ROW, Gone
from medassay.study.folder import Study

__all__ = ["only_known_names"]

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
