"""A shared task's leaderboard in the columns of its paper: Table S1."""

from typing import Final

from medassay.report.names import Names
from medassay.report.tables.cells import missing, named
from medassay.report.tables.leaderboard import rank_range
from medassay.report.tables.model import Cell, Column, Row, Table
from medassay.stats import ranks
from medassay.study.results import Results, Standing

__all__ = ["shared_task"]

_STRICT: Final = "citation_f1(gold=strict,rules=archehr2025)"
_CITATIONS: Final = [
    (gold.capitalize(), title, f"citation_{kind}(gold={gold},rules=archehr2025)")
    for gold in ("lenient", "strict")
    for title, kind in (("P", "precision"), ("R", "recall"), ("F1", "f1"))
]
_RELEVANCE: Final = (
    ("BLEU", "bleu"),
    ("ROUGE-Lsum", "rougeLsum"),
    ("SARI", "sari"),
    ("BERTScore", "bertscore"),
    ("AlignScore", "alignscore"),
    ("MEDCON", "medcon"),
)
_DECIMALS: Final = 1
_LAST: Final = 10**9


def shared_task(results: Results) -> list[Table]:
    """Give one table for each reference; none where the protocol has no overall scores."""
    refs = dict.fromkeys(one.ref for one in results.overalls)
    return [_table(results, ref) for ref in refs]


def _table(results: Results, ref: str) -> Table:
    names = Names(results)
    means = {(one.source, one.system): one for one in results.standings}
    made = {(one.name, one.system): one.value for one in results.overalls if one.ref == ref}
    inside = _inside(results, ref)
    relevance, overall = f"relevance({inside})", f"overall_paper({inside})"
    systems = [system.id for system in results.systems]
    places = {
        "O": _ranks(systems, [made.get((overall, one)) for one in systems]),
        "F": _ranks(systems, [_mean(means.get((_STRICT, one))) for one in systems]),
        "R": _ranks(systems, [made.get((relevance, one)) for one in systems]),
    }
    sources = [
        *(name for _, _, name in _CITATIONS),
        *(f"{base}(ref={ref})" for _, base in _RELEVANCE),
    ]
    rows = []
    for system in sorted(systems, key=lambda one: (places["O"].get(one, _LAST), one)):
        standing = means.get((_STRICT, system))
        cells = [named(names.of_system(system), system)]
        cells += [_place(places[kind].get(system)) for kind in ("O", "F", "R")]
        cells.append(missing("no strict F1", 3) if standing is None else rank_range(standing))
        letters = "" if standing is None else standing.letters
        cells.append(Cell(" ".join(letters), (letters,)) if letters else missing("not compared"))
        cells += [_percent(_mean(means.get((source, system)))) for source in sources]
        cells += [
            _percent(made.get((name, system)))
            for name in (relevance, overall, f"overall_scorer({inside})")
        ]
        rows.append(Row(tuple(cells)))
    return Table(
        f"shared-task-{ref}",
        f"Shared task, against the {ref} reference",
        _caption(results, ref),
        (
            Column("System", ("system",)),
            *(Column(kind, (f"rank_{kind}",), numeric=True, group="Rank") for kind in "OFR"),
            Column("F, range", ("rank_f", "rank_f_low", "rank_f_high"), numeric=True, group="Rank"),
            Column("F, group", ("group_f",), group="Rank"),
            *(
                Column(title, (f"{gold.lower()}_{title.lower()}",), numeric=True, group=gold)
                for gold, title, _ in _CITATIONS
            ),
            *(
                Column(title, (base,), numeric=True, group="Relevance")
                for title, base in _RELEVANCE
            ),
            Column("Mean", ("relevance",), numeric=True, group="Relevance"),
            Column("Paper", ("overall_paper",), numeric=True, group="Overall"),
            Column("Scorer", ("overall_scorer",), numeric=True, group="Overall"),
        ),
        tuple(rows),
        synthetic=results.study.synthetic,
    )


def _inside(results: Results, ref: str) -> str:
    """Choose the published composites where they have a value, else those of what is there."""
    published = f"ref={ref}"
    valued = any(
        one.value is not None for one in results.overalls if one.name == f"relevance({published})"
    )
    return published if valued else f"{published},relevance=own"


def _caption(results: Results, ref: str) -> str:
    there = {source.name for source in results.sources}
    lacking = [title for title, base in _RELEVANCE if f"{base}(ref={ref})" not in there]
    text = (
        "Percent, means over the ranking cases. Overall is the mean of strict citation F1 and of "
        "relevance: macro F1 by the paper, micro F1 by the scorer. Ranks O (overall, paper), F "
        "(strict F1) and R (relevance) are of values rounded to one decimal, ties sharing the "
        "best; the range of F is what new cases leave open, and systems that share a letter cannot "
        "be told apart by it. The source names its ROUGE column no further; its scorer uses "
        "ROUGE-Lsum."
    )
    if lacking:
        text += (
            f" {', '.join(lacking)} are not computed here: relevance and overall are over the "
            "columns that are there, and are not the published ones."
        )
    return text


def _mean(standing: Standing | None) -> float | None:
    return None if standing is None else standing.mean


def _ranks(systems: list[str], values: list[float | None]) -> dict[str, int]:
    known = [
        (one, 100 * value) for one, value in zip(systems, values, strict=True) if value is not None
    ]
    if not known:
        return {}
    placed = ranks([value for _, value in known], decimals=_DECIMALS).tolist()
    return {one: int(place) for (one, _), place in zip(known, placed, strict=True)}


def _place(place: int | None) -> Cell:
    return missing("no value to rank by") if place is None else Cell(str(place), (place,))


def _percent(value: float | None) -> Cell:
    if value is None:
        return missing("not computed here")
    return Cell(f"{100 * value:.{_DECIMALS}f}", (value,))
