"""Which steps the chains have, how they refer to documents, and where they do not hold."""

from collections.abc import Callable
from typing import Final, NamedTuple

from medassay.analyses.builtin.reasoning.record import ChainFault, ChainsOf, ChainStep, Reasoning
from medassay.exhibits import Names
from medassay.exhibits.cells import missing, named, text, written
from medassay.exhibits.columns import Shown, counted, shown, system_column, table_of
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["reasoning_tables"]

_FAULTS: Final = {
    "order": "Steps out of order",
    "contradiction": "Steps contradict each other",
    "choice": "Chain contradicts the choice",
    "jump": "Conclusion out of nothing",
}
_WAYS: Final = {"id": "Id", "rank": "Place", "title": "Title", "overlap": "Words", "not": "Not"}
_PRIVATE: Final = "texts are private"


def reasoning_tables(reasoning: Reasoning, names: Names) -> list[Table]:
    """Show how complete the chains are, what they refer to, and where they do not hold."""
    documents = (
        [_documents(reasoning, names)] if any(own.documents for own in reasoning.systems) else []
    )
    return [
        _steps(reasoning, names),
        *documents,
        _fault_counts(reasoning, names),
        _faults(reasoning, names),
        _words(reasoning, names),
    ]


def _read(reasoning: Reasoning) -> str:
    some = [own.read for own in reasoning.systems if own.read < own.chains]
    return f" Read again for this: at most {max(some)} chains a system, evenly." if some else ""


class _Steps(NamedTuple):
    """One system's steps by one way to find them."""

    system: str
    patterns: str
    read: int
    shares: dict[str, float]
    complete: float


def _steps(reasoning: Reasoning, names: Names) -> Table:
    rows = [
        row
        for own in reasoning.systems
        for row in (
            _Steps(own.system, "Wider", own.read, own.steps, own.complete),
            _Steps(own.system, "Published", own.read, own.steps_published, own.complete_published),
        )
    ]

    def share_of(step: str) -> Callable[[_Steps], float]:
        return lambda row: row.shares[step]

    return table_of(
        rows,
        (
            system_column(names),
            shown("Patterns", "patterns"),
            counted("Chains", "read", file="chains"),
            *(
                shown(title, share_of(step), PROPORTION, file=step)
                for step, title in reasoning.titles.items()
            ),
            shown("Complete", "complete", PROPORTION, file="completeness"),
        ),
        id="reasoning-steps",
        title="Steps of the chains",
        caption="Share of the chains that have each step. Complete: the mean share of the steps. "
        "Published: the source's one pattern a step, found even inside other words, so that nearly"
        " all chains pass. Wider: our patterns, with denied mentions left out; the last step needs"
        f" a reason too.{_read(reasoning)}",
    )


def _documents(reasoning: Reasoning, names: Names) -> Table:
    def retrieved(own: ChainsOf) -> int:
        return sum(own.documents.values())

    def times(way: str) -> Callable[[ChainsOf], int]:
        return lambda own: own.documents.get(way, 0)

    def share(way: str) -> Callable[[ChainsOf], str]:
        return lambda own: PROPORTION(times(way)(own) / retrieved(own)) if own.documents else ""

    return table_of(
        reasoning.systems,
        (
            system_column(names),
            counted("Retrieved", retrieved, file="retrieved"),
            *(
                shown(title, times(way), "{:,}".format, file=way, aside=share(way))
                for way, title in _WAYS.items()
            ),
        ),
        id="reasoning-documents",
        title="How retrieved documents are referred to",
        caption="Each retrieved document counts once: by its id, its place in the list, its title, "
        f"or eight words in a row; or not at all.{_read(reasoning)}",
    )


def _fault_counts(reasoning: Reasoning, names: Names) -> Table:
    def times(kind: str) -> Callable[[ChainsOf], int]:
        return lambda own: own.faults.get(kind, 0)

    return table_of(
        reasoning.systems,
        (
            system_column(names),
            counted("Chains", "read", file="chains"),
            *(counted(title, times(kind), file=kind) for kind, title in _FAULTS.items()),
            counted("Any", "faulty", file="any"),
        ),
        id="reasoning-faults",
        title="Chains that do not hold together",
        caption="Chains with at least one fault of each kind, as rules find them: only "
        "contradictions in the same words are seen, and no fault is no proof."
        f"{_read(reasoning)}",
    )


def _faults(reasoning: Reasoning, names: Names) -> Table:
    return table_of(
        ((names.of_system(fault.system), fault) for fault in reasoning.faults),
        (
            shown("Case", "case"),
            Shown(Column("Fault", ("fault",)), lambda row: named(_FAULTS[row.kind], row.kind)),
            shown(
                "What", lambda fault: fault.says or None, file="says",
                why_not=lambda _: _PRIVATE, wide=True,
            ),
            Shown(
                Column("Words of the chain", ("words",), wide=True),
                _fault_words,
            ),
        ),
        id="reasoning-fault-words",
        title="Every fault, with the words that decided",
        caption="Where a chain does not hold together, and its words.",
        empty="No fault was found.",
        grouped_by="system",
    )  # fmt: skip


def _fault_words(fault: ChainFault) -> Cell:
    return written(" … ".join(fault.words)) if fault.words else missing(_PRIVATE)


def _words(reasoning: Reasoning, names: Names) -> Table:
    chains: dict[tuple[str, str], list[ChainStep]] = {}
    for step in reasoning.steps:
        chains.setdefault((step.system, step.case), []).append(step)
    return Table(
        "reasoning-step-words",
        "The least complete chains, with the words that decided",
        "The words by which each step was found first, by the wider patterns; at most twenty chains"
        " a system, the least complete ones.",
        (
            Column("Case", ("case",)),
            *(Column(title, (step,)) for step, title in reasoning.titles.items()),
        ),
        tuple(
            Row((text(case), *map(_step, steps)), group=names.of_system(system))
            for (system, case), steps in chains.items()
        ),
        group_field="system",
    )


def _step(step: ChainStep) -> Cell:
    if step.words is not None:
        return written(step.words)
    return Cell("found", (None,)) if step.found else missing("no such step was found")
