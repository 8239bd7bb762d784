"""Runs that do in tests what tests look at: figures as SVG alone, the budget curve from few draws.

The other forms of a figure say the same, and take most of the time of a report; the draws take most
of the time of a small study's run. Tests of either ask for `whole`, and standard runs are whole.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

from medassay.analyses import joint
from medassay.report import render, write_paper

__all__ = ["quick", "whole"]

_FORMATS: Final = ("svg",)
_DRAWS: Final = 2
_OF: Final[dict[Any, tuple[object, ...] | None]] = {
    one: one.__defaults__ for one in (render, write_paper)
}
_WHOLE_DRAWS: Final = joint._DRAWS  # noqa: SLF001 - tests may change what no user can


@contextmanager
def quick() -> Iterator[None]:
    """Let runs inside be quick, whoever starts them in this process."""
    yield from _set({one: (_FORMATS, *(now or ())[1:]) for one, now in _OF.items()}, _DRAWS)


@contextmanager
def whole() -> Iterator[None]:
    """Let runs inside be what a user gets."""
    yield from _set(_OF, _WHOLE_DRAWS)


def _set(defaults: dict[Any, tuple[object, ...] | None], draws: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for function, values in defaults.items():
            patch.setattr(function, "__defaults__", values)
        patch.setattr(joint, "_DRAWS", draws)
        yield
