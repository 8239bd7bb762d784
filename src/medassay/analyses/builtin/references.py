"""What becomes of a metric when its reference is another?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from medassay.analyses.builtin.system_level import NO_TAU, tau_column
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_validity import Held, Measured
from medassay.annotations import DesignName, PValue, record
from medassay.exhibits import Names
from medassay.exhibits.columns import celled, missing, p_cell, table_of
from medassay.exhibits.table import Cell, Table
from medassay.scores import Name
from medassay.stats import holm

_SHOWN: Final = 0.05


@record(infers=True)
class ReferenceGap:
    """The same metric against the experts' references and against the notes.

    Attributes:
        metric: Its name without the reference.
        consensus: What it is held against.
        human: Its name with the experts' answers as reference.
        note: Its name with the notes as reference.
        tau_human: Tau-b of the first.
        tau_note: Tau-b of the second.
        difference: Of the two.
        p: Of the difference.
        p_adjusted: Holm, over all metrics and dimensions of this table.
        flips: Whether the two taus have opposite signs.
    """

    metric: DesignName
    consensus: DesignName
    human: DesignName
    note: DesignName
    tau_human: float | None
    tau_note: float | None
    difference: float | None
    p: PValue | None
    p_adjusted: PValue | None
    flips: bool


@analysis(
    Declaration(
        id="references",
        title="The same metric against another reference",
        question="What becomes of a metric when its reference is another?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=30,
        tables=lambda references, names: [_table(references, names)],
    )
)
def references(held: Held, measured: Measured) -> tuple[ReferenceGap, ...]:
    """Pair each metric's human reference with its note reference; read off the tests of pairs."""
    gaps = list(_gaps(held, measured))
    adjusted = iter(holm([gap.p for gap in gaps if gap.p is not None]).tolist())
    return tuple(gap if gap.p is None else replace(gap, p_adjusted=next(adjusted)) for gap in gaps)


def _gaps(held: Held, measured: Measured) -> Iterator[ReferenceGap]:
    kinds: dict[str, dict[str, str]] = {}
    for column, source in zip(held.candidates, held.metrics, strict=True):
        name = Name.parse(column.name)
        kind = name.get("ref")
        if column.kind == "metric" and kind in {"human", "note"} and source.grid.known.any():
            rest = {key: value for key, value in name.arguments if key != "ref"}
            kinds.setdefault(str(name.with_arguments(rest)), {})[kind] = column.name
    taus = {(level.metric, level.consensus): level.tau for level in measured.levels}
    tests = {
        (metric_pairs.consensus, frozenset((pair.first, pair.second))): pair
        for metric_pairs in measured.compared
        for pair in metric_pairs.pairs
    }
    for metric, of in sorted(kinds.items()):
        if len(of) < 2:  # noqa: PLR2004 - both references are needed
            continue
        for consensus in (str(source.name) for source in held.raters):
            human, note = taus[of["human"], consensus], taus[of["note"], consensus]
            yield ReferenceGap(
                metric,
                consensus,
                of["human"],
                of["note"],
                human,
                note,
                None if human is None or note is None else human - note,
                tests[consensus, frozenset(of.values())].p,
                None,
                flips=human is not None and note is not None and human * note < 0,
            )


def _table(references: Sequence[ReferenceGap], names: Names) -> Table:
    """Show what becomes of a metric when its reference is another."""
    flips = [reference for reference in references if reference.flips]
    shown = sum(
        reference.p_adjusted is not None and reference.p_adjusted <= _SHOWN for reference in flips
    )
    ordered = sorted(references, key=lambda reference: reference.consensus)
    return table_of(
        [(names.of_consensus(gap.consensus), gap) for gap in ordered],
        (
            celled(
                "Metric",
                ("metric", "consensus"),
                lambda gap: Cell(_without_reference(names, gap), (gap.metric, gap.consensus)),
            ),
            tau_column("Human", "tau_human"),
            tau_column("Note", "tau_note"),
            tau_column("Difference", "difference"),
            celled("Adjusted p", ("p_adjusted", "p"), _adjusted_p, numeric=True),
            celled("Sign", "flips", lambda gap: Cell("flips" if gap.flips else "–", (gap.flips,))),
        ),
        id="references",
        title="The same metric against another reference",
        caption=f"Tau-b by reference: the experts' answers, and the notes. {len(flips)} of "
        f"{len(references)} change sign, {shown} of them by more than noise (p up to "
        f"{_SHOWN:g}). p: of the difference, PERM-BOTH, two-sided, adjusted by Holm over "
        "this table.",
        grouped_by="dimension",
    )


def _adjusted_p(gap: ReferenceGap) -> Cell:
    if gap.p_adjusted is None:
        return missing(NO_TAU, 2)
    return Cell(p_cell(gap.p_adjusted).text, (gap.p_adjusted, gap.p))


def _without_reference(names: Names, reference: ReferenceGap) -> str:
    title = names.of_source(reference.human)
    return title.replace(" (human)", "").replace(" (human, ", " (")
