"""medassay judge."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, StudyFolder
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from medassay.study import JudgeResult, Study

__all__ = ["judge"]

_NOT_PASSED = 3


@examples(
    "medassay judge my-study",
    "medassay judge my-study --judge gpt --certify",
)
def judge(
    study: StudyFolder,
    *,
    judges: Annotated[
        list[str] | None,
        typer.Option("--judge", help="Only this model rater; may be given several times."),
    ] = None,
    certify: Annotated[
        bool,
        typer.Option("--certify", help="Write certificates/JUDGE.json of each judge that passes."),
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option(help="Take this certificate, from another study, first.", dir_okay=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Hold model judges against people: may they stand in for a rater, and for which labels?"""
    from medassay.analyses import as_told, judge_results, refuse_to_infer
    from medassay.cli.output import print_json, print_pseudonyms
    from medassay.judges import import_certificate, refuse_undeclared, write_certificate
    from medassay.study import Study, only_writer
    from medassay.study.raters_key import write_key

    whole = Study.open_whole(study)
    refuse_to_infer(whole, "tested for judges that stand in for experts")
    if certificate is not None:
        with only_writer(study):
            import_certificate(whole, certificate)
        whole = Study.open_whole(study)
    opened = whole.with_pseudonyms().private()
    key = write_key(study, whole.pseudonyms)
    found = judge_results(opened, judges)
    passed = [
        judge_result
        for judge_result in found
        if any(each.passes for each in judge_result.dimensions)
    ]
    written: list[Path] = []
    if certify:
        refuse_undeclared(whole, [judge_result.judge for judge_result in found])
        with only_writer(study):
            written = [write_certificate(whole, judge_result) for judge_result in passed]
        if written:
            opened = Study.open_whole(study).with_pseudonyms().private()
            found = judge_results(opened, judges)
    found = [as_told(opened, judge_result) for judge_result in found]
    failed = [
        judge_result.judge
        for judge_result in found
        if judge_result.judge not in {p.judge for p in passed}
    ]
    if as_json:
        print_json(
            {
                "judges": [judge_result.model_dump(mode="json") for judge_result in found],
                "certificates": [str(path) for path in written],
                "without_certificate": failed if certify else [],
            }
        )
    else:
        _say(opened, found, written, failed if certify else [])
        print_pseudonyms(key)
    if certify and failed:
        raise typer.Exit(_NOT_PASSED)


def _say(
    opened: "Study", judges: "list[JudgeResult]", written: list[Path], failed: list[str]
) -> None:
    from medassay.cli.output import print_report_table
    from medassay.report.tables import SYNTHETIC, judge_tables

    if opened.config.synthetic:
        typer.echo(f"{SYNTHETIC}\n")
    if not judges:
        typer.echo("No rater of this study is a model: rater_kind is model for none.")
        return
    titles = {
        dimension.id: dimension.title or dimension.id for dimension in opened.rubric.dimensions
    }
    for table in judge_tables(judges, titles, synthetic=opened.config.synthetic):
        print_report_table(table)
    for judge_result in judges:
        for line in judge_result.said:
            typer.echo(line)
    for path in written:
        typer.echo(f"wrote {path}")
    for name in failed:
        typer.echo(f"{name}: no certificate, since it did not pass.")
