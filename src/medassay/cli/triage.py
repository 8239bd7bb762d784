"""medassay triage."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from medassay.cli.options import AsJson, StudyFolder
from medassay.cli.verb import examples

_SHOWN = 10
_Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Random seed for scores; study.toml's if not given. It does not change which "
        "answers are taken.",
    ),
]


@examples(
    "medassay triage my-study --n 50 --out queue.csv",
    "medassay triage my-study --for danger --dimension safety",
)
def triage(
    study: StudyFolder,
    *,
    count: Annotated[int, typer.Option("--n", min=1, help="How many answers to take.")] = 100,
    aim: Annotated[
        Literal["ranking", "danger", "all", "adjudication", "mean", "harm", "metrics"],
        typer.Option(
            "--for",
            help="What the ratings are for; mean, harm and metrics draw answers at random.",
        ),
    ] = "ranking",
    dimension: Annotated[
        str | None, typer.Option(help="The dimension; the leaderboard's if not given.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the queue to this CSV file.", dir_okay=False)
    ] = None,
    seed: _Seed = None,
    as_json: AsJson = False,
) -> None:
    """Choose which answers people should judge next, as a queue for a campaign."""
    from medassay.analyses import queue_bytes, refuse_to_infer, triage_study
    from medassay.cli.output import print_json, print_table, progress
    from medassay.judgements.campaign import Secret
    from medassay.study import only_writer, open_run
    from medassay.study.runs.raters_key import write_key
    from medassay.tables import write_atomically

    run = open_run(study, seed=seed)
    write_key(study, run.pseudonyms)
    refuse_to_infer(run.study, "estimated from a part of its answers")
    with only_writer(study), progress() as tell:
        triage_report = triage_study(
            run.study,
            run.metrics,
            count=count,
            aim=aim,
            secret=Secret.new(),
            dimension=dimension,
            progress=tell,
        )
    if out is not None:
        queue = queue_bytes(triage_report, run.study.numbering)
        _refuse_to_lose(out, queue)
        write_atomically(out, queue)
    if as_json:
        print_json(triage_report.model_dump(mode="json"))
        return
    first = triage_report.queue[:_SHOWN]
    repeated = any(queued.sample for queued in triage_report.queue)
    rows = [
        [
            queued.system,
            queued.case,
            *([str(queued.sample)] if repeated else []),
            f"{queued.priority:.3f}",
            queued.why,
        ]
        for queued in first
    ]
    header = ["system", "case", *(["sample"] if repeated else []), "priority", "why"]
    typer.echo(
        f"{len(triage_report.queue)} of {triage_report.open} answers, for {aim} by "
        f"{triage_report.dimension}."
    )
    print_table("First in the queue", header, rows)
    for note in triage_report.notes:
        typer.echo(f"note: {note}")
    if out is not None:
        typer.echo(f"wrote {out}; medassay campaign create {study} --queue {out}")


def _refuse_to_lose(out: Path, queue: bytes) -> None:
    """Let a queue replace an earlier one of its kind, and no other file."""
    from medassay.errors import InvalidInput, Problem

    def header(content: bytes) -> bytes:
        names = content.partition(b"\n")[0].strip().split(b",")
        return b",".join(name for name in names if name not in {b"sample", b"about"})

    if out.is_file() and header(there := out.read_bytes()) != header(queue):
        got = header(there)[:60].decode("utf-8", errors="replace") or "an empty file"
        must = "be a new file, or an earlier queue of the same kind, which is replaced"
        raise InvalidInput(Problem(str(out), must, got, "Give --out another name."))
