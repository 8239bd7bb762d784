"""medassay demo."""

from pathlib import Path
from typing import Annotated

import typer

from medassay.cli.options import AsJson
from medassay.cli.verb import examples


@examples(
    "medassay demo",
    "medassay demo my-demo --study clinical",
)
def demo(
    path: Annotated[Path, typer.Argument(help="The folder to write the study into.")] = Path(
        "medassay-demo"
    ),
    *,
    study: Annotated[
        str,
        typer.Option(
            help="Which example. misleading: which of six real systems mislead about Cochrane "
            "reviews. cochrane: the same systems, facet by facet. clinical: a pipeline "
            "answers multiple-choice questions. Made up: archehr-synthetic, "
            "environmental-health, healthbench-synthetic."
        ),
    ] = "misleading",
    as_json: AsJson = False,
) -> None:
    """Create and run an example study: six real systems, rated by people."""
    from medassay.cli.output import progress
    from medassay.cli.running import print_run
    from medassay.library import run_and_report
    from medassay.study import write_demo

    write_demo(path, study)
    done = run_and_report(path, progress=progress())
    print_run(done, as_json=as_json, short=True)
