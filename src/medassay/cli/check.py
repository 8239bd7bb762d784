"""medassay check."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, SubmissionForm
from medassay.cli.verb import examples
from medassay.errors import InvalidInput, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medassay.study import Summary


@examples(
    "medassay check my-study",
    "medassay check submission.json --format archehr2025 --cases cases.xml",
    "medassay check submission.csv --format answers --cases my-task",
)
def check(
    target: Annotated[
        Path, typer.Argument(metavar="STUDY", help="The study's folder; with --format, the file.")
    ],
    *,
    form: Annotated[
        SubmissionForm | None,
        typer.Option(
            "--format",
            help="Check a submission to a shared task instead, key or no key; answers: a table of "
            "answers to a task of yours.",
        ),
    ] = None,
    cases: Annotated[
        Path | None,
        typer.Option(
            help="With --format: the cases' XML, to check ids and missing cases too; for answers "
            "the study of the task, or its cases as a table."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a study: every problem at once, what it holds, and what each metric needs.

    What it prints quotes the study's files, for whoever has them; --json does as far as [privacy]
    lets it.

    With --format, report what the official scorer would refuse or misread in a submission, line by
    line; the exit code is 2 where it would. With --format answers, report unknown and repeated ids,
    questions without an answer, and how long answers are. The exit code is 2 if something must be
    mended.
    """
    from medassay.cli.output import print_json, progress

    if form is not None:
        from medassay.cli.submission import check_own_submission, check_submission

        if form == "answers":
            check_own_submission(target, cases, as_json=as_json)
        else:
            check_submission(target, form, cases, as_json=as_json)
        return
    if cases is not None:
        hint = "For example --format archehr2025."
        raise InvalidInput(Problem("--cases", "come with --format", "no --format", hint))
    from dataclasses import asdict

    from medassay.analyses import (
        at_best_of,
        at_best_words,
        check_analyses,
        differences_at_best_of,
        smallest_difference,
    )
    from medassay.analyses.builtin.benchmark_checks import benchmark_notes
    from medassay.study import Study, summarise

    with progress("checking the study"):
        opened = Study.open_whole(target)
        check_analyses(opened)
        best, differences = at_best_of(opened), differences_at_best_of(opened)
    if as_json:
        shown = summarise(opened.private()).as_dict()
        shown["benchmark"] = benchmark_notes(opened.private())
        shown["at_best"] = asdict(best) if best else None
        shown["differences_at_best"] = asdict(differences) if differences else None
        print_json({"problems": [], **shown})
    else:
        told = at_best_words(best) if best else []
        told += smallest_difference(differences) if differences else []
        _say(summarise(opened), told, benchmark_notes(opened))


def _say(summary: "Summary", at_best: "Sequence[str]", benchmark: "Sequence[str]") -> None:
    from medassay.cli.output import print_table
    from medassay.exhibits.numbers import count_of

    typer.echo(f"{summary.title} (protocol {summary.protocol})")
    unread = sum(system.not_held for system in summary.systems)
    counts = [
        count_of(summary.cases, "case"),
        count_of(len(summary.systems), "system"),
        count_of(summary.answers, "answer") + (f" ({unread:,} not held)" if unread else ""),
        count_of(summary.raters, "rater"),
        count_of(summary.judgements, "judgement")
        + (f" ({summary.corrected} corrected)" if summary.corrected else ""),
        count_of(summary.preferences, "preference"),
    ]
    typer.echo(", ".join(counts))
    if summary.imported:
        typer.echo(f"imported scores: {', '.join(summary.imported)}")
    some = any(s.not_asked for s in summary.systems)
    print_table(
        "Answers",
        ["system", "given", "empty", "never given", *(["not asked"] if some else [])],
        [
            [s.system, f"{s.given:,}", f"{s.empty:,}", f"{s.missing:,}",
             *([f"{s.not_asked:,}"] if some else [])]
            for s in summary.systems
        ],
    )  # fmt: skip
    print_table(
        "Judgements",
        ["dimension", "judgements", "a reason instead", "raters"],
        [
            [d.dimension, f"{d.judgements:,}", f"{d.without_label:,}", f"{d.raters:,}"]
            for d in summary.dimensions
        ],
    )
    print_table(
        "What each metric needs",
        ["metric", "needs", "cases that have it", "answers that have it"],
        [
            [
                m.metric,
                ", ".join(m.needs),
                f"{m.cases_ready:,} of {summary.cases:,}",
                f"{m.answers_ready:,} of {summary.answers:,}",
            ]
            for m in summary.metrics
        ],
    )
    if at_best:
        typer.echo("What a study of this size can show at best")
        for sentence in at_best:
            typer.echo(f"  {sentence}")
        typer.echo()
    for warning in (*summary.warnings, *benchmark):
        typer.echo(f"note: {warning}")
    typer.echo("No problems.")
