"""A shared task's own leaderboards: its columns, its means of columns, and ranks by them."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.analyses.inputs.study_columns import StudyColumns, ranking_cases, step_rng
from medassay.annotations import DesignName, Words, record
from medassay.stats import group_labels
from medassay.study.config.protocol import Board, BoardColumn
from medassay.study.folder import Study
from medassay.study.opening.stand_ins import MetricPlace, full_name
from medassay.validity import Composite, CompositeValue, Term, composite_values

_ASKED: Final = "two columns of scores could stand here"
PRINTED_DECIMALS: Final = 3
"""Of a fraction: the leaderboards print percent with one decimal, and rank what they print."""


@record(infers=True)
class TaskColumn:
    """One column of a shared task's leaderboard.

    Attributes:
        name: Its name; it ends in `relevance=own` where some published columns are missing.
        title: Its heading.
        group: The heading above it.
        rank: The letter of its ranks; empty where systems are not ranked by it.
        lacking: Why it has no value at all, as the end of a sentence; empty where it has one.
        values: Every system's value, or why it has none.
        own: Whether it is a mean of the columns that are there, since some published ones are not.
        origin: Which imported scores it shows, of which file, and who says how they came about.
        question: What study.toml has to say before the column is filled, a sentence; empty where
            nothing.
    """

    name: DesignName
    title: DesignName
    group: DesignName
    rank: DesignName
    lacking: DesignName
    values: tuple[CompositeValue, ...]
    own: bool = False
    origin: DesignName = ""
    question: DesignName = ""

    @property
    def of_system(self) -> dict[str, CompositeValue]:
        """Give each system's value."""
        return {value.system: value for value in self.values}


@record(infers=True)
class TaskBoard:
    """A shared task's leaderboard.

    Attributes:
        name: Its name, such as the reference that it is about.
        title: Its heading.
        says: What it is, in sentences.
        order: The column that orders the systems.
        columns: Left to right.
    """

    name: DesignName
    title: DesignName
    says: Words
    order: DesignName
    columns: tuple[TaskColumn, ...]

    @property
    def leading(self) -> TaskColumn:
        """Give the column that orders the systems."""
        return next(column for column in self.columns if column.name == self.order)


def task_boards_of(study: Study, score_columns: StudyColumns) -> tuple[TaskBoard, ...]:
    """Give the leaderboards of the study's protocol, and every value in them or why there is none.

    Where columns of a published mean have no value, the mean of those that are there stands in its
    place, under a name that says so.
    """
    return tuple(
        _Made(study, score_columns, board).board_filled() for board in study.config.rules.boards
    )


def composite_of(
    board: Board, name: str, sources: Mapping[str, str], there: Sequence[str] | None = None
) -> Composite:
    """Make the composite of a column.

    Args:
        board: The leaderboard.
        name: The column.
        sources: Column to the source that it is averaged from.
        there: The columns that a mean which may lack some is made of; all where None.
    """
    columns = {column.name: column for column in board.columns}

    def parts(column: BoardColumn) -> list[BoardColumn]:
        names_kept = column.mean
        if there is not None and column.may_lack:
            names_kept = tuple(name for name in names_kept if name in there)
        return [columns[name] for name in names_kept]

    def terms(column: BoardColumn) -> tuple[Term, ...]:
        if column.sources:
            return (Term(sources[column.name], column.average),)
        return tuple(term for board_column in parts(column) for term in terms(board_column))

    column = columns[name]
    # The mean of a mean and something else is no mean of all their terms.
    nested = any(board_column.mean for board_column in parts(column)) if column.mean else False
    groups = (
        tuple(terms(board_column) for board_column in parts(column)) if nested else (terms(column),)
    )
    return Composite(name, groups, ranked=bool(column.rank), decimals=PRINTED_DECIMALS)


class _Made:
    """One leaderboard as it is made."""

    def __init__(self, study: Study, score_columns: StudyColumns, board: Board) -> None:
        self.study, self.table, self.board = study, score_columns.table, board
        self.metrics = {
            column.name: column.metric for column in score_columns.columns if column.metric
        }
        self.cases = ranking_cases(study)
        self.places = {
            c.name: score_columns.places[full_name(c.sources[0])]
            for c in board.columns
            if c.sources
        }
        self.sources = {name: place.source for name, place in self.places.items()}
        self.asked = {place.source for place in self.places.values() if place.question}
        self.there: list[str] = []

    def board_filled(self) -> TaskBoard:
        """Fill the columns from left to right: means stand behind what they are made of."""
        board = self.board
        columns = tuple(self._column(column) for column in board.columns)
        names = {c.name: filled.name for c, filled in zip(board.columns, columns, strict=True)}
        return TaskBoard(board.name, board.title, board.says, names[board.order], columns)

    def _column(self, column: BoardColumn) -> TaskColumn:
        """Fill one column; where a published mean cannot be had, with the mean of what is there."""
        name, values = column.name, self._values(column.name, None)
        own = False
        if not _valued(values) and self._lacks_some(column):
            instead = self._values(name, self.there)
            if _valued(instead):
                name, values, own = _own(name), instead, True
        why = ""
        if _valued(values):
            self.there.append(column.name)
        else:
            why = next((value.undefined for value in values), "no system")
        place = self.places.get(column.name)
        return TaskColumn(
            name, column.title, column.group, column.rank, why, tuple(values), own,
            "" if place is None else _origin(place), "" if place is None else place.question,
        )  # fmt: skip

    def _lacks_some(self, column: BoardColumn) -> bool:
        """Say whether the column, or one that it is the mean of, may be made of fewer."""
        columns = {board_column.name: board_column for board_column in self.board.columns}
        return column.may_lack or any(columns[name].may_lack for name in column.mean)

    def _values(self, name: str, there: Sequence[str] | None) -> list[CompositeValue]:
        composite = composite_of(self.board, name, self.sources, there)
        if not all(composite.groups):
            return []
        terms = [term for group in composite.groups for term in group]
        if any(term.source in self.asked for term in terms):
            return [CompositeValue(system, None, None, 0, _ASKED) for system in self.study.systems]
        for term in terms:
            known = term.source in self.metrics or term.source not in self.table.sources
            if term.average == "micro" and not known:
                why = f"{term.source} was imported, and has no counts to pool"
                return [CompositeValue(system, None, None, 0, why) for system in self.study.systems]
        return composite_values(
            self.table,
            composite,
            systems=self.study.systems,
            cases=self.cases,
            metrics=self.metrics,
            rng=step_rng(self.study, "s39", self.board.name, name),
            replicates=self.study.config.run.replicates,
            clusters=_clusters(self.study, self.cases),
            asked=self.study.asked.mask(self.study.systems, self.cases),
        )


def _origin(place: MetricPlace) -> str:
    """Say where imported scores come from, and who says so."""
    scores = place.imported
    if scores is None:
        return ""
    name = "" if scores.source == place.slot.metric else f"as {scores.source} "
    origin = scores.meaning.origin
    text = f"its importer says: “{origin}”" if origin else "nobody says how"
    return f"imported {name}from {scores.file}, computed elsewhere; {text}"


def _own(name: str) -> str:
    return f"{name[:-1]},relevance=own)" if name.endswith(")") else f"{name}(relevance=own)"


def _valued(values: Sequence[CompositeValue]) -> bool:
    return any(composite_value.value is not None for composite_value in values)


def _clusters(study: Study, cases: Sequence[str]) -> list[tuple[bool, str]] | None:
    """Give each ranking case its cluster, if study.toml names any; else a cluster of its own."""
    if not study.clusters:
        return None
    return group_labels(cases, study.clusters)
