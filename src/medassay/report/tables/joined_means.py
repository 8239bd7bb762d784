"""What every consensus makes of each system, side by side."""

from medassay.analyses.results import Results, Standing
from medassay.exhibits.cells import estimate, estimate_fields, how, named, no_such
from medassay.exhibits.names import method_words
from medassay.exhibits.numbers import Style
from medassay.exhibits.sentences import upper_first
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names
from medassay.report.tables.by_case import any_adjusted
from medassay.report.tables.leaderboard import ordered

__all__ = ["joined_means"]

_POINTS = Style(2)


def joined_means(results: Results) -> Table:
    """Put each system's mean under every way of joining the raters side by side."""
    names = Names(results)
    joined = [one for one in results.sources if one.kind == "consensus"]
    of = {(one.dimension, one.method): one.name for one in joined}
    methods = list(dict.fromkeys(one.method for one in joined if one.method))
    found = {(one.source, one.system): one for one in results.standings}
    told = {one.source for one in found.values() if one.mean is not None}
    shown = [one for one in found.values() if one.source in of.values()]
    first: dict[str, str] = {}
    for one in joined:
        if one.dimension and one.name in told:
            first.setdefault(one.dimension, one.name)
    return Table(
        "joined-means",
        "Systems by each consensus",
        "Mean of each system's answers, by each way of joining the raters' labels; in the order of "
        f"the first. {how(one.interval for one in shown)}"
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
                        _mean(found.get((of.get((dimension, method), ""), system)))
                        for method in methods
                    ),
                ),
                names.of_dimension(dimension),
            )
            for dimension, leading in first.items()
            for system in [one.system for one in ordered(results, leading)]
        ),
        group_field="dimension",
        empty="No consensus has a mean.",
        synthetic=results.study.synthetic,
    )


def _mean(found: Standing | None) -> Cell:
    if found is None:
        return no_such(4)
    return estimate(found.mean, found.interval, found.reason or "No answer has a value.", _POINTS)
