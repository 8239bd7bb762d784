"""medassay answer."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, Budget, DryRun, HereAlone, StudyFolder
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from medassay.study import Answered


@examples(
    "medassay answer my-study --system gpt --dry-run",
    "medassay answer my-study --system gpt --budget 5",
    "medassay answer my-study --system ours --allow-code our_system.py:answer",
)
def answer(
    study: StudyFolder,
    *,
    systems: Annotated[
        list[str],
        typer.Option(
            "--system",
            "-s",
            help="A system of study.toml, [systems.NAME]. May be given several times.",
        ),
    ],
    allow_code: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="The code that may run to answer: module:function or file.py:function.",
        ),
    ] = None,
    budget: Budget = None,
    dry_run: DryRun = False,
    offline: HereAlone = False,
    as_json: AsJson = False,
) -> None:
    """Generate answers: from endpoints, services, functions or recorded files.

    Every reply is saved as it comes. If you stop it, run it again: it continues, and asks again
    only what failed.
    """
    from medassay.cli.asking import ask_each, estimate_each
    from medassay.study import answer_study, estimate_study
    from medassay.systems import load_code

    code = None if allow_code is None else load_code(allow_code)
    if dry_run:
        estimates = (estimate_study(study, name, offline=offline, code=code) for name in systems)
        estimate_each(study, estimates, as_json=as_json)
        return
    ask_each(
        study,
        systems,
        lambda name, tell: answer_study(
            study, name, offline=offline, code=code, budget=budget, tell=tell
        ),
        lambda done: _print(done, study),
        lambda done: done.unanswered,
        as_json=as_json,
    )


def _print(done: "Answered", study: Path) -> None:
    from medassay.cli.asking import print_replies
    from medassay.exhibits.numbers import count_of

    n_answers = count_of(done.answers, "answer")
    already = f", {done.known:,} there already" if done.known else ""
    left = f", {done.unanswered:,} still to be had" if done.unanswered else ""
    where = f" from {done.where}" if done.where else ""
    typer.echo(f"{n_answers} of {done.system}{where}{already}{left}.")
    print_replies(done)
    for file in done.files:
        typer.echo(f"wrote {file}")
    if not done.stopped and not done.unanswered:
        typer.echo(f"Next: medassay run {study}")
