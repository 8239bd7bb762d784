"""From a name to a metric that can score."""

from medassay.errors import InvalidInput, Problem, nearest
from medassay.metrics.bound import BoundMetric
from medassay.metrics.declaration import Declaration
from medassay.metrics.registry import find
from medassay.scores import Name
from medassay.surface import checked

__all__ = ["resolve"]


@checked
def resolve(name: str | Name) -> BoundMetric:
    """Find a metric by its canonical name, or by one with the same meaning.

    Raises:
        UnknownName: There is no such metric; suggests the nearest.
        InvalidInput: The name is malformed, or a parameter is unknown, missing or not allowed.

    Example:
        >>> str(resolve("rougeL( ref=human, measure=f )").name)
        'rougeL(ref=human)'
    """
    asked = Name.parse(name) if isinstance(name, str) else name
    declaration, compute = find(asked.base)
    named_values = dict(asked.arguments)
    problems = _shape_problems(declaration, asked)
    arguments: dict[str, str] = {} if asked.k is None else {"k": str(asked.k)}
    for parameter in declaration.parameters:
        value = named_values.get(parameter.name, parameter.default)
        if value is None:
            continue
        try:
            arguments[parameter.name] = parameter.canonical(value, metric=declaration.name)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    shown = {
        p.name: arguments[p.name] for p in declaration.parameters if arguments[p.name] != p.default
    }
    canonical = Name.of(declaration.name, asked.k, **shown)
    return BoundMetric(canonical, declaration, arguments, compute)


def _shape_problems(declaration: Declaration, asked: Name) -> list[Problem]:
    """Say what is unknown in the name, and what it lacks."""
    base, named_values = asked.base, dict(asked.arguments)
    known = [parameter.name for parameter in declaration.parameters]
    problems = []
    for key in named_values:
        if key not in known:
            must = f"have only the parameters {', '.join(known)}" if known else "have no parameters"
            problems.append(Problem(base, must, f'"{key}"', nearest(key, known), column=key))
    if declaration.takes_k != (asked.k is not None):
        must = "have a cut-off" if declaration.takes_k else "have no cut-off"
        try_ = f"For example {base}@5." if declaration.takes_k else ""
        problems.append(Problem(base, must, f'"{asked}"', try_))
    for parameter in declaration.parameters:
        if parameter.name not in named_values and parameter.default is None:
            first = next(iter(parameter.values), None)
            try_ = "" if first is None else f"For example {base}({parameter.name}={first})."
            must = f"say {parameter.name}, {parameter.allowed}"
            problems.append(Problem(base, must, f'"{asked}"', try_))
    return problems
