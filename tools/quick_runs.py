"""Runs that do in tests what tests look at: no figures, few draws, no waiting for the disk.

Drawing takes most of the time of a small study's report, and few tests look at the figures of a
run: those ask for the fixture `figures`, which draws them as SVG. The draws of the budget curve,
and of rankings by fewer labels, take most of the time of a small study's run. Tests of all forms
or all draws ask for `whole_runs`, and standard runs are whole.

Nor do copies of the process draw: the tests share the processors already, and making a copy of a
process with all its libraries costs more than a small study's figures.

A PDF that is drawn all the same holds its letters without the tables that lay out other scripts:
reading and cutting them down takes a fifth of the drawing, and they show nothing.

Nor are the words of the command line gone through again for each command that tests give.

Nor does a quick run wait for the disk after each file. Whoever reads a file, in whatever process
and after whatever kill, reads what was written; only a machine that loses its power tells them
apart, and a run writes a hundred files.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
import typer.main
import typer.testing

from medassay import library
from medassay.analyses import Results
from medassay.analyses.builtin import aggregation_methods, annotation_budget
from medassay.report import render, write_paper
from medassay.report.figures import figure_bytes, written
from medassay.study.scoring.processes import usable_processes
from medassay.testing import of_format
from medassay.validity import scheme_ranks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["drawing", "quick", "whole"]

_RENDERING: Final = sys.modules[render.__module__]
_RUNNING: Final = library, of_format
_DRAWS: Final = 2
_WHOLE_DRAWS: Final = annotation_budget._DRAWS  # noqa: SLF001 - tests may change what no user can
_WHOLE_PAPER: Final = write_paper.__defaults__
_COMMAND_OF: Final = cache(typer.main.get_command)
_OF_LAYOUT: Final = ["GDEF", "GPOS", "GSUB"]
_WAIT_FOR_DISK: Final = os.fsync
_GO_ON: Final = os.fstat
"""Refuses what is no open file, as waiting would."""


@contextmanager
def quick() -> Iterator[None]:
    """Let runs inside be quick, whoever starts them in this process."""
    with pytest.MonkeyPatch.context() as patch:
        for module in _RUNNING:
            patch.setattr(module, "render", _undrawn)
        patch.setattr(write_paper, "__defaults__", ((),))
        patch.setattr(written, "usable_processes", lambda: 1)
        patch.setattr(written, "figure_bytes", _with_slim_letters)
        patch.setattr(annotation_budget, "_DRAWS", _DRAWS)
        patch.setattr(aggregation_methods, "scheme_ranks", partial(scheme_ranks, draws=_DRAWS))
        patch.setattr(os, "fsync", _GO_ON)
        patch.setattr(typer.main, "get_command", _COMMAND_OF)
        patch.setattr(typer.testing, "_get_command", _COMMAND_OF)
        yield


@contextmanager
def drawing() -> Iterator[None]:
    """Let runs inside draw their figures, as SVG."""
    with pytest.MonkeyPatch.context() as patch:
        for module in _RUNNING:
            patch.setattr(module, "render", render)
        patch.setattr(write_paper, "__defaults__", (("svg",),))
        yield


@contextmanager
def whole() -> Iterator[None]:
    """Let runs inside be what a user gets."""
    with drawing(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(write_paper, "__defaults__", _WHOLE_PAPER)
        patch.setattr(written, "usable_processes", usable_processes)
        patch.setattr(written, "figure_bytes", figure_bytes)
        patch.setattr(annotation_budget, "_DRAWS", _WHOLE_DRAWS)
        patch.setattr(aggregation_methods, "scheme_ranks", scheme_ranks)
        patch.setattr(os, "fsync", _WAIT_FOR_DISK)
        yield


def _with_slim_letters(figure: "Figure", form: str, title: str) -> bytes:
    """Write a figure; of a PDF's fonts, only what shows letters."""
    if form != "pdf":
        return figure_bytes(figure, form, title)
    from fontTools.subset import Options

    with pytest.MonkeyPatch.context() as patch:
        dropped = "_drop_tables_default"
        patch.setattr(Options, dropped, [*getattr(Options, dropped), *_OF_LAYOUT])
        return figure_bytes(figure, form, title)


def _undrawn(results: Results, into: Path) -> list[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_RENDERING, "write_figures", lambda *_: {})
        return render(results, into)
