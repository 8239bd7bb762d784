"""medassay metrics list, medassay metrics explain."""

from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson
from medassay.cli.verb import Verb, examples

if TYPE_CHECKING:
    from medassay.metrics import Declaration
    from medassay.scores import Name

app = typer.Typer(no_args_is_help=True, help="List the metrics, or explain one.")


@app.command("list", cls=Verb)
@examples(
    "medassay metrics list",
    "medassay metrics list references",
)
def list_metrics(
    have: Annotated[
        str | None,
        typer.Argument(
            metavar="[HAVE]",
            help="Only what this makes possible: answers, references, evidence, contexts, grades, "
            "options or reasoning.",
        ),
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """List every metric with the question it answers, or those for what you have."""
    from medassay.cli.left_out import say_left_out
    from medassay.cli.output import print_json, print_table
    from medassay.metrics import declarations

    if have is not None:
        _list_for(have, as_json=as_json)
        return
    known = declarations()
    say_left_out()
    if as_json:
        print_json([facts_of(declaration) for declaration in known])
        return
    print_table(
        "",
        ["metric", "question", "range", "better"],
        [
            [
                _form(declaration),
                declaration.question,
                _range(declaration),
                str(declaration.direction),
            ]
            for declaration in known
        ],
    )


def _list_for(have: str, *, as_json: bool) -> None:
    """List what can be computed from one thing that somebody has, and what it costs."""
    from medassay.cli.output import print_json, print_table
    from medassay.metrics import AT_HAND, metrics_for

    fitting = metrics_for(have)
    if as_json:
        print_json([{"metric": name, **facts_of(declared)} for name, declared in fitting])
        return
    typer.echo(f"You have {AT_HAND[have]}.")
    rows = [
        [
            name,
            declared.question,
            str(declared.direction),
            "medassay alone" if declared.backend is None else "a model or a vocabulary",
        ]
        for name, declared in fitting
    ]
    print_table("", ["metric", "question", "better", "runs on"], rows)
    typer.echo("What one costs and cannot see: medassay metrics explain NAME")


@app.command(cls=Verb)
@examples(
    'medassay metrics explain "rouge1(ref=human)"',
)
def explain(
    name: Annotated[str, typer.Argument(help="A metric's name, with or without parameters.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Explain a metric: its question, range, needs, costs and blind spots."""
    from medassay.cli.output import print_json
    from medassay.errors import InvalidInput, UnknownName
    from medassay.metrics import declarations, plugin_problems
    from medassay.scores import Name

    parsed = Name.parse(name)
    known = {declaration.name: declaration for declaration in declarations()}
    if parsed.base not in known:
        unknown = UnknownName("metric", parsed.base, sorted(known))
        if plugin_problems():
            raise InvalidInput(plugin_problems()) from unknown
        raise unknown
    declared = known[parsed.base]
    facts = facts_of(declared)
    if declared.backend is not None:
        facts["installed"] = _installed(parsed, declared)
    if as_json:
        print_json(facts)
        return
    for key, value in facts.items():
        if value in ("", [], None):
            continue
        lines = value if isinstance(value, list) else [value]
        typer.echo(f"{key.replace('_', ' ') + ':':<16}{lines[0]}")
        for line in lines[1:]:
            typer.echo(f"{'':<16}{line}")


def _form(declaration: "Declaration") -> str:
    required = [
        f"{p.name}={'|'.join(p.values) or p.kind}"
        for p in declaration.parameters
        if p.default is None
    ]
    return f"{declaration.name}{'@k' * declaration.takes_k}" + (
        f"({','.join(required)})" if required else ""
    )


def _range(declaration: "Declaration") -> str:
    low, high = (
        "open" if end is None else f"{end:g}" for end in (declaration.low, declaration.high)
    )
    return f"{low} to {high}"


def _installed(parsed: "Name", declared: "Declaration") -> str:
    """Say whether what the metric runs on is here; a bare name stands for its first usual form."""
    from medassay.errors import InvalidInput
    from medassay.metrics import resolve, usual_names

    bare = not parsed.arguments and parsed.k is None
    try:
        missing = resolve(next(iter(usual_names(declared) if bare else ()), parsed)).missing
    except InvalidInput:
        return "give the name with its parameters to see whether what it runs on is here"
    return "yes" if missing is None else str(missing)


def facts_of(declaration: "Declaration") -> dict[str, object]:
    """Give what a metric declares, in words."""
    from medassay.metrics.declaration import describe_odd

    def bound(value: float | None) -> str:
        return "unbounded" if value is None else f"{value:g}"

    return {
        "name": _form(declaration),
        "title": declaration.title or declaration.name,
        "question": declaration.question,
        "unit": declaration.unit,
        "range": f"{bound(declaration.low)} to {bound(declaration.high)}",
        "better": str(declaration.direction),
        "measures_harm": "yes: `compare` says 'metric not worse' of it by its range"
        if declaration.harm
        else "",
        "needs": [
            need.words + (f" (with {'='.join(need.when)})" if need.when else "")
            for need in declaration.needs
        ],
        "parameters": [
            f"{p.name}: {p.says}" + (f" Default {p.default}." if p.default is not None else "")
            for p in declaration.parameters
        ],
        "if_no_answer": str(declaration.if_no_answer),
        "if_empty": "" if declaration.if_empty is None else str(declaration.if_empty),
        "odd_answers": describe_odd(declaration.odd) if declaration.if_empty is not None else [],
        "reads": "" if declaration.reads is None else declaration.reads.what,
        "undefined_when": declaration.undefined_when,
        "cost": declaration.cost,
        "blind_spots": list(declaration.blind_spots),
        "reference": declaration.reference,
        "version": declaration.version,
    }
