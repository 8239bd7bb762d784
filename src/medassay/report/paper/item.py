"""The mark on every figure of made-up data."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from medassay.analyses.results import Results
from medassay.exhibits.drawing import INK, new_figure
from medassay.exhibits.numbers import count_of
from medassay.report.tables import Table
from medassay.report.whose import raters_said, unsettled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WORD: Final = "SYNTHETIC"
_FAINT: Final = 0.06


def blank(width: float, height: float, *, synthetic: bool) -> "Figure":
    """Make an empty figure in millimetres; made-up data are marked faintly across it."""
    figure = new_figure(width, height, synthetic=synthetic)
    if synthetic:
        size = min(width, height) * 0.42
        figure.text(
            0.5, 0.5, _WORD, fontsize=size, color=INK, alpha=_FAINT, rotation=30, ha="center",
            va="center", fontweight="bold", zorder=10,
        ).set_in_layout(False)  # fmt: skip
    return figure


@dataclass(frozen=True, slots=True)
class Item:
    """A figure or a table, or why there is none.

    Attributes:
        id: Names its files: `figure-1`, `table-s1-human`.
        number: As the paper counts: `Figure 1`.
        title: A few words.
        caption: Sentences that stand alone: what, on what, how sure, by which method.
        signature: What its numbers depend on.
        figure: The figure; None for a table.
        table: The table, or the numbers behind the figure; None where there is none.
        missing: What the study lacks; empty where it is there.
    """

    id: str
    number: str
    title: str
    caption: str = ""
    signature: str = ""
    figure: "Figure | None" = None
    table: Table | None = None
    missing: str = ""


def missing_item(name: str, number: str, title: str, needs: str) -> Item:
    """Say that there is none, and what it needs."""
    return Item(name, number, title, missing=f"{number} is missing: it needs {needs}.")


def seen_on(results: Results) -> str:
    """Say on how much the numbers rest."""
    return (
        f"n = {count_of(len(results.systems), 'system')}, "
        f"{count_of(len(results.ranking_cases), 'case')}, {raters_said(results)}"
        + "".join(f"; not settled: labels of {who}" for who in unsettled(results).values())
    )


def signed(results: Results, *names: str) -> str:
    """Join what identifies the run with the signatures of the sources named."""
    of = {source.name: source.signature for source in results.sources}
    run = results.run
    head = f"{run.software}; run {run.name}; seed {run.seed}; {run.replicates} replicates"
    return "; ".join([head, *(of[name] for name in dict.fromkeys(names) if name in of)])
