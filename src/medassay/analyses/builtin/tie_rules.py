"""How far does the rule for ties move a majority vote's means?"""

from collections.abc import Sequence

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.consensus_fits import judged_units
from medassay.consensus import TieSensitivity, tie_sensitivity
from medassay.exhibits import Names, Style, Table
from medassay.exhibits.cells import missing, named
from medassay.exhibits.table import Cell, Column, Row
from medassay.judgements import Judgements, Rubric
from medassay.marks import record

__all__ = ["TieRules", "tie_rules"]

_POINTS = Style(2)


@record(infers=True)
class TieRules:
    """What each rule for ties makes of the means, by dimension."""

    dimensions: tuple[TieSensitivity, ...]


def _table(dimensions: Sequence[TieSensitivity], names: Names) -> Table:
    """Show each system's mean by majority under each rule for ties."""
    tie_sensitivities = [sensitivity for sensitivity in dimensions if sensitivity.ties]
    none = [
        names.of_dimension(sensitivity.dimension)
        for sensitivity in dimensions
        if not sensitivity.ties
    ]
    without = f" No answer is tied on {', '.join(none)}." if none else ""
    return Table(
        "tie-rules",
        "Majority, by the rule for ties",
        "Mean points of each system by majority vote where a tie has no score, takes the lowest of "
        f"the labels that lead together, or the median of the answer's labels.{without}",
        (
            Column("System", ("system",)),
            Column("Ties left out", ("unscored",), numeric=True),
            Column("Lower label", ("lower",), numeric=True),
            Column("Median", ("median",), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(each.system), each.system),
                    *(_mean(value) for value in (each.unscored, each.lower, each.median)),
                ),
                names.of_dimension(sensitivity.dimension),
                _tied(sensitivity),
            )
            for sensitivity in tie_sensitivities
            for each in sensitivity.means
        ),
        group_field="dimension",
        empty="No answer is tied.",
    )


def _tied(sensitivity: TieSensitivity) -> str:
    text = f"{sensitivity.ties:,} of {sensitivity.answers:,} answers tied"
    return (
        f"{text}; the rule moves a mean by up to {_POINTS(sensitivity.largest)}"
        if sensitivity.largest
        else text
    )


def _mean(value: float | None) -> Cell:
    return missing("No answer has a value.") if value is None else Cell(_POINTS(value), (value,))


@analysis(
    Declaration(
        id="tie_rules",
        title="Majority, by the rule for ties",
        question="How far does the rule for ties move the means of a majority vote?",
        section="panel",
        part="panel-consensus",
        infers=True,
        reader="methodologist",
        place=31,
        stands="file",
        tables=lambda rules, names: [_table(rules.dimensions, names)],
    )
)
def tie_rules(rubric: Rubric, judgements: Judgements) -> TieRules | None:
    """Vote under each rule, on each dimension whose labels have scores."""
    voted = (read for read in judged_units(rubric, judgements) if not read.of_numbers)
    tie_sensitivities = (tie_sensitivity(read) for read in voted)
    known = tuple(sensitivity for sensitivity in tie_sensitivities if sensitivity.answers)
    return TieRules(known) if known else None
