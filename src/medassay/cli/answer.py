"""medassay answer."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from medassay.cli.options import AsJson
from medassay.cli.verb import examples

__all__ = ["answer"]


@examples(
    "medassay answer questions.jsonl --with tfidf --corpus guidelines --into my-study",
)
def answer(
    cases: Annotated[Path, typer.Argument(help="The cases: .jsonl, .csv ...", dir_okay=False)],
    *,
    with_: Annotated[
        Literal["tfidf"], typer.Option("--with", help="Which reference system answers.")
    ] = "tfidf",
    corpus: Annotated[Path, typer.Option(metavar="FOLDER", help="Texts to quote: .txt, .md.")],
    into: Annotated[
        Path, typer.Option("--into", metavar="STUDY", help="The study; a new one is made.")
    ],
    system: Annotated[
        str | None, typer.Option(help="What it is called; as --with says if not given.")
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(min=1, help="How many documents are returned; the study's if not given."),
    ] = None,
    normalised: Annotated[
        Literal["query", "run"],
        typer.Option(help="Confidence from similarities within each query, or over the run."),
    ] = "query",
    as_json: AsJson = False,
) -> None:
    """Let a reference system answer: documents found, a sentence quoted of each, confidence."""
    from dataclasses import asdict

    from medassay.cli.output import print_json
    from medassay.study import answer_cases, only_writer
    from medassay.tables import is_there

    with only_writer(into, new=not is_there(into / "study.toml")):
        done = answer_cases(into, cases, corpus, system=system or with_, k=k, normalised=normalised)
    if as_json:
        print_json(asdict(done), into)
        return
    from medassay.exhibits.numbers import count_of

    given, read = count_of(done.answers, "answer"), count_of(done.documents, "document")
    already = f", {done.known} there already" if done.known else ""
    typer.echo(f"{given} of {done.system} from {read}{already}.")
    for name in done.empty:
        typer.echo(f"note: {name}: no document shares a word with the question; it is empty.")
    for file in done.files:
        typer.echo(f"wrote {file}")
    typer.echo(f"Next: medassay run {into}")
