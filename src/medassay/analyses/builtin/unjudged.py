"""Does the rule for answers that nobody judged decide the ranking?"""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.exhibits import Names
from medassay.exhibits.cells import count, missing, named
from medassay.exhibits.numbers import Style, count_of
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.validity import UnjudgedRank

__all__ = ["unjudged"]

_SCORE: Final = Style(3)
_RULES: Final = (
    ("dropped", "Dropped"),
    ("adjusted", "Dropped, adjusted"),
    ("worst", "As wrong"),
    ("shared", "Shared cases"),
)


def _table(unjudged_ranks: Sequence[UnjudgedRank], names: Names) -> Table:
    """Put the ranking by each rule side by side, and mark every system that moves."""
    lacking = sum(unjudged_rank.unjudged for unjudged_rank in unjudged_ranks)
    moved = sum(unjudged_rank.moves for unjudged_rank in unjudged_ranks)
    verdict = (
        f"The rule decides the place of {count_of(moved, 'system')}."
        if moved
        else "No system's place depends on the rule."
    )
    return Table(
        "unjudged",
        "Answers that nobody judged",
        f"{count_of(lacking, 'answer')} of "
        f"{sum(unjudged_rank.judged + unjudged_rank.unjudged for unjudged_rank in unjudged_ranks)} "
        "have no judgement. Dropped: the mean of the judged answers; adjusted: what it would be "
        "on all judged cases (the fit system + case), which ranks and tau go by. As wrong: the "
        "others have the worst score of the scale. Shared cases: the mean over the cases on which "
        "every system was judged. None is right for free: a dropped answer is one that nobody has "
        "seen. "
        f"{verdict}",
        (
            Column("System", ("system",)),
            Column("Judged", ("judged",), numeric=True),
            Column("Not judged", ("unjudged",), numeric=True),
            *(
                column
                for field, title in _RULES
                for column in (
                    Column("Mean", (field,), numeric=True, group=title),
                    Column("Rank", (f"{field}_rank",), numeric=True, group=title),
                )
            ),
            Column("Moves", ("moves",)),
        ),
        tuple(
            Row(
                _cells(unjudged_rank, names),
                names.of_dimension(unjudged_rank.dimension),
            )
            for unjudged_rank in sorted(
                unjudged_ranks,
                key=lambda unjudged_rank: (
                    unjudged_rank.dropped_rank is None,
                    unjudged_rank.dropped_rank or 0,
                ),
            )
        ),
        group_field="dimension",
        empty="Every answer is judged.",
    )


def _cells(unjudged_rank: UnjudgedRank, names: Names) -> tuple[Cell, ...]:
    none = "None of its answers is judged."
    unlinked = "None of its answers is judged, or no case links the systems."
    apart = "On no case was every system judged."
    rules = (
        (unjudged_rank.dropped, unjudged_rank.dropped_rank, none),
        (unjudged_rank.adjusted, unjudged_rank.adjusted_rank, unlinked),
        (unjudged_rank.worst, unjudged_rank.worst_rank, none),
        (unjudged_rank.shared, unjudged_rank.shared_rank, apart),
    )
    return (
        named(names.of_system(unjudged_rank.system), unjudged_rank.system),
        count(unjudged_rank.judged),
        count(unjudged_rank.unjudged),
        *(
            cell
            for mean, rank, why in rules
            for cell in (
                missing(why) if mean is None else Cell(_SCORE(mean), (mean,)),
                missing(why) if rank is None else count(rank),
            )
        ),
        Cell("moves" if unjudged_rank.moves else "–", (unjudged_rank.moves,)),
    )


@analysis(
    Declaration(
        id="unjudged",
        title="Answers that nobody judged",
        question="Does what becomes of answers that nobody judged decide the ranking?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=50,
        tables=lambda ranks, names: [_table(ranks, names)],
    )
)
def unjudged(ranks: tuple[UnjudgedRank, ...]) -> tuple[UnjudgedRank, ...]:
    """Rank by three rules where some answers lack a judgement."""
    return ranks
