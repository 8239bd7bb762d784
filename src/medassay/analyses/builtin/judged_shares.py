"""Which share of answers is bad, corrected for the errors of who flags them?"""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.human_scores import worth_cell
from medassay.analyses.declaration import Declaration, analysis
from medassay.exhibits import Names
from medassay.exhibits.cells import count, missing
from medassay.exhibits.numbers import PROPORTION, bounds, listed
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.stats import Combined, Interval
from medassay.validity import JudgedShare

__all__ = ["judged_shares"]

_ENDS: Final = ("low", "high")
_BORROWED: Final = (
    "This system has fewer than 20 judged answers of one kind, so the flag's errors on it are not "
    "known, and there is no interval. The range: if the flag finds all of its bad answers, to half "
    "of them, at the specificity on all systems. No number of judgements is worth as much."
)


def _table(shares: Sequence[JudgedShare], names: Names) -> Table:
    """Put what people found, what the flag says and what people would find side by side."""
    pooled = sum(judged_share.errors_of == "all systems" for judged_share in shares)
    borrowed = (
        f" In {pooled} of {len(shares)} rows a system has fewer than 20 such answers of one kind: "
        "sensitivity and specificity there are borrowed from all systems, and the flag may err "
        "otherwise on this one. Corrected is a range there and no interval: the share if the flag "
        "finds from all to half of this system's bad answers."
        if pooled
        else ""
    )
    return Table(
        "judged-shares",
        "Bad answers, corrected for the errors of who flags them",
        "A model judge, or a metric below its threshold, flags answers. As it is: the share that "
        "it flags; the interval knows nothing of its errors. Corrected (Rogan and Gladen): the "
        "share that people would find in the answers that they did not judge, with the errors of "
        "sensitivity and specificity in the interval (Lang and Reiczigel). Both are counted on "
        f"answers that people judged.{borrowed} Worth: how many of this system's judgements alone "
        "would be as sure. It supposes that chance chose which answers were judged. Intervals: "
        "95%, this system on new cases, clusters of cases being independent.",
        (
            Column("System", ("system", "flag", "role", "dimension", "kind")),
            Column("Judged", ("judged",), numeric=True),
            Column("Flag knows", ("scored",), numeric=True),
            Column("People", _fields("people"), numeric=True),
            Column("As it is", _fields("plain"), numeric=True),
            Column("Sensitivity", ("sensitivity", "sensitivity_of", "errors_of"), numeric=True),
            Column("Specificity", ("specificity", "specificity_of"), numeric=True),
            Column(
                "Corrected",
                (*_fields("corrected"), "corrected_reason", "borrowed_low", "borrowed_high"),
                numeric=True,
            ),
            Column("Worth", ("worth", "no_help"), numeric=True),
            Column("Note", ("warning",)),
        ),
        tuple(
            Row(_cells(judged_share, names), _flagged(judged_share, names))
            for judged_share in shares
        ),
        group_field="flagged",
        empty="No metric has a threshold, and no model judged beside people.",
    )


def _fields(name: str) -> tuple[str, ...]:
    return (name, *(f"{name}_{end}" for end in _ENDS))


def _cells(judged_share: JudgedShare, names: Names) -> tuple[Cell, ...]:
    fixed = judged_share.corrected
    own = judged_share.errors_of == "this system"
    of = "its own judged answers" if own else "those of all systems"
    notes = listed([note for note in (fixed.warning,) if note])
    return (
        Cell(
            names.of_system(judged_share.system),
            (
                judged_share.system,
                judged_share.flag,
                judged_share.role,
                judged_share.dimension,
                judged_share.kind,
            ),
        ),
        count(judged_share.judged),
        count(judged_share.scored),
        _share(judged_share.people, judged_share.people_interval, "None of its answers is judged."),
        _share(
            judged_share.plain, judged_share.plain_interval, "It speaks of none of its answers."
        ),
        _rate(judged_share.sensitivity, f"Counted on {of}.", judged_share.errors_of, own=own),
        _rate(judged_share.specificity, f"Counted on {of}.", own=own),
        _corrected(judged_share, own=own),
        _worth(fixed) if own or fixed.estimate is None else missing(_BORROWED, 2),
        Cell("few", (notes,), detail=as_sentence(notes)) if notes else Cell("", ("",)),
    )


def _corrected(judged_share: JudgedShare, *, own: bool) -> Cell:
    """Show the corrected share with its interval; by borrowed rates as a range, and no interval."""
    fixed = judged_share.corrected
    if fixed.estimate is None:
        return missing(fixed.undefined, 6)
    ends = (fixed.interval.low, fixed.interval.high) if fixed.interval else (None, None)
    low, high = judged_share.borrowed_low, judged_share.borrowed_high
    raw = (fixed.estimate, *ends, "", low, high)
    if own:
        return Cell(PROPORTION(fixed.estimate), raw, aside=bounds(fixed.interval))
    if low is None or high is None:
        return Cell("no range", raw, aside="borrowed", detail=_BORROWED, missing=True)
    text = f"{PROPORTION(low)} to {PROPORTION(high)}"
    return Cell(text, raw, aside="borrowed", detail=_BORROWED)


def _flagged(judged_share: JudgedShare, names: Names) -> str:
    flag = names.of_source(judged_share.flag)
    text = "judged" if judged_share.role == "judge" else "flagged"
    return f"{names.of_dimension(judged_share.dimension)}: {judged_share.kind}, {text} by {flag}"


def _worth(fixed: Combined) -> Cell:
    if fixed.worth is not None or fixed.no_help:
        return worth_cell(fixed)
    return missing(fixed.undefined or "No judgement of this system to compare with.", 2)


def _share(value: float | None, interval: Interval | None, why: str) -> Cell:
    if value is None:
        return missing(why, 3)
    low, high = (interval.low, interval.high) if interval else (None, None)
    return Cell(PROPORTION(value), (value, low, high), aside=bounds(interval))


def _rate(counts: tuple[int, int], detail: str, *more: str, own: bool) -> Cell:
    hits, many = counts
    if not many:
        return Cell("none", (None, 0, *more), detail="No such answer is judged.", missing=True)
    return Cell(
        PROPORTION(hits / many),
        (hits / many, many, *more),
        aside=f"of {many}{'' if own else ', borrowed'}",
        detail=detail,
    )


@analysis(
    Declaration(
        id="judged_shares",
        title="Bad answers, corrected for the errors of who flags them",
        question="Which share of each system's answers is bad, where a metric or a model flags it?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=80,
        tables=lambda shares, names: [_table(shares, names)],
    )
)
def judged_shares(shares: tuple[JudgedShare, ...]) -> tuple[JudgedShare, ...]:
    """Give the shares by people, by each flag, and by the flag corrected."""
    return shares
