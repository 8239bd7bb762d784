"""Options that several verbs share, so that they are called the same everywhere."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from medassay.cli.verb import RARE

StudyFolder = Annotated[Path, typer.Argument(metavar="STUDY", help="The study's folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
IntoStudy = Annotated[Path, typer.Option("--into", metavar="STUDY", help="The study's folder.")]
Columns = Annotated[
    list[str] | None,
    typer.Option("--column", "-c", metavar="OURS=THEIRS", help="Read OURS from the column THEIRS."),
]
Against = Annotated[
    Path | None,
    typer.Option(
        metavar="RUN",
        help="Compare with this earlier run (its folder or report.json). Its values appear "
        "beside the new ones.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(min=0, rich_help_panel=RARE, help="Random seed; study.toml's if not given."),
]
Offline = Annotated[
    bool, typer.Option("--offline", help="Download no model, even if study.toml allows it.")
]
Budget = Annotated[float | None, typer.Option(min=0, help="Stop before it costs more than this.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Ask nothing; say how much there is to ask.")
]
HereAlone = Annotated[bool, typer.Option("--offline", help="Send nothing off this machine.")]
Fresh = Annotated[
    bool,
    typer.Option("--fresh", rich_help_panel=RARE, help="Recompute everything; ignore the cache."),
]
Fetch = Annotated[
    bool,
    typer.Option(
        "--fetch",
        rich_help_panel=RARE,
        help="First fetch what urls.toml names and is not here yet.",
    ),
]
Texts = Annotated[
    Literal["full", "ids", "none"] | None,
    typer.Option(help="Show full texts, only their ids, or neither."),
]
OnCluster = Annotated[
    str | None,
    typer.Option(
        metavar="CLUSTER",
        rich_help_panel=RARE,
        help="Score model metrics on ray (this machine's processors) or ray://HOST:PORT.",
    ),
]
ShardOf = Annotated[
    str | None,
    typer.Option(
        "--shard",
        metavar="I/N",
        rich_help_panel=RARE,
        help="Score part I of N, as one of N jobs; medassay merge joins the parts.",
    ),
]
SheetTexts = Annotated[
    Literal["full", "ids", "none"] | None,
    typer.Option(
        "--texts",
        help="What raters are given to read: full texts, ids of cases, or neither; as [privacy] "
        "says if not given. full is for raters who may read what no report may show.",
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metrics",
        "-m",
        help="Add this metric; all adds every metric that can be scored here. May be given "
        "several times.",
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        help="Compute only this metric, not the study's. May be given several times.",
    ),
]
SubmissionForm = Literal[
    "answers",
    "archehr2025",
    "archehr2026-st1",
    "archehr2026-st2",
    "archehr2026-st3",
    "archehr2026-st4",
]
"""What `check` knows of submissions: a table of answers to a task of one's own, or those below."""
ArchehrForm = Literal[
    "archehr2025", "archehr2026-st1", "archehr2026-st2", "archehr2026-st3", "archehr2026-st4"
]
"""The forms of submissions, as `exchange.archehr.submission` has them, which takes long to load."""
