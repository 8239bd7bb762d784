"""Does the order of the systems depend on one rater?"""

from collections.abc import Sequence

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.consensus_fits import judged_units, ranked_by
from medassay.analyses.inputs.readable import Randomness
from medassay.annotations import record
from medassay.exhibits import PROPORTION, Names, Picture, Table, shown, table_of
from medassay.exhibits.columns import Shown, missing
from medassay.exhibits.drawing import DotPanel, Mark, dot_grid
from medassay.exhibits.names import method_words
from medassay.exhibits.table import Cell, Column
from medassay.judgements import Judgements, Rubric
from medassay.validity import WithoutRater, leave_one_rater_out


@record(infers=True)
class RankingsWithout:
    """The ranking without each rater, by dimension and aggregation method."""

    raters: tuple[WithoutRater, ...]


def _table(without: Sequence[WithoutRater], names: Names) -> Table:
    """Show the ranking without each rater, beside that of all."""
    return table_of(
        ((names.of_dimension(rater.dimension), rater) for rater in without),
        (
            shown("Without", "rater"),
            shown("Consensus", "method", method_words, numeric=False),
            shown("Tau", "tau", PROPORTION, why_not="reason"),
            Shown(Column("Same first", ("same_best",)), _same_first),
            Shown(
                Column("Largest move", ("largest_move", "moved"), numeric=True),
                lambda row: _move(row, names),
            ),
            shown("Answers", "answers", "{:,}".format, adds=("lost",)),
        ),
        id="without-rater",
        title="The ranking without each rater",
        caption="Kendall's tau of the ranking by all raters with that by all but one, and the "
        "system that moves furthest. Answers that only this rater judged leave with them.",
        empty="There are no judgements with scores.",
        grouped_by="dimension",
    )


def _same_first(rater: WithoutRater) -> Cell:
    if rater.largest_move is None:
        return missing(rater.reason)
    return Cell("yes" if rater.same_best else "no", (rater.same_best,))


def _move(rater: WithoutRater, names: Names) -> Cell:
    if rater.largest_move is None:
        return missing(rater.reason, 2)
    moved = names.of_system(rater.moved) if rater.moved else ""
    return Cell(str(rater.largest_move), (rater.largest_move, rater.moved), detail=moved)


def _pictures(without: Sequence[WithoutRater], names: Names) -> dict[str, Picture]:
    """Draw how near the ranking without each rater stays to that of all."""
    shown = [row for row in without if row.tau is not None]
    if not shown:
        return {}
    methods = list(dict.fromkeys(row.method for row in shown))
    raters = sorted(dict.fromkeys(row.rater for row in shown))
    lowest = min(row.tau for row in shown if row.tau is not None)
    low = next(end for end in (0.8, 0.5, 0.0, -1.0) if lowest >= end)
    panels = []
    for dimension in dict.fromkeys(row.dimension for row in shown):
        of = {(o.rater, o.method): o.tau for o in shown if o.dimension == dimension}
        marks = {
            rater: [
                Mark(tau, square=place > 0, full=place == 0)
                for place, method in enumerate(methods)
                if (tau := of.get((rater, method))) is not None
            ]
            for rater in raters
        }
        panels.append(DotPanel(names.of_dimension(dimension), marks, 1.0, (low, 1.02)))
    forms = ("full circles", "open squares")
    text = "; ".join(
        f"{form}: {method_words(name)}" for form, name in zip(forms, methods, strict=False)
    )
    caption = (
        "Kendall's tau of the systems' ranking by all raters with that by all but the named one; 1 "
        f"is the same order. {text[:1].upper()}{text[1:]}. No interval: these are the rankings of "
        "this panel on these cases."
    )
    figure = dot_grid(panels, raters, 3, synthetic=names.synthetic)
    return {"without-rater": Picture("The ranking without each rater", figure, caption)}


@analysis(
    Declaration(
        id="without_rater",
        title="The ranking without each rater",
        question="Does the order of the systems depend on one rater?",
        section="panel",
        part="panel-ranking",
        infers=True,
        reader="organiser",
        place=51,
        stands="file",
        tables=lambda rankings, names: [_table(rankings.raters, names)],
        pictures=lambda rankings, names: _pictures(rankings.raters, names),
    )
)
def without_rater(
    rubric: Rubric, judgements: Judgements, randomness: Randomness
) -> RankingsWithout | None:
    """Rank the systems without each rater in turn."""
    without_raters = tuple(
        rater
        for read in judged_units(rubric, judgements)
        for rater in leave_one_rater_out(
            read, ranked_by(read), rng=randomness.stream("s55", read.dimension)
        )
    )
    return RankingsWithout(without_raters) if without_raters else None
