"""The options of a format as the command line has them."""

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Annotated, Any, Final, get_origin

import typer
from typer.main import get_command

from medassay.cli.options import AsJson
from medassay.cli.verb import Verb
from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import DeclaredOption, options

_AS_JSON: Final = Parameter("as_json", Parameter.KEYWORD_ONLY, annotation=AsJson, default=False)


def command(run: Callable[..., None], *, about: str, parameters: Sequence[Parameter]) -> Any:  # noqa: ANN401 - of typer's own click
    """Make a command of a function whose parameters are known only now."""
    every = [*parameters, _AS_JSON]

    def called(**words: object) -> None:
        run(**words)

    called.__signature__ = Signature(every)  # type: ignore[attr-defined]  # typer reads it
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in every}
    called.__doc__ = about
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(cls=Verb)(called)
    return get_command(app)


def argument(
    name: str,
    kind: Any,  # noqa: ANN401 - a type of any kind
    help_: str,
    *,
    metavar: str | None = None,
    left: bool = False,
) -> Parameter:
    """Say what stands without a name."""
    info = typer.Argument(help=help_, metavar=metavar)
    default = None if left else Parameter.empty
    return Parameter(
        name, Parameter.KEYWORD_ONLY, annotation=Annotated[kind, info], default=default
    )


def option(
    name: str,
    kind: Any,  # noqa: ANN401 - a type of any kind
    help_: str,
    *,
    metavar: str | None = None,
    default: object = Parameter.empty,
) -> Parameter:
    """Say what stands behind its name."""
    info = typer.Option(f"--{name}", help=help_, metavar=metavar)
    return Parameter(
        name, Parameter.KEYWORD_ONLY, annotation=Annotated[kind, info], default=default
    )


def typed(function: Callable[..., object]) -> list[Parameter]:
    """Give the options of a format's function."""
    return [_typed(declared_option) for declared_option in options(function)]


def _typed(declared_option: DeclaredOption) -> Parameter:
    info = typer.Option(
        *declared_option.names,
        help=declared_option.option.help,
        metavar=declared_option.option.metavar,
        min=declared_option.option.least,
    )
    kind, default = (
        (list[str] | None, None)
        if _is_columns(declared_option)
        else (declared_option.kind, declared_option.default)
    )
    return Parameter(
        declared_option.parameter,
        Parameter.KEYWORD_ONLY,
        annotation=Annotated[kind, info],
        default=default,
    )


def values(function: Callable[..., object], words: Mapping[str, object]) -> dict[str, Any]:
    """Give a format's function what was typed, as the types of its options have it.

    Raises:
        InvalidInput: Names of columns are no pairs.
    """
    names = {
        declared_option.parameter: declared_option.names[0]
        for declared_option in options(function)
        if _is_columns(declared_option)
    }
    return {
        key: read_columns(value, names[key]) if key in names else value
        for key, value in words.items()
    }


def _is_columns(declared_option: DeclaredOption) -> bool:
    return get_origin(declared_option.kind) is Mapping


def read_columns(words: Any, option_: str = "--column") -> dict[str, str]:  # noqa: ANN401 - what typer read
    """Read pairs of OURS=THEIRS.

    Raises:
        InvalidInput: A word is no such pair, or one of ours stands twice.
    """
    columns: dict[str, str] = {}
    for pair in words or []:
        ours, equals, theirs = pair.partition("=")
        if not (ours and equals and theirs):
            hint = f"For example {option_} text=model_answer."
            raise InvalidInput(Problem(option_, "have the form OURS=THEIRS", f'"{pair}"', hint))
        if ours in columns:
            must = "name each of our columns once"
            raise InvalidInput(Problem(option_, must, f'"{ours}" twice'))
        columns[ours] = theirs
    return columns
