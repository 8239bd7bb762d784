"""What check says about submissions to the ArchEHR-QA shared tasks, and to a task of one's own."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import typer

from medassay.cases import read_cases
from medassay.cli.options import ArchehrForm
from medassay.cli.output import print_json, print_outcome
from medassay.errors import InvalidInput, Problem
from medassay.exchange import Outcome, Overview
from medassay.exchange.archehr.answer import Finding, blocks, tally
from medassay.exchange.archehr.cases import read_archehr_cases
from medassay.exchange.archehr.declared import said_of, tally_of
from medassay.exchange.archehr.submission import FORMS, known_ids, read_archehr_submission
from medassay.exchange.spreadsheet.submission import check_answers
from medassay.study.contents.cases_and_answers import read_study_cases

BAD_INPUT = 2


def check_submission(file: Path, form: ArchehrForm, xml: Path | None, *, as_json: bool) -> None:
    """Check one submission; exit with 2 where the official scorer would refuse or misread it."""
    known = None if xml is None else known_ids(read_archehr_cases(xml, form=form))
    submission = read_archehr_submission(file, form, known)
    blocked = blocks(submission.findings)
    if as_json:
        print_json(
            {
                "file": submission.file,
                "format": form,
                "cases": len(submission.entries),
                "ids_checked": known is not None,
                "read_as_meant": not blocked,
                "cases_read_differently": list(submission.differing),
                "summary": [asdict(count) for count in tally(submission.findings)],
                "findings": [finding.as_dict() for finding in submission.findings],
            }
        )
    else:
        _print(said_of(submission.findings))
        typer.echo(f"\n{submission.file}: {_count(len(submission.entries), 'case')}, {FORMS[form]}")
        _print(tally_of(submission.findings))
        if known is None:
            typer.echo(
                "Ids and missing cases were not checked: give --cases with the XML for that."
            )
        typer.echo(_verdict(submission.findings))
    if blocked:
        raise typer.Exit(BAD_INPUT)


def check_own_submission(file: Path, cases: Path | None, *, as_json: bool) -> None:
    """Check a table of answers to a task of one's own; exit with 2 where one must be mended."""
    if cases is None:
        hint = "Name the study of the task, or a table with the columns case and question."
        raise InvalidInput(Problem("--cases", "come with --format answers", "no --cases", hint))
    known = read_study_cases(cases) if cases.is_dir() else read_cases(cases)
    found = check_answers(file, known)
    if as_json:
        shown = asdict(found) | {"problems": [asdict(problem) for problem in found.problems]}
        print_json(shown)
    else:
        for problem in found.problems:
            typer.echo(str(problem))
        for line in (*(f"note: {note}" for note in found.notes), *found.lines()):
            typer.echo(line)
        typer.echo(
            f"{_count(len(found.problems), 'problem')}." if found.problems else "No problems."
        )
    if found.problems:
        raise typer.Exit(BAD_INPUT)


def _print(lines: Sequence[str | Overview]) -> None:
    print_outcome(Outcome(lines, {}), None, as_json=False)


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
