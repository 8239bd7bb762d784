"""A table as LaTeX, with the rules of booktabs."""

import re
from typing import Final

from medassay.report.tables import SYNTHETIC, Cell, Row, Table

__all__ = ["SIGNS", "escaped", "table_latex"]

SIGNS: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "^": r"\textasciicircum{}", "_": r"\_", "~": r"\textasciitilde{}", "%": r"\%",
    "<": r"\textless{}", ">": r"\textgreater{}", "−": r"$-$", "κ": r"$\kappa$", "τ": r"$\tau$",
    "ρ": r"$\rho$", "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$", "δ": r"$\delta$",
    "Δ": r"$\Delta$", "ε": r"$\varepsilon$", "λ": r"$\lambda$", "μ": r"$\mu$", "π": r"$\pi$",
    "σ": r"$\sigma$", "χ": r"$\chi$", "≈": r"$\approx$", "≠": r"$\neq$", "→": r"$\to$",
    "←": r"$\leftarrow$", "±": r"$\pm$", "×": r"$\times$", "÷": r"$\div$", "√": r"$\surd$",
    "∞": r"$\infty$", "°": r"$^\circ$", "²": r"$^2$", "³": r"$^3$", "µ": r"$\mu$",
    "½": r"$\frac{1}{2}$", "…": r"\ldots{}", "•": r"$\bullet$", "“": "``", "”": "''",
    "‘": "`", "—": "---", "‑": "-", "\u2009": r"\,", "\u200b": "", "\u00ad": "",
    "–": "--", "’": "'", "≤": r"$\leq$", "≥": r"$\geq$",
}  # fmt: skip
_WIDE_TEXT: Final = r">{\raggedright\arraybackslash}p{0.72\linewidth}"
_NEGATIVE: Final = re.compile(r"-[\d.]+$")
_FITTED: Final = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Made smaller only where it would run out of the page."""
_MANY, _TIGHT = 8, 5


def escaped(text: str) -> str:
    r"""Write text so that LaTeX prints it as it is.

    Example:
        >>> escaped("50 % of_all & κ")
        '50 \\% of\\_all \\& $\\kappa$'
    """
    return "".join(SIGNS.get(sign, sign) for sign in " ".join(text.split()))


def table_latex(table: Table) -> bytes:
    r"""Write a table environment: caption above, `\toprule`, `\midrule`, `\bottomrule`.

    A document needs the packages booktabs, array and graphicx; each file says so in its first line.
    """
    marks = "".join(
        "r" if column.numeric else _WIDE_TEXT if column.wide else "l" for column in table.columns
    )
    many = len(table.columns) > _MANY
    long = any(column.wide for column in table.columns)
    environment = "table*" if many else "table"
    title = f"{SYNTHETIC} " if table.synthetic else ""
    lines = [
        "% needs \\usepackage{booktabs,array,graphicx} and an engine that reads UTF-8",
        f"\\begin{{{environment}}}",
        "\\centering",
        f"\\caption{{{escaped(f'{title}{_without_number(table.title)}. {table.caption}')}}}",
        f"\\label{{tab:{table.id}}}",
        "\\footnotesize",
        *(["\\setlength{\\tabcolsep}{4pt}"] if len(table.columns) > _TIGHT else []),
        *([] if long else [_FITTED]),
        f"\\begin{{tabular}}{{@{{}}{marks}@{{}}}}",
        "\\toprule",
        *_heads(table),
        "\\midrule",
    ]
    across = len(table.columns)
    # A line over a column of wrapped text would run out of the page: it is wrapped as well.
    span = r"@{}>{\raggedright\arraybackslash}p{0.97\linewidth}@{}" if long else "@{}l"
    for place, (group, about, rows) in enumerate(table.groups):
        if group:
            said = f"\\textit{{{escaped(group)}}}" + (f" {escaped(about)}" if about else "")
            lines += ["\\addlinespace"] if place else []
            lines.append(f"\\multicolumn{{{across}}}{{{span}}}{{{said}}} \\\\")
        lines += [_line(row) for row in rows]
    lines += ["\\bottomrule", "\\end{tabular}" + ("" if long else "}"), f"\\end{{{environment}}}"]
    return ("\n".join(lines) + "\n").encode()


def _without_number(title: str) -> str:
    """LaTeX counts for itself."""
    head, _, rest = title.partition(". ")
    return rest if rest and head.startswith("Table") else title


def _heads(table: Table) -> list[str]:
    lines = []
    if table.column_groups:
        cells, rules, at = [], [], 1
        for name, span in table.column_groups:
            cells.append(f"\\multicolumn{{{span}}}{{c}}{{{escaped(name)}}}" if name else "")
            cells[-1] += " &" * (span - 1) if not name else ""
            if name:
                rules.append(f"\\cmidrule(lr){{{at}-{at + span - 1}}}")
            at += span
        lines = [" & ".join(cells) + " \\\\", " ".join(rules)]
    return [*lines, " & ".join(escaped(column.title) for column in table.columns) + " \\\\"]


def _line(row: Row) -> str:
    return " & ".join(_printed(cell) for cell in row.cells) + " \\\\"


def _printed(cell: Cell) -> str:
    aside = f" {{\\scriptsize {escaped(cell.aside)}}}" if cell.aside else ""
    text = escaped(cell.text)
    if _NEGATIVE.match(text):
        text = f"$-${text[1:]}"
    # A bracket that opens a line would be read as the option of the line break before it.
    return ("{}" if text.startswith("[") else "") + text + aside
