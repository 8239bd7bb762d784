"""medassay import."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from medassay.cli import import_tools
from medassay.cli.options import ArchehrForm, AsJson, Columns, IntoStudy
from medassay.cli.taken import read_columns, say_taken

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Take a table of yours into a study.")

File = Annotated[Path, typer.Argument(help="A table, one row each: .csv, .jsonl, .parquet ...")]
Better = Literal["higher", "lower", "none"]


@app.command()
def answers(
    file: File, *, into: IntoStudy, column: Columns = None, as_json: AsJson = False
) -> None:
    """Answers: system, case, text, and whatever else an answer has."""
    from medassay.study import Study, only_writer, take_answers

    columns = read_columns(column)
    with only_writer(into):
        taken = take_answers(Study.open_whole(into), file, columns)
    say_taken(taken, into, as_json=as_json)


@app.command()
def judgements(
    file: File, *, into: IntoStudy, column: Columns = None, as_json: AsJson = False
) -> None:
    """Judgements: rater, system, case, dimension, label."""
    from medassay.study import Study, only_writer, take_judgements

    columns = read_columns(column)
    with only_writer(into):
        taken = take_judgements(Study.open_whole(into), file, columns)
    say_taken(taken, into, as_json=as_json)


@app.command()
def preferences(
    file: File, *, into: IntoStudy, column: Columns = None, as_json: AsJson = False
) -> None:
    """Preferences: rater, case, system_a, system_b, dimension, choice."""
    from medassay.study import Study, only_writer, take_preferences

    columns = read_columns(column)
    with only_writer(into):
        taken = take_preferences(Study.open_whole(into), file, columns)
    say_taken(taken, into, as_json=as_json)


@app.command()
def scores(  # noqa: PLR0913 - each option is one fact about the scores
    file: File,
    *,
    into: IntoStudy,
    column: Columns = None,
    name: Annotated[
        str | None, typer.Option(help="The metric's name; the file's if not given.")
    ] = None,
    direction: Annotated[
        Better | None,
        typer.Option(help="Which way is better; as the metric has it whose name it is, or higher."),
    ] = None,
    question: Annotated[str, typer.Option(help="The question that the numbers answer.")] = "",
    unit: Annotated[str, typer.Option(help="Their unit.")] = "",
    low: Annotated[float | None, typer.Option(help="Their least possible value.")] = None,
    high: Annotated[float | None, typer.Option(help="Their greatest possible value.")] = None,
    origin: Annotated[
        str, typer.Option(help="Who or what computed them, and how: reports say it.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Scores: system, case, value. Anyone's scores become a metric of the study."""
    from medassay.study import Study, check_meaning, only_writer, take_scores

    said = {
        "direction": direction, "question": question, "unit": unit, "low": low, "high": high,
        "origin": origin,
    }  # fmt: skip
    given = {key: value for key, value in said.items() if value not in {None, ""}}
    meaning = check_meaning(given, "--direction, --low, --high")
    columns = read_columns(column)
    with only_writer(into):
        taken = take_scores(Study.open_whole(into), file, columns, name, meaning)
    say_taken(taken, into, as_json=as_json)


@app.command()
def archehr(
    submissions: Annotated[
        list[Path] | None,
        typer.Argument(help="Submissions as JSON; each is a system called after its file."),
    ] = None,
    *,
    cases: Annotated[Path, typer.Option(metavar="XML", help="The shared task's cases.")],
    into: Annotated[
        Path, typer.Option("--into", metavar="STUDY", help="The study's folder; a new one is made.")
    ],
    key: Annotated[Path | None, typer.Option(metavar="JSON", help="The key.")] = None,
    form: Annotated[
        ArchehrForm, typer.Option("--format", help="The form of the submissions.")
    ] = "archehr2025",
    reading: Annotated[
        Literal["official", "tolerant"],
        typer.Option(help="Take what the official scorer reads, or what was meant."),
    ] = "official",
    as_json: AsJson = False,
) -> None:
    """ArchEHR-QA: cases as XML, the key, and submissions of 2025 or 2026."""
    from medassay.cli.submission import say_archehr
    from medassay.exchange import take_archehr
    from medassay.study import only_writer

    with only_writer(into, new=True):
        taken = take_archehr(into, cases, key, submissions or [], form=form, reading=reading)
    say_archehr(taken, into, as_json=as_json)


@app.command(name="trec-run")
def trec_run(
    files: Annotated[
        list[Path], typer.Argument(help="Lines of: topic Q0 document rank score tag.")
    ],
    *,
    into: IntoStudy,
    system: Annotated[
        str | None,
        typer.Option(help="Whose, if it is one run; each is called after its file if not given."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """TREC runs: what a system retrieved for each case, ties as trec_eval breaks them."""
    from medassay.exchange import take_trec_runs
    from medassay.study import Study, only_writer

    with only_writer(into):
        taken = take_trec_runs(Study.open_whole(into), files, system)
    say_taken(taken, into, as_json=as_json)


@app.command(name="trec-qrels")
def trec_qrels(
    file: Annotated[Path, typer.Argument(help="Lines of: topic 0 document grade.")],
    *,
    into: IntoStudy,
    as_json: AsJson = False,
) -> None:
    """TREC qrels: grades of documents become those of the study's cases."""
    from medassay.exchange import take_trec_qrels
    from medassay.study import Study, only_writer

    with only_writer(into):
        taken = take_trec_qrels(Study.open_whole(into), file)
    say_taken(taken, into, as_json=as_json)


@app.command(name="environmental-health")
def environmental_health(
    files: Annotated[
        list[Path], typer.Argument(help="The panel's files as they are; a folder stands for its.")
    ],
    *,
    into: Annotated[
        Path, typer.Option("--into", metavar="STUDY", help="The study's folder, a new one.")
    ],
    system: Annotated[str, typer.Option(help="What the system is called.")] = "framework",
    synthetic: Annotated[
        bool, typer.Option("--synthetic", help="The data is made up: every page says so.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Environmental health: a panel's workbooks of scenarios, rankings, ratings, confidence."""
    from medassay.cli.panel import say_panel
    from medassay.exchange import take_environmental_health
    from medassay.study import only_writer

    with only_writer(into, new=True):
        taken = take_environmental_health(into, files, system=system, synthetic=synthetic)
    say_panel(taken, into, as_json=as_json)


@app.command(name="med-gpt")
def med_gpt(
    files: Annotated[
        list[Path], typer.Argument(help="evaluation_results.csv; or one such file a rater.")
    ],
    *,
    into: Annotated[
        Path, typer.Option("--into", metavar="STUDY", help="The study's folder, a new one.")
    ],
    synthetic: Annotated[bool, typer.Option(help="The data are made up: every page says so.")] = (
        False
    ),
    as_json: AsJson = False,
) -> None:
    """Med-GPT: question, answer, model, retrieved_chunks, two scores and a human_score 1 to 5."""
    from medassay.cli.panel import say_results
    from medassay.exchange import take_med_gpt
    from medassay.study import only_writer

    with only_writer(into, new=True):
        taken = take_med_gpt(into, files, synthetic=synthetic)
    say_results(taken, into, as_json=as_json)


for name, command in import_tools.COMMANDS.items():
    app.command(name)(command)
