"""How do metrics and raters go together by other measures of the same order?"""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_controls import MARK_SAYS, called, name_cell
from medassay.analyses.inputs.metric_validity import Measured
from medassay.exhibits import Names
from medassay.exhibits.cells import missing, named, no_such, p_cell, text
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.sentences import adjusted_words
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.marks import record
from medassay.validity import MetricPair, SystemLevel

__all__ = ["NO_TAU", "SystemLevels", "system_level", "tau_cell"]

NO_TAU: Final = (
    "All systems have the same mean in one of the two, there are fewer than three, or no case "
    "links them."
)


@record(infers=True)
class SystemLevels:
    """Every measure over the means of the systems.

    Attributes:
        levels: Each metric and sentinel with each consensus.
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


def _levels_table(levels: Sequence[SystemLevel], names: Names) -> Table:
    """List tau-b beside five other measures, and what is left without any one family."""
    taus: dict[str, dict[str, float | None]] = {}
    for level in levels:
        taus.setdefault(level.consensus, {})[level.metric] = level.tau
    return Table(
        "system-level",
        "Other measures of the same order",
        "Tau-b counts pairs of systems; tau_AP,b weighs the top most; rho and r are Spearman's and "
        "Pearson's; pairwise accuracy is the share of pairs that both order alike (chance: 0.50), "
        "soft pairwise accuracy the same with how sure each is of every pair (mid-p). Without one "
        "family: tau-b when each family of systems in turn is left out. Metrics of one dimension "
        "share a letter where their order is undecided (PERM-BOTH, two-sided, 2,000 swaps, Holm "
        f"over all pairs); sentinels have no letter.{MARK_SAYS}, by tau-b.{_by_case(levels)}",
        (
            Column("Metric", ("metric",)),
            Column("Raters on", ("consensus", "systems", "adjusted")),
            Column("Tau-b", ("tau",), numeric=True),
            Column("Letters", ("letters",)),
            Column("Tau_AP,b", ("tau_ap",), numeric=True),
            Column("Rho", ("spearman",), numeric=True),
            Column("r", ("pearson",), numeric=True),
            Column("Pairwise", ("pairwise_accuracy",), numeric=True),
            Column("Soft pairwise", ("soft_pairwise_accuracy",), numeric=True),
            Column(
                "Without one family",
                ("without_family_low", "without_family_high", "family"),
                numeric=True,
            ),
        ),
        tuple(
            Row(
                (
                    name_cell(
                        names,
                        level.metric,
                        level.tau,
                        taus[level.consensus],
                    ),
                    Cell(
                        names.of_consensus(level.consensus),
                        (
                            level.consensus,
                            level.n_systems,
                            level.adjusted,
                        ),
                    ),
                    tau_cell(level.tau),
                    text(level.letters) if level.letters else no_such(),
                    tau_cell(level.tau_ap),
                    tau_cell(level.spearman),
                    tau_cell(level.pearson),
                    tau_cell(level.pairwise_accuracy),
                    tau_cell(level.soft_pairwise_accuracy),
                    _without(
                        level.without_family_low,
                        level.without_family_high,
                        level.family,
                    ),
                )
            )
            for level in levels
        ),
        stands="file",
    )


def _by_case(levels: Sequence[SystemLevel]) -> str:
    sentence = adjusted_words(level.adjusted for level in levels if level.tau is not None)
    return f" {sentence}" if sentence else ""


def _without(low: float | None, high: float | None, family: str) -> Cell:
    if low is None or high is None:
        return missing("Too few systems are left without a family.", 3)
    detail = f"Most is moved by leaving out {family}." if family else ""
    return Cell(f"{PROPORTION(low)} to {PROPORTION(high)}", (low, high, family), detail=detail)


def _pairs_table(levels: SystemLevels, names: Names) -> Table:
    """List every test of two metrics; a file, too long for the page."""
    return Table(
        "metric-pairs",
        "Every two metrics",
        "The difference of two metrics' tau-b with the raters, PERM-BOTH: two-sided, 2,000 swaps."
        f"{_by_case(levels.levels)}",
        (
            Column("Raters on", ("consensus",)),
            Column("First", ("first",)),
            Column("Second", ("second",)),
            Column("Difference", ("difference", "answers"), numeric=True),
            Column("p", ("p",), numeric=True),
            Column("Holm", ("p_adjusted",), numeric=True),
            Column("Benjamini-Hochberg", ("p_fdr",), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(names.of_consensus(pair.consensus), pair.consensus),
                    named(called(names, pair.first), pair.first),
                    named(called(names, pair.second), pair.second),
                    missing(NO_TAU, 2)
                    if pair.difference is None
                    else Cell(PROPORTION(pair.difference), (pair.difference, pair.n_answers)),
                    p_cell(pair.p, NO_TAU),
                    p_cell(pair.p_adjusted, NO_TAU),
                    p_cell(pair.p_fdr, NO_TAU),
                )
            )
            for pair in levels.pairs
        ),
        stands="file",
    )
