"""How a verb shows itself: its examples below its options, and the verbs in groups."""

import re
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

from typer.core import TyperCommand, TyperGroup

__all__ = ["Verb", "Verbs", "examples", "examples_of"]

_P = ParamSpec("_P")
_R = TypeVar("_R")
_LINE: Final = 66


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
    """A command that shows its examples."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - of typer's own click
        """Write the examples below everything else, each as it is typed."""
        super().format_epilog(ctx, formatter)
        if examples_of(self):
            with formatter.section("Examples"):
                formatter.write("".join(f"  {line}\n" for line in examples_of(self)))


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
