"""medassay report."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from medassay.cli.options import Against, AsJson, Offline, StudyFolder, Texts
from medassay.cli.verb import examples

if TYPE_CHECKING:
    from medassay.report import Form

_PAPER: Final = "paper"
"""Among the forms: the figures and tables of the paper, which are of the run, not of its page."""


@examples(
    "medassay report my-study",
    "medassay report my-study --to docx,abstract",
    "medassay report my-study --to latex,xlsx",
    "medassay report my-study --to paper",
    "medassay report my-study --texts none --into to-share",
    "medassay report my-study --to png --into reports/charts",
)
def report(
    study: StudyFolder,
    *,
    texts: Texts = None,
    into: Annotated[
        Path | None, typer.Option(help="Write the report here too, beside the run's own folder.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMS",
            help="Any of html, json, md, csv, latex, docx, xlsx, tables, checklists, "
            "abstract, pdf, png, paper, joined by commas. They go into the run's folder, "
            "which always holds the first four; with --into only there. pdf, png: the "
            "figures. paper: Figures 1-3, Tables 1-4 and S1 of the paper, always into "
            "the run's folder too.",
        ),
    ] = None,
    against: Against = None,
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """Write a study's report: a page, tables, figures. It runs the study first if anything changed.

    --to docx writes a Word document in the order of CHART, --to abstract one page for a slide.
    --to latex,xlsx adds LaTeX that compiles as it is, with the methods and the results in words,
    and a workbook with one sheet a table. --to checklists fills CHART and TRIPOD-LLM: what is
    reported, and where.
    """
    from medassay.campaign import refuse_among_sheets
    from medassay.cli.output import progress
    from medassay.cli.running import print_paper, print_run
    from medassay.library import run_and_report
    from medassay.report import STANDARD, read_results, render, write_paper
    from medassay.study import only_writer

    forms, paper = (STANDARD, False) if to is None else _forms(to)
    if into is not None:
        refuse_among_sheets(study, into)
    done = run_and_report(study, texts=texts, offline=offline, against=against, progress=progress())
    copied: list[Path] = []
    items = None
    more = [form for form in forms if into is not None or form not in STANDARD]
    inside = paper or (more and into is None)
    with only_writer(study) if inside else nullcontext():
        if more:
            folder = done.folder if into is None else into
            alone = into is not None and set(more) <= {"pdf", "png"}
            copied = render(
                read_results(done.folder / "report.json"),
                folder,
                forms=more,
                figures="" if alone else "figures",
            )
        if paper:
            results = read_results(done.folder / "report.json")
            items = write_paper(results, done.folder / "paper")
            if into is not None:
                write_paper(results, into / "paper")
                copied.append(into / "paper" / "README.md")
    print_run(done, as_json=as_json, copied=copied, paper=items)
    if items is not None and not as_json:
        print_paper(items, done.folder / "paper")


def _forms(asked: str) -> "tuple[list[Form], bool]":
    """Read the forms, each once in the order of writing, and whether `paper` is among them.

    Raises:
        InvalidInput: A word is none of them, or there is none; every such word is named.
    """
    from medassay.errors import InvalidInput, Problem
    from medassay.report import FORMS

    words = [word.strip().lower() for word in asked.split(",") if word.strip()]
    wrong = [word for word in dict.fromkeys(words) if word not in {*FORMS, _PAPER}]
    must = f"be any of {', '.join(FORMS)}, {_PAPER}, joined by commas"
    if wrong or not words:
        raise InvalidInput(Problem("--to", must, word) for word in wrong or [asked])
    return [form for form in FORMS if form in words], _PAPER in words
