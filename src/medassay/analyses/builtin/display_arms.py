"""Does what raters are shown beside the answers change which they prefer?"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design
from medassay.annotations import DesignName, PValue, SystemName, Words, record
from medassay.exhibits import (
    PROPORTION,
    Claim,
    Finding,
    Names,
    Table,
    VerdictKind,
    VerdictRow,
    shown,
    table_of,
)
from medassay.exhibits.columns import Shown, counted, estimated, how
from medassay.exhibits.numbers import ci, count_of, shown_p
from medassay.judgements import Preferences
from medassay.stats import Interval, holm, ratio_difference, ratio_mean

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray


@record(infers=True)
class ArmOn:
    """Two systems in one arm of display.

    Attributes:
        display: The arm.
        comparisons: Comparisons with a choice.
        cases: Cases with one.
        win_difference: Share preferring the first system less that preferring the second, ties 0:
            -1 to 1; None where nobody chose.
        interval: Over cases or clusters; None where it is undefined.
        reason: Why there is no value or no interval; empty where both are there.
    """

    display: DesignName
    comparisons: int
    cases: int
    win_difference: float | None
    interval: Interval | None
    reason: Words


@record(infers=True)
class ArmsDiffer:
    """How far the win difference of two systems differs between two arms.

    Attributes:
        display: The arm.
        other: The arm that it is held against.
        difference: The win difference in the one less that in the other, -2 to 2.
        interval: Over cases or clusters; None where it is undefined.
        p_adjusted: Two-sided, after Holm over all that this analysis compares; None where there is
            no interval.
        reason: Why there is no value or no interval; empty where both are there.
    """

    display: DesignName
    other: DesignName
    difference: float | None
    interval: Interval | None
    p_adjusted: PValue | None
    reason: Words


@record(infers=True)
class PairInArms:
    """Two systems on one dimension, in every arm.

    Attributes:
        dimension: What they were compared on.
        system_a: The first system.
        system_b: The second.
        arms: Each arm.
        differ: Each arm held against the first.
    """

    dimension: DesignName
    system_a: SystemName
    system_b: SystemName
    arms: tuple[ArmOn, ...]
    differ: tuple[ArmsDiffer, ...]


@record(infers=True)
class DisplayArms:
    """Every pair of systems that was compared in two arms and more."""

    pairs: tuple[PairInArms, ...]


def pairs_in_arms(preferences: Preferences, clusters: Mapping[str, str]) -> tuple[PairInArms, ...]:
    """Count each pair of systems in each arm; pairs that met one arm alone are left out.

    A rater who met the same pair in two arms counts in both.
    """
    import polars as pl

    rows = preferences.counted.filter(
        pl.col("choice").is_not_null() & pl.col("display").is_not_null()
    )
    won = pl.when(pl.col("winner").is_null()).then(0.0)
    rows = rows.with_columns(
        won=won.when(pl.col("winner") == pl.col("first")).then(1.0).otherwise(-1.0)
    )
    return _adjusted(tuple(_pairs(rows, clusters)))


def _pairs(rows: "pl.DataFrame", clusters: Mapping[str, str]) -> Iterator[PairInArms]:
    key = ["dimension", "first", "second"]
    for dimension, first, second in sorted(rows.select(key).unique().iter_rows()):
        mine = rows.filter(dimension=dimension, first=first, second=second)
        arms = sorted(mine["display"].unique())
        if len(arms) > 1:
            yield _pair((dimension, first, second), mine, arms, clusters)


def _pair(
    names: tuple[str, str, str],
    rows: "pl.DataFrame",
    arms: list[str],
    clusters: Mapping[str, str],
) -> PairInArms:
    cases = sorted(rows["case"].unique())
    place = {case: at for at, case in enumerate(cases)}
    named = [clusters.get(case, case) for case in cases] if clusters else None
    sums: list[NDArray[np.float64]] = []
    for arm in arms:
        mine = rows.filter(display=arm)
        at = np.array([place[case] for case in mine["case"]])
        count = np.bincount(at, minlength=len(cases)).astype(np.float64)
        won = np.bincount(at, mine["won"].to_numpy(), minlength=len(cases))
        sums.append(np.column_stack([won, count]))
    on = []
    for arm, of in zip(arms, sums, strict=True):
        estimate = ratio_mean(of, named)
        on.append(
            ArmOn(
                display=arm,
                comparisons=int(of[:, 1].sum()),
                cases=int(np.count_nonzero(of[:, 1])),
                win_difference=estimate.value,
                interval=estimate.interval,
                reason=estimate.undefined,
            )
        )
    differ = []
    for arm, of in zip(arms[1:], sums[1:], strict=True):
        estimate = ratio_difference(of, sums[0], named)
        differ.append(
            ArmsDiffer(
                arm, arms[0], estimate.value, estimate.interval, estimate.p, estimate.undefined
            )
        )
    return PairInArms(*names, tuple(on), tuple(differ))


def _adjusted(pairs: tuple[PairInArms, ...]) -> tuple[PairInArms, ...]:
    """Adjust the p of all differences for each other."""
    raw = [
        difference.p_adjusted
        for pair in pairs
        for difference in pair.differ
        if difference.p_adjusted is not None
    ]
    adjusted = iter(holm(raw).tolist() if raw else ())
    return tuple(
        replace(
            pair,
            differ=tuple(
                difference
                if difference.p_adjusted is None
                else replace(difference, p_adjusted=next(adjusted))
                for difference in pair.differ
            ),
        )
        for pair in pairs
    )


_FINDING: Final = "display-arms"
_ABOUT: Final = "what was shown"
_CASES: Final = 20
"""With fewer, intervals are too narrow to say that arms differ (simulations/display-arms.md)."""


def arms_tables(record: DisplayArms, names: Names) -> list[Table]:
    """Show each pair in each arm, and how far the arms differ."""
    arms = [(pair, arm) for pair in record.pairs for arm in pair.arms]
    differ = [(pair, difference) for pair in record.pairs for difference in pair.differ]
    return [
        table_of(
            ((names.of_dimension(pair.dimension), (pair, arm)) for pair, arm in arms),
            (
                _pair_columns(names),
                shown("Shown", lambda row: row[1].display, file="display"),
                estimated("Win difference", lambda row: row[1].win_difference,
                          file="win_difference", interval=lambda row: row[1].interval,
                          why_not=lambda row: row[1].reason, axis=(-1, 1)),
                counted("Comparisons", lambda row: row[1].comparisons, file="comparisons"),
                counted("Cases", lambda row: row[1].cases, file="cases"),
            ),
            id="display-arms",
            title="Preferences by what was shown",
            caption="Share of comparisons that preferred the first system of the pair less the "
            f"share that preferred the second; a tie is 0. {how(a.interval for _, a in arms)}",
            grouped_by="dimension",
        ),
        table_of(
            ((names.of_dimension(row[0].dimension), row) for row in differ),
            (
                _pair_columns(names),
                shown("Shown", lambda row: row[1].display, file="display"),
                shown("Against", lambda row: row[1].other, file="against"),
                estimated("Difference", lambda row: row[1].difference, file="difference",
                          interval=lambda row: row[1].interval,
                          why_not=lambda row: row[1].reason, axis=(-2, 2)),
                shown("p", lambda row: row[1].p_adjusted, shown_p, file="p_adjusted",
                      why_not=lambda row: row[1].reason),
            ),
            id="display-differences",
            title="Does what was shown change preferences?",
            caption="Win difference in the one arm less that in the other; p after Holm over all "
            f"rows. {how(difference.interval for _, difference in differ)}",
            grouped_by="dimension",
        ),
    ]  # fmt: skip


def _pair_columns(names: Names) -> Shown[tuple[PairInArms, Any]]:
    return shown(
        "Pair",
        lambda row: f"{names.of_system(row[0].system_a)} - {names.of_system(row[0].system_b)}",
        file="pair",
        adds={"system_a": lambda row: row[0].system_a, "system_b": lambda row: row[0].system_b},
    )


def arms_claims(record: DisplayArms) -> Iterator[Claim]:
    """Claim that what is shown changes preferences, over all pairs and arms."""
    differ = [(pair, difference) for pair in record.pairs for difference in pair.differ]
    p = [difference.p_adjusted for _, difference in differ]
    if any(_cases(pair, difference) >= _CASES for pair, difference in differ):
        yield Claim.of(_FINDING, _ABOUT, VerdictKind.CLAIM, p, row=VerdictRow.SHOWN)


def arms_finding(record: DisplayArms, names: Names) -> Finding | None:
    """Say which preferences change with what is shown, or that none is seen to."""
    every = [(pair, difference) for pair in record.pairs for difference in pair.differ]
    if not every:
        return None
    clear = [(pair, difference) for pair, difference in every if _is_told(pair, difference, names)]
    few = min(arm.cases for pair in record.pairs for arm in pair.arms)
    basis = ("display-differences", "display-arms")
    pairs = count_of(len(every), "pair")
    if clear:
        most = max(clear, key=lambda told: abs(told[1].difference or 0.0))
        text = f"What is shown changes what raters prefer in {len(clear):,} of {pairs} of systems."
        return Finding(_FINDING, f"{text} {_said(*most, names)}", basis)
    p = [own.p_adjusted for _, own in every if own.p_adjusted is not None] if few >= _CASES else []
    open_ = names.undecided(_FINDING, _ABOUT, min(p, default=None))
    text = f"Whether what is shown changes what raters prefer is {open_} in {pairs} of systems."
    if few < _CASES:
        text += f" With under {_CASES} cases in an arm it is not tested."
    return Finding(_FINDING, text, basis)


def _is_told(pair: PairInArms, difference: ArmsDiffer, names: Names) -> bool:
    p, level = difference.p_adjusted, names.level(_FINDING, _ABOUT)
    return _cases(pair, difference) >= _CASES and p is not None and p < level


def _cases(pair: PairInArms, difference: ArmsDiffer) -> int:
    """Count the cases in the smaller of the two arms."""
    held = {difference.display, difference.other}
    return min(arm.cases for arm in pair.arms if arm.display in held)


def _said(pair: PairInArms, difference: ArmsDiffer, names: Names) -> str:
    first, second = names.of_system(pair.system_a), names.of_system(pair.system_b)
    value, around = PROPORTION(difference.difference or 0.0), ci(difference.interval)
    beside = f" ({around})" if around else ""
    than = f"With {difference.display} rather than {difference.other}"
    return f"{than}, the win difference of {first} over {second} changes by {value}{beside}."


@analysis(
    Declaration(
        id="display_arms",
        title="Preferences by what was shown",
        question="Does what raters are shown beside the answers, such as citations, change which "
        "they prefer?",
        section="preferences",
        infers=True,
        reader="methodologist",
        place=2,
        tables=arms_tables,
        finding=arms_finding,
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda record, _: arms_claims(record),
    )
)
def display_arms(preferences: Preferences, design: Design) -> DisplayArms | None:
    """Hold each pair's win differences in the arms against each other."""
    pairs = pairs_in_arms(preferences, design.clusters)
    return DisplayArms(pairs) if pairs else None
