"""What check and import say about submissions to the ArchEHR-QA shared tasks."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from medassay.cli.options import ArchehrForm
from medassay.cli.say import say_json, say_table
from medassay.formats import (
    EFFECTS,
    FORMS,
    Finding,
    blocks,
    known_ids,
    read_archehr_cases,
    read_archehr_submission,
    tally,
)

if TYPE_CHECKING:
    from medassay.exchange import TakenArchehr

__all__ = ["check_submission", "say_archehr"]

BAD_INPUT = 2
_MOST = 20


def check_submission(file: Path, form: ArchehrForm, xml: Path | None, *, as_json: bool) -> None:
    """Check one submission; exit with 2 where the official scorer would refuse or misread it."""
    known = None if xml is None else known_ids(read_archehr_cases(xml, form=form))
    submission = read_archehr_submission(file, form, known)
    blocked = blocks(submission.findings)
    if as_json:
        say_json(
            {
                "file": submission.file,
                "format": form,
                "cases": len(submission.entries),
                "ids_checked": known is not None,
                "read_as_meant": not blocked,
                "cases_read_differently": list(submission.differing),
                "summary": [asdict(one) for one in tally(submission.findings)],
                "findings": [finding.as_dict() for finding in submission.findings],
            }
        )
    else:
        _say_findings(submission.findings)
        typer.echo(f"\n{submission.file}: {_count(len(submission.entries), 'case')}, {FORMS[form]}")
        _say_tally(submission.findings)
        if known is None:
            typer.echo(
                "Ids and missing cases were not checked: give --cases with the XML for that."
            )
        typer.echo(_verdict(submission.findings))
    if blocked:
        raise typer.Exit(BAD_INPUT)


def say_archehr(taken: "TakenArchehr", study: Path, *, as_json: bool) -> None:
    """Say what an import took, and what it found."""
    if as_json:
        facts = asdict(taken) | {"findings": [finding.as_dict() for finding in taken.findings]}
        say_json(facts | {"summary": [asdict(one) for one in tally(taken.findings)]}, study)
        return
    for warning in taken.warnings:
        typer.echo(f"note: {warning}")
    _say_findings(taken.findings)
    _say_tally(taken.findings)
    were = "was" if taken.known == 1 else "were"
    there = f", {taken.known} {were} there already" if taken.known else ""
    cases, answers = _count(taken.cases, "case"), _count(taken.answers, "answer")
    typer.echo(f"{cases} and {answers} added{there}.")
    if taken.differing:
        other = "tolerant" if taken.reading == "official" else "official"
        typer.echo(
            f"The official scorer does not read {_count(taken.differing, 'answer')} as meant. "
            f"This is the {taken.reading} reading; for the other: --reading {other}."
        )
    for file in taken.files:
        typer.echo(f"wrote {study / file}")


def _say_findings(findings: "tuple[Finding, ...] | list[Finding]") -> None:
    """Say each thing, but of one kind in one file no more than a reader can take in."""
    said: Counter[tuple[str, str]] = Counter()
    for finding in findings:
        place = finding.file, finding.kind
        said[place] += 1
        if said[place] <= _MOST:
            typer.echo(f"{finding.effect}: {finding}")
    for (file, kind), times in said.items():
        if times > _MOST:
            what = kind.replace("-", " ")
            typer.echo(f"{file}: {what}, {times - _MOST:,} more times; --json lists them all.")


def _say_tally(findings: "tuple[Finding, ...] | list[Finding]") -> None:
    if findings:
        say_table(
            "",
            ["effect", "what", "times", "cases", "the effect means"],
            [
                [one.effect, one.kind.replace("-", " "), str(one.times), str(one.cases or ""),
                 EFFECTS[one.effect]]
                for one in tally(findings)
            ],
        )  # fmt: skip


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _verdict(findings: "tuple[Finding, ...]") -> str:
    effects = {finding.effect for finding in findings}
    if "refused" in effects:
        return "The official scorer would refuse this file."
    if "misread" in effects:
        return "The official scorer would misread this file."
    if "costs" in effects:
        return "The official scorer reads this file as it is meant; some of it costs points."
    return "The official scorer reads this file as it is meant."
