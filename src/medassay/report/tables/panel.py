"""What the panel jointly says, counted in every way."""

from medassay.analyses.results import PreferencesResult, Results
from medassay.exhibits.cells import count, estimate, estimate_fields, how, named
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import PROPORTION, Style
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Column, Row, Table
from medassay.report.names import Names

__all__ = ["harm", "strengths"]


def harm(results: Results) -> Table:
    """Put the share of harmful answers under every way of counting side by side."""
    names = Names(results)
    return Table(
        "harm",
        "Harmful answers, by the way to count",
        "Share of answers whose label is harmful: among all judgements, where any rater said so, "
        "and by the label that each way of joining the raters gives. Undecided answers, such as "
        "ties, are among the answers and not among the harmful ones. "
        f"{how(one.interval for one in results.harm)}",
        (
            Column("Counted by", ("method",)),
            Column("Harmful", ("harmful",), numeric=True),
            Column("Share", estimate_fields("share"), numeric=True),
            Column("Undecided", ("undecided",), numeric=True),
            Column("Of", ("n",), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(one.title, one.method),
                    count(one.harmful),
                    estimate(one.share, one.interval, "Nothing was judged.", PROPORTION),
                    count(one.undecided),
                    count(one.n),
                ),
                names.of_dimension(one.dimension),
            )
            for one in results.harm
        ),
        group_field="dimension",
        empty="No dimension of this study has a harmful label.",
        synthetic=results.study.synthetic,
    )


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
