"""What run, demo and report share: run a study, render its report, say what was found."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import typer

from medassay.cli.say import progress, say_json, say_left_out, say_long_texts, say_verdicts
from medassay.report import Item, Summary, read_summary, render
from medassay.study import find_whole_run, only_writer, open_run, run_study
from medassay.text import plural

__all__ = ["Done", "run_and_report", "say_paper", "say_run"]


@dataclass(frozen=True)
class Done:
    """A run that is whole on disk.

    Attributes:
        summary: What it found.
        folder: Its folder.
        again: Whether it was there already and nothing needed doing.
        computed: Scores computed now.
        reused: Scores kept from before.
        damaged: Kept files that were damaged, and whose scores were computed again.
    """

    summary: Summary
    folder: Path
    again: bool
    computed: int = 0
    reused: int = 0
    damaged: int = 0


def run_and_report(
    path: Path,
    *,
    seed: int | None = None,
    texts: Literal["full", "ids", "none"] | None = None,
    metrics: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    offline: bool = False,
) -> Done:
    """Run a study and write its report; if the same run is whole on disk, only read it."""
    whole = find_whole_run(
        path, seed=seed, texts=texts, metrics=metrics, only=only, offline=offline
    )
    if whole is not None:
        return Done(read_summary(whole / "report.json"), whole, again=True)
    run = open_run(path, seed=seed, texts=texts, metrics=metrics, only=only, offline=offline)
    if run.whole:
        return Done(read_summary(run.folder / "report.json"), run.folder, again=True)
    with only_writer(path), progress() as tell:
        if run.is_done():
            return Done(read_summary(run.folder / "report.json"), run.folder, again=True)
        results, scored = run_study(run, tell)
        tell("report", 0, 1)
        render(results, run.folder)
        run.finish()
        tell("report", 1, 1)
    return Done(
        Summary.of(results), run.folder, again=False,
        computed=scored.computed, reused=scored.reused, damaged=len(scored.damaged),
    )  # fmt: skip


def say_paper(items: Sequence[Item], folder: Path) -> None:
    """Print which figures and tables of the paper there are, and what the others need."""
    there = list(dict.fromkeys(item.number for item in items if not item.missing))
    typer.echo(f"{', '.join(there) or 'Nothing'}: {folder / 'README.md'}")
    for item in items:
        if item.missing:
            typer.echo(item.missing)


def say_run(
    done: Done,
    *,
    as_json: bool,
    most: int | None = None,
    copied: Sequence[Path] = (),
    paper: Sequence[Item] | None = None,
) -> None:
    """Print the findings, or the most important of them, and where the report is.

    Args:
        done: The run.
        as_json: For machines.
        most: So many findings.
        copied: Files of the report that were written elsewhere too, the page first.
        paper: Figures and tables of the paper, where they were asked for.
    """
    found = done.summary.findings[:most]
    report = done.folder / "report.html"
    if as_json:
        say_json(
            {
                "run": done.summary.name,
                "folder": str(done.folder),
                "report": str(report),
                "up_to_date": done.again,
                "computed": done.computed,
                "reused": done.reused,
                "damaged": done.damaged,
                "findings": [{"id": one.id, "text": one.text} for one in found],
                "left_out": [one.model_dump() for one in done.summary.left_out],
                "shortened": [one.model_dump() for one in done.summary.shortened],
                "verdicts": [one.model_dump() for one in done.summary.verdicts],
                "warnings": list(done.summary.warnings),
                "written": [str(path) for path in copied],
                **({} if paper is None else {"paper": _paper(paper)}),
            }
        )
        return
    if done.summary.synthetic:
        typer.echo("SYNTHETIC DATA: nothing below says anything about a real system.\n")
    for place, one in enumerate(found, start=1):
        typer.echo(f"{place}. {one.text}\n")
    say_left_out(done.summary.left_out)
    say_long_texts(done.summary.shortened)
    say_verdicts(done.summary.verdicts)
    if done.damaged:
        typer.echo(f"{done.damaged} kept files were damaged; their scores were computed again.")
    if done.again:
        typer.echo("Nothing had changed: this run was there already.")
    else:
        computed = f"{done.computed:,} {plural(done.computed, 'score')}"
        typer.echo(f"{computed} computed, {done.reused:,} kept from before.")
    typer.echo(f"Report: {report}")
    if copied:
        typer.echo(f"Wrote {_opened_first(copied)}.")


def _opened_first(copied: Sequence[Path]) -> str:
    """Name what a reader opens; of many files in one folder, the folder."""
    alone = [path for path in copied if path.stem in {"report", "main"}]
    if {path.name for path in alone} == {"report.html", "report.json", "report.md"}:
        return f"{alone[0]}, with report.json, figures/ and tables/ beside it"
    around = dict.fromkeys(path.parent for path in copied if path not in alone)
    beside = [f"{path}/" for path in around if path.parent.name != "latex"]
    return ", ".join([*map(str, alone), *beside])


def _paper(items: Sequence[Item]) -> list[dict[str, str]]:
    return [
        {"id": one.id, "number": one.number, "caption": one.caption, "missing": one.missing}
        for one in items
    ]
