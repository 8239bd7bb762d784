"""Runs that do in tests what tests look at: no figures, few draws, no waiting for the disk.

Drawing takes most of the time of a small study's report, and few tests look at the figures of a
run: those ask for the fixture `figures`, which draws them as SVG, and gives no part of them another
place than it was made in. The draws of the budget curve,
and of rankings by fewer labels, take most of the time of a small study's run. Tests of all forms
or all draws ask for `whole_runs`, and standard runs are whole.

Pages of the documentation that name no figure are followed without any (`printing`).

Nor do copies of the process draw: the tests share the processors already, and making a copy of a
process with all its libraries costs more than a small study's figures.

A PDF that is drawn all the same holds one and the same set of letters, which is cut out of the type
once: to cut out those of each figure takes two thirds of its writing.

A demonstration that a program writes is written once, and pictures of dots have few of them.

Nor are the words of the command line gone through again for each command that tests give, nor all
installed packages for what they bring; where a test adds a folder of packages, they are.

Nor does a quick run wait for the disk after each file. Whoever reads a file, in whatever process
and after whatever kill, reads what was written; only a machine that loses its power tells them
apart, and a run writes a hundred files.
"""

import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

import pytest
import typer.main
import typer.testing

from medassay import library, plugins
from medassay.analyses import Results
from medassay.analyses.builtin import aggregation_methods, annotation_budget
from medassay.report import render, write_paper
from medassay.report.figures import figure_bytes, save, written
from medassay.report.figures.draw import drawn_by
from medassay.report.figures.letters import lay_out
from medassay.study import Study, demo
from medassay.study.scoring.processes import usable_processes
from medassay.testing import of_format
from medassay.validity import scheme_ranks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_RENDERING: Final = sys.modules[render.__module__]
_RUNNING: Final = library, of_format
_LAYING_OUT: Final = sys.modules[drawn_by.__module__], save
_DRAWS: Final = 2
_WHOLE_DRAWS: Final = annotation_budget._DRAWS  # noqa: SLF001 - tests may change what no user can
_WHOLE_PAPER: Final = write_paper.__defaults__
_COMMAND_OF: Final = cache(typer.main.get_command)
_BROUGHT: Final = cache(entry_points)
_FEW_DOTS: Final = 50
_OF_LAYOUT: Final = ["GDEF", "GPOS", "GSUB"]
"""Tables of a type that lay out other scripts, and show nothing."""
_USUAL: Final = frozenset(
    letter
    for first, last in (
        *((0x20, 0x17F), (0x370, 0x3FF), (0x2000, 0x206F), (0x2190, 0x22FF)),
        (0xFB00, 0xFB06),  # two or three letters in one
    )
    for letter in range(first, last + 1)
)
"""The letters of nearly all figures: Latin and Greek ones, dashes, arrows, signs of mathematics."""
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
        patch.setattr(written, "figure_bytes", _with_kept_letters)
        patch.setattr(annotation_budget, "_DRAWS", _DRAWS)
        patch.setattr(aggregation_methods, "scheme_ranks", partial(scheme_ranks, draws=_DRAWS))
        patch.setattr(os, "fsync", _GO_ON)
        patch.setattr(plugins, "entry_points", partial(_brought, tuple(sys.path)))
        patch.setattr(typer.main, "get_command", _COMMAND_OF)
        patch.setattr(typer.testing, "_get_command", _COMMAND_OF)
        for name, make in demo._MADE.items():  # noqa: SLF001 - as above
            patch.setitem(demo._MADE, name, cache(make))  # noqa: SLF001 - as above
        yield


@contextmanager
def drawing() -> Iterator[None]:
    """Let runs inside draw their figures, as SVG, each part where it was made."""
    with pytest.MonkeyPatch.context() as patch:
        for module in _RUNNING:
            patch.setattr(module, "render", render)
        for module in _LAYING_OUT:
            patch.setattr(module, "lay_out", _where_it_was_made)
        patch.setattr(write_paper, "__defaults__", (("svg",),))
        yield


@contextmanager
def printing(*, drawn: bool) -> Iterator[None]:
    """Let runs inside print what a user gets; figures are drawn where somebody looks at them."""
    with pytest.MonkeyPatch.context() as patch:
        for module in _LAYING_OUT:
            patch.setattr(module, "lay_out", _where_it_was_made)
        patch.setattr(written, "figure_bytes", _with_kept_letters)
        patch.setattr(os, "fsync", _GO_ON)
        if not drawn:
            patch.setattr(_RENDERING, "write_figures", lambda *_: {})
        yield


@contextmanager
def whole() -> Iterator[None]:
    """Let runs inside be what a user gets."""
    with drawing(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(write_paper, "__defaults__", _WHOLE_PAPER)
        patch.setattr(written, "usable_processes", usable_processes)
        patch.setattr(written, "figure_bytes", figure_bytes)
        for module in _LAYING_OUT:
            patch.setattr(module, "lay_out", lay_out)
        patch.setattr(annotation_budget, "_DRAWS", _WHOLE_DRAWS)
        patch.setattr(aggregation_methods, "scheme_ranks", scheme_ranks)
        patch.setattr(os, "fsync", _WAIT_FOR_DISK)
        yield


@contextmanager
def read_once() -> Iterator[None]:
    """Let studies that nothing inside changes be read once, for all commands that ask them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Study, "open_whole", staticmethod(cache(Study.open_whole)))
        yield


def _brought(usual: Sequence[str]) -> Any:  # noqa: ANN401 - another type in each Python
    """Give what installed packages offer, looked up once for the usual path."""
    return _BROUGHT() if tuple(sys.path) == usual else entry_points()


def _where_it_was_made(figure: "Figure") -> None:
    figure.set_layout_engine("none")


class _Font(NamedTuple):
    """A font that is written as it is kept."""

    content: bytes

    def save(self, file: IO[bytes], **_: object) -> None:
        file.write(self.content)


class _Letters(NamedTuple):
    """What matplotlib gets of a font for a PDF: the font, and the new number of each glyph."""

    font: _Font
    glyph_index_map: Mapping[int, int]


def _with_kept_letters(figure: "Figure", form: str, title: str) -> bytes:
    """Write a figure; a PDF with the letters that all of them have, a PNG of few dots."""
    if form == "png":
        return figure_bytes(figure, form, title, dpi=_FEW_DOTS)
    if form != "pdf":
        return figure_bytes(figure, form, title)
    from matplotlib.backends import _backend_pdf_ps as of_pdf

    cut_out: Any = of_pdf.get_glyphs_subset  # it takes any collection, and says a set

    @contextmanager
    def kept(file: Any, glyphs: Collection[int]) -> Iterator[Any]:  # noqa: ANN401 - matplotlib's own
        letters = _letters(file, cut_out)
        if letters.glyph_index_map.keys() >= set(glyphs):
            yield letters
        else:
            with cut_out(file, glyphs) as others:
                yield others

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_pdf, "get_glyphs_subset", kept)
        return figure_bytes(figure, form, title)


@cache
def _letters(file: Any, cut_out: Callable[..., Any]) -> _Letters:  # noqa: ANN401 - as above
    """Cut the usual letters out of a font."""
    from fontTools.subset import Options
    from matplotlib.backends import _backend_pdf_ps as of_pdf
    from matplotlib.font_manager import get_font

    as_file: Any = of_pdf.font_as_file  # without types
    glyphs = {glyph for letter, glyph in get_font(file).get_charmap().items() if letter in _USUAL}
    with pytest.MonkeyPatch.context() as patch:
        dropped = "_drop_tables_default"
        patch.setattr(Options, dropped, [*getattr(Options, dropped), *_OF_LAYOUT])
        with cut_out(file, glyphs) as cut:
            return _Letters(_Font(as_file(cut.font).getvalue()), cut.glyph_index_map)


def _undrawn(results: Results, into: Path) -> list[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_RENDERING, "write_figures", lambda *_: {})
        return render(results, into)
