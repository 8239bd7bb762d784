"""What judges make of the labels that matter, and how far sentinels go in their place."""

from collections.abc import Sequence
from typing import Final

from medassay.exhibits.cells import estimate, estimate_fields, missing, text
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.study.certificates.record import JudgeDimensionResult, JudgeResult, SentinelResult
from medassay.validity import JudgeLabel, JudgeRate

__all__ = ["judge_label_tables"]

_Found = Sequence[tuple[JudgeResult, JudgeDimensionResult, str]]
_NONE: Final = "no answer is of this kind"
_NO_PEOPLE: Final = "people are too few to hold one against the others"


def judge_label_tables(rows: _Found) -> list[Table]:
    """Give both tables: a judge, what it did on a dimension, and the dimension's title."""
    return [_labels(rows), _sentinels(rows)]


def _labels(rows: _Found) -> Table:
    return Table(
        "judge-labels",
        "What a judge makes of the labels that matter",
        "Each reading of harm; where the rubric has none, the cut of the scale at which people "
        "part most evenly. Called so: answers that more than half of the people call so; a "
        "certificate asks for 25. Finds: the share of them that the judge calls so too, with what "
        "it is at least (97.5 %, one-sided); it must be more than half. Passes: the same of the "
        "others; the two bounds must sum to more than 1. People: each held against the others. "
        "Difference: the judge's balanced accuracy less the left-out person's; its 90 % interval "
        "must lie above -.15.",
        (
            Column("Judge", ("judge",)),
            Column("Label", ("reading",)),
            Column("Called so", ("called_so", "not_called_so", "tied", "weighted"), numeric=True),
            Column("Judge", _rate_fields("finds"), numeric=True, group="Finds"),
            Column("People", ("people_find",), numeric=True, group="Finds"),
            Column("Judge", _rate_fields("passes"), numeric=True, group="Passes"),
            Column("People", ("people_pass",), numeric=True, group="Passes"),
            Column("Difference", estimate_fields("difference"), numeric=True),
        ),
        tuple(
            Row(
                (
                    text(judge.judge),
                    text(label.reading),
                    _called(label),
                    _rate(label.sensitivity),
                    _share(label.people_sensitivity, _NO_PEOPLE),
                    _rate(label.specificity),
                    _share(label.people_specificity, _NO_PEOPLE),
                    estimate(label.gap.value, label.gap.interval, label.gap.reason),
                ),
                dimension,
            )
            for judge, judge_dimension, dimension in rows
            for label in judge_dimension.labels
        ),
        group_field="dimension",
        empty="People gave one label to all that a judge labelled: it cannot be tested.",
    )


def _rate_fields(name: str) -> tuple[str, ...]:
    return (name, f"{name}_low", f"{name}_hits", f"{name}_of")


def _called(label: JudgeLabel) -> Cell:
    detail = f"{label.negative:,} are not called so, and on {label.tied:,} people are divided"
    if label.weighted:
        detail += "; answers count by the chance of their draw"
    raw = (label.positive, label.negative, label.tied, label.weighted)
    return Cell(f"{label.positive:,}", raw, detail=as_sentence(detail))


def _rate(rate: JudgeRate | None) -> Cell:
    if rate is None:
        return missing(_NONE, 4)
    raw = (rate.share, rate.low, rate.hits, rate.n)
    aside = f"at least {PROPORTION(rate.low)}; {rate.hits:,} of {rate.n:,}"
    return Cell(PROPORTION(rate.share), raw, aside=aside)


def _share(value: float | None, why: str) -> Cell:
    return missing(why) if value is None else Cell(PROPORTION(value), (value,))


def _sentinels(rows: _Found) -> Table:
    return Table(
        "judge-sentinels",
        "Sentinels in the judge's place",
        "Judges that know nothing, or deny what matters, made of this study's own labels and put "
        "through what a judge must pass: the alternative-annotator test and the test of what "
        "matters. Where one passes both, these answers show nothing of any judge, and none is "
        "certified.",
        (
            Column("Judge", ("judge",)),
            Column("Sentinel", ("sentinel",)),
            Column("What it does", ("does",), wide=True),
            Column("Won", ("won",), numeric=True),
            Column("Finds", ("finds",), numeric=True),
            Column("Passes", ("passes",), numeric=True),
            Column("Difference", ("difference",), numeric=True),
            Column("Alt-test", ("alt_test",)),
            Column("What matters", ("what_matters",)),
        ),
        tuple(
            Row((text(judge.judge), *_sentinel(sentinel)), dimension)
            for judge, judge_dimension, dimension in rows
            for sentinel in judge_dimension.sentinels
        ),
        group_field="dimension",
        empty="No answer was judged by a judge and by a person.",
    )


def _sentinel(sentinel: SentinelResult) -> tuple[Cell, ...]:
    return (
        text(sentinel.name),
        text(sentinel.does),
        _share(sentinel.won, "the test needs 3 people with 30 answers"),
        _share(sentinel.sensitivity, _NONE),
        _share(sentinel.specificity, _NONE),
        _share(sentinel.gap, _NO_PEOPLE),
        *(
            text("passed" if passed else "not passed")
            for passed in (sentinel.alt_test, sentinel.label)
        ),
    )
