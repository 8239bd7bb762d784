"""medassay judge."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson, StudyFolder

if TYPE_CHECKING:
    from medassay.study import JudgeResult, Study

__all__ = ["judge"]

_NOT_PASSED = 3


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
    from medassay.cli.raters_key import say_pseudonyms, write_key
    from medassay.cli.say import say_json
    from medassay.judges import refuse_undeclared, take_certificate, write_certificate
    from medassay.study import Study, only_writer

    whole = Study.open_whole(study)
    refuse_to_infer(whole, "tested for judges that stand in for experts")
    if certificate is not None:
        with only_writer(study):
            take_certificate(whole, certificate)
        whole = Study.open_whole(study)
    opened = whole.with_pseudonyms().private()
    key = write_key(study, whole.pseudonyms)
    found = judge_results(opened, judges)
    passed = [one for one in found if any(each.passes for each in one.dimensions)]
    written: list[Path] = []
    if certify:
        refuse_undeclared(whole, [one.judge for one in found])
        with only_writer(study):
            written = [write_certificate(whole, one) for one in passed]
        if written:
            opened = Study.open_whole(study).with_pseudonyms().private()
            found = judge_results(opened, judges)
    found = [as_told(opened, one) for one in found]
    failed = [one.judge for one in found if one.judge not in {p.judge for p in passed}]
    if as_json:
        say_json(
            {
                "judges": [one.model_dump(mode="json") for one in found],
                "certificates": [str(path) for path in written],
                "without_certificate": failed if certify else [],
            }
        )
    else:
        _say(opened, found, written, failed if certify else [])
        say_pseudonyms(key)
    if certify and failed:
        raise typer.Exit(_NOT_PASSED)


def _say(
    opened: "Study", found: "list[JudgeResult]", written: list[Path], failed: list[str]
) -> None:
    from medassay.cli.say import say_report_table
    from medassay.report.tables import SYNTHETIC, judge_tables

    if opened.config.synthetic:
        typer.echo(f"{SYNTHETIC}\n")
    if not found:
        typer.echo("No rater of this study is a model: rater_kind is model for none.")
        return
    titles = {one.id: one.title or one.id for one in opened.rubric.dimensions}
    for table in judge_tables(found, titles, synthetic=opened.config.synthetic):
        say_report_table(table)
    for one in found:
        for line in one.said:
            typer.echo(line)
    for path in written:
        typer.echo(f"wrote {path}")
    for name in failed:
        typer.echo(f"{name}: no certificate, since it did not pass.")
