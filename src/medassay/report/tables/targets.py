"""What the study wants to reach, beside what each system reached."""

from medassay.analyses.results import Results
from medassay.exhibits.cells import estimate, estimate_fields, how, named, text
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names
from medassay.report.styles import style_of

__all__ = ["target_tables"]


def target_tables(results: Results) -> list[Table]:
    """Give the table of targets; none where the study names none."""
    if not results.targets:
        return []
    names = Names(results)
    rows = []
    for one in results.targets:
        source = names.sources.get(one.source)
        style = PROPORTION if source is None else style_of(source)
        rows.append(
            Row(
                (
                    named(names.of_system(one.system), one.system),
                    Cell(style(one.target), (one.target,)),
                    estimate(one.value, one.interval, one.reason, style),
                    text(one.verdict),
                ),
                group=names.of_source(one.source),
            )
        )
    caption = (
        "Targets are the study's own. Reached or missed only where the whole interval lies on one "
        "side of the target. "
    )
    return [
        Table(
            "targets",
            "Targets",
            caption + how(one.interval for one in results.targets[:1]),
            (
                Column("System", ("system",)),
                Column("Target", ("target",), numeric=True),
                Column("Result", estimate_fields("result"), numeric=True),
                Column("So it is", ("verdict",)),
            ),
            tuple(rows),
            group_field="name",
            synthetic=results.study.synthetic,
        )
    ]
