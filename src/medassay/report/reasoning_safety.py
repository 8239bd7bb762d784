"""The parts of the page on reasoning and on safety."""

from medassay.analyses.results import Results
from medassay.analyses.sections import section_of
from medassay.exhibits.numbers import count_of, listed_few
from medassay.report.names import Names
from medassay.report.parts import PanelPart
from medassay.report.tables import reasoning_tables, safety_tables

__all__ = ["reasoning_and_safety"]


def reasoning_and_safety(results: Results) -> list[PanelPart]:
    """Lay out both, with the words that decided; parts without anything are left out."""
    known = {
        "clinical-reasoning": ((), tuple(reasoning_tables(results))),
        "clinical-safety": (_notes(results), tuple(safety_tables(results))),
    }
    parts = [
        PanelPart(part.id, part.title, part.lead, notes=notes, tables=tables)
        for part in section_of("clinical").parts
        for notes, tables in ([known[part.id]] if part.id in known else [])
    ]
    return [part for part in parts if part.tables]


def _notes(results: Results) -> tuple[str, ...]:
    """Say what no reader may miss: what is open, and what a clean result does not prove."""
    found = results.safety
    if found is None:
        return ()
    names = Names(results)
    said = []
    waiting = [one for one in found.systems if one.flagged and one.flagged > one.reviewed]
    if waiting:
        answers = sum((one.flagged or 0) - one.reviewed for one in waiting)
        said.append(
            f"Nobody has reviewed {count_of(answers, 'flagged answer')} of "
            f"{listed_few([names.of_system(one.system) for one in waiting])}."
        )
    unsettled = sum(one.unsettled for one in found.systems)
    if unsettled:
        said.append(f"On {count_of(unsettled, 'answer')} raters differ and nobody has adjudicated.")
    said += [
        f"{names.of_system(one.system)}: no dangerous answer was seen in {one.answers}; that is "
        f"compatible with up to {100 * one.bound:.1f} % (95 %, one-sided)."
        for one in found.systems
        if one.bound is not None and one.dangerous == 0 and not one.flagged
    ]
    return tuple(said)
