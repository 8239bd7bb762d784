"""Reporting checklists, filled from what a run tells: what is reported, and where.

What enters: the results of a run, and the tables of its report. What leaves: a table a checklist,
in which each item is done (and where), not done, or not to be known from a study's files; as
Markdown, CSV, LaTeX, and a workbook. The items are data (`data/checklists`).
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict

from medassay.analyses.builtin.agreement import agreement
from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.results import Results
from medassay.exhibits import Table, shown, table_of
from medassay.exhibits.numbers import count_of
from medassay.exhibits.sentences import upper_first
from medassay.report.forms import Document, workbook
from medassay.report.latex import table_latex
from medassay.report.tables import table_csv, table_markdown


class Fact(NamedTuple):
    """What is known of one thing.

    Attributes:
        done: Whether it is reported; None where the run cannot tell.
        where: Where, or what is missing.
    """

    done: bool | None
    where: str


def _texts(results: Results) -> Fact:
    if results.study.texts == "full":
        return Fact(done=True, where="the report shows them")
    return Fact(
        done=False, where=f'the study keeps them ([privacy] texts = "{results.study.texts}")'
    )


def _kept(results: Results) -> Fact:
    texts = results.study.texts
    if texts == "full":
        return Fact(done=None, where="the report shows every text ([privacy] texts)")
    return Fact(done=True, where=f'no text leaves the study ([privacy] texts = "{texts}")')


def _raters(results: Results) -> Fact:
    counts = results.study.counts
    if not counts.raters:
        return Fact(done=False, where="no person rated the answers")
    counted = [count_of(counts.judgements, "judgement")] if counts.judgements else []
    counted += [count_of(counts.preferences, "preference")] if counts.preferences else []
    who = count_of(counts.raters, "rater")
    return Fact(done=True, where=f"{who}, {' and '.join(counted)}; their rubric")


def _expertise(results: Results) -> Fact:
    flow = results.analyses.of(rater_flow)
    people = (
        [] if flow is None else [line.rater for line in flow.raters if line.rater.kind == "person"]
    )
    if not people:
        return Fact(done=False, where="no person is listed")
    silent = sum(not line.expertise for line in people)
    if silent:
        return Fact(
            done=False,
            where=f"the expertise of {silent} of {len(people)} raters is not in raters.csv",
        )
    return Fact(done=True, where=f"expertise of {count_of(len(people), 'rater')}")


def _agreement(results: Results) -> Fact:
    agreed = results.analyses.of(agreement)
    known = agreed is not None and (
        any(part.value is not None for part in agreed.panel)
        or any(part.value is not None for part in agreed.passages)
    )
    return Fact(known, "agreement of the raters" if known else "no answer was judged by two raters")


def _methods(_: Results) -> Fact:
    return Fact(done=True, where="Methods of the report")


def _missing(results: Results) -> Fact:
    counts = results.study.counts
    none, empty = f"{counts.answers_missing:,} never given", f"{counts.answers_empty:,} empty"
    if counts.answers_not_asked:
        empty += f", {counts.answers_not_asked:,} not asked for"
    return Fact(done=True, where=f"answers: {none}, {empty}; each missing score has its reason")


def _compared(results: Results) -> Fact:
    systems = len(results.systems)
    if systems > 1:
        return Fact(done=True, where=f"{systems} systems on the same cases")
    return Fact(done=False, where="one system only")


def _software(results: Results) -> Fact:
    run = results.run
    return Fact(done=True, where=f"computed with {run.software}, run {run.name}, seed {run.seed}")


FACTS: Final[Mapping[str, Callable[[Results], Fact]]] = MappingProxyType(
    {
        "agreement": _agreement,
        "compared": _compared,
        "expertise": _expertise,
        "kept": _kept,
        "methods": _methods,
        "missing": _missing,
        "raters": _raters,
        "software": _software,
        "texts": _texts,
    }
)
"""What items may ask for, by name."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class ChecklistItem(_Part):
    """One item of a checklist.

    Attributes:
        number: Its number there.
        topic: What it is about, there.
        asks: What it asks for, in our words.
        tables: Tables of a report of which one must be there.
        facts: What a run must tell, by the name of a fact.
        left: What its authors still say, or where they may look.
    """

    number: str
    topic: str
    asks: str
    tables: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    left: str = ""


class Checklist(_Part):
    """A reporting checklist.

    Attributes:
        id: Names its files.
        title: Its name.
        source: Where it was published.
        doi: Of that.
        explained: DOI of the paper that explains its items; empty where there is none.
        counted: How many numbered items it prints.
        items: They, in order.
    """

    id: str
    title: str
    source: str
    doi: str
    explained: str = ""
    counted: int
    items: tuple[ChecklistItem, ...]


def checklists() -> tuple[Checklist, ...]:
    """Give every checklist.

    Example:
        >>> [(one.id, len(one.items)) for one in checklists()]
        [('chart', 39), ('tripod-llm', 49)]
    """
    folder = files("medassay") / "data" / "checklists"
    every = sorted(folder.iterdir(), key=lambda path: path.name)
    return tuple(Checklist(**tomllib.loads(file.read_text(encoding="utf-8"))) for file in every)


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


def left_to_authors(
    name: str, results: Results, tables: Sequence[Table]
) -> Iterator[tuple[str, str]]:
    """Give each item that a run does not report, by its number: what it asks for, and why not.

    Args:
        name: The checklist's id.
        results: All of a run.
        tables: The tables of its report.
    """
    [checklist] = [known for known in checklists() if known.id == name]
    titles = {table.id: table.title for table in tables if table.rows}
    for item in checklist.items:
        line = _line(item, results, titles)
        if line.status != _DONE:
            of = f"{name.upper()} {item.number}, {item.topic}."
            yield item.number, f"{of} {item.asks} {line.where}"


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


def checklist_files(document: Document) -> dict[str, bytes]:
    """Fill every checklist from a run, in every form.

    Args:
        document: The run as a paper lays it out, with its tables.

    Returns:
        File, as seen from the run's folder, to what stands in it.
    """
    results = document.results
    known = (*document.tables, *document.files)
    tables = tuple(
        replace(filled(checklist, results, known), synthetic=results.study.synthetic)
        for checklist in checklists()
    )
    files = {"checklists/checklists.xlsx": workbook(replace(document, tables=tables, files=()))}
    for table in tables:
        files[f"checklists/{table.id}.md"] = table_markdown(table)
        files[f"checklists/{table.id}.csv"] = table_csv(table)
        files[f"checklists/{table.id}.tex"] = table_latex(table)
    return files
