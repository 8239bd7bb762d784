"""A checklist filled: each item done and where, not done, or not to be known."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from medassay.analyses.results import Results
from medassay.exhibits import Table, shown, table_of
from medassay.exhibits.sentences import upper_first
from medassay.report.checklists.facts import FACTS
from medassay.report.checklists.items import Checklist, ChecklistItem

__all__ = ["filled"]

_DONE: Final = "done"
_NOT_DONE: Final = "not done"
_UNKNOWN: Final = "not to be known from here"
_AUTHORS: Final = "For the authors to say."


class _Line(NamedTuple):
    item: ChecklistItem
    status: str
    where: str


def filled(checklist: Checklist, results: Results, tables: Sequence[Table]) -> Table:
    """Lay a checklist out as a table, filled from a run and the tables of its report."""
    titles = {table.id: table.title for table in tables if table.rows}
    lines = [_line(item, results, titles) for item in checklist.items]
    done = sum(line.status == _DONE for line in lines)
    explained = f" Explained in doi:{checklist.explained}." if checklist.explained else ""
    return table_of(
        lines,
        (
            shown("Item", lambda line: line.item.number, file="item", numeric=False),
            shown("Topic", lambda line: line.item.topic, file="topic"),
            shown("Asks for", lambda line: line.item.asks, file="asks"),
            shown("Reported", lambda line: line.status, file="status"),
            shown("Where", lambda line: line.where, file="where"),
        ),
        id=checklist.id,
        title=checklist.title,
        caption=f"{done} of {len(lines)} numbered items are reported by this run. Numbers and "
        "topics are the checklist's, what each asks for is in our words: read it there. "
        f"{checklist.source}, doi:{checklist.doi}.{explained}",
    )


def _line(item: ChecklistItem, results: Results, titles: Mapping[str, str]) -> _Line:
    """Fill one item: all its facts must hold, and one of its tables be there."""
    facts = [FACTS[name](results) for name in item.facts]
    named = (f"{titles[table]} (tables/{table}.csv)" for table in item.tables if table in titles)
    there = next(named, "")
    where = [fact.where for fact in facts] + ([there] if there else [])
    lacks = [fact.where for fact in facts if fact.done is False]
    if item.tables and not there:
        lacks.append("the report has no such table")
    if not facts and not item.tables:
        return _Line(item, _UNKNOWN, item.left or _AUTHORS)
    if lacks:
        return _Line(item, _NOT_DONE, _sentence("; ".join(lacks), ""))
    status = _UNKNOWN if any(fact.done is None for fact in facts) else _DONE
    return _Line(item, status, _sentence("; ".join(where), item.left))


def _sentence(where: str, left: str) -> str:
    return " ".join(part for part in (f"{upper_first(where)}.", left) if part)
