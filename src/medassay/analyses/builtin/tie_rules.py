"""How far does the rule for ties move a majority vote's means?"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.consensus_fits import judged_units
from medassay.annotations import record
from medassay.consensus import TieMeans, TieSensitivity, tie_sensitivity
from medassay.exhibits import Names, Style, Table
from medassay.exhibits.columns import shown, system_column, table_of
from medassay.judgements import Judgements, Rubric

_POINTS: Final = Style(2)
_NO_VALUE: Final = "No answer has a value."
_RULES: Final = {"unscored": "Ties left out", "lower": "Lower label", "median": "Median"}


class _Means(NamedTuple):
    """One system's means, and the dimension that they are on."""

    sensitivity: TieSensitivity
    of: TieMeans


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
    return table_of(
        [
            (names.of_dimension(sensitivity.dimension), _Means(sensitivity, each))
            for sensitivity in tie_sensitivities
            for each in sensitivity.means
        ],
        (
            system_column(names, field="of.system"),
            *(
                shown(heading, f"of.{rule}", _POINTS, file=rule, why_not=lambda _: _NO_VALUE)
                for rule, heading in _RULES.items()
            ),
        ),
        id="tie-rules",
        title="Majority, by the rule for ties",
        caption="Mean points of each system by majority vote where a tie has no score, takes the "
        "lowest of the labels that lead together, or the median of the answer's labels."
        f"{without}",
        grouped_by="dimension",
        about=lambda row: _tied(row.sensitivity),
        empty="No answer is tied.",
    )


def _tied(sensitivity: TieSensitivity) -> str:
    text = f"{sensitivity.ties:,} of {sensitivity.answers:,} answers tied"
    return (
        f"{text}; the rule moves a mean by up to {_POINTS(sensitivity.largest)}"
        if sensitivity.largest
        else text
    )


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
