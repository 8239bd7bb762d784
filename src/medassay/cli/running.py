"""What run, demo and report share: run a study, render its report, say what was found."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

import typer

from medassay.analyses import run_study
from medassay.cli.raters_key import write_lost_key
from medassay.cli.say import (
    progress,
    say_damaged,
    say_json,
    say_left_out,
    say_long_texts,
    say_verdicts,
)
from medassay.report import Item, Summary, read_summary, render
from medassay.study import (
    Checked,
    RunLog,
    check_against,
    find_completed_run,
    only_writer,
    open_run,
    set_aside,
)
from medassay.text import plural

__all__ = ["Done", "run_and_report", "say_paper", "say_run"]


_NAMED: Final = 5


@dataclass(frozen=True)
class Done:
    """A run that is whole on disk.

    Attributes:
        summary: What it found.
        folder: Its folder.
        again: Whether it was there already and nothing needed doing.
        log: How it was made; None where nothing says so.
    """

    summary: Summary
    folder: Path
    again: bool
    log: RunLog | None = None

    @property
    def computed(self) -> int:
        """Count the scores that were computed now."""
        return 0 if self.again or self.log is None else self.log.computed

    @property
    def reused(self) -> int:
        """Count the answers whose score was kept from before, as far as any was asked for now."""
        return 0 if self.again or self.log is None else self.log.reused


def run_and_report(
    path: Path,
    *,
    seed: int | None = None,
    texts: Literal["full", "ids", "none"] | None = None,
    metrics: Sequence[str] | None = None,
    only: Sequence[str] | None = None,
    offline: bool = False,
    fresh: bool = False,
) -> Done:
    """Run a study and write its report; if the same run is whole on disk, only read it.

    With `fresh` nothing that is there is believed, and what is written is compared with it.
    """
    whole = None
    if not fresh:
        whole = find_completed_run(
            path, seed=seed, texts=texts, metrics=metrics, only=only, offline=offline
        )
    if whole is not None:
        write_lost_key(path, whole.name)
        return _there(whole)
    run = open_run(path, seed=seed, texts=texts, metrics=metrics, only=only, offline=offline)
    if run.whole and not fresh:
        return _there(run.folder)
    with only_writer(path), progress() as tell:
        if fresh:
            set_aside(run.folder)
        elif run.is_done():
            return _there(run.folder)
        results, scored = run_study(run, tell, fresh=fresh)
        tell("report", 0, 1)
        render(results, run.folder)
        run.finish()
        log = RunLog.of(run.name, scored, check_against(run.folder) if fresh else None)
        log.write(run.folder)
        tell("report", 1, 1)
    return Done(Summary.of(results), run.folder, again=False, log=log)


def _there(folder: Path) -> Done:
    return Done(read_summary(folder / "report.json"), folder, again=True, log=RunLog.read(folder))


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
    log = done.log
    if as_json:
        say_json(
            {
                "run": done.summary.name,
                "folder": str(done.folder),
                "report": str(report),
                "up_to_date": done.again,
                "computed": done.computed,
                "reused": done.reused,
                "damaged": [] if done.again or log is None else log.damaged,
                "made": None if log is None else log.model_dump(mode="json"),
                "findings": [{"id": one.id, "text": one.text} for one in found],
                "left_out": [asdict(one) for one in done.summary.left_out],
                "shortened": [one.model_dump() for one in done.summary.shortened],
                "verdicts": [one.model_dump() for one in done.summary.verdicts],
                "questions": list(done.summary.questions),
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
    for question in done.summary.questions:
        typer.echo(f"To decide: {question}")
    say_left_out(done.summary.left_out)
    say_long_texts(done.summary.shortened)
    say_verdicts(done.summary.verdicts)
    _say_made(log, again=done.again)
    typer.echo(f"Report: {report}")
    if copied:
        typer.echo(f"Wrote {_opened_first(copied)}.")


def _say_made(log: RunLog | None, *, again: bool) -> None:
    """Print what was computed for the run, what was kept from before, and what was compared."""
    if again:
        typer.echo("Nothing had changed: this run was there already.")
    if log is None:
        typer.echo("How it was made is not known; --fresh computes it anew and compares.")
        return
    computed = f"{log.computed:,} {plural(log.computed, 'score')} computed"
    kept = "nothing that was kept was believed" if log.fresh else f"{log.reused:,} kept from before"
    if again:
        typer.echo(f"When it was made: {computed}, {kept}.")
        return
    say_damaged(len(log.damaged))
    typer.echo(f"{computed}, {kept}.")
    for one in log.checked:
        typer.echo(_compared(one))
    if log.fresh and not log.checked:
        typer.echo("No run of the same files and choices was there to compare with.")


def _compared(one: Checked) -> str:
    """Say which files of a run that was there are the same now."""
    of = f"the run that was there, {one.against}"
    if one.versions:
        of = f"the run {one.against}, made by other versions ({'; '.join(one.versions)})"
    if one.same == one.files:
        said = f"Compared with {of}: all {one.files:,} files are the same, byte for byte."
    else:
        said = f"Compared with {of}: {one.same:,} of {one.files:,} files are the same."
    for names, verb in ((one.differing, "differ"), (one.gone, "are not written now")):
        if names:
            more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
            said += f" These {verb}: {', '.join(names[:_NAMED])}{more}."
    return f"{said} What was there is in {one.kept_in}." if one.kept_in else said


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
