"""medassay judge."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, Budget, DryRun, HereAlone, StudyFolder
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from medassay.judges import Judged
    from medassay.study import JudgeResult, Study


@examples(
    "medassay judge my-study",
    "medassay judge my-study gpt --ask --dry-run",
    "medassay judge my-study gpt --certify",
    "medassay judge my-study new --rescore old",
)
def judge(  # noqa: PLR0913 - each option is one thing that is asked or shown
    study: StudyFolder,
    judges: Annotated[
        list[str] | None,
        typer.Argument(metavar="JUDGE...", help="Only these model raters; all if not given."),
    ] = None,
    *,
    ask: Annotated[
        bool,
        typer.Option("--ask", help="Ask the judges that have an address in study.toml, then stop."),
    ] = False,
    rescore: Annotated[
        str | None,
        typer.Option(
            metavar="OTHER",
            help="Compare the judge with OTHER on the same answers; with --ask, ask about those.",
        ),
    ] = None,
    certify: Annotated[
        bool,
        typer.Option(
            "--certify",
            help="Write certificates/JUDGE.json for each judge that passes. Text is "
            "planted in answers to see whether labels change.",
        ),
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option(help="Import this certificate from another study first.", dir_okay=False),
    ] = None,
    budget: Budget = None,
    dry_run: DryRun = False,
    offline: HereAlone = False,
    as_json: AsJson = False,
) -> None:
    """Ask model judges, and compare them with people: can one replace a rater?

    A model judge is a rater. On each of the rubric's questions its labels are compared with
    people's labels of the same answers.
    """
    if certify and dry_run:
        from medassay.cli.certifying import estimate_planted

        estimate_planted(study, judges, offline=offline, as_json=as_json)
        return
    if ask or dry_run:
        _ask(study, judges, rescore, dry_run, offline, budget, as_json)
        return
    if rescore is not None:
        _beside(study, judges, rescore, as_json=as_json)
        return
    from medassay.analyses import as_told, judge_results, refuse_to_infer
    from medassay.cli.certifying import Certified, certify_judges, passed_of
    from medassay.cli.output import print_json, print_pseudonyms, progress
    from medassay.judges import import_certificate
    from medassay.study import Study, only_writer
    from medassay.study.runs.raters_key import write_key

    with progress("reading the study"):
        whole = Study.open_whole(study)
    refuse_to_infer(whole, "tested for judges that stand in for experts")
    if certificate is not None:
        with only_writer(study):
            import_certificate(whole, certificate)
        whole = Study.open_whole(study)
    opened = whole.with_pseudonyms().private()
    key = write_key(study, whole.pseudonyms)
    with progress("testing judges"):
        results = judge_results(opened, judges)
    certified = Certified(passed=passed_of(results))
    if certify:
        certified = certify_judges(
            study, whole, opened, results, offline=offline, budget=budget, as_json=as_json
        )
        results = certified.results
    if certified.written:
        opened = Study.open_whole(study).with_pseudonyms().private()
        with progress("testing judges"):
            results = judge_results(opened, judges, certified.records)
    results = [as_told(opened, judge_result) for judge_result in results]
    failed = [
        judge_result.judge
        for judge_result in results
        if judge_result.judge not in {p.judge for p in certified.passed}
    ]
    if as_json:
        print_json(
            {
                "judges": [judge_result.model_dump(mode="json") for judge_result in results],
                "certificates": [str(path) for path in certified.written],
                "without_certificate": failed if certify else [],
                "canaries": certified.as_rows,
            }
        )
    else:
        _print(opened, results, certified.written, failed if certify else [], certified.left)
        print_pseudonyms(key)
    if certify and failed:
        raise typer.Exit(certified.code)


def _ask(
    study: Path,
    judges: list[str] | None,
    rescore: str | None,
    dry_run: bool,  # noqa: FBT001 - as the command line has them
    offline: bool,  # noqa: FBT001 - as above
    budget: float | None,
    as_json: bool,  # noqa: FBT001 - as above
) -> None:
    from medassay.cli.asking import ask_each, estimate_each
    from medassay.judges import ask_judge, askable_judges, estimate_judge, judged_by
    from medassay.study import Study

    names = judges or askable_judges(study)
    wanted = None if rescore is None else judged_by(Study.open_whole(study), rescore)
    if dry_run:
        estimates = (estimate_judge(study, name, offline=offline, wanted=wanted) for name in names)
        estimate_each(study, estimates, as_json=as_json)
        return
    ask_each(
        study,
        names,
        lambda name, tell: ask_judge(
            study, name, offline=offline, budget=budget, tell=tell, wanted=wanted
        ),
        _print_judged,
        lambda done: done.unasked or done.failures,
        as_json=as_json,
    )


def _print_judged(done: "Judged") -> None:
    from medassay.cli.asking import print_not_asked, print_replies
    from medassay.exhibits.numbers import count_of

    left = f", {done.unasked:,} still to be asked" if done.unasked else ""
    typer.echo(f"{count_of(done.said, 'verdict')} of {done.judge} from {done.where}{left}.")
    why = [f"{count:,} {reason.replace('_', ' ')}" for reason, count in done.without.items()]
    if why:
        typer.echo(f"Without a verdict: {', '.join(why)}. None of these is a label.")
    print_not_asked(done.not_asked)
    print_replies(done)
    for file in done.files:
        typer.echo(f"wrote {file}")


def _beside(study: Path, judges: list[str] | None, other: str, *, as_json: bool) -> None:
    from dataclasses import asdict

    from medassay.analyses import beside_tables, judges_beside
    from medassay.cli.output import print_json, print_report_table, progress
    from medassay.errors import InvalidInput, Problem
    from medassay.study import Study

    if judges is None or len(judges) != 1:
        got = f"{len(judges or [])} of them"
        hint = f"Such as new --rescore {other}."
        raise InvalidInput(Problem("JUDGE", "name one judge, beside --rescore", got, hint))
    with progress("comparing judges"):
        opened = Study.open_whole(study).with_pseudonyms().private()
        pairs = judges_beside(opened, judges[0], other)
    if as_json:
        print_json([asdict(pair) for pair in pairs])
        return
    if not pairs:
        typer.echo(f"{judges[0]} and {other} labelled no answer in common.")
    for table in beside_tables(pairs, _titles(opened)):
        print_report_table(table, opened.config.ranking.drawn)


def _titles(opened: "Study") -> dict[str, str]:
    return {dimension.id: dimension.title or dimension.id for dimension in opened.rubric.dimensions}


def _print(
    opened: "Study",
    judges: "list[JudgeResult]",
    written: list[Path],
    failed: list[str],
    left: set[str],
) -> None:
    from medassay.analyses.builtin.judges import judge_tables
    from medassay.cli.output import print_report_table
    from medassay.exhibits import Names
    from medassay.exhibits.claim import VerdictRow, measured_in
    from medassay.exhibits.table import SYNTHETIC

    if opened.config.synthetic:
        typer.echo(f"{SYNTHETIC}\n")
    if not judges:
        typer.echo("No rater of this study is a model: rater_kind is model for none.")
        return
    for table in judge_tables(judges, Names(dimensions=_titles(opened))):
        print_report_table(table, opened.config.ranking.drawn)
    for judge_result in judges:
        for line in judge_result.said:
            typer.echo(line)
    for path in written:
        typer.echo(f"wrote {path}")
    if written:
        typer.echo(f"{measured_in(VerdictRow.CERTIFICATE)}.")
    for name in failed:
        why = (
            "some planted text has no reply yet: run this again"
            if name in left
            else "it did not pass"
        )
        typer.echo(f"{name}: no certificate, since {why}.")
