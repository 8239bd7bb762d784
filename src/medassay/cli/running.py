"""What run, demo and report share: say what a run found, and where its report is."""

import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import typer

from medassay.cli.output import (
    print_damaged,
    print_json,
    print_left_out,
    print_long_texts,
    print_paragraph,
    print_verdicts,
    progress,
)
from medassay.cli.streams import named
from medassay.library import Done
from medassay.report import Finding, Item, ReaderQuestion
from medassay.study import Checked, RunLog, ShardRecord, fetch_urls
from medassay.text import plural

_NAMED: Final = 5
_SENTENCES: Final = 3
_SENTENCE: Final = re.compile(r"(?<=[.?!]) (?=[A-Z])")
_SHOWN_FIRST: Final = (
    ReaderQuestion.WHOSE,
    ReaderQuestion.UNSAFE,
    ReaderQuestion.BETTER,
    ReaderQuestion.DESCRIBED,
    ReaderQuestion.METRICS,
)


def fetch_first(study: Path, *, offline: bool, fresh: bool) -> None:
    """Fetch what a study's urls.toml names, and say on standard error what was fetched."""
    with progress() as tell:
        fetched = fetch_urls(study, offline=offline, fresh=fresh, progress=tell)
    typer.echo(fetched.words(), err=True)


def print_paper(items: Sequence[Item], folder: Path) -> None:
    """Print which figures and tables of the paper there are, and what the others need."""
    there = list(dict.fromkeys(item.number for item in items if not item.missing))
    typer.echo(f"{', '.join(there) or 'Nothing'}: {folder / 'README.md'}")
    for item in items:
        if item.missing:
            typer.echo(item.missing)


def print_run(
    done: Done,
    *,
    as_json: bool,
    short: bool = False,
    copied: Sequence[Path] = (),
    paper: Sequence[Item] | None = None,
) -> None:
    """Print the findings, or the most important of them, and where the report is.

    Args:
        done: The run.
        as_json: For machines.
        short: Three sentences alone: harm, who is better, and automatic metrics; whose labels
            these are comes first, where that has to be said.
        copied: Files of the report that were written elsewhere too, the page first.
        paper: Figures and tables of the paper, where they were asked for.
    """
    findings = done.summary.findings
    report = done.folder / "report.html"
    log = done.log
    if as_json:
        print_json(
            {
                "run": done.summary.name,
                "folder": str(done.folder),
                "report": str(report),
                "up_to_date": done.again,
                "computed": done.computed,
                "reused": done.reused,
                "damaged": [] if done.again or log is None else log.damaged,
                "made": None if log is None else log.model_dump(mode="json"),
                "findings": [{"id": finding.id, "text": finding.text} for finding in findings],
                "left_out": [asdict(left_out) for left_out in done.summary.left_out],
                "shortened": [shortened.model_dump() for shortened in done.summary.shortened],
                "verdicts": [verdicts.model_dump() for verdicts in done.summary.verdicts],
                "questions": list(done.summary.questions),
                "warnings": list(done.summary.warnings),
                "written": [str(path) for path in copied],
                **({} if paper is None else {"paper": _paper(paper)}),
            }
        )
        return
    if done.summary.synthetic:
        typer.echo("SYNTHETIC DATA: nothing below says anything about a real system.\n")
    whose = ["--into", str(done.folder.parent.parent)]
    for place, (text, alarms) in enumerate(
        _in_three(findings) if short else [(one.text, one.alarms) for one in findings], start=1
    ):
        print_paragraph(f"{place}. {named(text, whose)}", alarming=alarms)
        typer.echo()
    for question in done.summary.questions:
        typer.echo(f"To decide: {question}")
    print_left_out(done.summary.left_out)
    print_long_texts(done.summary.shortened)
    print_verdicts(done.summary.verdicts)
    _print_made(log, again=done.again)
    typer.echo(f"Report: {report}")
    if copied:
        typer.echo(f"Wrote {_opened_first(copied)}.")


def print_shard(record: ShardRecord, study: Path, *, as_json: bool) -> None:
    """Print what one shard's job did, and what joins them all."""
    if as_json:
        print_json(record.model_dump(mode="json"))
        return
    failed = f", {record.failed:,} failed" if record.failed else ""
    typer.echo(
        f"Shard {record.number} of {record.of} of run {record.run}: "
        f"{record.computed:,} {plural(record.computed, 'score')} computed, "
        f"{record.reused:,} kept from before{failed}."
    )
    typer.echo(f"When all {record.of:,} are done: medassay merge {study}")


def _in_three(findings: Sequence[Finding]) -> list[tuple[str, bool]]:
    """Give the first sentence on each of the first three questions, an answer before a method."""
    first: dict[ReaderQuestion, tuple[str, bool]] = {}
    for finding in findings:
        first.setdefault(finding.answers, (_SENTENCE.split(finding.text)[0], finding.alarms))
    order = sorted(first, key=lambda question: question not in _SHOWN_FIRST)
    return [first[question] for question in order[:_SENTENCES]]


def _print_made(log: RunLog | None, *, again: bool) -> None:
    """Print what was computed for the run, what was kept from before, and what was compared."""
    if again:
        typer.echo("Nothing had changed: this run was there already.")
    if log is None:
        typer.echo("How it was made is not known; --fresh recomputes it and compares.")
        return
    computed = f"{log.computed:,} {plural(log.computed, 'score')} computed"
    reused = "cache ignored" if log.fresh else f"{log.reused:,} kept from before"
    if again:
        typer.echo(f"When it was made: {computed}, {reused}.")
        return
    print_damaged(len(log.damaged))
    typer.echo(f"{computed}, {reused}.")
    for checked in log.checked:
        typer.echo(_compared(checked))
    if log.fresh and not log.checked:
        typer.echo("No run of the same files and choices was there to compare with.")


def _compared(checked: Checked) -> str:
    """Say which files of a run that was there are the same now."""
    of = f"the run that was there, {checked.against}"
    if checked.versions:
        of = f"the run {checked.against}, made by other versions ({'; '.join(checked.versions)})"
    if checked.same == checked.files:
        text = f"Compared with {of}: all {checked.files:,} files are the same, byte for byte."
    else:
        text = f"Compared with {of}: {checked.same:,} of {checked.files:,} files are the same."
    for names, verb in ((checked.differing, "differ"), (checked.gone, "are not written now")):
        if names:
            more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
            text += f" These {verb}: {', '.join(names[:_NAMED])}{more}."
    return f"{text} What was there is in {checked.kept_in}." if checked.kept_in else text


def _opened_first(copied: Sequence[Path]) -> str:
    """Name what a reader opens; of many files in one folder, the folder."""
    alone = [path for path in copied if path.stem in {"report", "main", "abstract"}]
    if {path.name for path in alone} == {"report.html", "report.json", "report.md"}:
        return f"{alone[0]}, with report.json, figures/ and tables/ beside it"
    around = dict.fromkeys(path.parent for path in copied if path not in alone)
    beside = [f"{path}/" for path in around if path.parent.name != "latex"]
    return ", ".join([*map(str, alone), *beside])


def _paper(items: Sequence[Item]) -> list[dict[str, str]]:
    return [
        {"id": item.id, "number": item.number, "caption": item.caption, "missing": item.missing}
        for item in items
    ]
