"""Runs that do in tests what tests look at: figures as SVG alone, the budget curve from few draws.

The other forms of a figure say the same, and take most of the time of a report; the draws take most
of the time of a small study's run. Tests of either ask for `whole`, and standard runs are whole.

Nor do copies of the process draw: the tests share the processors already, and making a copy of a
process with all its libraries costs more than a small study's figures.

Nor does a quick run wait for the disk after each file. Whoever reads a file, in whatever process
and after whatever kill, reads what was written; only a machine that loses its power tells them
apart, and a run writes a hundred files.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import pytest

from medassay.analyses.builtin import annotation_budget
from medassay.report import write_paper
from medassay.report.figures import written
from medassay.study.processes import usable_processes

__all__ = ["quick", "whole"]

_FORMATS: Final = ("svg",)
_DRAWS: Final = 2
_OF: Final[dict[Any, tuple[object, ...] | None]] = {one: one.__defaults__ for one in (write_paper,)}
_WHOLE_DRAWS: Final = annotation_budget._DRAWS  # noqa: SLF001 - tests may change what no user can
_WAIT_FOR_DISK: Final = os.fsync
_GO_ON: Final = os.fstat
"""Refuses what is no open file, as waiting would."""


@contextmanager
def quick() -> Iterator[None]:
    """Let runs inside be quick, whoever starts them in this process."""
    defaults = {one: (_FORMATS, *(now or ())[1:]) for one, now in _OF.items()}
    yield from _set(defaults, _DRAWS, _GO_ON, lambda: 1)


@contextmanager
def whole() -> Iterator[None]:
    """Let runs inside be what a user gets."""
    yield from _set(_OF, _WHOLE_DRAWS, _WAIT_FOR_DISK, usable_processes)


def _set(
    defaults: Mapping[Any, tuple[object, ...] | None],
    draws: int,
    flush: Callable[[int], object],
    processes: Callable[[], int],
) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for function, values in defaults.items():
            patch.setattr(function, "__defaults__", values)
        patch.setattr(written, "usable_processes", processes)
        patch.setattr(annotation_budget, "_DRAWS", draws)
        patch.setattr(os, "fsync", flush)
        yield
