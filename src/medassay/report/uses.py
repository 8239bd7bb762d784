"""Which metrics may be used for what, as ticks: a table of the first screen."""

from typing import Final

from medassay.analyses.builtin.trust import trusted_in
from medassay.analyses.results import Results
from medassay.exhibits.columns import Shown, named_column, shown, table_of
from medassay.exhibits.numbers import count_of
from medassay.exhibits.table import Table
from medassay.report.names import Names
from medassay.validity import TrustEntry

__all__ = ["METRIC_USES", "metric_uses"]

METRIC_USES: Final = "metric-uses"
_USES: Final = (
    ("rank", "Rank similar systems"),
    ("screen", "Choose whom raters see"),
    ("gate", "Block a worse version"),
)


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
    allowed = [entry for entry in metrics if {use for use, _ in _USES} & {*entry.uses}]
    if not allowed:
        return None
    known = count_of(len(metrics), "metric")
    rest = len(metrics) - len(allowed)
    lacking = f" {count_of(rest, 'other metric')}: no use was shown." if rest else ""
    return table_of(
        allowed,
        (
            named_column("Metric", "metric", names.of_source),
            *(_use_column(use, title) for use, title in _USES),
        ),
        id=METRIC_USES,
        title=f"{len(allowed)} of {known} can be used without raters",
        caption=f"On {names.of_dimension(trusted.dimension)}.{lacking}",
        stands="first",
        synthetic=results.study.synthetic,
    )


def _use_column(use: str, title: str) -> Shown[TrustEntry]:
    return shown(title, lambda entry: use in entry.uses, _tick, file=use, numeric=False)


def _tick(given: bool) -> str:  # noqa: FBT001 - the value of a cell
    return "✓" if given else "–"
