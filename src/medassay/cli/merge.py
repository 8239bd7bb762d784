"""medassay merge."""

from pathlib import Path
from typing import Annotated

import typer

from medassay.cli.options import AsJson, StudyFolder
from medassay.cli.verb import examples


@examples(
    "medassay merge my-study",
    "medassay merge my-study shard-1 shard-2 shard-3",
)
def merge(
    study: StudyFolder,
    copies: Annotated[
        list[Path] | None,
        typer.Argument(metavar="COPY", help="Copies of the study with the scores of other parts."),
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Join the parts that run --shard scored, and finish the run with its report.

    The report has the same bytes as that of a run without shards.
    """
    from medassay.cli.output import progress
    from medassay.cli.running import print_run
    from medassay.library import run_and_report
    from medassay.study import take_in_shards

    asked = take_in_shards(study, copies or ())
    done = run_and_report(study, **asked.model_dump(), progress=progress())
    print_run(done, as_json=as_json)
