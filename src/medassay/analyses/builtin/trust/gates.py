"""The trust table's columns about gates: between systems, and between versions of one."""

from typing import Final

from medassay.exhibits.cells import no_such
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column
from medassay.validity import BETWEEN_SYSTEMS, BETWEEN_VERSIONS, TrustEntry

__all__ = ["GATES_SAY", "gate_cells", "gate_columns", "gate_scope", "no_gates"]

GATES_SAY: Final = (
    " Gate from a loss of: the smallest loss in the metric behind which the raters see one, by the "
    "95 % prediction interval for two new systems; beside it the loss, in the raters' unit, that "
    "it may hide where it does not change. Gate between versions from: the same for two versions "
    "of one system, by changes within families of systems alone."
)


def gate_columns() -> tuple[Column, Column]:
    """Give both columns."""
    return (
        Column(
            "Gate from a loss of",
            (
                "gate_threshold",
                "gate_threshold_loss",
                "gate_not_excluded",
                "gate_slope",
                "gate_p",
                "gate_p_adjusted",
                "gate_systems",
                "gate_why",
            ),
            numeric=True,
        ),
        Column(
            "Gate between versions from",
            (
                "version_threshold",
                "version_threshold_loss",
                "version_not_excluded",
                "version_slope",
                "version_p",
                "version_p_adjusted",
                "version_p_clustered",
                "version_pairs",
                "version_families",
                "version_why",
            ),
            numeric=True,
        ),
    )


def gate_cells(entry: TrustEntry) -> tuple[Cell, Cell]:
    """Give both cells of a metric."""
    return _gate(entry), _between_versions(entry)


def no_gates() -> tuple[Cell, Cell]:
    """Give both cells of what is no metric."""
    return no_such(8), no_such(10)


def gate_scope(entry: TrustEntry) -> str:
    """Say what a permit to gate is for, where it is not for both."""
    if len(entry.scopes) != 1:
        return ""
    return f"gate {entry.scopes[0]} only"


def _gate(entry: TrustEntry) -> Cell:
    line = entry.surrogacy
    if line is None:
        return no_such(8)
    raw = (
        *(line.threshold, line.threshold_loss, line.not_excluded, line.slope),
        *(line.p, line.p_adjusted, line.systems, entry.why_gate),
    )
    if BETWEEN_SYSTEMS not in entry.scopes or line.threshold is None or line.not_excluded is None:
        return Cell("–", raw, detail=as_sentence(entry.why_gate))
    return Cell(f"{line.threshold:.3g}", raw, aside=f"may hide {line.not_excluded:.3g}")


def _between_versions(entry: TrustEntry) -> Cell:
    line = entry.versions
    if line is None:
        return no_such(10)
    raw = (
        *(line.threshold, line.threshold_loss, line.not_excluded, line.slope),
        *(line.p, line.p_adjusted, line.p_clustered),
        *(line.pairs, line.families, entry.why_versions),
    )
    if BETWEEN_VERSIONS not in entry.scopes or line.threshold is None or line.not_excluded is None:
        return Cell("–", raw, detail=as_sentence(entry.why_versions))
    return Cell(f"{line.threshold:.3g}", raw, aside=f"may hide {line.not_excluded:.3g}")
