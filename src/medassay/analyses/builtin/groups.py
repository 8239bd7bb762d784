"""Does a metric order the systems inside each group as it does over all of them?"""

from collections.abc import Sequence

from medassay.analyses.builtin.system_level import tau_cell
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_controls import called
from medassay.analyses.inputs.metric_validity import Held
from medassay.exhibits import Names
from medassay.exhibits.cells import named, text
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.validity import GroupTau, tau_in_groups

__all__ = ["groups"]


@analysis(
    Declaration(
        id="groups",
        title="Tau inside groups",
        question="Does a metric order the systems of each family, and on each kind of case, alike?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=34,
        tables=lambda groups, names: [
            *(
                [_table(groups, names, traps_only=True)]
                if any(group_tau.trap for group_tau in groups)
                else []
            ),
            _table(groups, names),
        ],
    )
)
def groups(held: Held) -> tuple[GroupTau, ...]:
    """Give tau inside each family and each tag."""
    return tuple(tau_in_groups(held.metrics, held.raters, families=held.families, tags=held.tags))


def _table(groups: Sequence[GroupTau], names: Names, *, traps_only: bool = False) -> Table:
    """Show tau inside each group; on the page only where it turns against the pooled tau."""
    chosen = [group_tau for group_tau in groups if group_tau.trap or not traps_only]
    turned = len(
        {
            (group_tau.metric, group_tau.consensus, group_tau.by)
            for group_tau in groups
            if group_tau.trap
        }
    )
    tried = len({(group_tau.metric, group_tau.consensus, group_tau.by) for group_tau in groups})
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
                    named(called(names, group.metric), group.metric),
                    named(names.of_consensus(group.consensus), group.consensus),
                    text(group.by),
                    Cell(
                        group.group,
                        (group.group, group.n_systems, group.n_cases),
                        aside=f"{group.n_systems} systems, {group.n_cases} cases",
                    ),
                    tau_cell(group.tau, group.undefined),
                    tau_cell(group.pooled),
                    Cell("yes" if group.trap else "–", (group.trap,)),
                )
            )
            for group in chosen
        ),
        empty=f"None: in none of {tried} groupings does tau turn against the pooled tau."
        if tried
        else "The study has no families and no tags to group by.",
        stands="page" if traps_only else "file",
        whole="groups" if traps_only else "",
    )
