"""A run as LaTeX: one file a table, and a main file that compiles as it is."""

import re
from collections.abc import Sequence
from typing import Final

from medassay.report.forms.document import Document, Drawn
from medassay.report.latex import PACKAGES, breakable, escaped, table_latex
from medassay.report.prose import SOFTWARE, Statement
from medassay.report.tables import SYNTHETIC, Table
from medassay.tables import text_bytes

_CITED: Final = re.compile(r" \[" + SOFTWARE.key + r"\]")
_LINE: Final = 160
"""Millimetres of a line: a wider figure is made smaller, none is made larger."""
_FLUSH: Final = 12
"""So many floats may wait at most before a page is filled with them."""
_HEAD: Final = (
    "% Made by medassay. Compile with pdflatex until it asks for no further run.",
    "% The tables and figures beside it may be used alone: the first line of each says what it",
    "% needs. A letter that the fonts of pdflatex do not have stands as its number, [U+4E2D].",
    r"\documentclass[10pt,a4paper]{article}",
    r"\usepackage[margin=25mm]{geometry}",
    r"\IfFileExists{lmodern.sty}{\usepackage[T1]{fontenc}\usepackage{lmodern}}{}",
    rf"\usepackage{{{','.join(PACKAGES)}}}",
    r"\usepackage[font=small,labelfont=bf,justification=raggedright,singlelinecheck=false]{caption}",
    r"\emergencystretch=3em",
)


def latex_files(document: Document, figures: Sequence[Drawn]) -> dict[str, bytes]:
    """Write main.tex and tables/*.tex.

    Args:
        document: The run.
        figures: Every figure.

    Returns:
        Path to content.
    """
    files = {f"tables/{table.id}.tex": table_latex(table) for table in document.tables}
    files["main.tex"] = _main(document, figures)
    return files


def _main(document: Document, figures: Sequence[Drawn]) -> bytes:
    study = document.results.study
    made_up = study.synthetic
    lines = [*([f"% {SYNTHETIC}"] if made_up else []), *_HEAD]
    lines += [f"\\title{{{escaped(study.title)}}}", "\\author{}"]
    lines += [f"\\date{{{escaped(study.date or '')}}}", "\\begin{document}", "\\maketitle"]
    if made_up:
        banner = f"\\fbox{{\\parbox{{0.9\\linewidth}}{{\\centering {SYNTHETIC}}}}}"
        lines += ["\\begin{center}", banner, "\\end{center}"]
    lines += ["\\section{Methods}", _paragraph(document, document.methods)]
    lines += ["\\section{Results}", _paragraph(document, document.found)]
    lines += ["\\begin{thebibliography}{9}"]
    lines += [
        f"\\bibitem{{{reference.key}}} {breakable(reference.text)}"
        for reference in document.references
    ]
    lines += ["\\end{thebibliography}", "\\clearpage"]
    lines += [*_figures(figures), *_inputs(document.tables)]
    lines += [
        "\\clearpage",
        *_elsewhere(document),
        "\\section*{Signatures}",
        "{\\scriptsize\\raggedright",
        *(f"{breakable(signature)}\\par" for _, signature in document.signatures),
        "}",
        "\\end{document}",
    ]
    return text_bytes("\n".join(line for line in lines if line) + "\n")


def _paragraph(document: Document, statements: Sequence[Statement]) -> str:
    lines = []
    for statement in statements:
        text = breakable(_CITED.sub("", statement.text))
        refs = [f"\\ref{{tab:{name}}}" for name in document.cited(statement)]
        beside = f" (Table~{', '.join(refs)})" if refs else ""
        if f"[{SOFTWARE.key}]" in statement.text:
            beside = f"~\\cite{{{SOFTWARE.key}}}{beside}"
        lines.append(f"{text[:-1]}{beside}." if text.endswith(".") else f"{text}{beside}")
    return "\n".join(lines)


def _figures(figures: Sequence[Drawn]) -> list[str]:
    lines = []
    for drawn in figures:
        text = escaped(f"{drawn.title}. {drawn.caption}".strip())
        wide = "\\linewidth" if drawn.width > _LINE else f"{drawn.width:.1f}mm"
        lines += [
            "\\begin{figure}[!htbp]",
            "\\centering",
            f"\\includegraphics[width={wide},height=0.8\\textheight,keepaspectratio]{{{drawn.path}}}",
            f"\\caption[{escaped(drawn.title)}]{{{text}}}",
            "\\end{figure}",
        ]
    return [*lines, *(["\\clearpage"] if lines else [])]


def _inputs(tables: Sequence[Table]) -> list[str]:
    lines = []
    for at, table in enumerate(tables, start=1):
        # Numbered as on the page, whatever is not printed between two tables.
        lines.append(f"\\setcounter{{table}}{{{table.number - 1}}}")
        lines.append(f"\\input{{tables/{table.id}.tex}}")
        if at % _FLUSH == 0:
            lines.append("\\clearpage")
    return lines


def _elsewhere(document: Document) -> list[str]:
    lines = [
        f"\\item Table {table.number}. {escaped(table.title)}: {len(table.rows)} rows, "
        "in the CSV and the workbook only."
        for table in document.files
    ]
    lines += [
        f"\\item Table {table.number}. {escaped(table.title)}: {escaped(table.empty)}"
        for table in document.empty
    ]
    if not lines:
        return []
    return ["\\section*{Not printed here}", "\\begin{itemize}", *lines, "\\end{itemize}"]
