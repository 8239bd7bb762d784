"""medassay metrics list, medassay metrics explain."""

from typing import TYPE_CHECKING, Annotated

import typer

from medassay.cli.options import AsJson

if TYPE_CHECKING:
    from medassay.metrics import Declaration
    from medassay.scores import Name

__all__ = ["app", "facts_of"]

app = typer.Typer(no_args_is_help=True, help="List the metrics, or explain one.")


@app.command("list")
def list_metrics(*, as_json: AsJson = False) -> None:
    """List every metric with the question it answers."""
    from medassay.cli.say import say_json, say_table
    from medassay.metrics import declarations, plugin_problems

    known = declarations()
    for problem in plugin_problems():
        typer.echo(f"left out: {problem}", err=True)
    if as_json:
        say_json([facts_of(one) for one in known])
        return
    say_table(
        "",
        ["metric", "question", "range", "better"],
        [[_form(one), one.question, _range(one), str(one.direction)] for one in known],
    )


@app.command()
def explain(
    name: Annotated[str, typer.Argument(help="A metric's name, with or without parameters.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Say what a metric asks, its range, what it needs and costs, and what it cannot see."""
    from medassay.cli.say import say_json
    from medassay.errors import InvalidInput, UnknownName
    from medassay.metrics import declarations, plugin_problems
    from medassay.scores import Name

    asked = Name.parse(name)
    known = {one.name: one for one in declarations()}
    if asked.base not in known:
        unknown = UnknownName("metric", asked.base, sorted(known))
        if plugin_problems():
            raise InvalidInput(plugin_problems()) from unknown
        raise unknown
    declared = known[asked.base]
    facts = facts_of(declared)
    if declared.backend is not None:
        facts["installed"] = _installed(asked, declared)
    if as_json:
        say_json(facts)
        return
    for key, value in facts.items():
        if value in ("", [], None):
            continue
        lines = value if isinstance(value, list) else [value]
        typer.echo(f"{key.replace('_', ' ') + ':':<16}{lines[0]}")
        for line in lines[1:]:
            typer.echo(f"{'':<16}{line}")


def _form(one: "Declaration") -> str:
    required = [
        f"{p.name}={'|'.join(p.values) or p.kind}" for p in one.parameters if p.default is None
    ]
    return f"{one.name}{'@k' * one.takes_k}" + (f"({','.join(required)})" if required else "")


def _range(one: "Declaration") -> str:
    low, high = ("open" if end is None else f"{end:g}" for end in (one.low, one.high))
    return f"{low} to {high}"


def _installed(asked: "Name", declared: "Declaration") -> str:
    """Say whether what the metric runs on is here; a bare name stands for its first usual form."""
    from medassay.errors import InvalidInput
    from medassay.metrics import resolve, usual_names

    bare = not asked.arguments and asked.k is None
    try:
        missing = resolve(next(iter(usual_names(declared) if bare else ()), asked)).missing
    except InvalidInput:
        return "give the name with its parameters to see whether what it runs on is here"
    return "yes" if missing is None else str(missing)


def facts_of(one: "Declaration") -> dict[str, object]:
    """Give what a metric declares, in words."""
    from medassay.metrics.odd_texts import say_odd

    def bound(value: float | None) -> str:
        return "unbounded" if value is None else f"{value:g}"

    return {
        "name": _form(one),
        "title": one.title or one.name,
        "question": one.question,
        "unit": one.unit,
        "range": f"{bound(one.low)} to {bound(one.high)}",
        "better": str(one.direction),
        "needs": [
            need.words + (f" (with {'='.join(need.when)})" if need.when else "")
            for need in one.needs
        ],
        "parameters": [
            f"{p.name}: {p.says}" + (f" Default {p.default}." if p.default is not None else "")
            for p in one.parameters
        ],
        "if_no_answer": str(one.if_no_answer),
        "if_empty": "" if one.if_empty is None else str(one.if_empty),
        "odd_answers": say_odd(one.odd) if one.if_empty is not None else [],
        "undefined_when": one.undefined_when,
        "cost": one.cost,
        "blind_spots": list(one.blind_spots),
        "reference": one.reference,
        "version": one.version,
    }
