"""How do metrics and raters go together by other measures of the same order?"""

from collections.abc import Sequence
from typing import Any, Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_controls import MARK_SAYS, called, name_cell
from medassay.analyses.inputs.metric_validity import Measured
from medassay.annotations import record
from medassay.exhibits import Names
from medassay.exhibits.columns import (
    Shown,
    celled,
    missing,
    named,
    no_such,
    p_column,
    shown,
    table_of,
    text,
)
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.sentences import adjusted_words
from medassay.exhibits.table import Cell, Table
from medassay.validity import MetricPair, SystemLevel

NO_TAU: Final = (
    "All systems have the same mean in one of the two, there are fewer than three, or no case "
    "links them."
)


@record(infers=True)
class SystemLevels:
    """Every measure over the means of the systems.

    Attributes:
        levels: Each metric and control with each consensus.
        pairs: Each two metrics against each other.
    """

    levels: tuple[SystemLevel, ...]
    pairs: tuple[MetricPair, ...]


@analysis(
    Declaration(
        id="system_level",
        title="Other measures of the same order",
        question="Do other measures than tau-b say the same of each metric?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=32,
        tables=lambda levels, names: [
            _levels_table(levels.levels, names),
            _pairs_table(levels, names),
        ],
    )
)
def system_level(measured: Measured) -> SystemLevels | None:
    """Give the measures, and the tests of each two metrics."""
    if not measured.levels:
        return None
    return SystemLevels(
        measured.levels,
        tuple(pair for metric_pairs in measured.compared for pair in metric_pairs.pairs),
    )


def tau_cell(value: float | None, reason: str = NO_TAU) -> Cell:
    """Print a measure of how two orders go together, or why there is none."""
    return missing(reason) if value is None else Cell(PROPORTION(value), (value,))


def tau_column(heading: str, value: str) -> Shown[Any]:
    """Declare a column of a measure of how two orders go together, or of why there is none."""
    return shown(heading, value, PROPORTION, why_not=lambda _: NO_TAU)


def _levels_table(levels: Sequence[SystemLevel], names: Names) -> Table:
    """List tau-b beside five other measures, and what is left without any one family."""
    taus: dict[str, dict[str, float | None]] = {}
    for level in levels:
        taus.setdefault(level.consensus, {})[level.metric] = level.tau
    return table_of(
        levels,
        (
            celled(
                "Metric",
                "metric",
                lambda row: name_cell(names, row.metric, row.tau, taus[row.consensus]),
            ),
            celled(
                "Raters on",
                ("consensus", "systems", "adjusted"),
                lambda row: Cell(
                    names.of_consensus(row.consensus), (row.consensus, row.n_systems, row.adjusted)
                ),
            ),
            tau_column("Tau-b", "tau"),
            celled("Letters", "letters", lambda r: text(r.letters) if r.letters else no_such()),
            tau_column("Tau_AP,b", "tau_ap"),
            tau_column("Rho", "spearman"),
            tau_column("r", "pearson"),
            tau_column("Pairwise", "pairwise_accuracy"),
            tau_column("Soft pairwise", "soft_pairwise_accuracy"),
            celled(
                "Without one family",
                ("without_family_low", "without_family_high", "family"),
                _without,
                numeric=True,
            ),
        ),
        id="system-level",
        title="Other measures of the same order",
        caption="Tau-b counts pairs of systems; tau_AP,b weighs the top most; rho and r are "
        "Spearman's and Pearson's; pairwise accuracy is the share of pairs that both order alike "
        "(chance: 0.50), soft pairwise accuracy the same with how sure each is of every pair "
        "(mid-p). Without one family: tau-b when each family of systems in turn is left out. "
        "Metrics of one dimension share a letter where their order is undecided (PERM-BOTH, "
        "two-sided, 2,000 swaps, Holm over all pairs); controls have no letter."
        f"{MARK_SAYS}, by tau-b.{_by_case(levels)}",
        stands="file",
    )


def _by_case(levels: Sequence[SystemLevel]) -> str:
    sentence = adjusted_words(level.adjusted for level in levels if level.tau is not None)
    return f" {sentence}" if sentence else ""


def _without(level: SystemLevel) -> Cell:
    low, high, family = level.without_family_low, level.without_family_high, level.family
    if low is None or high is None:
        return missing("Too few systems are left without a family.", 3)
    detail = f"Most is moved by leaving out {family}." if family else ""
    return Cell(f"{PROPORTION(low)} to {PROPORTION(high)}", (low, high, family), detail=detail)


def _pairs_table(levels: SystemLevels, names: Names) -> Table:
    """List every test of two metrics; a file, too long for the page."""
    return table_of(
        levels.pairs,
        (
            celled(
                "Raters on",
                "consensus",
                lambda pair: named(names.of_consensus(pair.consensus), pair.consensus),
            ),
            celled("First", "first", lambda pair: named(called(names, pair.first), pair.first)),
            celled("Second", "second", lambda pair: named(called(names, pair.second), pair.second)),
            celled("Difference", ("difference", "answers"), _difference, numeric=True),
            p_column("p", why_not=lambda _: NO_TAU),
            p_column("Holm", "p_adjusted", why_not=lambda _: NO_TAU),
            p_column("Benjamini-Hochberg", "p_fdr", why_not=lambda _: NO_TAU),
        ),
        id="metric-pairs",
        title="Every two metrics",
        caption="The difference of two metrics' tau-b with the raters, PERM-BOTH: two-sided, 2,000 "
        f"swaps.{_by_case(levels.levels)}",
        stands="file",
    )


def _difference(pair: MetricPair) -> Cell:
    if pair.difference is None:
        return missing(NO_TAU, 2)
    return Cell(PROPORTION(pair.difference), (pair.difference, pair.n_answers))
