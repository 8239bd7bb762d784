"""Which metrics may be used for what, as ticks: a table of the first screen."""

from typing import Final

from medassay.analyses.builtin.trust import trusted_in
from medassay.analyses.permit_words import GRANTS, Grant, column_title, grants_of, limits
from medassay.analyses.results import Results
from medassay.exhibits.columns import Shown, named_column, shown, table_of
from medassay.exhibits.numbers import count_of
from medassay.exhibits.table import Table
from medassay.report.names import Names
from medassay.validity import TrustEntry

METRIC_USES: Final = "metric-uses"


def metric_uses(results: Results) -> Table | None:
    """Tick what each metric may be used for on the dimension that ranks; None where for nothing.

    Metrics without a tick are counted in the caption; the table of uses has them all.
    """
    names = Names(results)
    dimension = names.judged.get(results.primary)
    trusted = next((on for on in trusted_in(results.analyses) if on.dimension == dimension), None)
    if trusted is None:
        return None
    metrics = [entry for entry in trusted.table.entries if entry.role == "metric"]
    allowed = [entry for entry in metrics if grants_of(entry.uses, entry.scopes)]
    if not allowed:
        return None
    known = count_of(len(metrics), "metric")
    rest = len(metrics) - len(allowed)
    lacking = f" {count_of(rest, 'other metric')}: no use was shown." if rest else ""
    given = {grant for entry in allowed for grant in grants_of(entry.uses, entry.scopes)}
    unranked = "" if "rank" in given else ", none to rank similar systems"
    where = "".join(
        f" {column_title(grant)}: {limits(grant)}." for grant in GRANTS if grant in given
    )
    return table_of(
        allowed,
        (
            named_column("Metric", "metric", names.of_source),
            *(_ticks(grant) for grant in GRANTS),
        ),
        id=METRIC_USES,
        title=f"{len(allowed)} of {known} can be used without raters{unranked}",
        caption=f"For “{names.of_dimension(trusted.dimension)}”.{where}{lacking}",
        stands="first",
        synthetic=results.study.synthetic,
    )


def _ticks(grant: Grant) -> Shown[TrustEntry]:
    return shown(
        column_title(grant),
        lambda entry: grant in grants_of(entry.uses, entry.scopes),
        _tick,
        file=grant.replace(" ", "_"),
        numeric=False,
    )


def _tick(given: bool) -> str:  # noqa: FBT001 - the value of a cell
    return "✓" if given else "–"
