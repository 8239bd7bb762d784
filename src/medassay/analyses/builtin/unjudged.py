"""Does the rule for answers that nobody judged decide the ranking?"""

from collections.abc import Callable, Sequence
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.exhibits import Names
from medassay.exhibits.columns import celled, counted, shown, system_column, table_of
from medassay.exhibits.numbers import Style, count_of
from medassay.exhibits.table import Cell, Table
from medassay.validity import UnjudgedRank

_SCORE: Final = Style(3)
_RULES: Final = (
    ("dropped", "Dropped"),
    ("adjusted", "Dropped, adjusted"),
    ("worst", "As wrong"),
    ("shared", "Shared cases"),
)
_LACKS: Final = {
    "adjusted": "None of its answers is judged, or no case links the systems.",
    "shared": "On no case was every system judged.",
}


def _table(unjudged_ranks: Sequence[UnjudgedRank], names: Names) -> Table:
    """Put the ranking by each rule side by side, and mark every system that moves."""
    lacking = sum(unjudged_rank.unjudged for unjudged_rank in unjudged_ranks)
    moved = sum(unjudged_rank.moves for unjudged_rank in unjudged_ranks)
    verdict = (
        f"The rule decides the place of {count_of(moved, 'system')}."
        if moved
        else "No system's place depends on the rule."
    )
    every = sum(unjudged_rank.judged + unjudged_rank.unjudged for unjudged_rank in unjudged_ranks)
    ordered = sorted(
        unjudged_ranks, key=lambda row: (row.dropped_rank is None, row.dropped_rank or 0)
    )
    return table_of(
        [(names.of_dimension(row.dimension), row) for row in ordered],
        (
            system_column(names),
            counted("Judged", "judged"),
            counted("Not judged", "unjudged"),
            *(
                column
                for rule, title in _RULES
                for column in (
                    shown("Mean", rule, _SCORE, why_not=_why(rule), group=title),
                    shown("Rank", f"{rule}_rank", "{:,}".format, why_not=_why(rule), group=title),
                )
            ),
            celled("Moves", "moves", lambda row: Cell("moves" if row.moves else "–", (row.moves,))),
        ),
        id="unjudged",
        title="Answers that nobody judged",
        caption=f"{count_of(lacking, 'answer')} of {every} "
        "have no judgement. Dropped: the mean of the judged answers; adjusted: what it would be "
        "on all judged cases (the fit system + case), which ranks and tau go by. As wrong: the "
        "others have the worst score of the scale. Shared cases: the mean over the cases on which "
        "every system was judged. No rule is always right: nobody has seen a dropped answer. "
        f"{verdict}",
        grouped_by="dimension",
        empty="Every answer is judged.",
    )


def _why(rule: str) -> Callable[[UnjudgedRank], str]:
    return lambda _: _LACKS.get(rule, "None of its answers is judged.")


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
