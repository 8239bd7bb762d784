"""Tables and texts as LaTeX.

What enters: `Table` and plain text. What leaves: code in seven-bit signs that any engine compiles
as it is. Nothing that a study says can become a command.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from math import ceil
from typing import Final

from medassay.report.tables import SYNTHETIC, Cell, Column, Row, Table
from medassay.tables import text_bytes

_GREEK: Final = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu",
    "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "ς": "varsigma", "σ": "sigma", "τ": "tau",
    "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma",
    "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma",
    "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "≈": "approx", "≠": "neq", "→": "to",
    "←": "leftarrow", "↑": "uparrow", "↓": "downarrow", "±": "pm", "×": "times", "÷": "div",
    "√": "surd", "∞": "infty", "•": "bullet", "≤": "leq", "≥": "geq", "·": "cdot", "∑": "sum",
    "∏": "prod", "∈": "in", "∼": "sim", "≡": "equiv", "∩": "cap", "∪": "cup", "⊂": "subset",
    "′": "prime", "†": "dagger", "‡": "ddagger", "¬": "neg",
}  # fmt: skip
SIGNS: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "^": r"\textasciicircum{}", "_": r"\_", "~": r"\textasciitilde{}", "%": r"\%",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\`{}", "−": r"$-$",
    **{sign: f"$\\{name}$" for sign, name in _GREEK.items()},
    "°": r"$^\circ$", "½": r"$\frac{1}{2}$", "¼": r"$\frac{1}{4}$", "¾": r"$\frac{3}{4}$",
    **{sign: f"$^{power}$" for power, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{sign: f"$_{index}$" for index, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    "…": r"\ldots{}", "“": "``", "”": "''", "„": ",,", "‘": "`", "’": "'", "–": "--", "—": "---",
    "‑": "-", "‐": "-", "§": r"\S{}", "¶": r"\P{}", "©": r"\copyright{}", "£": r"\pounds{}",
    "¿": "?`", "¡": "!`", "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}",
    "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}", "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}",
    "«": r"$\ll$", "»": r"$\gg$", "\u2009": r"\,", "\u202f": r"\,", "\u00a0": "~",
}  # fmt: skip
_ACCENTS: Final = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d",
    "\u0327": "c", "\u0331": "b",
}  # fmt: skip
_OGONEK: Final = "\u0328"
_JOINED: Final = "-'"
"""Two of these a font of TeX would join into another sign."""
_KEPT: Final = 10_000
"""Texts that are not written and measured again: a table says the same in many cells."""


@lru_cache(maxsize=_KEPT)
def escaped(text: str) -> str:
    r"""Write text so that LaTeX prints it as it is, in the seven-bit signs that any engine reads.

    Latin letters with accents, Greek and the signs of arithmetic print as such. A letter that
    pdflatex's own fonts do not have, such as one of another script, is written as its number in
    Unicode; signs that show nothing are left out.

    Example:
        >>> escaped("50 % of_all & κ"), escaped("Sjögren"), escaped("中文 a")
        ('50 \\% of\\_all \\& $\\kappa$', 'Sj\\"{o}gren', '[U+4E2D U+6587] a')
    """
    written: list[str] = []
    unknown: list[str] = []
    before = ""
    for sign in " ".join(unicodedata.normalize("NFC", text).split()):
        code = _written(sign)
        if code is None:
            unknown.append(f"U+{ord(sign):04X}")
        else:
            if unknown and code:
                written.append(_numbers(unknown))
                unknown = []
            written.append("{}" + code if sign == before and sign in _JOINED else code)
        before = sign
    return "".join([*written, *([_numbers(unknown)] if unknown else [])])


def _numbers(unknown: list[str]) -> str:
    return f"[{' '.join(unknown)}]"


def _written(sign: str) -> str | None:
    """Give the code of one sign; None where the fonts do not have it."""
    if sign in SIGNS:
        return SIGNS[sign]
    if sign.isascii() and sign.isprintable():
        return sign
    if unicodedata.category(sign) in {"Cc", "Cf", "Mn"}:
        return ""
    parts = unicodedata.normalize("NFD", sign)
    base, marks = parts[0], parts[1:]
    if not (base.isascii() and base.isalpha()):
        return None
    for mark in marks:
        if mark == _OGONEK:
            base = f"{{\\ooalign{{{base}\\crcr\\hfil\\lower1.5ex\\hbox{{\\`{{}}}}}}}}"
        elif mark in _ACCENTS:
            base = f"\\{_ACCENTS[mark]}{{{_dotless(base)}}}"
        else:
            return None
    return base


def _dotless(base: str) -> str:
    return {"i": "\\i", "j": "\\j"}.get(base, base)


_EM: Final = {
    **dict.fromkeys("fijlrtI!|'.,:;()[]", 0.34),
    **dict.fromkeys(" ", 0.33),
    **dict.fromkeys("mwMW%@", 0.86),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ+<>=−≤≥±×", 0.73),
    **dict.fromkeys("acegkosvxyz", 0.49),
}
_OTHER: Final = 0.52
_BREAKS: Final = re.compile(r"(?<=[(=,/|:;_@])(?=.)")
_SHORT, _PIECE = 18, 14
"""A longer word is broken after its signs, and a piece without one after so many letters."""


@lru_cache(maxsize=_KEPT)
def width(text: str) -> float:
    """Measure a line in em of Computer Modern, to about a tenth.

    Example:
        >>> round(width("12"), 2), round(width("Mean"), 2)
        (1.04, 2.36)
    """
    return sum(_sign(sign) for sign in text)


def _sign(sign: str) -> float:
    if sign.isascii() or sign in _EM:
        return _EM.get(sign, _OTHER)
    # What has no letter in the fonts is written as its number.
    return 3.6 if escaped(sign).startswith("[U+") else 0.6


@lru_cache(maxsize=_KEPT)
def longest_word(text: str) -> float:
    """Measure the longest part of a text that is not broken over lines."""
    return max((width(part) for word in text.split() for part in pieces(word)), default=0.0)


def pieces(word: str) -> list[str]:
    """Break a long word, such as a signature or a hash, where a line may end.

    Example:
        >>> pieces("ROUGE-1"), pieces("rouge1(limit=15,ref=human)")
        (['ROUGE-1'], ['rouge1(', 'limit=', '15,', 'ref=', 'human)'])
    """
    if len(word) <= _SHORT:
        return [word]
    return [
        part[at : at + _PIECE] for part in _BREAKS.split(word) for at in range(0, len(part), _PIECE)
    ]


_ASIDE: Final = 0.85
"""The type of an interval beside its estimate, in that of the table."""
_LONGEST: Final = 9.0
"""A heading is broken into lines no narrower than this, in em, unless a word is longer."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One column with its widths in em of the table's type.

    Attributes:
        column: The column.
        heading: The lines of its heading.
        natural: Its width where no line is broken.
        least: Its longest word.
        apart: Its asides stand in a column of their own, so that estimates and intervals line up.
    """

    column: Column
    heading: tuple[str, ...]
    natural: float
    least: float
    apart: bool


def measured(column: Column, cells: Sequence[Cell]) -> Measured:
    """Measure one column."""
    apart = column.numeric and any(cell.aside for cell in cells)
    texts = [f"{cell.text}{'a' if cell.missing and cell.detail else ''}" for cell in cells]
    asides = [cell.aside for cell in cells]
    body = max((width(text) for text in texts), default=0.0)
    beside = max((_ASIDE * width(text) for text in asides), default=0.0)
    if apart:
        body += beside + 0.4
    else:
        own = (width(t) + _ASIDE * width(f" {a}") for t, a in zip(texts, asides, strict=True) if a)
        body = max([body, *own])
    words = max((longest_word(text) for text in texts), default=0.0)
    heading = _heading_words(column, body)
    head = max(map(width, heading))
    return Measured(column, heading, max(body, head), max(words, head), apart)


def under_groups(columns: Iterable[Measured]) -> list[Measured]:
    """Widen the last column under a heading of several that is wider than they are."""
    widened: list[Measured] = []
    for group, several in groupby(columns, key=lambda column: column.column.group):
        own = list(several)
        if group:
            room = sum(column.natural for column in own)
            more = max(map(width, broken(group, room))) - room
            if more > 0:
                own[-1] = replace(own[-1], natural=own[-1].natural + more)
        widened += own
    return widened


def _heading_words(column: Column, body: float) -> tuple[str, ...]:
    """Break a heading where its column is narrower than it."""
    return broken(column.title, max(body, _LONGEST if column.wide else 0.0))


def broken(text: str, room: float) -> tuple[str, ...]:
    """Break a heading into lines of so many em, or of its longest word.

    Example:
        >>> broken("Adjusted p", 5.0), broken("Adjusted p", 2.0)
        (('Adjusted p',), ('Adjusted', 'p'))
    """
    most = max(room, longest_word(text))
    lines: list[str] = []
    for word in text.split() or [""]:
        if lines and width(f"{lines[-1]} {word}") <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


GAP: Final = 3.0
"""Points on either side of a column."""
_SURE: Final = 0.96
"""Widths are known to a few hundredths only."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to set a table.

    Attributes:
        size: The command of the type.
        em: Points of an em.
        line: Points of the line's width.
        rows: Lines that a page holds beside a caption.
        turned: Over the height of the page.
        most: A column of words breaks its lines from so many em on.
        least: A broken column is at least so wide, in em.
    """

    size: str
    em: float
    line: float
    rows: int
    turned: bool
    most: float
    least: float


# A4 with margins of 25 mm: 455 pt by 702 pt.
_WAYS: Final = (
    _Way("small", 9.3, 455, 42, turned=False, most=20, least=14),
    _Way("footnotesize", 8.55, 455, 50, turned=False, most=18, least=12),
    _Way("scriptsize", 8.0, 455, 56, turned=False, most=16, least=11),
    _Way("footnotesize", 8.55, 690, 28, turned=True, most=18, least=12),
    _Way("scriptsize", 8.0, 690, 32, turned=True, most=14, least=8),
)


@dataclass(frozen=True, slots=True)
class Layout:
    """How one table, or a part of one, is set.

    Attributes:
        columns: Its columns, measured.
        places: Where they stand in the whole table.
        shares: The part of the line's width of each column that breaks its lines; None elsewhere.
        size: The command of the type.
        turned: Over the height of the page.
        long: It goes on over pages.
        filled: The part of the line's width that the table takes.
    """

    columns: tuple[Measured, ...]
    places: tuple[int, ...]
    shares: tuple[float | None, ...]
    size: str
    turned: bool
    long: bool
    filled: float


def laid_out(table: Table) -> list[Layout]:
    """Choose the largest type in which a table fits; a table too wide for all goes in parts.

    Each part begins with the first column.
    """
    columns = under_groups(
        measured(column, [row.cells[at] for row in table.rows])
        for at, column in enumerate(table.columns)
    )
    layouts: list[Layout] = []
    todo = list(range(len(columns)))
    while todo:
        taken = _most_that_fit(columns, todo if not layouts else [0, *todo])
        layout = _set([columns[at] for at in taken]) or _forced([columns[at] for at in taken])
        layouts.append(replace(layout, places=tuple(taken), long=_is_long(table, layout, taken)))
        todo = [at for at in todo if at not in taken]
    return layouts


def _most_that_fit(columns: Sequence[Measured], places: list[int]) -> list[int]:
    """Take as many columns as a page can hold, and never less than the first two."""
    for many in range(len(places), 2, -1):
        if _set([columns[at] for at in places[:many]]) is not None:
            return places[:many]
    return places[:2]


def _set(columns: list[Measured]) -> Layout | None:
    return next(filter(None, (_fit(columns, way) for way in _WAYS)), None)


def _fit(columns: list[Measured], way: _Way) -> Layout | None:
    room = _SURE * way.line - 2 * GAP * (len(columns) - 1)
    breaks = [_breaks(column, way) for column in columns]
    fixed = sum(
        way.em * column.natural
        for column, broken in zip(columns, breaks, strict=True)
        if not broken
    )
    least = [
        way.em * min(column.natural, max(column.least, way.least)) if broken else 0.0
        for column, broken in zip(columns, breaks, strict=True)
    ]
    spare = room - fixed - sum(least)
    if spare < 0:
        return None
    wish = [
        way.em * column.natural - own if broken else 0.0
        for column, own, broken in zip(columns, least, breaks, strict=True)
    ]
    part = min(1.0, spare / sum(wish)) if sum(wish) > 0 else 0.0
    shares = tuple(
        (own + part * more) / way.line if broken else None
        for own, more, broken in zip(least, wish, breaks, strict=True)
    )
    taken = fixed + sum(least) + part * sum(wish) + 2 * GAP * (len(columns) - 1)
    places = tuple(range(len(columns)))
    return Layout(
        tuple(columns), places, shares, way.size, way.turned, long=False, filled=taken / way.line
    )


def _forced(columns: list[Measured]) -> Layout:
    """Set two columns that are too wide even so: both break wherever they must."""
    way = _WAYS[-1]
    total = sum(column.natural for column in columns)
    room = 1 - 2 * GAP * (len(columns) - 1) / way.line
    shares = tuple(room * max(0.2, min(0.8, column.natural / total)) for column in columns)
    places = tuple(range(len(columns)))
    return Layout(
        tuple(columns), places, shares, way.size, way.turned, long=False, filled=sum(shares)
    )


def _breaks(column: Measured, way: _Way) -> bool:
    return not column.column.numeric and column.natural > way.most


def _is_long(table: Table, layout: Layout, places: Sequence[int]) -> bool:
    """Say whether the table is higher than a page."""
    way = next(w for w in _WAYS if (w.size, w.turned) == (layout.size, layout.turned))
    caption = ceil(width(table.caption) * 10 / way.line)
    lines = caption + 2 + sum(_lines(row, layout, places, way) for row in table.rows)
    return lines + len(table.groups) > way.rows


def _lines(row: Row, layout: Layout, places: Sequence[int], way: _Way) -> int:
    return max(
        ceil(way.em * width(f"{row.cells[at].text} {row.cells[at].aside}") / (share * way.line))
        if share
        else 1
        for at, share in zip(places, layout.shares, strict=True)
    )


PACKAGES: Final = ("array", "booktabs", "graphicx", "longtable", "pdflscape", "rotating")
_NEGATIVE: Final = re.compile(r"^-(?=[\d.])")
_ZERO: Final = re.compile(r"(?<![\d.])0(?=\.\d)")
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
    beside = cell.aside
    if cell.bounded:
        plain, beside = _ZERO.sub(".", plain), _ZERO.sub(".", beside)
    text = escaped(plain) if share is None else breakable(plain)
    if cell.missing and cell.detail:
        text += notes.mark(cell.detail)
    aside = f"{{\\scriptsize {escaped(beside)}}}" if beside else ""
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
