"""Options that several verbs share, so that they are called the same everywhere."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from medassay.cli.verb import RARE

__all__ = [
    "Against",
    "ArchehrForm",
    "AsJson",
    "Budget",
    "Columns",
    "DryRun",
    "Fetch",
    "Fresh",
    "HereAlone",
    "IntoStudy",
    "Metrics",
    "Offline",
    "OnCluster",
    "Only",
    "Seed",
    "ShardOf",
    "SheetTexts",
    "StudyFolder",
    "Texts",
]


StudyFolder = Annotated[Path, typer.Argument(metavar="STUDY", help="The study's folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
IntoStudy = Annotated[Path, typer.Option("--into", metavar="STUDY", help="The study's folder.")]
Columns = Annotated[
    list[str] | None,
    typer.Option("--column", "-c", metavar="OURS=THEIRS", help="Our column is called THEIRS."),
]
Against = Annotated[
    Path | None,
    typer.Option(
        metavar="RUN",
        help="Show this earlier run beside the new one: its folder or report.json.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0, rich_help_panel=RARE, help="Seed of every draw; study.toml's if not given."
    ),
]
Offline = Annotated[
    bool, typer.Option("--offline", help="Fetch no model, whatever study.toml allows.")
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
        help="Fetch what urls.toml names first, as far as it is not here yet.",
    ),
]
Texts = Annotated[
    Literal["full", "ids", "none"] | None,
    typer.Option(help="Show texts, their ids, or none."),
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
        help="Score the I-th of N shards and keep it, as one of N jobs; medassay merge joins them.",
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
        help="Add a metric, or all that can be scored here. May be given several times.",
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        help="Compute this metric instead of the study's. May be given several times.",
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
