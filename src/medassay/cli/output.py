"""How the command line speaks: tables and lines for people, JSON for machines."""

import json
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import chain
from textwrap import fill
from typing import TYPE_CHECKING, Final, Literal

import typer

from medassay.cli.streams import named, styled
from medassay.tables import visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from rich.console import Console

    from medassay.analyses.results import (
        ShortenedResult,
        VerdictsResult,
    )
    from medassay.exchange import Outcome
    from medassay.exchange.outcome import Overview
    from medassay.report.tables import Table as ReportTable
    from medassay.stats import Interval
    from medassay.study import LeftOut
    from medassay.study import Progress as _Tell

_ENDLESS = 10_000
_NAMES = frozenset({
    "campaign", "cell", "code", "dimension", "effect", "file", "files", "format", "kind", "outcome",
    "phase", "rater", "reading", "system", "systems",
})  # fmt: skip
"""Keys of what imports and campaigns tell whose strings quote no text and name no case."""
_LONGEST_NUMBER = len("[-0.000, -0.000]")

_JOINED = "\N{WORD JOINER}"
_UNBROKEN = re.compile(
    r"\((?=[^()]*\d)[^()]{1,48}\)|\[[^\[\]]{1,48}\]|\b95% CI \S+ to \S+|\b[\d,]+ of [\d,]+\b"
)
"""An interval, what stands in brackets with a number, a count of a whole."""

ADJUSTED = (
    "adjusted: what the mean would be on all cases that any system has (least squares, system + "
    "case), since the systems have values on different cases."
)


def print_json(value: object, about: "Path | None" = None) -> None:
    """Print one JSON document on standard output.

    Args:
        value: The document.
        about: The study whose files it quotes, where these have not been through its [privacy]:
            what came in, and campaigns. Where the study keeps its texts, counts and names of files,
            raters and labels are left.
    """
    if about is not None:
        from medassay.study.files.names import texts_of

        if texts_of(about) != "full":
            value = _told(value)
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def _told(value: object, key: str = "") -> object:
    """Leave out every sentence and every string that is not known to name no case and no text."""
    if isinstance(value, dict):
        return {name: _told(entry, name) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_told(entry, key) for entry in value if not isinstance(entry, str) or key in _NAMES]
    return "" if isinstance(value, str) and key not in _NAMES else value


def print_outcome(outcome: "Outcome", about: "Path | None", *, as_json: bool) -> None:
    """Print what an import or an export did.

    Args:
        outcome: What it did.
        about: The study whose files it quotes, as for `print_json`.
        as_json: For machines.
    """
    if as_json:
        print_json(outcome.facts, about)
        return
    print_lines(outcome.said)


def print_lines(lines: "Sequence[str | Overview]") -> None:
    """Print sentences, and what is a table as one."""
    for line in lines:
        if isinstance(line, str):
            typer.echo(line)
        else:
            print_table("", line.header, line.rows)


def print_paragraph(text: str, *, alarming: bool = False) -> None:
    """Print a paragraph; on a terminal in its width, red where it alarms, what is undecided dim.

    Into a pipe or a file it stays one line without a colour.

    Example:
        >>> print_paragraph("A scored 0.98 (95% CI 0.91 to 1.00).")
        A scored 0.98 (95% CI 0.91 to 1.00).
    """
    from rich.console import Console
    from rich.text import Text

    console = Console(file=styled(sys.stdout), markup=False, highlight=False)
    text = visible(named(text))
    if not console.is_terminal:
        typer.echo(text)
        return
    printed = Text(in_width(text, console.width), style="red" if alarming else "")
    printed.highlight_regex(r"\bundecided\b", style="dim")
    console.print(printed, soft_wrap=True)


def in_width(text: str, width: int) -> str:
    """Break a paragraph into lines, but none inside an estimate or its interval.

    Example:
        >>> print(in_width("It scored 0.98 (95% CI 0.91 to 1.00).", 30))
        It scored 0.98
        (95% CI 0.91 to 1.00).
    """
    kept = _UNBROKEN.sub(lambda found: found[0].replace(" ", _JOINED), text)
    lines = fill(kept, width, break_long_words=False, break_on_hyphens=False)
    return lines.replace(_JOINED, " ")


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; columns whose cells are all numbers, or none, stand to the right."""
    from rich import box
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table

    title, header = visible(title), [visible(name) for name in header]
    rows = [[visible(cell) for cell in row] for row in rows]
    out = styled(sys.stdout)
    console = Console(file=out, markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        # Into a pipe or a file a table keeps the width it needs: nothing is cut or folded.
        console = Console(file=out, markup=False, emoji=False, highlight=False, width=_ENDLESS)
    columns = [_column(name, [row[i] for row in rows]) for i, name in enumerate(header)]
    whole = [max(map(cell_len, (name, *cells))) for name, *cells in zip(header, *rows, strict=True)]
    if not console.is_terminal and _is_plain(console, whole, [title, *header, *chain(*rows)]):
        sides = [side for side, _ in columns]
        out.write(_plain_table(title, sides, whole, [header, *rows], console))
        return
    least = sum(width for _, width in columns)
    airy = least + 3 * len(columns) < console.width
    room = console.width - len(columns) * (3 if airy else 1) - 1
    # On a narrow screen words break over lines, numbers do not, as long as they find room.
    fits = least <= room
    widths = _spread(whole, [width for _, width in columns], room) if fits else [None] * len(whole)
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        padding=(0, 1) if airy else 0,
    )
    for name, (justify, _), width in zip(header, columns, widths, strict=True):
        table.add_column(name, justify=justify, overflow="fold", width=width)
    for row in rows:
        table.add_row(*map(_before_its_interval, row, widths))
    console.print(table)


_WORD: Final = re.compile(r"\[[^\]]*\]|\S+")
"""A word or an interval, neither of which is broken."""


def _before_its_interval(cell: str, width: int | None) -> str:
    r"""Break a cell that is too wide before its interval.

    Example:
        >>> _before_its_interval("0.97 [0.89, 0.99]", 12)
        '0.97\n[0.89, 0.99]'
    """
    return cell.replace(" [", "\n[") if width is not None and len(cell) > width else cell


def _is_plain(console: "Console", widths: Sequence[int], texts: Sequence[str]) -> bool:
    """Say whether each row is one line that nothing breaks, as nearly all tables have it."""
    short = all(widths) and sum(widths) + 3 * len(widths) < _ENDLESS
    # Signs without a width of their own are laid out by rich.
    alone = all(text.isprintable() and "\ufe0f" not in text for text in texts)
    return short and alone and console.encoding.startswith("utf")


def _plain_table(
    title: str,
    sides: Sequence[str],
    widths: Sequence[int],
    rows: Sequence[Sequence[str]],
    console: "Console",
) -> str:
    """Lay out a table as rich does, which takes some thirty times as long for a pipe."""
    from rich.cells import cell_len
    from rich.text import Text

    def padded(cell: str, side: str, width: int) -> str:
        cell = cell.rstrip() if side == "right" else cell
        room = " " * (width - cell_len(cell))
        return room + cell if side == "right" else cell + room

    inner = sum(widths) + 3 * len(widths) + 1
    titled = Text(title).wrap(console, inner, justify="left") if title else ()
    head, *body = ("  " + "   ".join(map(padded, row, sides, widths)) + "  " for row in rows)
    lines = *(line.plain for line in titled), " " * inner, head, f" {'─' * (inner - 2)} ", *body
    return "\n".join((*lines, " " * inner, ""))


def _column(name: str, cells: Sequence[str]) -> tuple[Literal["left", "right"], int]:
    """Give a column's side and the least width that breaks no word and no number."""
    lines = [cell for cell in cells if cell not in {"", "none"}]
    words = max((len(word) for text in (name, *cells) for word in _WORD.findall(text)), default=1)
    if lines and all(cell[:1] in "-.0123456789[" for cell in lines):
        short = [len(cell) for cell in lines if len(cell) <= _LONGEST_NUMBER]
        return "right", max([words, *short])
    return "left", words


def _spread(whole: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Take the widest columns back, none below its least width, until all fit into the room."""
    widths = list(whole)
    while sum(widths) > room:
        wide = [i for i, width in enumerate(widths) if width > least[i]]
        widths[max(wide, key=lambda i: widths[i])] -= 1
    return widths


def print_pseudonyms(text: str) -> None:
    """Say where the lead reads who is who."""
    if text:
        typer.echo(text)


def print_report_table(table: "ReportTable", drawn: str | None) -> None:
    """Print a table of the report, a heading for each of its groups, and its caption.

    Args:
        table: The table.
        drawn: What study.toml says of how cases were drawn; without it no word is on others.
    """
    from medassay.exhibits.sentences import of_cases

    header = [
        f"{column.title}, {column.group}" if column.group else column.title
        for column in table.columns
    ]
    for name, about, rows in table.groups:
        lines = [[" ".join(filter(None, (c.text, c.aside))) for c in row.cells] for row in rows]
        heading = f"{table.title}: {name}" if name else table.title
        print_table(f"{heading} ({about})" if about else heading, header, lines)
    typer.echo(f"{of_cases(table.caption if table.rows else table.empty, drawn=drawn)}\n")


def print_damaged(count: int) -> None:
    """Print how many kept files were not believed; which and why is logged when they are read."""
    if count:
        files, held = ("file was", "it") if count == 1 else ("files were", "they")
        typer.echo(f"{count:,} kept {files} not believed; what {held} held was computed again.")


def print_left_out(rows: "Sequence[LeftOut]") -> None:
    """Print which metrics lack something on this machine, and the line that installs it."""
    for left_out in rows:
        if left_out.install:
            names = ", ".join(dict.fromkeys(name.partition("(")[0] for name in left_out.metrics))
            typer.echo(f"Left out: {names}. Missing: {left_out.lacks}. Try: {left_out.install}")


def print_long_texts(rows: "Sequence[ShortenedResult]") -> None:
    """Print how many texts were longer than a model reads at once, and what became of them."""
    cut = _by_count([(shortened.cut, shortened) for shortened in rows])
    if cut:
        typer.echo(
            f"Scored without the end of a text that the model cannot read: {'; '.join(cut)}."
        )
    read = _by_count([(shortened.in_windows, shortened) for shortened in rows])
    if read:
        typer.echo(f"Scored on a long text, whole, in windows: {'; '.join(read)}.")


def _by_count(counted: "Sequence[tuple[int, ShortenedResult]]") -> list[str]:
    """Name metrics together that share a count."""
    together: dict[tuple[int, int], list[str]] = {}
    for count, shortened in counted:
        if count:
            together.setdefault((count, shortened.scored), []).append(shortened.metric)
    return [
        f"{count:,} of {scored:,} by {', '.join(names)}"
        for (count, scored), names in together.items()
    ]


def print_verdicts(rows: "Sequence[VerdictsResult]") -> None:
    """Print how many statements are supported, contradicted and not found."""
    for verdicts in rows:
        names = ", ".join(dict.fromkeys(name.partition("(")[0] for name in verdicts.metrics))
        typer.echo(
            f"Statements that {names} counted: {verdicts.supported:,} supported, "
            f"{verdicts.contradicted:,} contradicted, {verdicts.not_found:,} not found; for "
            f"{verdicts.decided:,} "
            "the report shows the sentence that decides, as far as [privacy] lets it."
        )


def number(value: float | None, decimals: int = 3) -> str:
    """Write a number with its decimals, or nothing.

    Example:
        >>> number(0.5), number(None), number(12.0, 1)
        ('0.500', '', '12.0')
    """
    return "" if value is None else f"{value:.{decimals}f}"


def interval(bounds: "Interval | None", decimals: int = 3) -> str:
    """Write an interval, or nothing."""
    if bounds is None:
        return ""
    return f"[{bounds.low:.{decimals}f}, {bounds.high:.{decimals}f}]"


def progress(what: str = "") -> "AbstractContextManager[_Tell]":
    """Show progress bars on standard error while the block runs; nothing where nobody looks on.

    Work tells through what the block is given, or through `medassay.progress` from anywhere in it.

    Args:
        what: What is being done, shown with its time until something tells how far it is.
    """
    from contextlib import contextmanager

    from medassay.progress import listening

    if not styled(sys.stderr).isatty():
        return nullcontext(_tell_nobody)

    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
    )

    @contextmanager
    def bars() -> "Iterator[_Tell]":
        shown = Progress(
            TextColumn("{task.description:<28}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(file=styled(sys.stderr)),
            transient=True,
            redirect_stdout=False,
        )
        tasks: dict[str, TaskID] = {}
        if what:
            tasks[""] = shown.add_task(visible(what), total=None)

        def tell(step: str, done: int, total: int) -> None:
            if (begun := tasks.pop("", None)) is not None:
                shown.remove_task(begun)
            if step not in tasks:
                tasks[step] = shown.add_task(visible(step), total=total)
            shown.update(tasks[step], completed=done, total=total)

        with shown, listening(tell):
            yield tell

    return bars()


def _tell_nobody(_step: str, _done: int, _total: int) -> None:
    """Where nobody looks on."""
