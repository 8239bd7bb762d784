"""A table as LaTeX, with the rules of booktabs."""

import re
from collections.abc import Sequence
from typing import Final

from medassay.report.latex.columns import Measured, broken
from medassay.report.latex.escape import escaped
from medassay.report.latex.layout import GAP, Layout, laid_out
from medassay.report.latex.widths import pieces
from medassay.report.tables import SYNTHETIC, Cell, Row, Table
from medassay.tables import text_bytes

__all__ = ["PACKAGES", "breakable", "table_latex"]

PACKAGES: Final = ("array", "booktabs", "graphicx", "longtable", "pdflscape", "rotating")
_NEGATIVE: Final = re.compile(r"^-(?=[\d.])")
_MARKS: Final = "abcdefghijklmnopqrstuvwxyz"
_ONE_COLUMN: Final = 0.53
"""The part of a page's width that one of two columns takes."""


def table_latex(table: Table) -> bytes:
    r"""Write a table that compiles as it is: caption above, the rules of booktabs, notes below.

    Estimates and their intervals line up in columns of their own. A table is set in the largest
    type in which it fits on an A4 page; a wider one is turned (`sidewaystable`), one of many rows
    goes on over pages (`longtable`), and one that is too wide for that comes in parts that repeat
    the first column. Why a value is missing is said in a note.
    """
    packages = f"% needs \\usepackage{{{','.join(PACKAGES)}}}"
    lines = [packages, *(["% " + SYNTHETIC] if table.synthetic else [])]
    if not table.rows:
        title = escaped(_without_number(table.title))
        text = f"{SYNTHETIC} {table.empty}" if table.synthetic else table.empty
        return text_bytes("\n".join([*lines, f"\\paragraph{{{title}.}} {escaped(text)}", ""]))
    parts = laid_out(table)
    for at, layout in enumerate(parts, start=1):
        lines += (
            ["\\addtocounter{table}{-1}"] if at > 1 else []
        )  # parts of a table share its number
        part = f" (part {at} of {len(parts)})" if len(parts) > 1 else ""
        lines += _part(table, layout, part, f"-{at}" if at > 1 else "")
    return text_bytes("\n".join(lines) + "\n")


def _part(table: Table, layout: Layout, part: str, label: str) -> list[str]:
    notes = _Notes()
    body = _body(table, layout, notes)
    title = escaped(f"{_without_number(table.title)}{part}.")
    text = f"{SYNTHETIC} " if table.synthetic else ""
    sentence = "" if label else " " + escaped(table.caption)
    caption = f"\\caption[{title}]{{{escaped(text)}{' ' if text else ''}{title}{sentence}}}"
    marked = f"\\label{{tab:{table.id}{label}}}"
    head = _heads(layout)
    form = f"{{@{{}}{_form(layout)}@{{}}}}"
    size = [f"\\{layout.size}", f"\\setlength{{\\tabcolsep}}{{{GAP:g}pt}}"]
    below = notes.latex()
    if layout.long:
        lines = [
            "{" + "".join(size),
            "\\setlength{\\LTcapwidth}{\\linewidth}",
            f"\\begin{{longtable}}{form}",
            f"{caption}{marked}\\\\",
            "\\toprule", *head, "\\midrule", "\\endfirsthead",
            "\\toprule", *head, "\\midrule", "\\endhead",
            "\\bottomrule", "\\endfoot",
            *body,
            "\\end{longtable}",
            *below,
            "}",
        ]  # fmt: skip
        return ["\\begin{landscape}", *lines, "\\end{landscape}"] if layout.turned else lines
    environment = "table" if layout.filled < _ONE_COLUMN and not layout.turned else "table*"
    environment = "sidewaystable" if layout.turned else environment
    place = "" if layout.turned else "[!htbp]"
    return [
        f"\\begin{{{environment}}}{place}",
        "\\centering",
        f"{caption}",
        marked,
        *size,
        f"\\begin{{tabular}}{form}",
        "\\toprule", *head, "\\midrule", *body, "\\bottomrule",
        "\\end{tabular}",
        *below,
        f"\\end{{{environment}}}",
    ]  # fmt: skip


class _Notes:
    """Reasons of missing values, each with a letter."""

    def __init__(self) -> None:
        self.letters: dict[str, str] = {}

    def mark(self, reason: str) -> str:
        if reason not in self.letters and len(self.letters) == len(_MARKS):
            return ""
        letter = self.letters.setdefault(reason, _MARKS[len(self.letters) % len(_MARKS)])
        return f"$^{{\\mathrm{{{letter}}}}}$"

    def latex(self) -> list[str]:
        if not self.letters:
            return []
        lines = [
            f"$^{{\\mathrm{{{letter}}}}}$ {escaped(reason)}"
            for reason, letter in self.letters.items()
        ]
        return [
            "\\par\\smallskip",
            f"\\noindent\\parbox{{\\linewidth}}{{\\scriptsize\\raggedright {' '.join(lines)}}}",
        ]


def _form(layout: Layout) -> str:
    forms = []
    for measured, share in zip(layout.columns, layout.shares, strict=True):
        if share is not None:
            forms.append(f">{{\\raggedright\\arraybackslash}}p{{{share:.3f}\\linewidth}}")
        elif measured.apart:
            forms.append("r@{\\hspace{0.4em}}l")
        else:
            forms.append("r" if measured.column.numeric else "l")
    return "".join(forms)


def _across(layout: Layout) -> list[int]:
    return [2 if measured.apart else 1 for measured in layout.columns]


def _heads(layout: Layout) -> list[str]:
    spans = _across(layout)
    groups: list[tuple[str, int, float]] = []
    for measured, span in zip(layout.columns, spans, strict=True):
        name, before = measured.column.group, groups[-1] if groups else ("", 0, 0.0)
        if name and before[0] == name:
            groups[-1] = (name, before[1] + span, before[2] + measured.natural)
        else:
            groups.append((name, span, measured.natural))
    lines = []
    if any(name for name, _, _ in groups):
        cells, rules, at = [], [], 1
        for name, span, room in groups:
            shown = _stacked(broken(name, room), "c")
            cells.append(f"\\multicolumn{{{span}}}{{c}}{{{shown}}}")
            if name:
                rules.append(f"\\cmidrule(lr){{{at}-{at + span - 1}}}")
            at += span
        lines = [" & ".join(cells) + " \\\\", " ".join(rules)]
    return [*lines, " & ".join(map(_heading, layout.columns, layout.shares)) + " \\\\"]


def _heading(measured: Measured, share: float | None) -> str:
    side = "r" if measured.column.numeric else "l"
    if share is not None:
        return escaped(measured.column.title)
    shown = _stacked(measured.heading, side)
    return f"\\multicolumn{{2}}{{c}}{{{shown}}}" if measured.apart else shown


def _stacked(lines: Sequence[str], side: str) -> str:
    shown = " \\\\ ".join(_guarded(escaped(line)) for line in lines)
    if len(lines) == 1:
        return shown
    return f"\\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{shown}\\end{{tabular}}"


def _body(table: Table, layout: Layout, notes: _Notes) -> list[str]:
    lines: list[str] = []
    across = sum(_across(layout))
    for place, (group, about, rows) in enumerate(table.groups):
        if group:
            text = f"\\textit{{{breakable(group)}}}" + (f" {escaped(about)}" if about else "")
            lines += ["\\addlinespace"] if place else []
            # A line over broken columns could run out of the page: it is broken as well.
            room = f"{min(0.98, layout.filled):.3f}\\linewidth"
            wrapped = f"\\parbox[t]{{{room}}}{{\\raggedright {text}\\strut}}"
            lines.append(f"\\multicolumn{{{across}}}{{@{{}}l@{{}}}}{{{wrapped}}} \\\\")
            if layout.long:
                lines[-1] = lines[-1] + "*"
        lines += [_line(row, layout, notes) for row in rows]
    return lines


def _line(row: Row, layout: Layout, notes: _Notes) -> str:
    shown: list[str] = []
    for at, measured, share in zip(layout.places, layout.columns, layout.shares, strict=True):
        shown += _printed(row.cells[at], measured, share, notes)
    line = " & ".join(shown)
    return _guarded(line) + " \\\\"


def _guarded(line: str) -> str:
    """Keep a sign that opens a line from being read as the option of the break before it."""
    return ("{}" if line.startswith(("[", "*")) else "") + line


def _printed(cell: Cell, measured: Measured, share: float | None, notes: _Notes) -> Sequence[str]:
    plain = _NEGATIVE.sub("−", cell.text) if measured.column.numeric else cell.text
    text = escaped(plain) if share is None else breakable(plain)
    if cell.missing and cell.detail:
        text += notes.mark(cell.detail)
    aside = f"{{\\scriptsize {escaped(cell.aside)}}}" if cell.aside else ""
    if measured.apart:
        return (text, aside)
    return (f"{text} {aside}".strip(),)


def breakable(text: str) -> str:
    """Let long words, such as signatures and hashes, go on in the next line."""
    words = ("\\allowbreak{}".join(map(escaped, pieces(word))) for word in text.split())
    return " ".join(words)


def _without_number(title: str) -> str:
    """LaTeX counts for itself."""
    head, _, rest = title.partition(". ")
    return rest if rest and head.startswith("Table") else title
