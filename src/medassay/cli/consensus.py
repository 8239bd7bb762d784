"""medassay consensus."""

from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, Seed, StudyFolder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medassay.analyses import ConsensusReport
    from medassay.consensus import RaterQuality

__all__ = ["consensus"]

_AS_LIKELY = 1.0


def consensus(
    study: StudyFolder,
    *,
    method: Annotated[
        list[str] | None,
        typer.Option(
            help="This method instead of study.toml's, such as mace(keep=90,restarts=50); may be "
            "given several times."
        ),
    ] = None,
    dimension: Annotated[
        list[str] | None, typer.Option(help="Only this dimension; may be given several times.")
    ] = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Say what the raters jointly say of each answer, and what that makes of each rater."""
    from medassay.analyses import as_told, consensus_report
    from medassay.cli.raters_key import say_pseudonyms, write_key
    from medassay.cli.say import say_json
    from medassay.study import open_run

    run = open_run(study, seed=seed)
    key = write_key(study, run.pseudonyms)
    found = as_told(run.study, consensus_report(run.study, methods=method, dimensions=dimension))
    if not found.fits:
        found = found.model_copy(update={"notes": []})
    if as_json:
        say_json(found.model_dump(mode="json"))
        return
    title = run.study.config.title
    _say_means(title, found)
    _say_labels(title, found)
    _say_fits(title, found)
    _say_quality(title, found.quality)
    _say_ties(title, found)
    _say_harm(title, found)
    if found.quality:
        say_pseudonyms(key)
    _say_reasons(found)
    for one in found.notes:
        typer.echo(f"note: {one.dimension}: {one.title}: {one.text}.")


def _say_means(title: str, found: "ConsensusReport") -> None:
    from medassay.cli.say import ADJUSTED, interval, number, say_table

    some = any(one.interval for one in found.means)
    by_case = any(one.adjusted is not None for one in found.means)
    say_table(
        f"{title}: consensus",
        [
            *("dimension", "consensus", "system", "mean"),
            *(["95 % interval"] if some else []),
            *(["adjusted"] if by_case else []),
            *("answers", "missing"),
        ],
        [
            [
                one.dimension,
                one.method,
                one.system,
                number(one.mean) or "none",
                *([interval(one.interval)] if some else []),
                *([number(one.adjusted) or "none"] if by_case else []),
                f"{one.scored:,}",
                one.why or "0",
            ]
            for one in found.means
        ],
    )
    if by_case:
        typer.echo(f"{ADJUSTED}\n")


def _say_labels(title: str, found: "ConsensusReport") -> None:
    """Print how often each label holds, where labels have no scores to take a mean of."""
    from medassay.cli.say import number, say_table

    scored = {one.dimension for one in found.means if one.mean is not None}
    shown = [one for one in found.label_shares if one.dimension not in scored]
    if not shown:
        return
    say_table(
        f"{title}: labels by each consensus",
        ["dimension", "consensus", "label", "answers", "share", "of"],
        [
            [
                one.dimension,
                one.method,
                "undecided" if one.label is None else one.label,
                f"{one.answers:,}",
                number(one.answers / one.of) or "none",
                f"{one.of:,}",
            ]
            for one in shown
            if one.answers or one.label is not None
        ],
    )


def _say_reasons(found: "ConsensusReport") -> None:
    """Say why a consensus has no mean at all, once for all the methods that share the reason."""
    of = {one.source: (one.dimension, one.method) for one in found.means}
    lacking = set(of) - {one.source for one in found.means if one.mean is not None}
    said: dict[tuple[str, str], dict[str, None]] = {}
    for one in found.scores:
        if one.source in lacking and one.detail:
            dimension, method = of[one.source]
            said.setdefault((dimension, one.detail), {})[method] = None
    for (dimension, why), methods in said.items():
        typer.echo(f"note: {dimension}: {', '.join(methods)}: no mean: {why}.")


def _say_fits(title: str, found: "ConsensusReport") -> None:
    """Print how each model was fitted."""
    from medassay.cli.say import number, say_table

    if not found.fits:
        return
    say_table(
        f"{title}: fitted models",
        ["dimension", "model", "log likelihood", "restarts", "as likely", "answers", "controls"],
        [
            [
                one.dimension,
                one.method,
                number(one.log_likelihood, 2),
                str(len(one.restarts)),
                str(sum(one.log_likelihood - each <= _AS_LIKELY for each in one.restarts)),
                f"{one.kept} of {len(one.answers)}",
                str(one.controls),
            ]
            for one in found.fits
        ],
    )
    typer.echo("as likely: restarts within 1 nat of the one that was kept.\n")


def _say_quality(title: str, found: "Sequence[RaterQuality]") -> None:
    """Print a column for each method; those that give every rater the same number share one."""
    from medassay.analyses import quality_columns
    from medassay.cli.say import number, say_table

    if not found:
        return
    columns = quality_columns(found)
    raters = dict.fromkeys((one.dimension, one.rater, one.n) for one in found)
    say_table(
        f"{title}: raters",
        ["dimension", "rater", "labels", *(one.method for one in columns)],
        [
            [
                dimension,
                rater,
                str(n),
                *(number(one.values[dimension, rater].quality) or "none" for one in columns),
            ]
            for dimension, rater, n in raters
        ],
    )
    told: dict[str, list[str]] = {}
    for one in columns:
        first, *others = one.of
        also = f" (the same for {', '.join(others)})" if others else ""
        told.setdefault(one.meaning, []).append(f"{first}{also}")
    for meaning, methods in told.items():
        typer.echo(f"{', '.join(methods)}: {meaning}.")
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
                f"{one.answers:,}",
                f"{one.ties:,}",
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
                f"{one.harmful:,}",
                number(one.share) or "none",
                interval(one.interval),
                f"{one.undecided:,}",
                f"{one.n:,}",
            ]
            for one in found.harm
        ],
    )
