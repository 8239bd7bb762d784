"""What `answer` and `judge --ask` share: what asking would take, asking in turn, how it ended."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

if TYPE_CHECKING:
    from medassay.study import Estimate
    from medassay.study.answering import Replies
    from medassay.study.scoring.score_study import Progress

_UNFINISHED, _STOPPED = 1, 130
_Done = TypeVar("_Done", bound="Replies")


def estimate_each(study: Path, estimates: "Iterable[Estimate]", *, as_json: bool) -> None:
    """Say what asking would take, and of whom; nothing is asked."""
    from dataclasses import asdict

    from medassay.cli.output import print_json

    if as_json:
        print_json([asdict(estimate) for estimate in estimates], study)
        return
    for estimate in estimates:
        print_estimate(estimate)


def ask_each(
    study: Path,
    names: Iterable[str],
    ask: "Callable[[str, Progress], _Done]",
    say: "Callable[[_Done], None]",
    left: "Callable[[_Done], object]",
    *,
    as_json: bool,
) -> None:
    """Ask for one name after the other until one stops, and say how each ended.

    Args:
        study: The study's folder, which nobody else writes to meanwhile.
        names: Systems or judges.
        ask: Asks for one, and tells how far it is.
        say: Prints how one ended.
        left: Whether something of one is still to be had.
        as_json: Print all of it as JSON.

    Raises:
        typer.Exit: 130 where the user stopped it, 1 where something is left to be asked.
    """
    from dataclasses import asdict

    from medassay.cli.output import print_json, progress
    from medassay.study import only_writer

    done: list[_Done] = []
    with only_writer(study), progress("reading the study") as tell:
        for name in names:
            done.append(ask(name, tell))
            if done[-1].stopped:
                break
    if as_json:
        print_json([asdict(each) for each in done], study)
    else:
        for each in done:
            say(each)
    if any(each.stopped or left(each) for each in done):
        stopped = any(each.stopped == "you stopped it" for each in done)
        raise typer.Exit(_STOPPED if stopped else _UNFINISHED)


def print_replies(done: "Replies") -> None:
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


def print_not_asked(reasons: Mapping[str, int]) -> None:
    """Say which questions a judge is not asked, and why."""
    from medassay.exhibits.numbers import count_of

    for why, count in reasons.items():
        typer.echo(f"Not asked {count_of(count, 'question')} of {why}.")


def print_estimate(estimate: "Estimate") -> None:
    """Say how much there is to ask, of whom, and what it costs at most."""
    from medassay.exhibits.numbers import count_of

    questions = count_of(estimate.questions, "question")
    where = f" of {estimate.where}" if estimate.where else ""
    typer.echo(f"{estimate.name}: {questions}{where}; {estimate.kept:,} kept already.")
    if estimate.questions:
        most = f"at most {estimate.tokens_out:,}" if estimate.tokens_out else "an unlimited number"
        cost = "" if estimate.cost is None else f" At most {estimate.cost:,.2f} in all."
        typer.echo(f"About {estimate.tokens_in:,} tokens in, {most} out.{cost}")
    print_not_asked(estimate.not_asked)
