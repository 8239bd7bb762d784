"""Which metrics may be used for what, as ticks: a table of the first screen."""

from typing import Final

from medassay.analyses.builtin.trust import trusted_in
from medassay.analyses.results import Results
from medassay.exhibits.cells import named
from medassay.exhibits.numbers import count_of
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names

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
    rest = len(metrics) - len(allowed)
    lacking = f" {count_of(rest, 'other metric')}: no use was shown." if rest else ""
    return Table(
        METRIC_USES,
        f"{len(allowed)} of {count_of(len(metrics), 'metric')} can be used in place of raters",
        f"On {names.of_dimension(trusted.dimension)}.{lacking}",
        (
            Column("Metric", ("metric",)),
            *(Column(title, (use,)) for use, title in _USES),
        ),
        tuple(
            Row(
                (
                    named(names.of_source(entry.metric), entry.metric),
                    *(_tick(given=use in entry.uses) for use, _ in _USES),
                )
            )
            for entry in allowed
        ),
        synthetic=results.study.synthetic,
        stands="first",
    )


def _tick(*, given: bool) -> Cell:
    return Cell("✓" if given else "–", (given,))
