"""Does a metric order the systems inside each group as it does over all of them?"""

from collections.abc import Sequence

from medassay.analyses.builtin.system_level import tau_cell
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_controls import called
from medassay.analyses.inputs.metric_validity import Held
from medassay.exhibits import Names
from medassay.exhibits.columns import Shown, named_column, shown, table_of
from medassay.exhibits.table import Column, Table
from medassay.validity import GroupTau, tau_in_groups


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
    return table_of(
        chosen,
        (
            named_column("Metric", "metric", lambda metric: called(names, metric)),
            named_column("Raters on", "consensus", names.of_consensus),
            shown("By", "by"),
            shown(
                "Group", "group", adds={"systems": "n_systems", "cases": "n_cases"},
                aside=lambda group: f"{group.n_systems} systems, {group.n_cases} cases",
            ),
            Shown(
                Column("Tau inside", ("tau",), numeric=True),
                lambda group: tau_cell(group.tau, group.undefined),
            ),
            Shown(Column("Pooled", ("pooled",), numeric=True), lambda g: tau_cell(g.pooled)),
            shown("Trap", "trap", says=lambda group: "yes" if group.trap else "–"),
        ),
        id="groups-traps" if traps_only else "groups",
        title="Simpson's trap" if traps_only else "Tau inside groups",
        caption=f"Tau-b inside each family of systems and on the cases of each tag. {trapped}"
        + (" Every group is in tables/groups.csv." if traps_only else ""),
        empty=f"None: in none of {tried} groupings does tau turn against the pooled tau."
        if tried
        else "The study has no families and no tags to group by.",
        stands="page" if traps_only else "file",
        whole="groups" if traps_only else "",
    )  # fmt: skip
