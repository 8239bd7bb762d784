"""Which share of answers is bad, corrected for the errors of who flags them?"""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from medassay.analyses.builtin.human_scores import worth_cell
from medassay.analyses.declaration import Declaration, analysis
from medassay.exhibits import Names
from medassay.exhibits.columns import Shown, celled, counted, missing, table_of
from medassay.exhibits.numbers import PROPORTION, bounds
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Table
from medassay.validity import JudgedShare

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
        "there those of all systems serve, and corrected is a range (the flag finds all to half "
        "of the bad answers)."
        if pooled
        else ""
    )
    columns = (
        celled(
            "System",
            ("system", "flag", "role", "dimension", "kind"),
            lambda row: Cell(
                names.of_system(row.system),
                (row.system, row.flag, row.role, row.dimension, row.kind),
            ),
        ),
        counted("Judged", "judged"),
        counted("Flag knows", "scored", file="scored"),
        _share("People", "people", "None of its answers is judged."),
        _share("As it is", "plain", "It speaks of none of its answers."),
        celled(
            "Sensitivity",
            ("sensitivity", "sensitivity_of", "errors_of"),
            lambda row: _rate(row, row.sensitivity, row.errors_of),
            numeric=True,
        ),
        celled(
            "Specificity",
            ("specificity", "specificity_of"),
            lambda row: _rate(row, row.specificity),
            numeric=True,
        ),
        celled(
            "Corrected",
            (*_fields("corrected"), "corrected_reason", "borrowed_low", "borrowed_high"),
            _corrected,
            numeric=True,
        ),
        celled("Worth", ("worth", "no_help"), _worth, numeric=True),
        celled("Note", "warning", _note),
    )
    return table_of(
        [(_flagged(judged_share, names), judged_share) for judged_share in shares],
        columns,
        id="judged-shares",
        title="Bad answers, corrected for the errors of who flags them",
        caption="Flagged: by a model judge, or a metric below its threshold. As it is: the share "
        "flagged. Corrected (Rogan and Gladen; interval by Lang and Reiczigel): the share that "
        "people would find, by sensitivity and specificity on answers that they "
        f"judged.{borrowed} Worth: as many of this system's judgements would be as sure. "
        "Supposes that chance chose which answers were judged. 95% CI: this system on new cases, "
        "clusters independent.",
        grouped_by="flagged",
        empty="No metric has a threshold, and no model judged beside people.",
    )


def _fields(name: str) -> tuple[str, ...]:
    return (name, *(f"{name}_{end}" for end in _ENDS))


def _own(judged_share: JudgedShare) -> bool:
    """Say whether the flag's errors were counted on this system's own answers."""
    return judged_share.errors_of == "this system"


def _note(judged_share: JudgedShare) -> Cell:
    warning = judged_share.corrected.warning
    return Cell("few", (warning,), detail=as_sentence(warning)) if warning else Cell("", ("",))


def _corrected(judged_share: JudgedShare) -> Cell:
    """Show the corrected share with its interval; by borrowed rates as a range, and no interval."""
    fixed = judged_share.corrected
    if fixed.estimate is None:
        return missing(fixed.undefined, 6)
    ends = (fixed.interval.low, fixed.interval.high) if fixed.interval else (None, None)
    low, high = judged_share.borrowed_low, judged_share.borrowed_high
    raw = (fixed.estimate, *ends, "", low, high)
    if _own(judged_share):
        return Cell(PROPORTION(fixed.estimate), raw, aside=bounds(fixed.interval))
    if low is None or high is None:
        return Cell("no range", raw, aside="borrowed", detail=_BORROWED, missing=True)
    text = f"{PROPORTION(low)} to {PROPORTION(high)}"
    return Cell(text, raw, aside="borrowed", detail=_BORROWED)


def _flagged(judged_share: JudgedShare, names: Names) -> str:
    flag = names.of_source(judged_share.flag)
    text = "judged" if judged_share.role == "judge" else "flagged"
    return f"{names.of_dimension(judged_share.dimension)}: {judged_share.kind}, {text} by {flag}"


def _worth(judged_share: JudgedShare) -> Cell:
    fixed = judged_share.corrected
    if fixed.estimate is not None and not _own(judged_share):
        return missing(_BORROWED, 2)
    if fixed.worth is not None or fixed.no_help:
        return worth_cell(fixed)
    return missing(fixed.undefined or "No judgement of this system to compare with.", 2)


def _share(heading: str, name: str, why: str) -> Shown[JudgedShare]:
    get = attrgetter(name, f"{name}_interval")

    def cell(row: JudgedShare) -> Cell:
        value, interval = get(row)
        if value is None:
            return missing(why, 3)
        low, high = (interval.low, interval.high) if interval else (None, None)
        return Cell(PROPORTION(value), (value, low, high), aside=bounds(interval))

    return celled(heading, _fields(name), cell, numeric=True)


def _rate(judged_share: JudgedShare, counts: tuple[int, int], *more: str) -> Cell:
    (hits, many), own = counts, _own(judged_share)
    if not many:
        return Cell("none", (None, 0, *more), detail="No such answer is judged.", missing=True)
    return Cell(
        PROPORTION(hits / many),
        (hits / many, many, *more),
        aside=f"of {many}{'' if own else ', borrowed'}",
        detail=f"Counted on {'its own judged answers' if own else 'those of all systems'}.",
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
