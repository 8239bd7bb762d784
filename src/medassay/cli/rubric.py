"""medassay rubric list, new, show, check."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson
from medassay.cli.verb import Verb, examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medassay.judgements import Dimension, Label

app = typer.Typer(no_args_is_help=True, help="List, create, show or check rubrics.")

_Rubric = Annotated[
    str, typer.Argument(metavar="RUBRIC", help="A rubric's name, or a .toml file of your own.")
]


@app.command("list", cls=Verb)
@examples(
    "medassay rubric list",
)
def list_rubrics(*, as_json: AsJson = False) -> None:
    """List the rubrics and the single dimensions that you can use."""
    from medassay.cli.left_out import say_left_out
    from medassay.cli.output import print_json, print_table
    from medassay.errors import InvalidInput
    from medassay.judgements import (
        choose_rubric,
        library_dimensions,
        load_rubric,
        rubric_names,
    )

    say_left_out()
    known = []
    for name in rubric_names():
        with suppress(InvalidInput):  # one that was just named
            known.append(load_rubric(name))
    if as_json:
        print_json([{"name": r.name, "title": r.title, "dimensions": list(r.ids)} for r in known])
        return
    rows = [[r.name, r.title, str(len(r.dimensions))] for r in known]
    print_table("", ["rubric", "title", "dimensions"], rows)
    dimensions = [choose_rubric(name).rubric.dimensions[0] for name in library_dimensions()]
    asked = [
        [dimension.id, dimension.question, " / ".join(dimension.names)] for dimension in dimensions
    ]
    print_table("Dimensions, to choose from", ["dimension", "question", "labels"], asked)
    typer.echo("Put them together: medassay rubric new mine.toml accuracy,safety")


@app.command("new", cls=Verb)
@examples(
    "medassay rubric new ours.toml accuracy,completeness,safety",
    "medassay rubric new ours.toml likert5",
)
def new_rubric(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A new .toml file.")],
    dimensions: Annotated[
        str,
        typer.Argument(
            metavar="DIMENSIONS",
            help="Such as accuracy,completeness,safety; or a rubric's name. medassay rubric "
            "list shows all.",
        ),
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Create your own rubric file from ready-made dimensions, or from another rubric."""
    from medassay.cli.output import print_json
    from medassay.errors import InvalidInput, Problem
    from medassay.judgements import choose_rubric
    from medassay.tables import write_atomically

    if path.suffix != ".toml" or path.exists():
        got = f"{path}, which exists" if path.exists() else f"{path}"
        hint = "Give another name, such as my-rubric.toml. That file was not changed."
        raise InvalidInput(Problem("FILE", "be a new file that ends in .toml", got, hint))
    chosen = choose_rubric(dimensions, path.stem)
    write_atomically(path, chosen.content)
    if as_json:
        print_json({"file": str(path), "dimensions": list(chosen.rubric.ids)})
        return
    typer.echo(f"wrote {path}: {', '.join(chosen.rubric.ids)}")
    typer.echo(f"Next: change its words, then medassay rubric check {path}")


@app.command(cls=Verb)
@examples(
    "medassay rubric show likert5",
)
def show(
    rubric: _Rubric,
    *,
    as_json: AsJson = False,
) -> None:
    """Show a rubric: its questions, labels, examples, and how labels are grouped into two."""
    from medassay.cli.output import print_json
    from medassay.judgements import choose_rubric

    chosen = choose_rubric(rubric)
    shown_rubric = chosen.rubric
    if as_json:
        print_json(shown_rubric.model_dump(mode="json"))
        return
    typer.echo(f"{shown_rubric.title or shown_rubric.name} ({shown_rubric.name})")
    if shown_rubric.source:
        typer.echo(f"Source: {shown_rubric.source}")
    if shown_rubric.wording:
        typer.echo(f"Wording: {shown_rubric.wording}")
    if shown_rubric.keep_open:
        typer.echo(f"Raters are told: {shown_rubric.to_keep_open}")
    for dimension in shown_rubric.dimensions:
        _show(dimension)
    if shown_rubric.rationale:
        typer.echo(f"\nRationale, in the column comment: {shown_rubric.rationale}")


@app.command(cls=Verb)
@examples(
    "medassay rubric check ours.toml",
)
def check(rubric: _Rubric, *, as_json: AsJson = False) -> None:
    """Check a rubric: list every problem, then what it could add."""
    from medassay.cli.output import print_json
    from medassay.judgements import load_rubric, rubric_gaps

    loaded = load_rubric(rubric)
    gaps = rubric_gaps(loaded)
    if as_json:
        print_json(
            {
                "problems": [],
                "name": loaded.name,
                "dimensions": list(loaded.ids),
                "gaps": gaps,
            }
        )
        return
    labels = sum(len(dimension.labels) for dimension in loaded.dimensions)
    typer.echo(f"{loaded.name}: dimensions {len(loaded.dimensions)}, labels {labels}")
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
    if dimension.number is not None:
        typer.echo(f"  Raters give {dimension.number}.")
    if dimension.kinds:
        typer.echo("  Raters mark spans of these kinds:")
    _show_labels(dimension.labels or dimension.kinds)
    if dimension.severities:
        typer.echo("  and say how bad each is:")
        _show_labels(dimension.severities)
    if dimension.confidence:
        typer.echo(f"  How sure a rater is: {', '.join(dimension.confidence)}")
    if dimension.precedence:
        typer.echo(f"  Where two hold, the first of: {', '.join(dimension.precedence)}")
    for name, mapping in dimension.mappings.items():
        coarse = {to: [word for word in mapping if mapping[word] == to] for to in mapping.values()}
        read = "; ".join(f"{to}: {', '.join(labels)}" for to, labels in coarse.items())
        typer.echo(f"  Read as {name}: {read}")


def _show_labels(labels: "Sequence[Label]") -> None:
    width = max((len(label.label) for label in labels), default=0)
    for label in labels:
        score = "" if label.score is None else f"{label.score:g}"
        also = f" Also: {', '.join(label.aliases)}." if label.aliases else ""
        typer.echo(f"  {label.label:<{width}} {score:>3}  {label.description}{also}")
        for example in label.examples:
            asked = f"{example.question} - " if example.question else ""
            doubt = f" Disputed: {example.disputed}" if example.disputed else ""
            typer.echo(f"  {'':<{width}}      e.g. {asked}{example.answer} ({example.why}){doubt}")
