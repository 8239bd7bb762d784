"""The rows of a panel's files, checked one by one, as cases, answers, judgements and experts."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Final, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from medassay.answers import Answer, Retrieved
from medassay.cases import Case, Document, Id
from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.environmental_health.files import PanelFiles, PanelTable
from medassay.judgements import Judgements, Raters, Rubric
from medassay.stats import CONFIDENCE_LEVELS
from medassay.tables import Sheet, read_record, wrong

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
    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="ignore", defer_build=True)


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


@dataclass(frozen=True)
class LaidOut:
    """A panel's rows in medassay's own records.

    Attributes:
        cases: A case for each query that a row is about, and for each scenario without one.
        answers: What the system returned for them.
        relevance: Rater, case, document, label: what single experts said of documents.
        documents: How many documents were returned, each counted for every query.
        labels: How many labels they have, with the name of an expert or without.
        means: Case to the mean of normalised similarities that the group's file states.
        not_asked: Other wordings of a query that no row is about, scenario by scenario.
    """

    cases: Sequence[Case]
    answers: Sequence[Answer]
    relevance: Sequence[tuple[str, str, str, int]]
    documents: int
    labels: int
    means: Mapping[str, float]
    not_asked: Mapping[str, int]


def reshape_rows(
    rows: PanelRows, system: str, rated: Iterable[str], problems: list[Problem]
) -> LaidOut:
    """Make cases of the queries, and one system's answers of what it returned for them.

    Args:
        rows: The panel's rows.
        system: What the system is called.
        rated: Queries that experts rated.
        problems: Where everything that is wrong is added: queries of unknown scenarios, two labels
            of one expert for one document, rankings with holes.
    """
    rankings = _rankings(rows.ranked, problems)
    confidence = _once(rows.confidence, problems)
    texts = _once(rows.answers, problems)
    about = {*rated, *rankings, *confidence, *texts}
    items = _items(rows, problems)
    problems += _not_asked([*rows.ranked, *rows.confidence, *rows.answers], items)
    answered = sorted({*rankings, *confidence, *texts})
    # A scenario's own wording is a case where something is known of it, or of no wording of it.
    scenarios = {items[name].scenario for name in about if name in items}
    used = [case_query for name, case_query in items.items() if name in about or (
        name == case_query.scenario and case_query.scenario not in scenarios)]  # fmt: skip
    left: dict[str, int] = {}
    for name, query in items.items():
        if name not in about and name != query.scenario:
            left[query.scenario] = left.get(query.scenario, 0) + 1
    return LaidOut(
        cases=[case_query.as_case(rankings.get(case_query.case, {})) for case_query in used],
        answers=[
            _answer(system, name, rankings.get(name), confidence.get(name), texts.get(name))
            for name in answered
        ],
        relevance=[
            (expert, name, document.id, label)
            for name, ranking in sorted(rankings.items())
            for _, document in sorted(ranking.items())
            for expert, label in sorted(document.labels.items())
            if expert
        ],
        documents=sum(map(len, rankings.values())),
        labels=sum(
            len(document.labels) for ranking in rankings.values() for document in ranking.values()
        ),
        means={
            name: placed.record.normalized_similarity_mean
            for name, placed in sorted(confidence.items())
            if placed.record.normalized_similarity_mean is not None
        },
        not_asked=left,
    )


@dataclass(frozen=True)
class _Item:
    case: str
    scenario: str
    row: ScenarioRow

    def as_case(self, ranking: Mapping[int, "_Found"]) -> Case:
        facts = {
            "scenario": self.scenario,
            "pollutant": self.row.pollutant,
            "outcome": self.row.outcome,
            "topic": self.row.topic_id,
            "type": self.row.scenario_type,
        }
        return Case(
            case=self.case,
            question=self.row.query,
            documents=tuple(
                Document(id=document.id, grade=document.grade)
                for _, document in sorted(ranking.items())
            ),
            tags={name: value for name, value in facts.items() if value is not None},
        )


@dataclass
class _Found:
    id: str
    labels: dict[str, int]
    similarity: float | None = None

    @property
    def grade(self) -> float | None:
        """The label that no expert's name stands beside; those of experts go to relevance.csv."""
        return self.labels.get("")


def _items(rows: PanelRows, problems: list[Problem]) -> dict[str, _Item]:
    items: dict[str, _Item] = {}
    for placed in rows.scenarios:
        name = placed.record.scenario_id
        if name in items:
            problems.append(
                placed.problem("be given once", f'"{name}" again', column="scenario_id")
            )
        items[name] = _Item(name, name, placed.record)
    for query in rows.queries:
        name = query.record.query_instance_id
        if name in items:
            must, got = "be given once", f'"{name}" again'
            problems.append(query.problem(must, got, column="query_instance_id"))
        items[name] = _Item(name, query.record.scenario_id, query.record)
    return items


def _rankings(
    rows: Sequence[Placed[RankedRow]], problems: list[Problem]
) -> dict[str, dict[int, _Found]]:
    rankings: dict[str, dict[int, _Found]] = {}
    for placed in rows:
        record = placed.record
        ranking = rankings.setdefault(record.case or "", {})
        name = record.document or f"rank-{record.document_rank}"
        ranked = ranking.setdefault(record.document_rank, _Found(name, {}))
        if record.document and ranked.id != name:
            must = f"name the document at rank {record.document_rank} once"
            problems.append(placed.problem(must, f'"{name}" and "{ranked.id}"', column="document"))
        if record.relevance is not None:
            expert = record.expert_id or ""
            if expert in ranked.labels:
                who = f"by {expert}" if expert else "without an expert_id"
                got = f"rank {record.document_rank} of {record.case} twice {who}"
                problems.append(placed.problem("label a document once", got, column="relevance"))
            ranked.labels[expert] = record.relevance
        if record.similarity is not None:
            if ranked.similarity not in (None, record.similarity):
                got = f"{ranked.similarity:g} and {record.similarity:g}"
                must = "give a document one similarity"
                problems.append(placed.problem(must, got, column="similarity"))
            ranked.similarity = record.similarity
    first = {row.record.case: row for row in reversed(rows)}
    for case, ranking in rankings.items():
        missing = sorted(set(range(1, max(ranking) + 1)) - set(ranking))
        if missing:
            must = f"hold every rank of {case} from 1 to {max(ranking)}"
            got = f"no rank {', '.join(map(str, missing))}"
            hint = "A document that nobody labelled still has a row, with no relevance in it."
            problems.append(first[case].problem(must, got, hint, "document_rank"))
        names = [document.id for document in ranking.values()]
        for name in sorted({name for name in names if names.count(name) > 1}):
            got = f'"{name}" at two ranks'
            problems.append(
                first[case].problem("rank a document once", got, f"Look at {case}.", "document")
            )
    return rankings


def _not_asked(
    rows: Sequence[Placed[RankedRow] | Placed[ConfidenceRow] | Placed[AnswerRow]],
    items: Mapping[str, _Item],
) -> list[Problem]:
    problems = []
    for placed in rows:
        name = placed.record.case or ""
        if items and name not in items:
            column = "query_instance_id" if placed.record.query_instance_id else "scenario_id"
            hint = nearest(name, items)
            problems.append(placed.problem("be a query that was asked", f'"{name}"', hint, column))
    return problems


_OneEach = TypeVar("_OneEach", ConfidenceRow, AnswerRow)


def _once(rows: Sequence[Placed[_OneEach]], problems: list[Problem]) -> dict[str, Placed[_OneEach]]:
    by_name: dict[str, Placed[_OneEach]] = {}
    for row in rows:
        name = row.record.case or ""
        if name in by_name:
            got = f'"{name}" again, after row {by_name[name].row}'
            problems.append(row.problem("stand once in the table", got, column="scenario_id"))
        by_name.setdefault(name, row)
    return by_name


def _answer(
    system: str,
    case: str,
    ranking: Mapping[int, _Found] | None,
    confidence: Placed[ConfidenceRow] | None,
    text: Placed[AnswerRow] | None,
) -> Answer:
    return Answer(
        system=system,
        case=case,
        text=None if text is None else text.record.answer,
        retrieved=None
        if ranking is None
        else tuple(
            Retrieved(document=document.id, score=document.similarity)
            for _, document in sorted(ranking.items())
        ),
        confidence_label=None if confidence is None else confidence.record.system_confidence,
    )


_DIMENSIONS: Final[Mapping[str, str]] = {
    "factuality": "factuality",
    "interpretability": "interpretability",
    "expert_confidence": "expert-confidence",
}
"""The protocol's column to our dimension."""
_LABEL: Final = "relevance"
_ROW: Final = ("position", "time", "seconds", "phase", "comment")
_POSITION: Final = "_position"
"""Behind a dimension's column: where in the expert's own order this question was answered."""


def rated_queries(sheets: Sequence[Sheet]) -> set[str]:
    """Give the queries that experts rated."""
    return {case for sheet in sheets for case in _cases(sheet) if case is not None}


def ratings_of(
    sheets: Sequence[Sheet],
    system: str,
    asked: Sequence[str],
    rubric: Rubric,
    problems: list[Problem],
) -> list[Judgements]:
    """Make a judgement of every rating; an empty cell is none.

    Args:
        sheets: Tables of ratings.
        system: What the system is called.
        asked: The queries.
        rubric: The dimensions.
        problems: Where everything that is wrong is added, by the group's own columns.
    """
    by_sheet = []
    _refuse_second_ratings(sheets, problems)
    for sheet in sheets:
        if names_no_query(sheet, problems):
            continue
        cases = _cases(sheet)
        for row, case in zip(sheet.rows, cases, strict=True):
            if case is None:
                column = "scenario_id"
                problems.append(
                    Problem(sheet.file, "name its scenario", "nothing", "", row, column)
                )
            elif case not in asked:
                must, hint = "be a query that was asked", nearest(case, asked)
                problems.append(Problem(sheet.file, must, f'"{case}"', hint, row, "scenario_id"))
        for column, dimension in _DIMENSIONS.items():
            if column not in sheet.columns:
                continue
            rows = _judgements(sheet, column, dimension, system, cases)
            try:
                if len(rows):
                    by_sheet.append(Judgements.from_sheet(rows, rubric))
            except InvalidInput as error:
                theirs = {"label": column, "rater": "expert_id", "case": "scenario_id"}
                problems += [
                    replace(problem, column=theirs.get(problem.column or "", problem.column))
                    for problem in error.problems
                ]
    return by_sheet


def experts_of(sheets: Sequence[Sheet], problems: list[Problem]) -> list[Raters]:
    """Read who the experts are."""
    by_sheet = []
    for sheet in sheets:
        if {"scenario_id", "query_instance_id"} & set(sheet.columns):
            continue
        known = {name: cells for name, cells in sheet.columns.items() if name in EXPERTS}
        columns = {("rater" if name == "expert_id" else name): c for name, c in known.items()}
        try:
            by_sheet.append(Raters.from_sheet(replace(sheet, columns=columns)))
        except InvalidInput as error:
            problems += error.problems
    return by_sheet


def refuse_third_party(
    sheets: Sequence[Sheet],
    experts: Sequence[Raters],
    files: Sequence[str],
    problems: list[Problem],
) -> None:
    """Name each expert who rated or labelled and is not among the experts, with the first row.

    Args:
        sheets: Tables of ratings, and of labels of documents.
        experts: Who the experts are; where nobody is listed nothing is refused.
        files: The tables that list them, as messages name them.
        problems: Where strangers are added.
    """
    listed = {rater.rater for table in experts for rater in table}
    first: dict[str, tuple[str, int]] = {}
    for sheet in sheets if listed else ():
        lines = (*_DIMENSIONS, _LABEL)
        rated = [sheet.columns[name] for name in lines if name in sheet.columns]
        for i, cell in enumerate(sheet.columns.get("expert_id", ())):
            if cell is not None and any(cells[i] is not None for cells in rated):
                first.setdefault(str(cell), (sheet.file, sheet.rows[i]))
    there = " or ".join(files)
    for name, (file, row) in first.items():
        if name not in listed:
            meant = nearest(name, listed)
            add = f"dd a row for {name} to {there}."
            hint = f"{meant} If not, a{add}" if meant else f"A{add}"
            must = f"be an expert of {there}"
            problems.append(Problem(file, must, f'"{name}"', hint, row, "expert_id"))


def _cases(sheet: Sheet) -> list[str | None]:
    """Give the query that each row rates: the wording where one is named, else the scenario."""
    nothing: list[object] = [None] * len(sheet)
    wordings = sheet.columns.get("query_instance_id", nothing)
    scenarios = sheet.columns.get("scenario_id", nothing)
    return [
        None if (words := wording or scenario) is None else str(words)
        for wording, scenario in zip(wordings, scenarios, strict=True)
    ]


def _refuse_second_ratings(sheets: Sequence[Sheet], problems: list[Problem]) -> None:
    """Name each row that rates again what the same expert rated; a phase tells repeats apart."""
    first: dict[tuple[object, ...], str] = {}
    for sheet in sheets:
        again: dict[int, str] = {}
        for column in _DIMENSIONS:
            cells = sheet.columns.get(column, ())
            for i, case in enumerate(_cases(sheet) if cells else ()):
                if case is None or cells[i] is None:
                    continue
                phase = sheet.columns["phase"][i] if "phase" in sheet.columns else None
                key = (sheet.columns["expert_id"][i], case, column, phase)
                here = f"{sheet.file}, row {sheet.rows[i]}"
                if first.setdefault(key, here) != here:
                    again.setdefault(i, f"{key[0]}'s rating of {case} again, after {first[key]}")
        must, hint = "hold one rating of a query by an expert", "Keep the one that holds."
        problems += [
            Problem(sheet.file, must, got, hint, sheet.rows[i], "expert_id")
            for i, got in again.items()
        ]


def _judgements(
    sheet: Sheet, column: str, dimension: str, system: str, cases: Sequence[str | None]
) -> Sheet:
    cells = sheet.columns[column]
    places = [i for i in range(len(sheet)) if cells[i] is not None and cases[i] is not None]
    columns: dict[str, list[object]] = {
        "rater": [sheet.columns["expert_id"][i] for i in places],
        "rater_kind": ["person"] * len(places),
        "system": [system] * len(places),
        "case": [cases[i] for i in places],
        "dimension": [dimension] * len(places),
        "label": [_label(cells[i]) for i in places],
    }
    columns |= {
        name: [sheet.columns[name][i] for i in places] for name in _ROW if name in sheet.columns
    }
    own = sheet.columns.get(f"{column}{_POSITION}")
    if own is not None:
        columns["position"] = [own[i] for i in places]
    rows = [sheet.rows[i] for i in places]
    return Sheet(sheet.file, rows, columns, empty_is_none=sheet.empty_is_none)


def _label(cell: object) -> str:
    """Write a number without its fraction, and a level with its capital."""
    level = level_of(cell)
    if level is not None:
        return level
    whole, point, rest = str(cell).partition(".")
    return whole if point and not rest.strip("0") else str(cell)
