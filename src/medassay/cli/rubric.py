"""medassay rubric list, show, check."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson

if TYPE_CHECKING:
    from medassay.judgements import Dimension

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="List the rubrics, show one, or check one's own.")

_Rubric = Annotated[
    str, typer.Argument(metavar="RUBRIC", help="A rubric's name, or a TOML file of your own.")
]


@app.command("list")
def list_rubrics(*, as_json: AsJson = False) -> None:
    """List the rubrics that come with medassay or that packages bring, with their dimensions."""
    from medassay.cli.say import say_json, say_table
    from medassay.errors import InvalidInput
    from medassay.judgements import load_rubric, rubric_names, rubric_plugin_problems

    for problem in rubric_plugin_problems():
        typer.echo(f"left out: {problem}", err=True)
    known = []
    for name in rubric_names():
        with suppress(InvalidInput):  # one that was just named
            known.append(load_rubric(name))
    if as_json:
        say_json([{"name": r.name, "title": r.title, "dimensions": list(r.ids)} for r in known])
        return
    rows = [[r.name, r.title, str(len(r.dimensions))] for r in known]
    say_table("", ["rubric", "title", "dimensions"], rows)


@app.command()
def show(rubric: _Rubric, *, as_json: AsJson = False) -> None:
    """Show what a rubric asks, its labels with their examples, and how labels are read as two."""
    from medassay.cli.say import say_json
    from medassay.judgements import load_rubric

    found = load_rubric(rubric)
    if as_json:
        say_json(found.model_dump(mode="json"))
        return
    typer.echo(f"{found.title or found.name} ({found.name})")
    if found.source:
        typer.echo(f"Source: {found.source}")
    if found.wording:
        typer.echo(f"Wording: {found.wording}")
    for dimension in found.dimensions:
        _show(dimension)
    if found.rationale:
        typer.echo(f"\nRationale, in the column comment: {found.rationale}")


@app.command()
def check(rubric: _Rubric, *, as_json: AsJson = False) -> None:
    """Report every problem of a rubric at once; then what it lacks, though nothing is wrong."""
    from medassay.cli.say import say_json
    from medassay.judgements import load_rubric, rubric_gaps

    found = load_rubric(rubric)
    gaps = rubric_gaps(found)
    if as_json:
        say_json({"problems": [], "name": found.name, "dimensions": list(found.ids), "gaps": gaps})
        return
    labels = sum(len(one.labels) for one in found.dimensions)
    typer.echo(f"{found.name}: dimensions {len(found.dimensions)}, labels {labels}")
    for gap in gaps:
        typer.echo(f"note: {gap}")
    typer.echo("No problems.")


def _show(dimension: "Dimension") -> None:
    typer.echo(f"\n{dimension.title or dimension.id} ({dimension.id}, {dimension.scale})")
    typer.echo(f"  {dimension.question}")
    if dimension.after_reveal:
        typer.echo("  Asked in a second part, with the system's own confidence in view.")
    if dimension.derived:
        typer.echo(f"  Derived: {dimension.derived}")
    width = max(len(label.label) for label in dimension.labels)
    for label in dimension.labels:
        score = "" if label.score is None else f"{label.score:g}"
        also = f" Also: {', '.join(label.aliases)}." if label.aliases else ""
        typer.echo(f"  {label.label:<{width}} {score:>3}  {label.description}{also}")
        for example in label.examples:
            asked = f"{example.question} - " if example.question else ""
            doubt = f" Disputed: {example.disputed}" if example.disputed else ""
            typer.echo(f"  {'':<{width}}      e.g. {asked}{example.answer} ({example.why}){doubt}")
    if dimension.precedence:
        typer.echo(f"  Where two hold, the first of: {', '.join(dimension.precedence)}")
    for name, mapping in dimension.mappings.items():
        coarse = {to: [one for one in mapping if mapping[one] == to] for to in mapping.values()}
        read = "; ".join(f"{to}: {', '.join(labels)}" for to, labels in coarse.items())
        typer.echo(f"  Read as {name}: {read}")
