"""A shared task's own leaderboards: its columns, its means of columns, and ranks by them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.analyses.results import BoardColumnResult, BoardResult, OverallResult
from medassay.analyses.score_columns import StudyColumns, ranking_cases, step_rng
from medassay.stats import group_labels
from medassay.study.boards import Board, BoardColumn
from medassay.study.folder import Study
from medassay.study.scoring import Scored
from medassay.study.stand_ins import Place, full_name
from medassay.validity import Composite, CompositeValue, Term, composite_values

__all__ = ["PRINTED_DECIMALS", "board_results", "composite_of"]

_ASKED: Final = "two columns of scores could stand here"
PRINTED_DECIMALS: Final = 3
"""Of a fraction: the leaderboards print percent with one decimal, and rank what they print."""


def board_results(
    study: Study, scored: Scored, score_columns: StudyColumns
) -> tuple[list[BoardResult], list[OverallResult]]:
    """Give the leaderboards of the study's protocol, and every value in them or why there is none.

    Where columns of a published mean have no value, the mean has none; beside it stands the mean of
    those that are there, under a name that says so.
    """
    made = [_Made(study, scored, score_columns, board) for board in study.config.rules.boards]
    return [this_made.layout for this_made in made], [
        value for this_made in made for value in this_made.values
    ]


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
        kept = column.mean
        if there is not None and column.may_lack:
            kept = tuple(one for one in kept if one in there)
        return [columns[one] for one in kept]

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


@dataclass(init=False)
class _Made:
    """One leaderboard as it is made."""

    layout: BoardResult
    values: list[OverallResult]

    def __init__(
        self, study: Study, scored: Scored, score_columns: StudyColumns, board: Board
    ) -> None:
        self.study, self.table, self.board = study, score_columns.table, board
        self.metrics = {str(metric.name): metric for metric in scored.metrics}
        self.cases = ranking_cases(study)
        self.places = {
            c.name: score_columns.places[full_name(c.sources[0])]
            for c in board.columns
            if c.sources
        }
        self.sources = {name: place.source for name, place in self.places.items()}
        self.asked = {place.source for place in self.places.values() if place.question}
        self.there: list[str] = []
        self.values = []
        columns = [self._column(column) for column in board.columns]
        names = {
            c.name: board_column.name
            for c, board_column in zip(board.columns, columns, strict=True)
        }
        self.layout = BoardResult(
            name=board.name,
            title=board.title,
            says=board.says,
            order=names[board.order],
            columns=columns,
        )

    def _column(self, column: BoardColumn) -> BoardColumnResult:
        """Fill one column; where a published mean cannot be had, the mean of what is there too."""
        name, values = column.name, self._values(column.name, None)
        self._keep(name, values)
        own = False
        if not _valued(values) and self._lacks_some(column):
            instead = self._values(name, self.there)
            if _valued(instead):
                name, values, own = _own(name), instead, True
                self._keep(name, values)
        if _valued(values):
            self.there.append(column.name)
        why = (
            ""
            if _valued(values)
            else next((composite_value.undefined for composite_value in values), "no system")
        )
        place = self.places.get(column.name)
        return BoardColumnResult(
            name=name, title=column.title, group=column.group, rank=column.rank, lacking=why,
            own=own, question="" if place is None else place.question,
            origin="" if place is None else _origin(place),
        )  # fmt: skip

    def _lacks_some(self, column: BoardColumn) -> bool:
        """Say whether the column, or one that it is the mean of, may be made of fewer."""
        columns = {board_column.name: board_column for board_column in self.board.columns}
        return column.may_lack or any(columns[one].may_lack for one in column.mean)

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
        )

    def _keep(self, name: str, values: Sequence[CompositeValue]) -> None:
        self.values += [
            OverallResult(
                name=name,
                ref=self.board.name,
                system=composite_value.system,
                value=composite_value.value,
                interval=composite_value.interval,
                reason=composite_value.undefined,
                n=composite_value.n,
                rank=composite_value.place.rank,
                rank_low=composite_value.place.low,
                rank_high=composite_value.place.high,
                letters=composite_value.place.letters,
            )
            for composite_value in values
        ]


def _origin(place: Place) -> str:
    """Say where imported scores come from, and who says so."""
    one = place.imported
    if one is None:
        return ""
    name = "" if one.source == place.slot.metric else f"as {one.source} "
    text = f"its importer says: “{one.meaning.origin}”" if one.meaning.origin else "nobody says how"
    return f"imported {name}from {one.file}, computed elsewhere; {text}"


def _own(name: str) -> str:
    return f"{name[:-1]},relevance=own)" if name.endswith(")") else f"{name}(relevance=own)"


def _valued(values: Sequence[CompositeValue]) -> bool:
    return any(composite_value.value is not None for composite_value in values)


def _clusters(study: Study, cases: Sequence[str]) -> list[tuple[bool, str]] | None:
    """Give each ranking case its cluster, if study.toml names any; else a cluster of its own."""
    if not study.clusters:
        return None
    return group_labels(cases, study.clusters)
