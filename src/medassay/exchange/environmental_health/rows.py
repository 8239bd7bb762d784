"""The rows of a panel's files, checked one by one."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from medassay.cases import Id
from medassay.errors import Problem, nearest
from medassay.exchange.environmental_health.files import PanelFiles, PanelTable
from medassay.stats import CONFIDENCE_LEVELS
from medassay.tables import Sheet, read_record, wrong

__all__ = [
    "EXPERTS",
    "AnswerRow",
    "ConfidenceRow",
    "PanelRows",
    "Placed",
    "RankedRow",
    "level_of",
    "names_no_query",
    "read_rows",
]

_Row = TypeVar("_Row", bound=BaseModel)


_ASKED = ("factuality", "interpretability", "expert_confidence")
EXPERTS = frozenset(
    {"expert_id", "rater_kind", "expertise", "external", "conflicts", "blinded", "shown", "status",
     "reason"}
)  # fmt: skip
"""The columns of a table of experts."""
RATED = frozenset(
    {"scenario_id", "query_instance_id", "expert_id", "position", "time", "seconds", "phase",
     "comment", *_ASKED, *(f"{name}_position" for name in _ASKED)}
)  # fmt: skip
"""The columns of a table of ratings."""


def level_of(value: object) -> str | None:
    """Give the level that a cell names, however its letters are written."""
    text = str(value).casefold()
    return next((level for level in CONFIDENCE_LEVELS if level.casefold() == text), None)


def names_no_query(sheet: Sheet, problems: list[Problem]) -> bool:
    """Say once, not row by row, that a table has no column for what its rows are about."""
    if "scenario_id" in sheet.columns or None not in sheet.columns.get("query_instance_id", [None]):
        return False
    must, hint = "have a column scenario_id", "It says which scenario each row is about."
    problems.append(Problem(sheet.file, must, ", ".join(sheet.columns), hint, sheet.header))
    return True


def _as_level(value: object) -> object:
    level = level_of(value)
    if level is not None:
        return level
    hint = nearest(value, CONFIDENCE_LEVELS) if isinstance(value, str) else ""
    raise wrong(f"be one of {', '.join(CONFIDENCE_LEVELS)}", f'"{value}"', hint)


def _as_relevance(value: object) -> object:
    if str(value).strip() in {"0", "1", "0.0", "1.0"}:
        return int(float(str(value)))
    hint = "An expert's label for one document: 1 where it bears on the query."
    raise wrong("be 0 or 1", f'"{value}"', hint)


class _Record(BaseModel):
    # What a group keeps beside is left alone; `read_rows` names it.
    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="ignore")


class _OfQuery(_Record):
    """A row about one query: a scenario's own, or one of its other wordings."""

    scenario_id: Id | None = None
    query_instance_id: Id | None = None

    @property
    def case(self) -> str | None:
        """Give the query that the row is about."""
        return self.query_instance_id or self.scenario_id


class ScenarioRow(_Record):
    """A scenario and the query that asks it."""

    scenario_id: Id
    query: str
    pollutant: Id | None = None
    outcome: Id | None = None
    topic_id: Id | None = None
    scenario_type: Id | None = None


class QueryRow(ScenarioRow):
    """Another wording of a scenario's query."""

    query_instance_id: Id


class RankedRow(_OfQuery):
    """A document of a ranking: how alike it is to the query, what an expert says of it."""

    document_rank: Annotated[int, Field(ge=1)]
    document: Id | None = None
    expert_id: Id | None = None
    relevance: Annotated[Literal[0, 1], BeforeValidator(_as_relevance)] | None = None
    similarity: Annotated[float, Field(allow_inf_nan=False)] | None = None


class ConfidenceRow(_OfQuery):
    """The confidence that the system showed, and the mean that it says it rests on."""

    system_confidence: (
        Annotated[Literal["Low", "Medium", "High"], BeforeValidator(_as_level)] | None
    ) = None
    normalized_similarity_mean: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = (
        None
    )


class AnswerRow(_OfQuery):
    """The system's summary in words."""

    answer: str


@dataclass(frozen=True)
class Placed(Generic[_Row]):
    """A row and where it stands.

    Attributes:
        file: The file.
        row: Its row there.
        record: What it says.
    """

    file: str
    row: int
    record: _Row

    def problem(self, must: str, got: str, hint: str = "", column: str | None = None) -> Problem:
        """Say what is wrong with it."""
        return Problem(self.file, must, got, hint, self.row, column)


@dataclass(frozen=True)
class PanelRows:
    """Every row of the tables that are read row by row; ratings and experts are not.

    Attributes:
        scenarios: Scenarios.
        queries: Their other wordings.
        ranked: Documents of rankings.
        confidence: The system's confidence.
        answers: The system's summaries.
        notes: Columns that are not read.
    """

    scenarios: Sequence[Placed[ScenarioRow]]
    queries: Sequence[Placed[QueryRow]]
    ranked: Sequence[Placed[RankedRow]]
    confidence: Sequence[Placed[ConfidenceRow]]
    answers: Sequence[Placed[AnswerRow]]
    notes: Sequence[Problem] = field(default_factory=tuple)


def read_rows(files: PanelFiles, problems: list[Problem]) -> PanelRows:
    """Check every row.

    Args:
        files: The group's files.
        problems: Where everything that is wrong with them is added.
    """
    ranked = {id(sheet): sheet for kind in _RANKED for sheet in files[kind]}
    return PanelRows(
        scenarios=_records(ScenarioRow, files["scenarios"], problems),
        queries=_records(QueryRow, files["queries"], problems),
        ranked=_of_queries(RankedRow, list(ranked.values()), problems),
        confidence=_of_queries(ConfidenceRow, files["confidence"], problems),
        answers=_of_queries(AnswerRow, files["answers"], problems),
        notes=tuple(_unread(files)),
    )


_RANKED: tuple[PanelTable, PanelTable] = ("relevance", "similarities")
_MODELS: Mapping[PanelTable, type[BaseModel]] = {
    "scenarios": ScenarioRow, "queries": QueryRow, "relevance": RankedRow,
    "similarities": RankedRow, "confidence": ConfidenceRow, "answers": AnswerRow,
}  # fmt: skip


def _records(
    model: type[_Row], sheets: Sequence[Sheet], problems: list[Problem]
) -> list[Placed[_Row]]:
    placed = []
    for sheet in sheets:
        for row, cells in sheet.records():
            record = read_record(model, cells, file=sheet.file, row=row, problems=problems)
            if record is not None:
                placed.append(Placed(sheet.file, row, record))
    return placed


def _of_queries(
    model: type[_Row], sheets: Sequence[Sheet], problems: list[Problem]
) -> list[Placed[_Row]]:
    """Check rows that must name a query."""
    of_queries = []
    named = [sheet for sheet in sheets if not names_no_query(sheet, problems)]
    for placed in _records(model, named, problems):
        if isinstance(placed.record, _OfQuery) and placed.record.case is None:
            problems.append(placed.problem("name its scenario", "nothing", column="scenario_id"))
        else:
            of_queries.append(placed)
    return of_queries


def _unread(files: PanelFiles) -> list[Problem]:
    """Name the columns of each file that no table of the protocol has."""
    known: dict[int, set[str]] = {}
    sheets: dict[int, Sheet] = {}
    columns: dict[PanelTable, Collection[str]] = {
        kind: tuple(model.model_fields) for kind, model in _MODELS.items()} | {
        "ratings": RATED, "experts": EXPERTS,
    }  # fmt: skip
    for kind, names in columns.items():
        for sheet in files[kind]:
            sheets[id(sheet)] = sheet
            known.setdefault(id(sheet), set()).update(names)
    notes = []
    for key, sheet in sheets.items():
        extra = [name for name in sheet.columns if name not in known[key]]
        if extra:
            must, hint = "hold columns of the protocol", "Not read."
            notes.append(Problem(sheet.file, must, ", ".join(extra), hint, sheet.header))
    return notes
