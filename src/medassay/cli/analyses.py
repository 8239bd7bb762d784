"""medassay analyses list."""

import typer

from medassay.cli.options import AsJson

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="List the analyses that a report can hold.")


@app.callback()
def analyses() -> None:
    """List the analyses that a report can hold."""


@app.command("list")
def list_analyses(*, as_json: AsJson = False) -> None:
    """List every analysis that is declared, with the question it answers and where it stands.

    One that takes long runs when study.toml asks for it: [report.analyses], its id = true.
    """
    from medassay.analyses.registry import analyses, broken_analyses, provided_by
    from medassay.cli.say import say_json, say_table

    for problem in broken_analyses():
        typer.echo(f"left out: {problem}", err=True)
    facts = [
        {
            "id": one.id,
            "title": one.declared.title,
            "question": one.declared.question,
            "section": one.declared.section,
            "runs": "always" if one.declared.cost == "cheap" else "when asked for",
            "infers": one.declared.infers,
            "reader": one.declared.reader,
            "from": provided_by(one),
        }
        for one in analyses()
    ]
    if as_json:
        say_json(facts)
        return
    heads = ["id", "question", "section", "runs", "from"]
    say_table("", heads, [[str(one[head]) for head in heads] for one in facts])
