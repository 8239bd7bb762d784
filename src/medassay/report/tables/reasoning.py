"""Which steps the chains have, how they refer to documents, and where they do not hold."""

from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.results.safety import ReasoningDetail
from medassay.exhibits.cells import count, missing, named, text, written
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names

__all__ = ["reasoning_tables"]

_FAULTS: Final = {
    "order": "Steps out of order",
    "contradiction": "Steps contradict each other",
    "choice": "Chain contradicts the choice",
    "jump": "Conclusion out of nothing",
}
_WAYS: Final = {"id": "Id", "rank": "Place", "title": "Title", "overlap": "Words", "not": "Not"}
_PRIVATE: Final = "texts are private"


def reasoning_tables(results: Results) -> list[Table]:
    """Give the tables of reasoning; none where no chain was read."""
    found = results.reasoning
    if found is None:
        return []
    tables = [_steps(results, found)]
    if any(one.documents for one in found.systems):
        tables.append(_documents(results, found))
    tables += [_fault_counts(results, found), _faults(results, found), _words(results, found)]
    return tables


def _read(found: ReasoningDetail) -> str:
    some = [one for one in found.systems if one.read < one.chains]
    if not some:
        return ""
    return f" Read again for this: at most {max(one.read for one in some)} chains a system, evenly."


def _steps(results: Results, found: ReasoningDetail) -> Table:
    names = Names(results)
    rows = []
    for one in found.systems:
        for how, shares, complete in (
            ("Wider", one.steps, one.complete),
            ("Published", one.steps_published, one.complete_published),
        ):
            values = [*(shares[step] for step in found.titles), complete]
            cells = [Cell(PROPORTION(value), (value,)) for value in values]
            name = named(names.of_system(one.system), one.system)
            rows.append(Row((name, text(how), count(one.read), *cells)))
    return Table(
        "reasoning-steps",
        "Steps of the chains",
        "Share of the chains that have each step. Complete: the mean share of the steps. "
        "Published: the source's one pattern a step, found even inside other words, so that nearly"
        " all chains pass. Wider: our patterns, with denied mentions left out; the last step needs"
        f" a reason too.{_read(found)}",
        (
            Column("System", ("system",)),
            Column("Patterns", ("patterns",)),
            Column("Chains", ("chains",), numeric=True),
            *(Column(title, (step,), numeric=True) for step, title in found.titles.items()),
            Column("Complete", ("completeness",), numeric=True),
        ),
        tuple(rows),
        synthetic=results.study.synthetic,
    )


def _documents(results: Results, found: ReasoningDetail) -> Table:
    names = Names(results)
    rows = []
    for one in found.systems:
        total = sum(one.documents.values())
        cells = [
            Cell(
                f"{one.documents.get(way, 0):,}",
                (one.documents.get(way, 0),),
                aside=PROPORTION(one.documents.get(way, 0) / total) if total else "",
            )
            for way in _WAYS
        ]
        rows.append(Row((named(names.of_system(one.system), one.system), count(total), *cells)))
    return Table(
        "reasoning-documents",
        "How retrieved documents are referred to",
        "Each retrieved document counts once: by its id, its place in the list, its title, or eight"
        f" words in a row; or not at all.{_read(found)}",
        (
            Column("System", ("system",)),
            Column("Retrieved", ("retrieved",), numeric=True),
            *(Column(title, (way,), numeric=True) for way, title in _WAYS.items()),
        ),
        tuple(rows),
        synthetic=results.study.synthetic,
    )


def _fault_counts(results: Results, found: ReasoningDetail) -> Table:
    names = Names(results)
    rows = [
        Row(
            (
                named(names.of_system(one.system), one.system),
                count(one.read),
                *(count(one.faults.get(kind, 0)) for kind in _FAULTS),
                count(one.faulty),
            )
        )
        for one in found.systems
    ]
    return Table(
        "reasoning-faults",
        "Chains that do not hold together",
        "Chains with at least one fault of each kind, as rules find them: only contradictions in "
        f"the same words are seen, and no fault is no proof.{_read(found)}",
        (
            Column("System", ("system",)),
            Column("Chains", ("chains",), numeric=True),
            *(Column(title, (kind,), numeric=True) for kind, title in _FAULTS.items()),
            Column("Any", ("any",), numeric=True),
        ),
        tuple(rows),
        synthetic=results.study.synthetic,
    )


def _faults(results: Results, found: ReasoningDetail) -> Table:
    names = Names(results)
    rows = [
        Row(
            (
                text(one.case),
                named(_FAULTS[one.kind], one.kind),
                text(one.says) if one.says else missing(_PRIVATE),
                written(" … ".join(one.words)) if one.words else missing(_PRIVATE),
            ),
            group=names.of_system(one.system),
        )
        for one in found.faults
    ]
    return Table(
        "reasoning-fault-words",
        "Every fault, with the words that decided",
        "Where a chain does not hold together, and its words.",
        (
            Column("Case", ("case",)),
            Column("Fault", ("fault",)),
            Column("What", ("says",), wide=True),
            Column("Words of the chain", ("words",), wide=True),
        ),
        tuple(rows),
        group_field="system",
        empty="No fault was found.",
        synthetic=results.study.synthetic,
    )


def _words(results: Results, found: ReasoningDetail) -> Table:
    names = Names(results)
    rows: dict[tuple[str, str], dict[str, Cell]] = {}
    for one in found.steps:
        cell = (
            written(one.words)
            if one.words is not None
            else Cell("found", (None,))
            if one.found
            else missing("no such step was found")
        )
        rows.setdefault((one.system, one.case), {})[one.step] = cell
    return Table(
        "reasoning-step-words",
        "The least complete chains, with the words that decided",
        "The words by which each step was found first, by the wider patterns; at most twenty chains"
        " a system, the least complete ones.",
        (
            Column("Case", ("case",)),
            *(Column(title, (step,)) for step, title in found.titles.items()),
        ),
        tuple(
            Row((text(case), *cells.values()), group=names.of_system(system))
            for (system, case), cells in rows.items()
        ),
        group_field="system",
        synthetic=results.study.synthetic,
    )
