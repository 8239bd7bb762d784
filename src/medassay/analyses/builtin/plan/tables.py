"""The tables of a plan."""

from typing import Final

from medassay.analyses.builtin.plan.record import PlannedSpread, PlanReport, SeparateRow, WidthRow
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["plan_table", "plan_tables", "spread_table", "width_table"]

_NEVER: Final = "not with a million"


def plan_tables(plan: PlanReport) -> list[Table]:
    """Give the tables that a reader sees, in order."""
    asked = [] if plan.target is None else [width_table(plan)]
    if plan.detect is not None or plan.target is None:
        asked = [plan_table(plan), *asked]
    return [*asked, spread_table(plan)]


def plan_table(plan: PlanReport) -> Table:
    """Lay out how many cases and judgements tell systems apart."""
    planned_spreads = {spread.source: spread for spread in plan.spreads}
    asked = plan.detect is not None
    columns = [
        Column("labels an answer", ("labels", "as_now"), numeric=True),
        Column(f"found with {plan.cases} cases", ("detectable",), numeric=True),
    ]
    if asked:
        columns += [
            Column("cases", ("cases_pair",), numeric=True, group="one planned pair"),
            Column("judgements", ("judgements_pair",), numeric=True, group="one planned pair"),
            Column("cases", ("cases_all",), numeric=True, group=f"all {plan.pairs} pairs"),
            Column(
                "judgements", ("judgements_all",), numeric=True, group=f"all {plan.pairs} pairs"
            ),
        ]
    what = f"a difference of {plan.detect:g}" if asked else "what the study finds as it is"
    return Table(
        id="plan",
        title=f"What it takes to find {what}" if asked else "What the study finds as it is",
        caption=(
            f"Power {plan.power:g}, two-sided level {plan.alpha:g}; {plan.systems} systems. "
            "Differences in the unit of each scale."
        ),
        columns=tuple(columns),
        rows=tuple(_row(row, planned_spreads[row.source], asked=asked) for row in plan.separate),
        group_field="source",
        synthetic=plan.synthetic,
    )


def _row(row: SeparateRow, planned_spread: PlannedSpread, *, asked: bool) -> Row:
    cells = [
        Cell(str(row.labels), (row.labels, row.now), "as now" if row.now else ""),
        Cell(
            "none" if row.detectable is None else f"{row.detectable:.2f}",
            (row.detectable,),
            missing=row.detectable is None,
        ),
    ]
    if asked:
        pairs = (
            (row.cases_pair, row.judgements_pair), (row.cases_all, row.judgements_all),
        )  # fmt: skip
        for cases, judgements in pairs:
            cells.append(_count(cases))
            cells.append(
                _count(judgements) if planned_spread.kind == "dimension" else Cell("-", (None,))
            )
    scale = (
        ""
        if planned_spread.low is None or planned_spread.high is None
        else f"scale {planned_spread.low:g} to {planned_spread.high:g}"
    )
    return Row(tuple(cells), group=planned_spread.title, about=scale)


def width_table(plan: PlanReport) -> Table:
    """Lay out how many systems or cases narrow tau's interval."""
    under = f"What it takes to bring tau's 95 % interval under {plan.target or 2:g}"
    return Table(
        id="plan-tau",
        title="Tau's 95 % interval" if plan.target is None else under,
        caption=(
            "New systems on new cases. Either more cases for the systems there are, or more "
            "systems on the cases there are; judgements in all for the cheaper of the two."
        ),
        columns=(
            Column("metric", ("metric",)),
            Column("labels an answer", ("labels",), numeric=True),
            Column("width now", ("width",), numeric=True),
            Column("cases", ("cases",), numeric=True),
            Column("or systems", ("systems",), numeric=True),
            Column("judgements", ("judgements",), numeric=True),
        ),
        rows=tuple(_width(row) for row in plan.widths),
        group_field="dimension",
        empty="Nobody judged anything: there is no tau.",
        synthetic=plan.synthetic,
    )


def _width(row: WidthRow) -> Row:
    width = "none" if row.width is None else f"{row.width:.2f}"
    none = "" if row.reason else "no number"
    return Row(
        (
            Cell(row.title, (row.metric,), row.reason),
            Cell(str(row.labels), (row.labels,)),
            Cell(width, (row.width,), missing=row.width is None, detail=row.reason),
            _count(row.cases, none),
            _count(row.systems, none),
            _count(row.judgements, none),
        ),
        group=row.dimension,
    )


def spread_table(plan: PlanReport) -> Table:
    """Lay out where the scores vary, each part as its standard deviation."""
    parts = (
        "family", "system", "cluster", "case", "system_cluster", "system_case", "rater", "residual",
    )  # fmt: skip
    shown = [
        part for part in parts if any(getattr(spread.spread, part) > 0 for spread in plan.spreads)
    ]
    words = {
        "system_cluster": "system x cluster", "system_case": "system x case",
        "residual": "label by label",
    }  # fmt: skip
    return Table(
        id="plan-spread",
        title="Where the scores vary (standard deviations)",
        caption="Components of variance by MIVQUE0; an estimate below 0 counts as 0.",
        columns=(
            Column("scores", ("source",)),
            *(Column(words.get(part, part), (part,), numeric=True) for part in shown),
            Column("answers with two labels", ("relabelled",), numeric=True),
        ),
        rows=tuple(
            Row(
                (
                    Cell(spread.title, (spread.source,), spread.spread.undefined),
                    *(
                        Cell(f"{size:.3f}", (size,))
                        for part in shown
                        for size in [getattr(spread.spread, part) ** 0.5]
                    ),
                    Cell(str(spread.spread.relabelled), (spread.spread.relabelled,)),
                )
            )
            for spread in plan.spreads
        ),
        synthetic=plan.synthetic,
        stands="file",
    )


def _count(value: int | None, none: str = _NEVER) -> Cell:
    return Cell(none if value is None else f"{value:,}", (value,), missing=value is None)
