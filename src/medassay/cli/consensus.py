"""medassay consensus."""

from typing import TYPE_CHECKING

import typer

from medassay.cli.options import AsJson, Seed, StudyFolder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medassay.study import ConsensusReport, QualityResult

__all__ = ["consensus"]


def consensus(study: StudyFolder, *, seed: Seed = None, as_json: AsJson = False) -> None:
    """Say what the raters jointly say of each answer, and what that makes of each rater."""
    from medassay.cli.say import say_json
    from medassay.study import consensus_report, open_run

    run = open_run(study, seed=seed)
    found = consensus_report(run.study)
    if as_json:
        say_json(found.model_dump(mode="json"))
        return
    title = run.study.config.title
    _say_means(title, found)
    _say_quality(title, found.quality)
    _say_ties(title, found)
    _say_harm(title, found)


def _say_means(title: str, found: "ConsensusReport") -> None:
    from medassay.cli.say import interval, number, say_table

    say_table(
        f"{title}: consensus",
        [
            *("dimension", "consensus", "system", "mean"),
            *("95 % interval", "answers", "missing", "why"),
        ],
        [
            [
                one.dimension,
                one.method,
                one.system,
                number(one.mean) or "none",
                interval(one.interval),
                str(one.scored),
                str(one.unscored),
                one.why,
            ]
            for one in found.means
        ],
    )


def _say_quality(title: str, found: "Sequence[QualityResult]") -> None:
    """Print one column for each meaning that a rater's quality has: several methods share one."""
    from medassay.cli.say import number, say_table

    if not found:
        return
    first: dict[str, str] = {}
    for one in found:
        first.setdefault(one.meaning, one.method)
    shown = [one for one in found if first[one.meaning] == one.method]
    methods = list(dict.fromkeys(one.method for one in shown))
    of = {(one.dimension, one.rater, one.method): one for one in shown}
    raters = dict.fromkeys((one.dimension, one.rater, one.n) for one in shown)
    say_table(
        f"{title}: raters",
        ["dimension", "rater", "labels", *methods],
        [
            [
                dimension,
                rater,
                str(n),
                *(number(of[dimension, rater, method].quality) or "none" for method in methods),
            ]
            for dimension, rater, n in raters
        ],
    )
    for meaning, method in first.items():
        alike = dict.fromkeys(one.method for one in found if one.meaning == meaning)
        others = [name for name in alike if name != method]
        also = f" (the same for {', '.join(others)})" if others else ""
        typer.echo(f"{method}{also}: {meaning}.")
    typer.echo()


def _say_ties(title: str, found: "ConsensusReport") -> None:
    if any(one.ties for one in found.ties):
        _say_rules(title, found)
    for one in found.ties:
        if not one.ties:
            typer.echo(f"{one.dimension}: no ties among {one.answers} answers.")


def _say_rules(title: str, found: "ConsensusReport") -> None:
    from medassay.cli.say import number, say_table

    say_table(
        f"{title}: majority, by the rule for ties",
        ["dimension", "system", "ties left out", "lower label", "median", "answers", "ties"],
        [
            [
                one.dimension,
                each.system,
                number(each.unscored) or "none",
                number(each.lower) or "none",
                number(each.median) or "none",
                str(one.answers),
                str(one.ties),
            ]
            for one in found.ties
            if one.ties
            for each in one.means
        ],
    )


def _say_harm(title: str, found: "ConsensusReport") -> None:
    from medassay.cli.say import interval, number, say_table

    if not found.harm:
        return
    say_table(
        f"{title}: harmful answers",
        ["dimension", "counted by", "harmful", "share", "95 % interval", "undecided", "of"],
        [
            [
                one.dimension,
                one.title,
                str(one.harmful),
                number(one.share) or "none",
                interval(one.interval),
                str(one.undecided),
                str(one.n),
            ]
            for one in found.harm
        ],
    )
