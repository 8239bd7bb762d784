"""A plan as a file of its own: its table, or its curve."""

from pathlib import Path

from medassay.analyses.builtin.plan import PlanReport, plan_curve, plan_table, width_table
from medassay.errors import InvalidInput, Problem
from medassay.exhibits.drawing import journal
from medassay.report.figures.save import FORMATS, figure_bytes
from medassay.report.tables import table_csv, table_markdown
from medassay.tables import json_bytes, write_atomically


def export_plan(plan: PlanReport, path: Path) -> None:
    """Write a plan in the form that the ending of the file names.

    .csv and .md hold the table, of widths where a width was asked for and no difference; .json
    everything; .svg, .pdf and .png the curve.

    Raises:
        InvalidInput: Another ending, or the file cannot be written.
    """
    form = path.suffix.lower()
    table = width_table(plan) if plan.detect is None and plan.widths else plan_table(plan)
    if form == ".csv":
        content = table_csv(table)
    elif form == ".md":
        content = table_markdown(table)
    elif form == ".json":
        content = json_bytes(plan.model_dump(mode="json"))
    elif form[1:] in FORMATS:
        with journal():
            figure = plan_curve(plan)
        content = figure_bytes(figure, form[1:], f"{plan.title}: plan")
    else:
        endings = ", ".join(f".{ending}" for ending in FORMATS)
        raise InvalidInput(Problem("--export", f"end in .csv, .md, .json, {endings}", str(path)))
    write_atomically(path, content)
