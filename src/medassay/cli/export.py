"""medassay export."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from medassay.cli import export_tools
from medassay.cli.options import ArchehrForm, AsJson, Offline, StudyFolder
from medassay.errors import InvalidInput, Problem, UnknownName

if TYPE_CHECKING:
    from medassay.study import Study

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    help="Write what a study holds in the files of a shared task or of another tool.",
)


_Full = Annotated[
    Literal["full"] | None,
    typer.Option(
        "--texts",
        metavar="full",
        help="Write texts and ids though study.toml keeps them: these files consist of them.",
    ),
]


@app.callback()
def export() -> None:
    """Write what a study holds in the files of a shared task or of another tool."""


@app.command()
def archehr(
    study: StudyFolder,
    *,
    form: Annotated[
        ArchehrForm | None,
        typer.Option("--format", help="The form; that of the study's protocol if not given."),
    ] = None,
    system: Annotated[str | None, typer.Option(help="Whose answers become a submission.")] = None,
    into: Annotated[
        Path | None, typer.Option(metavar="JSON", help="With --system: the submission.")
    ] = None,
    cases: Annotated[Path | None, typer.Option(metavar="XML", help="Write the cases here.")] = None,
    key: Annotated[Path | None, typer.Option(metavar="JSON", help="With --cases: the key.")] = None,
    texts: _Full = None,
    as_json: AsJson = False,
) -> None:
    """ArchEHR-QA: a system's submission, or the cases with their key.

    What is written is read again first: it holds the same, or nothing is written and the reason is
    said. Files that are there already are left alone.
    """
    from medassay.cli.say import say_json
    from medassay.formats import write_archehr_cases, write_archehr_submission
    from medassay.study import Study

    submission = _pair("--system", system, "--into", into)
    whole = _pair("--cases", cases, "--key", key)
    if not (submission or whole):
        hint = "For example --system alpha --into alpha.json, or --cases a.xml --key a.json."
        raise InvalidInput(Problem("medassay export", "be told what to write", "nothing", hint))
    opened = Study.open_whole(study)
    chosen: ArchehrForm = form or _form_of(opened)
    wanted = [path for path in (into, cases, key) if path is not None]
    there = [path for path in wanted if path.exists()]
    if there:
        hint = "Give another name; it was left as it is."
        raise InvalidInput([Problem(str(p), "be a new file", "one that is there", hint)
                            for p in there])  # fmt: skip
    if system is not None and system not in opened.systems:
        raise UnknownName("system", system, list(opened.systems))
    _refuse_unasked(opened, "full", texts, wanted)
    if system is not None and into is not None:
        mine = [answer for answer in opened.answers if answer.system == system]
        write_archehr_submission(into, mine, chosen)
    if cases is not None and key is not None:
        write_archehr_cases(cases, key, opened.cases, chosen)
    if as_json:
        say_json({"format": chosen, "files": [str(path) for path in wanted]})
        return
    for path in wanted:
        typer.echo(f"wrote {path}")


@app.command(name="clinical-mcq")
def clinical_mcq(
    study: StudyFolder,
    *,
    into: Annotated[Path, typer.Option(metavar="FOLDER", help="A new folder for the reports.")],
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """The clinical framework's JSON report of each system: new_dataset_eval_N_cases.json.

    The study is run first, where it was not yet. The schema of the reports is written beside them.
    """
    from medassay.cli.running import run_and_report
    from medassay.cli.say import say_json
    from medassay.formats import clinical_report_schema
    from medassay.report import clinical_files, read_results
    from medassay.tables import json_bytes, write_atomically

    if into.exists():
        hint = "Give another name; it was left as it is."
        raise InvalidInput(Problem("--into", "be a new folder", f"{into}, which is there", hint))
    done = run_and_report(Path(study), offline=offline)
    files = clinical_files(read_results(done.folder / "report.json"))
    if not files:
        must = "hold multiple-choice questions and answers"
        raise InvalidInput(Problem(str(study), must, "none", "Cases need options and gold."))
    files["clinical/new_dataset_eval.schema.json"] = json_bytes(clinical_report_schema())
    written = []
    for name, content in files.items():
        path = into / name.removeprefix("clinical/")
        write_atomically(path, content)
        written.append(path)
    if as_json:
        say_json({"run": done.summary.name, "files": [str(path) for path in written]})
        return
    for path in written:
        typer.echo(f"wrote {path}")


@app.command(name="trec-run")
def trec_run(
    study: StudyFolder,
    *,
    system: Annotated[str, typer.Option(help="Whose rankings.")],
    into: Annotated[Path, typer.Option(metavar="FILE", help="A new file.")],
    texts: _Full = None,
    as_json: AsJson = False,
) -> None:
    """A system's rankings as a TREC run."""
    from medassay.exchange import give_trec_run
    from medassay.study import Study

    _refuse_old(into)
    opened = Study.open_whole(study)
    _refuse_unasked(opened, "ids", texts, [into])
    _say_lines(into, give_trec_run(opened, system, into), as_json=as_json)


@app.command(name="trec-qrels")
def trec_qrels(
    study: StudyFolder,
    *,
    into: Annotated[Path, typer.Option(metavar="FILE", help="A new file.")],
    texts: _Full = None,
    as_json: AsJson = False,
) -> None:
    """The grades of the cases' documents as TREC qrels."""
    from medassay.exchange import give_trec_qrels
    from medassay.study import Study

    _refuse_old(into)
    opened = Study.open_whole(study)
    _refuse_unasked(opened, "ids", texts, [into])
    _say_lines(into, give_trec_qrels(opened, into), as_json=as_json)


def _refuse_unasked(
    study: "Study", needs: Literal["full", "ids"], texts: str | None, files: list[Path]
) -> None:
    """Refuse to write what a study keeps, unless that is asked for; never into its results.

    The files of a shared task consist of texts, those of TREC of ids: they are nothing without.

    Raises:
        InvalidInput: The study keeps what the files need, and nobody asked for it; or they would
            lie where the report does.
    """
    from medassay.campaign.apart import refuse_where_reports_go

    privacy = study.config.privacy
    if privacy.allows(needs):
        return
    if texts is None:
        must = "be told --texts full, for its files consist of what study.toml keeps"
        got = f'[privacy] texts = "{privacy.texts}"'
        hint = "Give it, and hand the files to nobody but whom the texts were entrusted to."
        raise InvalidInput(Problem("medassay export", must, got, hint))
    refuse_where_reports_go(study.path, [path.parent for path in files], "--into")


def _refuse_old(path: Path) -> None:
    if path.exists():
        hint = "Give another name; it was left as it is."
        raise InvalidInput(Problem("--into", "be a new file", f"{path}, which is there", hint))


def _say_lines(path: Path, topics: int, *, as_json: bool) -> None:
    from medassay.cli.say import say_json

    if as_json:
        say_json({"file": str(path), "topics": topics})
    else:
        typer.echo(f"wrote {path}, {topics} {'topic' if topics == 1 else 'topics'}")


def _pair(one: str, first: object, other: str, second: object) -> bool:
    """Say whether both are given; one alone is a mistake."""
    if (first is None) != (second is None):
        given, lacking = (one, other) if second is None else (other, one)
        raise InvalidInput(Problem(given, f"come with {lacking}", f"no {lacking}"))
    return first is not None


def _form_of(study: "Study") -> ArchehrForm:
    name = study.config.protocol.name
    forms: dict[str, ArchehrForm] = {
        "archehr": "archehr2025",
        "archehr2026-st1": "archehr2026-st1",
        "archehr2026-st2": "archehr2026-st2",
        "archehr2026-st3": "archehr2026-st3",
        "archehr2026-st4": "archehr2026-st4",
    }
    if name not in forms:
        hint = "For example --format archehr2025."
        must = f"be given for a study of the protocol {name}"
        raise InvalidInput(Problem("--format", must, "none", hint))
    return forms[name]


for name, command in export_tools.COMMANDS.items():
    app.command(name)(command)
