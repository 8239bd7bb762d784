"""Follow one tau through `trust`: where it stays, and how often its reader has to turn back.

`python -m tools.trace_tau` prints the functions that hold the tau of one metric, in the order in
which they are entered or left, and counts. A stay is a function that gets the tau or gives it; a
return is a step into a file that was left before.
"""

import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import FrameType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.validity import Source, Trust, trust

_SOURCE: Final = f"{Path(__file__).parents[1] / 'src' / 'medassay'}/"
_DEEPEST: Final = 3
_MOST_ITEMS: Final = 50


def stays_of_a_tau() -> tuple[list[str], int]:
    """Trust three metrics of twelve systems in families, partly judged; give stays and returns."""
    rng = np.random.default_rng(7)
    systems, cases = tuple("ABCDEFGHIJKL"), tuple(map(str, range(30)))
    truth = np.arange(12.0)[:, None] + 6 * rng.normal(size=(12, 30))
    known = rng.random((12, 30)) < 0.8  # noqa: PLR2004 - four of five answers are judged

    def column(name: str, spread: float, held: NDArray[np.bool_]) -> Source:
        values = truth + spread * rng.normal(size=truth.shape)
        return Source(name, Grid(systems, cases, values, held))

    everything = np.ones_like(known)
    metrics = [column(name, spread, everything) for name, spread in (("a", 4), ("b", 9), ("c", 20))]
    control = column("length", 60, everything)
    consensus = column("raters", 5, known)
    families = {system: system if system > "D" else "first" for system in systems}

    def run() -> Trust:
        return trust(
            metrics, [control], [consensus], rng=1, families=families, replicates=200
        )[0]  # fmt: skip

    table = run()
    marked = next(entry.tau for entry in table.entries if entry.metric == "b")
    steps: list[str] = []

    def look(frame: FrameType, event: str, value: object) -> None:
        if not frame.f_code.co_filename.startswith(_SOURCE) or event not in {"call", "return"}:
            return
        seen = [*frame.f_locals.values()] if event == "call" else [value]
        if any(_holds(each, marked) for each in seen):
            place = frame.f_code.co_filename.removeprefix(_SOURCE)
            steps.append(f"{place}:{frame.f_code.co_qualname.partition('.<locals>')[0]}")

    sys.setprofile(look)
    try:
        run()
    finally:
        sys.setprofile(None)
    return list(dict.fromkeys(steps)), _returns(step.partition(":")[0] for step in steps)


def _returns(files: Iterator[str]) -> int:
    """Count the steps into a file that was left before."""
    left: set[str] = set()
    current, count = "", 0
    for file in files:
        if file != current:
            count += file in left
            left.add(current)
            current = file
    return count


def _holds(value: object, tau: float | None, depth: int = _DEEPEST) -> bool:
    if isinstance(value, float):
        return value == tau
    if isinstance(value, np.ndarray):
        return value.size <= _MOST_ITEMS and bool((value == tau).any())  # no resample by chance
    if depth == 0:
        return False
    if is_dataclass(value) and not isinstance(value, type):
        parts = [getattr(value, field.name, None) for field in fields(value)]
    elif isinstance(value, dict) and len(value) <= _MOST_ITEMS:
        parts = [*value.values()]
    elif isinstance(value, list | tuple) and len(value) <= _MOST_ITEMS:
        parts = [*value]
    else:
        return False
    return any(_holds(part, tau, depth - 1) for part in parts)


if __name__ == "__main__":
    functions, turned = stays_of_a_tau()
    print("\n".join(functions))
    print(f"{len(functions)} stays, {turned} returns")
