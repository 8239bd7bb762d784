"""What the study wants to reach, beside what each system reached."""

from collections.abc import Sequence

from medassay.analyses.builtin.targets.record import Target
from medassay.exhibits import Names
from medassay.exhibits.cells import estimate, estimate_fields, how, named, text
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["targets_table"]


def targets_table(held_targets: Sequence[Target], names: Names) -> Table:
    """Put each target beside what the systems reached."""
    rows = []
    for target in held_targets:
        style = names.style_of(target.source)
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
    several = len({target.system for target in held_targets}) > 1
    caption = (
        "Targets are the study's own. Reached or missed only where the whole interval lies on one "
        "side of the target. "
        + (
            "These intervals are those of the ranking, or wider: the lower ends of all systems "
            "hold at once in 95 % of studies, and so do the upper ends (max-T). "
            if several
            else ""
        )
    )
    return Table(
        "targets",
        "Targets",
        caption + how(target.interval for target in held_targets),
        (
            Column("System", ("system",)),
            Column("Target", ("target",), numeric=True),
            Column("Result", estimate_fields("result"), numeric=True),
            Column("So it is", ("verdict",)),
        ),
        tuple(rows),
        group_field="name",
    )
