"""medassay answer."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, Budget, DryRun, HereAlone, StudyFolder
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medassay.study import Answered, Estimate
    from medassay.study.answering import Replies

__all__ = ["answer", "exit_unfinished", "say_estimate", "say_replies"]

_UNFINISHED, _STOPPED = 1, 130


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
        typer.Option("--system", "-s", help="As [systems.NAME] of study.toml; several may be."),
    ],
    allow_code: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="module:function, or file.py:function, that answers."),
    ] = None,
    budget: Budget = None,
    dry_run: DryRun = False,
    offline: HereAlone = False,
    as_json: AsJson = False,
) -> None:
    """Have systems answer the cases: endpoints, services, functions, recorded files.

    Every reply is kept the moment it comes. Stopped anywhere and run again, it goes on where it
    was, and asks again only what failed.
    """
    from dataclasses import asdict

    from medassay.cli.output import print_json, progress
    from medassay.study import answer_study, estimate_study, only_writer
    from medassay.systems import load_code

    code = None if allow_code is None else load_code(allow_code)
    if dry_run:
        told = [estimate_study(study, name, offline=offline, code=code) for name in systems]
        if as_json:
            print_json([asdict(one) for one in told], study)
        else:
            for one in told:
                say_estimate(one)
        return
    done = []
    with only_writer(study), progress() as tell:
        for name in systems:
            done.append(
                answer_study(study, name, offline=offline, code=code, budget=budget, tell=tell)
            )
            if done[-1].stopped:
                break
    if as_json:
        print_json([asdict(one) for one in done], study)
    else:
        for each in done:
            _say(each, study)
    exit_unfinished([one for one in done if one.stopped or one.unanswered])


def exit_unfinished(unfinished: "Sequence[Replies]") -> None:
    """End with 130 where the user stopped it, with 1 where something is left to be asked."""
    if unfinished:
        stopped = any(one.stopped == "you stopped it" for one in unfinished)
        raise typer.Exit(_STOPPED if stopped else _UNFINISHED)


def say_estimate(estimate: "Estimate") -> None:
    """Say what asking would take, and of whom."""
    from medassay.exhibits.numbers import count_of

    questions = count_of(estimate.questions, "question")
    where = f" of {estimate.where}" if estimate.where else ""
    typer.echo(f"{estimate.name}: {questions}{where}; {estimate.kept:,} kept already.")
    if estimate.questions:
        most = f"at most {estimate.tokens_out:,}" if estimate.tokens_out else "an unlimited number"
        cost = "" if estimate.cost is None else f" At most {estimate.cost:,.2f} in all."
        typer.echo(f"About {estimate.tokens_in:,} tokens in, {most} out.{cost}")


def say_replies(done: "Replies") -> None:
    """Say how the replies ended, what they cost, and why not everything was asked."""
    from medassay.exhibits.numbers import count_of

    words = {"refused": "refused", "empty": "empty", "cut_off": "cut off", "failed": "failed"}
    odd = [f"{done.ended[name]:,} {word}" for name, word in words.items() if done.ended.get(name)]
    if done.kept:
        typer.echo(f"{done.kept:,} replies were kept from before.")
    if odd:
        typer.echo(f"Of the replies {', '.join(odd)}.")
    for why, count in done.failures.items():
        typer.echo(f"{count_of(count, 'question')} failed by {why}")
    if done.tokens_in or done.tokens_out:
        cost = "" if done.spent is None else f", {done.spent:,.4f} in all"
        typer.echo(f"{done.tokens_in:,} tokens in, {done.tokens_out:,} out{cost}.")
    if done.torn:
        typer.echo("The last reply of a run that was killed was torn off, and is dropped.")
    if done.stopped:
        typer.echo(f"Stopped: {done.stopped}. Run the same again to go on.")


def _say(done: "Answered", study: Path) -> None:
    from medassay.exhibits.numbers import count_of

    given = count_of(done.answers, "answer")
    already = f", {done.known:,} there already" if done.known else ""
    left = f", {done.unanswered:,} still to be had" if done.unanswered else ""
    where = f" from {done.where}" if done.where else ""
    typer.echo(f"{given} of {done.system}{where}{already}{left}.")
    say_replies(done)
    for file in done.files:
        typer.echo(f"wrote {file}")
    if not done.stopped and not done.unanswered:
        typer.echo(f"Next: medassay run {study}")
