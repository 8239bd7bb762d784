"""How a verb shows itself: its examples below its options, and the verbs in groups."""

import re
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Final, ParamSpec, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

RARE: Final = "rare"
"""The `rich_help_panel` of an option that few need: --help-all lists it, --help counts it."""

_P = ParamSpec("_P")
_R = TypeVar("_R")
_LINE: Final = 66
_FEW: Final = 2
_ALL: Final = "medassay.help_all"
_TYPE: Final = re.compile(r"<[^<>|]*>")
_TYPES: Final = {
    "<str>": "NAME", "<list[str]>": "NAME", "<int>": "N", "<int range>": "N", "<float>": "NUMBER",
    "<float range>": "NUMBER", "<path>": "PATH", "<file>": "FILE", "<list[Path]>": "FILE",
}  # fmt: skip
"""What an option takes, as people say it."""
_RANGE: Final = re.compile(r"x>=(\S+?)(?=[;\]])")


def examples(*lines: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Give a verb lines that can be typed as they stand; its help shows them."""

    def keep(function: Callable[_P, _R]) -> Callable[_P, _R]:
        function.examples = lines  # type: ignore[attr-defined]  # read by `examples_of`
        return function

    return keep


def examples_of(command: TyperCommand) -> tuple[str, ...]:
    """Give the examples of a command; those of a single format have none."""
    return getattr(command.callback, "examples", ())


class Verb(TyperCommand):
    """A command that shows its examples; what few need of its help stands behind --help-all."""

    long: ClassVar[bool] = False
    """Whether its help is long without rare options too."""

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - of typer's own click
        """Give what may be typed, --help-all beside it where something is rare."""
        every: list[Any] = super().get_params(ctx)
        return [*every, _HELP_ALL] if self._has_more else every

    def format_help_text(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - of typer's own click
        """Write what the command does; what follows the first paragraph is for those who ask."""
        whole = self.help
        if self.is_short(ctx):
            self.help = (whole or "").partition("\n\n")[0]
        try:
            super().format_help_text(ctx, formatter)
        finally:
            self.help = whole

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401 - of typer's own click
        """Name what is typed as the list below names it."""
        needed = [
            name if param.required else f"[{name}]"
            for param in self.get_params(ctx)
            if param.param_type_name == "argument"
            for name in [_called(param)]
        ]
        return ["[OPTIONS]", *needed]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - of typer's own click
        """List arguments and options; rare ones where all are asked for."""
        short = self.is_short(ctx)
        rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            record = None if short and _is_rare(param) else param.get_help_record(ctx)
            if record is None:
                continue
            name, told = record
            if param.param_type_name == "argument":
                choice = name.partition("<")[2]
                name = f"{_called(param)} <{choice}" if "|" in choice else _called(param)
                rows["Arguments"].append((name, told))
            else:
                name = _TYPE.sub(lambda kind: _TYPES.get(kind[0], kind[0]), name)
                rows["Options"].append((name, _RANGE.sub(r"\1 or more", told)))
        for heading, own in rows.items():
            if own:
                with formatter.section(heading):
                    formatter.write_dl(own)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - of typer's own click
        """Write the examples below everything else, each as it is typed."""
        super().format_epilog(ctx, formatter)
        lines = examples_of(self)
        if self.is_short(ctx):
            lines = lines[:_FEW]
        if lines:
            with formatter.section("Examples"):
                formatter.write("".join(f"  {line}\n" for line in lines))

    def is_short(self, ctx: Any) -> bool:  # noqa: ANN401 - of typer's own click
        """Say whether only what most people need is to be shown."""
        return self._has_more and not ctx.meta.get(_ALL)

    @property
    def _has_more(self) -> bool:
        return self.long or any(map(_is_rare, self.params))


def _called(param: Any) -> str:  # noqa: ANN401 - of typer's own click
    """Name an argument as people type it."""
    name = re.sub(r"[][]", "", param.metavar or param.name.upper())
    return name if param.nargs == 1 or name.endswith("...") else f"{name}..."


def _is_rare(param: Any) -> bool:  # noqa: ANN401 - of typer's own click
    return getattr(param, "rich_help_panel", None) == RARE


def _print_all(ctx: typer.Context, value: bool) -> None:  # noqa: FBT001 - as typer calls it
    if value:
        ctx.meta[_ALL] = True
        typer.echo(ctx.get_help())
        raise typer.Exit


def _help_all() -> Any:  # noqa: ANN401 - of typer's own click
    """Make the option, as typer makes those of any command."""
    made = typer.Typer(add_completion=False, rich_markup_mode=None)
    way = typer.Option("--help-all", is_eager=True, callback=_print_all, help="Show all options.")

    @made.command()
    def holds(*, _every: Annotated[bool, way] = False) -> None: ...

    [param] = get_command(made).params
    param.expose_value = False
    return param


_HELP_ALL: Final = _help_all()


class Verbs(TyperGroup):
    """The list of verbs, in groups by what they are for."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - of typer's own click
        """Write each group under its heading, in the order in which the verbs were added."""
        del ctx
        groups: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            heading = getattr(command, "rich_help_panel", None) or "Commands"
            groups.setdefault(heading, []).append((name, _in_a_line(command.help or "")))
        for heading, verbs in groups.items():
            with formatter.section(heading):
                formatter.write_dl(verbs)


def _in_a_line(help_text: str) -> str:
    """Give what is told first; where that is long, as far as its first colon or semicolon."""
    first = " ".join(help_text.partition("\n\n")[0].split())
    return first if len(first) <= _LINE else f"{re.split('[:;]', first)[0].removesuffix('.')}."
