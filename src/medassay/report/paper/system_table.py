"""Table S1: every system by every metric."""

from dataclasses import replace

from medassay.analyses.builtin.leaderboards import leaderboards_in, ordered
from medassay.analyses.builtin.shared_task import shared_task, task_tables
from medassay.analyses.results import Results
from medassay.exhibits.numbers import bounds
from medassay.report.imported import imported_words
from medassay.report.names import Names
from medassay.report.paper.item import Item, missing_item, seen_on, signed
from medassay.report.styles import style_of
from medassay.report.tables import Cell, Column, Row, Table

__all__ = ["table_s1"]

_ID, _NUMBER, _TITLE = "table-s1", "Table S1", "Every system by every metric"


def table_s1(results: Results) -> list[Item]:
    """Print the shared task's own columns where there are any; else each metric's means."""
    scored = [s for s in results.sources if s.kind != "consensus" and s.scored]
    if not scored:
        return [missing_item(_ID, _NUMBER, _TITLE, "scores by at least one metric")]
    signature = signed(results, *(s.name for s in scored))
    items = []
    boards = results.analyses.of(shared_task) or ()
    for table in task_tables(boards, Names(results)) if boards else ():
        ref = table.id.rsplit("-", 1)[-1]
        caption = f"{table.caption} {seen_on(results)}. Intervals of every column: Table S1, means."
        title = f"{_TITLE}, against the {ref} reference"
        shown = replace(
            table,
            id=f"{_ID}-{ref}",
            title=f"{_NUMBER}. {title}",
            caption=caption,
            synthetic=results.study.synthetic,
        )
        items.append(Item(shown.id, _NUMBER, title, caption, signature, table=shown))
    return [*items, _means(results, signature)]


def _means(results: Results, signature: str) -> Item:
    names = Names(results)
    chosen = [s for s in results.sources if s.kind != "consensus" and s.scored]
    ranked_by = leaderboards_in(results.analyses)
    at = ranked_by.of_pair
    quiet = results.study.descriptive  # then no interval, and no order that ranks
    order = [] if quiet else [s.system for s in ordered(ranked_by, names, results.primary)]
    order += [s.id for s in results.systems if s.id not in order]
    lacking = (None, 0) if quiet else (None, None, None, 0)
    rows = []
    for system in order:
        cells = [Cell(names.of_system(system), (system,))]
        for source in chosen:
            standing, style = at.get((source.name, system)), style_of(source)
            if standing is None or standing.mean is None:
                cells.append(Cell("–", lacking))
                continue
            around = standing.interval
            ends = (around.low, around.high) if around else () if quiet else (None, None)
            cells.append(
                Cell(
                    style(standing.mean),
                    (standing.mean, *ends, standing.n),
                    aside=bounds(around, style),
                )
            )
        rows.append(Row(tuple(cells)))
    columns = [
        Column("System", ("system",)),
        *(
            Column(
                names.of_source(s.name),
                (s.name, *(() if quiet else (f"{s.name} low", f"{s.name} high")), f"{s.name} n"),
                numeric=True,
            )
            for s in chosen
        ),
    ]
    around = next((s.interval for s in ranked_by.standings if s.interval), None)
    caption = (
        f"Mean of each metric over the ranking cases; systems in the order of "
        f"{names.of_source(results.primary)}. {seen_on(results)}; n of each mean is in the CSV."
    )
    if quiet:
        caption = f"Mean of each metric. {seen_on(results)}; n of each mean is in the CSV."
    if around:
        caption += f" Intervals: {100 * around.level:g} %, {around.method} for {around.estimand}."
    caption += imported_words(results, [source.name for source in chosen])
    title = f"{_TITLE}, means" if quiet else f"{_TITLE}, means with intervals"
    table = Table(
        f"{_ID}-means", f"{_NUMBER}. {title}", caption, tuple(columns), tuple(rows),
        synthetic=results.study.synthetic,
    )  # fmt: skip
    return Item(f"{_ID}-means", _NUMBER, title, caption, signature, table=table)
