"""The paper's folder: files of every figure and table, and the README that lists them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from medassay.analyses.results import Results
from medassay.exhibits.drawing import journal
from medassay.report.figures import FORMATS, figure_bytes
from medassay.report.figures.letters import drawable
from medassay.report.latex import table_latex
from medassay.report.paper.difficulty import figure_3
from medassay.report.paper.item import Item
from medassay.report.paper.rated_tables import table_1, table_2, table_3, table_4, table_s1
from medassay.report.paper.schemes import figure_2
from medassay.report.paper.tau_map import figure_1
from medassay.report.privacy import guarded
from medassay.report.tables import SYNTHETIC, table_csv, table_markdown
from medassay.report.whose import Whose
from medassay.tables import text_bytes, write_all

_INTRODUCTION: Final = (
    "They are those of Soni & Demner-Fushman, *Automated evaluation can distinguish the good and "
    "bad AI responses to patient questions about hospitalization*, drawn from this study. Figures: "
    "PDF and SVG for print, PNG at 300 dpi, the numbers behind each as CSV. Tables: CSV "
    "(unrounded), Markdown, LaTeX (booktabs)."
)


def paper_items(results: Results) -> list[Item]:
    """Make Figures 1 to 3 and Tables 1 to 4 and S1, or say what each of them needs."""
    results = guarded(results)
    with journal():
        # The tables keep every letter.
        plain = drawable(results)
        items = [
            *(make(plain) for make in (figure_1, figure_2, figure_3)),
            *(make(results) for make in (table_1, table_2, table_3, table_4)),
            *table_s1(results),
        ]
        of_cases = Whose(results).of_cases
        return [
            replace(
                item,
                caption=of_cases(item.caption),
                table=item.table and replace(item.table, caption=of_cases(item.table.caption)),
            )
            for item in items
        ]


def write_paper(results: Results, into: Path, formats: Sequence[str] = FORMATS) -> list[Item]:
    """Write every figure and table, and README.md with their captions.

    The same results give the same bytes. What an earlier call wrote and this one cannot is left.

    Args:
        results: All of a run.
        into: The folder; it is made where there is none.
        formats: Forms of the figures, out of `svg`, `pdf` and `png`.

    Returns:
        What was made, and what is missing.

    Raises:
        InvalidInput: The folder cannot be written.
    """
    items, whose = paper_items(results), Whose(results)
    files: dict[str, bytes] = {}
    for item in items:
        if item.figure is not None:
            title = f"{item.number}. {item.title}"
            for form in formats:
                files[f"{item.id}.{form}"] = figure_bytes(item.figure, form, title)
        if item.table is not None:
            name = item.id
            files[f"{name}.csv"] = table_csv(whose.table(item.table))
            if item.figure is None:
                files[f"{name}.md"] = table_markdown(item.table)
                files[f"{name}.tex"] = table_latex(item.table)
    files["README.md"] = _readme(results, items, list(files))
    write_all({into / name: content for name, content in files.items()})
    return items


def _readme(results: Results, items: Sequence[Item], files: Sequence[str]) -> bytes:
    study = results.study
    lines = [f"# {_plain(study.title)}: figures and tables of the paper", ""]
    if study.synthetic:
        lines += [f"> {SYNTHETIC}", ""]
    lines += [_INTRODUCTION, ""]
    missing = [item for item in items if item.missing]
    if missing:
        lines += ["## Missing", "", *(f"- {item.missing}" for item in missing), ""]
    for item in items:
        if item.missing:
            continue
        own = [name for name in files if Path(name).stem == item.id]
        lines += [f"## {item.number}. {item.title}", ""]
        if item.figure is not None and f"{item.id}.png" in own:
            lines += [f"![{item.number}]({item.id}.png)", ""]
        lines += [_plain(item.caption), ""]
        lines += ["Files: " + ", ".join(f"[{name}]({name})" for name in own), ""]
        lines += [f"Signature: `{item.signature.replace('`', '')}`", ""]
    return text_bytes("\n".join(lines))


def _plain(text: str) -> str:
    for sign in "\\<`*_":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
