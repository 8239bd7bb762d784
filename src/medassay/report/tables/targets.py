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
    for target in results.targets:
        source = names.sources.get(target.source)
        style = PROPORTION if source is None else style_of(source)
        rows.append(
            Row(
                (
                    named(names.of_system(target.system), target.system),
                    Cell(style(target.target), (target.target,)),
                    estimate(target.value, target.interval, target.reason, style),
                    text(target.verdict),
                ),
                group=names.of_source(target.source),
            )
        )
    caption = (
        "Targets are the study's own. Reached or missed only where the whole interval lies on one "
        "side of the target, each system by itself: of six systems just short of one, some was "
        "called reached in up to 17 % of simulated studies. "
    )
    return [
        Table(
            "targets",
            "Targets",
            caption + how(target_result.interval for target_result in results.targets[:1]),
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
