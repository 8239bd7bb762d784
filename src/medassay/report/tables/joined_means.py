"""What every consensus makes of each system, side by side."""

from medassay.analyses.builtin.leaderboards import leaderboards_in, ordered
from medassay.analyses.builtin.leaderboards.by_case import any_adjusted
from medassay.analyses.results import Results
from medassay.exhibits.cells import estimate, estimate_fields, how, named, no_such
from medassay.exhibits.names import method_words
from medassay.exhibits.numbers import Style
from medassay.exhibits.sentences import upper_first
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names
from medassay.validity import LeaderboardRow

__all__ = ["joined_means"]

_POINTS = Style(2)


def joined_means(results: Results) -> Table:
    """Put each system's mean under every way of joining the raters side by side."""
    names = Names(results)
    joined = [source for source in results.sources if source.kind == "consensus"]
    of = {(source.dimension, source.method): source.name for source in joined}
    methods = list(dict.fromkeys(source.method for source in joined if source.method))
    ranked_by = leaderboards_in(results.analyses)
    leaderboard_rows = ranked_by.of_pair
    with_means = {row.source for row in leaderboard_rows.values() if row.mean is not None}
    shown = [row for row in leaderboard_rows.values() if row.source in of.values()]
    first: dict[str, str] = {}
    for source_result in joined:
        if source_result.dimension and source_result.name in with_means:
            first.setdefault(source_result.dimension, source_result.name)
    return Table(
        "joined-means",
        "Systems by each consensus",
        "Mean of each system's answers, by each way of joining the raters' labels; in the order of "
        f"the first. {how(row.interval for row in shown)}"
        + (
            " Not every system has a value on every case: these means are plain, and the order is "
            "that of the means adjusted by case, which the leaderboard shows."
            if any_adjusted(shown)
            else ""
        ),
        (
            Column("System", ("system",)),
            *(
                Column(upper_first(method_words(method)), estimate_fields(method), numeric=True)
                for method in methods
            ),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(system), system),
                    *(
                        _mean(leaderboard_rows.get((of.get((dimension, method), ""), system)))
                        for method in methods
                    ),
                ),
                names.of_dimension(dimension),
            )
            for dimension, leading in first.items()
            for system in [row.system for row in ordered(ranked_by, names, leading)]
        ),
        group_field="dimension",
        empty="No consensus has a mean.",
        synthetic=results.study.synthetic,
        stands="file",
    )


def _mean(row: LeaderboardRow | None) -> Cell:
    if row is None:
        return no_such(4)
    return estimate(
        row.mean,
        row.interval,
        row.reason or "No answer has a value.",
        _POINTS,
    )
