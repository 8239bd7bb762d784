"""medassay consensus."""

from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, StudyFolder
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medassay.analyses import ConsensusReport
    from medassay.consensus import RaterQuality

_AS_LIKELY = 1.0


@examples(
    "medassay consensus my-study",
    "medassay consensus my-study --method mace --method dawid_skene",
)
def consensus(
    study: StudyFolder,
    *,
    method: Annotated[
        list[str] | None,
        typer.Option(
            help="Use this method, not study.toml's, such as mace(keep=90,restarts=50). May "
            "be given several times."
        ),
    ] = None,
    dimension: Annotated[
        list[str] | None, typer.Option(help="Only this dimension. May be given several times.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Combine ratings into one value per answer, and describe each rater."""
    from medassay.analyses import as_told, consensus_report
    from medassay.cli.output import print_json, print_pseudonyms, progress
    from medassay.study import open_run
    from medassay.study.runs.raters_key import write_key

    with progress("combining ratings"):
        run = open_run(study)
        report = consensus_report(run.study, methods=method, dimensions=dimension)
    key = write_key(study, run.pseudonyms)
    report = as_told(run.study, report)
    if not report.fits:
        report = report.model_copy(update={"notes": []})
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    title = run.study.config.title
    _print_means(title, report)
    _print_labels(title, report)
    _print_fits(title, report)
    _print_quality(title, report.quality)
    _print_ties(title, report)
    _print_harm(title, report)
    if report.quality:
        print_pseudonyms(key)
    _print_reasons(report)
    for note in report.notes:
        typer.echo(f"note: {note.dimension}: {note.title}: {note.text}.")


def _print_means(title: str, consensus_report: "ConsensusReport") -> None:
    from medassay.cli.output import ADJUSTED, interval, number, print_table

    some = any(mean.interval for mean in consensus_report.means)
    by_case = any(mean.adjusted is not None for mean in consensus_report.means)
    print_table(
        f"{title}: consensus",
        [
            *("dimension", "consensus", "system", "mean"),
            *(["95% CI"] if some else []),
            *(["adjusted"] if by_case else []),
            *("answers", "missing"),
        ],
        [
            [
                mean.dimension,
                mean.method,
                mean.system,
                number(mean.mean) or "none",
                *([interval(mean.interval)] if some else []),
                *([number(mean.adjusted) or "none"] if by_case else []),
                f"{mean.scored:,}",
                mean.why or "0",
            ]
            for mean in consensus_report.means
        ],
    )
    if by_case:
        typer.echo(f"{ADJUSTED}\n")


def _print_labels(title: str, consensus_report: "ConsensusReport") -> None:
    """Print how often each label holds, where labels have no scores to take a mean of."""
    from medassay.cli.output import number, print_table

    scored = {mean.dimension for mean in consensus_report.means if mean.mean is not None}
    shown = [
        label_share
        for label_share in consensus_report.label_shares
        if label_share.dimension not in scored
    ]
    if not shown:
        return
    print_table(
        f"{title}: labels by each consensus",
        ["dimension", "consensus", "label", "answers", "share", "of"],
        [
            [
                label_share.dimension,
                label_share.method,
                "undecided" if label_share.label is None else label_share.label,
                f"{label_share.answers:,}",
                number(label_share.answers / label_share.of) or "none",
                f"{label_share.of:,}",
            ]
            for label_share in shown
            if label_share.answers or label_share.label is not None
        ],
    )


def _print_reasons(consensus_report: "ConsensusReport") -> None:
    """Say why a consensus has no mean at all, once for all the methods that share the reason."""
    of = {mean.source: (mean.dimension, mean.method) for mean in consensus_report.means}
    lacking = set(of) - {mean.source for mean in consensus_report.means if mean.mean is not None}
    methods_of: dict[tuple[str, str], dict[str, None]] = {}
    for score in consensus_report.scores:
        if score.source in lacking and score.detail:
            dimension, method = of[score.source]
            methods_of.setdefault((dimension, score.detail), {})[method] = None
    for (dimension, why), methods in methods_of.items():
        typer.echo(f"note: {dimension}: {', '.join(methods)}: no mean: {why}.")


def _print_fits(title: str, consensus_report: "ConsensusReport") -> None:
    """Print how each model was fitted."""
    from medassay.cli.output import number, print_table

    if not consensus_report.fits:
        return
    print_table(
        f"{title}: fitted models",
        ["dimension", "model", "log likelihood", "restarts", "as likely", "answers", "controls"],
        [
            [
                fit.dimension,
                fit.method,
                number(fit.log_likelihood, 2),
                str(len(fit.restarts)),
                str(sum(fit.log_likelihood - each <= _AS_LIKELY for each in fit.restarts)),
                f"{fit.kept} of {len(fit.answers)}",
                str(fit.controls),
            ]
            for fit in consensus_report.fits
        ],
    )
    typer.echo("as likely: restarts within 1 nat of the one that was kept.\n")


def _print_quality(title: str, rater_qualities: "Sequence[RaterQuality]") -> None:
    """Print a column for each method; those that give every rater the same number share one."""
    from medassay.analyses import quality_columns
    from medassay.cli.output import number, print_table

    if not rater_qualities:
        return
    columns = quality_columns(rater_qualities)
    raters = dict.fromkeys(
        (rater_quality.dimension, rater_quality.rater, rater_quality.n)
        for rater_quality in rater_qualities
    )
    print_table(
        f"{title}: raters",
        ["dimension", "rater", "labels", *(column.method for column in columns)],
        [
            [
                dimension,
                rater,
                str(n),
                *(number(column.values[dimension, rater].quality) or "none" for column in columns),
            ]
            for dimension, rater, n in raters
        ],
    )
    methods_of: dict[str, list[str]] = {}
    for quality_column in columns:
        first, *others = quality_column.of
        also = f" (the same for {', '.join(others)})" if others else ""
        methods_of.setdefault(quality_column.meaning, []).append(f"{first}{also}")
    for meaning, methods in methods_of.items():
        typer.echo(f"{', '.join(methods)}: {meaning}.")
    typer.echo()


def _print_ties(title: str, consensus_report: "ConsensusReport") -> None:
    if any(tie_sensitivity.ties for tie_sensitivity in consensus_report.ties):
        _print_rules(title, consensus_report)
    for sensitivity in consensus_report.ties:
        if not sensitivity.ties:
            typer.echo(f"{sensitivity.dimension}: no ties among {sensitivity.answers} answers.")


def _print_rules(title: str, consensus_report: "ConsensusReport") -> None:
    from medassay.cli.output import number, print_table

    print_table(
        f"{title}: majority, by the rule for ties",
        ["dimension", "system", "ties left out", "lower label", "median", "answers", "ties"],
        [
            [
                tie_sensitivity.dimension,
                each.system,
                number(each.unscored) or "none",
                number(each.lower) or "none",
                number(each.median) or "none",
                f"{tie_sensitivity.answers:,}",
                f"{tie_sensitivity.ties:,}",
            ]
            for tie_sensitivity in consensus_report.ties
            if tie_sensitivity.ties
            for each in tie_sensitivity.means
        ],
    )


def _print_harm(title: str, consensus_report: "ConsensusReport") -> None:
    from medassay.analyses.builtin.harm_by_system import labelled
    from medassay.cli.output import interval, number, print_table

    if not consensus_report.harm:
        return
    said = labelled(harm_prevalence.called for harm_prevalence in consensus_report.harm)
    print_table(
        f"{title}: {said or 'harmful answers'}",
        [
            "dimension",
            "counted by",
            "found" if said else "harmful",
            "share",
            "95% CI",
            "undecided",
            "of",
        ],
        [
            [
                harm_prevalence.dimension,
                harm_prevalence.title,
                f"{harm_prevalence.harmful:,}",
                number(harm_prevalence.share) or "none",
                interval(harm_prevalence.interval),
                f"{harm_prevalence.undecided:,}",
                f"{harm_prevalence.n:,}",
            ]
            for harm_prevalence in consensus_report.harm
        ],
    )  # fmt: skip
