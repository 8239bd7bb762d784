"""Every case with every answer to it, in the order that a study is scored in."""

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from medassay.metrics import Pair
from medassay.scores import ScoreTable
from medassay.study.folder import Study
from medassay.study.scoring.shard import Shard

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Pairs", "asked_in", "joined_portions"]


class Pairs(Sequence[Pair]):
    """Pairs of case and answer; each is read when it is asked for.

    All answers to a case stand side by side: its references are read once.

    Args:
        study: The study.
        shard: Leaves out what is not in this shard; nothing if not given.
    """

    def __init__(self, study: Study, shard: Shard | None = None) -> None:
        self._cases, self._answers = study.cases.records, study.answers.records
        self._of_case, self._of_answer = array("q"), array("q")
        place = 0
        for at, case in enumerate(study.cases.in_file_order):
            for system in study.answers.systems:
                for answer in study.answers.places(system, case):
                    if shard is None or shard.holds(place):
                        self._of_case.append(at)
                        self._of_answer.append(answer)
                    place += 1

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self._of_case)

    @overload
    def __getitem__(self, place: int) -> Pair: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Pair]: ...
    def __getitem__(self, place: int | slice) -> Pair | Sequence[Pair]:
        """Read one pair, or those of a slice; a case with several answers is one object there."""
        if isinstance(place, int):
            return self._cases[self._of_case[place]], self._answers[self._of_answer[place]]
        cases = {at: self._cases[at] for at in dict.fromkeys(self._of_case[place])}
        return [
            (cases[at], self._answers[answer])
            for at, answer in zip(self._of_case[place], self._of_answer[place], strict=True)
        ]

    def __iter__(self) -> Iterator[Pair]:
        """Read the pairs one after the other."""
        return (self[place] for place in range(len(self)))


def asked_in(pairs: Sequence[Pair]) -> "pl.DataFrame":
    """Say whose answer to which case each row is about."""
    import polars as pl

    return pl.DataFrame(
        {
            "system": [answer.system for _, answer in pairs],
            "case": [case.case for case, _ in pairs],
            "sample": [answer.sample for _, answer in pairs],
        },
        schema={"system": pl.String(), "case": pl.String(), "sample": pl.Int64()},
    )


def joined_portions(
    asked: "Sequence[pl.DataFrame]", rows: "dict[str, list[pl.DataFrame]]"
) -> ScoreTable:
    """Join the portions of each metric; all metrics share the columns that say what rows are."""
    import polars as pl

    if not asked:
        return ScoreTable.concat([])
    whole = pl.concat(asked).with_row_index("row").sort("system", "case", "sample")
    order, whole = whole["row"], whole.drop("row")
    tables = []
    for name in list(rows):
        scores = pl.concat(rows.pop(name), how="diagonal")  # what was held in portions goes
        tables.append(ScoreTable.of_source(name, whole, scores[order]))
    return ScoreTable.concat(tables)
