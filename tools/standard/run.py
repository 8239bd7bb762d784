"""A standard study, run and rendered: what tests share, and what a freeze is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from medassay.analyses import Results, run_study
from medassay.analyses.reading import results_of
from medassay.report import render, write_paper
from medassay.study import open_run
from tools.quick_runs import whole
from tools.standard import write_standard

_WHOLE: Final = "results-whole.json"
"""All that the run found; unlike report.json also what a study keeps to itself."""


@dataclass(frozen=True)
class StandardRun:
    """A finished run of a standard study, to be read and never written to.

    Attributes:
        name: The study's.
        study: Its folder.
        folder: The run's, with page, report.json, tables, figures as SVG, and paper/.
    """

    name: str
    study: Path
    folder: Path

    @cached_property
    def results(self) -> Results:
        """Give all that was found, texts and ids among it, whatever the study keeps to itself."""
        return results_of((self.study.parent / f"{self.name}-{_WHOLE}").read_bytes())


def run_standard(name: str, into: Path, figures: Sequence[str] = ("svg",)) -> StandardRun:
    """Write a study into a folder of its name, run it, and render it.

    Args:
        name: One of `STANDARD`.
        into: The folder around the study's.
        figures: Forms of the figures; none leaves them to whoever needs them.
    """
    study = write_standard(name, into)
    run = open_run(study)
    with whole():
        results, _ = run_study(run)
    render(results, run.folder, formats=figures)
    write_paper(results, run.folder / "paper", formats=figures)
    run.finish()
    (into / f"{name}-{_WHOLE}").write_text(results.model_dump_json(), encoding="utf-8")
    return StandardRun(name, study, run.folder)
