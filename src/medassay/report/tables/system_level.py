"""Tables behind the trust table: every measure over the means of the systems."""

from typing import Final

from medassay.analyses.results import ValidityDetail
from medassay.analyses.results.validity import ReferenceResult
from medassay.exhibits.cells import missing, no_such, p_cell, text
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.tables.by_case import adjusted_words
from medassay.report.tables.sentinel_marks import MARK_SAYS, name_cell

__all__ = ["groups", "metric_pairs", "references", "system_level"]

_SHOWN: Final = 0.05
_NO_TAU = (
    "All systems have the same mean in one of the two, there are fewer than three, or no case "
    "links them."
)


def _value(value: float | None, reason: str = _NO_TAU) -> Cell:
    return missing(reason) if value is None else Cell(PROPORTION(value), (value,))


def _named(detail: ValidityDetail, name: str) -> Cell:
    return Cell(detail.titles.get(name, name), (name,))


def system_level(detail: ValidityDetail, *, synthetic: bool) -> Table:
    """List tau-b beside five other measures, and what is left without any one family."""
    taus: dict[str, dict[str, float | None]] = {}
    for level in detail.system_level:
        taus.setdefault(level.consensus, {})[level.metric] = level.tau
    return Table(
        "system-level",
        "Other measures of the same order",
        "Tau-b counts pairs of systems; tau_AP,b weighs the top most; rho and r are Spearman's and "
        "Pearson's; pairwise accuracy is the share of pairs that both order alike (chance: .50), "
        "soft pairwise accuracy the same with how sure each is of every pair (mid-p). Without one "
        "family: tau-b when each family of systems in turn is left out. Metrics of one dimension "
        "that share a letter are not told apart (PERM-BOTH, two-sided, 2,000 swaps, Holm over all "
        f"pairs); sentinels have no letter.{MARK_SAYS}, by tau-b.{_by_case(detail)}",
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
                        detail,
                        this_system_level.metric,
                        this_system_level.tau,
                        taus[this_system_level.consensus],
                    ),
                    Cell(
                        detail.titles.get(this_system_level.consensus, this_system_level.consensus),
                        (
                            this_system_level.consensus,
                            this_system_level.n_systems,
                            this_system_level.adjusted,
                        ),
                    ),
                    _value(this_system_level.tau),
                    text(this_system_level.letters) if this_system_level.letters else no_such(),
                    _value(this_system_level.tau_ap),
                    _value(this_system_level.spearman),
                    _value(this_system_level.pearson),
                    _value(this_system_level.pairwise_accuracy),
                    _value(this_system_level.soft_pairwise_accuracy),
                    _without(
                        this_system_level.without_family_low,
                        this_system_level.without_family_high,
                        this_system_level.family,
                    ),
                )
            )
            for this_system_level in detail.system_level
        ),
        synthetic=synthetic,
        stands="file",
    )


def _by_case(detail: ValidityDetail) -> str:
    sentence = adjusted_words(
        level.adjusted for level in detail.system_level if level.tau is not None
    )
    return f" {sentence}" if sentence else ""


def _without(low: float | None, high: float | None, family: str) -> Cell:
    if low is None or high is None:
        return missing("Too few systems are left without a family.", 3)
    detail = f"Most is moved by leaving out {family}." if family else ""
    return Cell(f"{PROPORTION(low)} to {PROPORTION(high)}", (low, high, family), detail=detail)


def metric_pairs(detail: ValidityDetail, *, synthetic: bool) -> Table:
    """List every test of two metrics; a file, too long for the page."""
    return Table(
        "metric-pairs",
        "Every two metrics",
        "The difference of two metrics' tau-b with the raters, PERM-BOTH: two-sided, 2,000 swaps."
        f"{_by_case(detail)}",
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
                    _named(detail, pair.consensus),
                    _named(detail, pair.first),
                    _named(detail, pair.second),
                    missing(_NO_TAU, 2)
                    if pair.difference is None
                    else Cell(PROPORTION(pair.difference), (pair.difference, pair.n_answers)),
                    p_cell(pair.p, _NO_TAU),
                    p_cell(pair.p_adjusted, _NO_TAU),
                    p_cell(pair.p_fdr, _NO_TAU),
                )
            )
            for pair in detail.pairs
        ),
        synthetic=synthetic,
    )


def references(detail: ValidityDetail, *, synthetic: bool) -> Table:
    """Show what becomes of a metric when its reference is another."""
    flips = [reference for reference in detail.references if reference.flips]
    shown = sum(
        reference.p_adjusted is not None and reference.p_adjusted <= _SHOWN for reference in flips
    )
    ordered = sorted(detail.references, key=lambda reference: reference.consensus)
    return Table(
        "references",
        "The same metric against another reference",
        "Tau-b of each metric with the experts' answers as reference, and with the notes. "
        f"{len(flips)} of {len(detail.references)} change sign, {shown} of them by more than noise "
        f"(p up to {_SHOWN:g}). p: of the difference, PERM-BOTH, two-sided, adjusted by Holm over "
        "this table.",
        (
            Column("Metric", ("metric", "consensus")),
            Column("Human", ("tau_human",), numeric=True),
            Column("Note", ("tau_note",), numeric=True),
            Column("Difference", ("difference",), numeric=True),
            Column("Adjusted p", ("p_adjusted", "p"), numeric=True),
            Column("Sign", ("flips",)),
        ),
        tuple(
            Row(
                (
                    Cell(_without_reference(detail, one), (one.metric, one.consensus)),
                    _value(one.tau_human),
                    _value(one.tau_note),
                    _value(one.difference),
                    Cell(p_cell(one.p_adjusted).text, (one.p_adjusted, one.p))
                    if one.p_adjusted is not None
                    else missing(_NO_TAU, 2),
                    Cell("flips" if one.flips else "–", (one.flips,)),
                ),
                detail.titles.get(one.consensus, one.consensus),
            )
            for one in ordered
        ),
        group_field="dimension",
        synthetic=synthetic,
    )


def _without_reference(detail: ValidityDetail, reference: ReferenceResult) -> str:
    title = detail.titles.get(reference.human, reference.metric)
    return title.replace(" (human)", "").replace(" (human, ", " (")


def groups(detail: ValidityDetail, *, synthetic: bool, traps_only: bool = False) -> Table:
    """Show tau inside each group; on the page only where it turns against the pooled tau."""
    chosen = [group_tau for group_tau in detail.groups if group_tau.trap or not traps_only]
    turned = len(
        {
            (group_tau.metric, group_tau.consensus, group_tau.by)
            for group_tau in detail.groups
            if group_tau.trap
        }
    )
    tried = len(
        {(group_tau.metric, group_tau.consensus, group_tau.by) for group_tau in detail.groups}
    )
    trapped = (
        f"In {turned} of {tried} combinations of metric, dimension and grouping the pooled tau has "
        "one sign and no group has it: what the pooled tau shows is the difference between groups, "
        "not within them."
        if turned
        else "No pooled tau has a sign that none of its groups has."
    )
    return Table(
        "groups-traps" if traps_only else "groups",
        "Simpson's trap" if traps_only else "Tau inside groups",
        f"Tau-b inside each family of systems and on the cases of each tag. {trapped}"
        + (" Every group is in tables/groups.csv." if traps_only else ""),
        (
            Column("Metric", ("metric",)),
            Column("Raters on", ("consensus",)),
            Column("By", ("by",)),
            Column("Group", ("group", "systems", "cases")),
            Column("Tau inside", ("tau",), numeric=True),
            Column("Pooled", ("pooled",), numeric=True),
            Column("Trap", ("trap",)),
        ),
        tuple(
            Row(
                (
                    _named(detail, one.metric),
                    _named(detail, one.consensus),
                    text(one.by),
                    Cell(
                        one.group,
                        (one.group, one.n_systems, one.n_cases),
                        aside=f"{one.n_systems} systems, {one.n_cases} cases",
                    ),
                    _value(one.tau, one.undefined),
                    _value(one.pooled),
                    Cell("yes" if one.trap else "–", (one.trap,)),
                )
            )
            for one in chosen
        ),
        empty=f"None: in none of {tried} groupings does tau turn against the pooled tau."
        if tried
        else "The study has no families and no tags to group by.",
        synthetic=synthetic,
    )
