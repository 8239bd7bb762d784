"""medassay analyses list."""

import typer

from medassay.cli.options import AsJson
from medassay.cli.verb import Verb, examples

app = typer.Typer(no_args_is_help=True, help="List the analyses that a report can hold.")


@app.callback()
def analyses() -> None:
    """List the analyses that a report can hold."""


@app.command("list", cls=Verb)
@examples("medassay analyses list")
def list_analyses(*, as_json: AsJson = False) -> None:
    """List every analysis, with its question and its place in the report.

    A slow analysis runs only if study.toml asks for it: under [report.analyses], write its id =
    true.
    """
    from medassay.analyses.registry import analyses, provided_by
    from medassay.cli.left_out import say_left_out
    from medassay.cli.output import print_json, print_table

    say_left_out()
    facts = [
        {
            "id": analysis.id,
            "title": analysis.declared.title,
            "question": analysis.declared.question,
            "section": analysis.declared.section,
            "runs": "always" if analysis.declared.cost == "cheap" else "when asked for",
            "infers": analysis.declared.infers,
            "reader": analysis.declared.reader,
            "from": provided_by(analysis),
        }
        for analysis in analyses()
    ]
    if as_json:
        print_json(facts)
        return
    heads = ["id", "question", "section", "runs", "from"]
    print_table("", heads, [[str(fact[head]) for head in heads] for fact in facts])
