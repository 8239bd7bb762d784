"""What the panel jointly says, counted in every way."""

from medassay.analyses.results import PreferencesResult, Results
from medassay.exhibits.cells import count, estimate, estimate_fields, how, named
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import PROPORTION, Style
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Column, Row, Table
from medassay.report.names import Names

__all__ = ["strengths"]


def strengths(results: Results, found: PreferencesResult) -> Table:
    """Order the systems by Bradley-Terry strength."""
    names = Names(results)
    ties = ""
    if found.tie_weight is not None:
        share = PROPORTION(found.tie_weight / (2 + found.tie_weight))
        ties = f" Two equal systems would tie in {share} of comparisons."
    return Table(
        f"strengths-{slug(found.dimension)}",
        f"Strength behind the preferences: {names.of_dimension(found.dimension)}",
        "Bradley-Terry strengths with ties (Davidson), which take the opponents into account. 0 is "
        f"the average system; 0.7 more doubles the odds of being preferred.{ties} "
        f"{how(one.interval for one in found.strengths)}",
        (
            Column("System", ("system",)),
            Column("Strength", estimate_fields("log_strength"), numeric=True),
            Column("Comparisons", ("comparisons",), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(one.system), one.system),
                    estimate(one.log_strength, one.interval, found.no_strengths, Style(2)),
                    count(one.n),
                )
            )
            for one in found.strengths
        ),
        empty=as_sentence(found.no_strengths) or "There are no preferences.",
        synthetic=results.study.synthetic,
    )
