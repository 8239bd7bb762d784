"""Tables of arms of display, and the sentence about them."""

from collections.abc import Iterator
from typing import Any, Final

from medassay.analyses.builtin.display_arms.record import ArmsDiffer, DisplayArms, PairInArms
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
from medassay.exhibits.cells import how
from medassay.exhibits.columns import Shown, counted, estimated
from medassay.exhibits.numbers import bounds, count_of, shown_p

__all__ = ["arms_claims", "arms_finding", "arms_tables"]

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
                _pair(names),
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
                _pair(names),
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


def _pair(names: Names) -> Shown[tuple[PairInArms, Any]]:
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
    if clear:
        text = "What is shown changes what raters prefer: " + "; ".join(
            _said(pair, difference, names) for pair, difference in clear
        )
    else:
        text = f"Of {count_of(len(every), 'pair')} of systems none is seen to be preferred "
        text += "otherwise by what is shown"
        if few < _CASES:
            text += f"; with under {_CASES} cases in an arm it is not said"
    return Finding(_FINDING, f"{text}.", ("display-differences", "display-arms"))


def _is_told(pair: PairInArms, difference: ArmsDiffer, names: Names) -> bool:
    p, level = difference.p_adjusted, names.level(_FINDING, _ABOUT)
    return _cases(pair, difference) >= _CASES and p is not None and p < level


def _cases(pair: PairInArms, difference: ArmsDiffer) -> int:
    """Count the cases in the smaller of the two arms."""
    held = {difference.display, difference.other}
    return min(arm.cases for arm in pair.arms if arm.display in held)


def _said(pair: PairInArms, difference: ArmsDiffer, names: Names) -> str:
    first, second = names.of_system(pair.system_a), names.of_system(pair.system_b)
    value = f"{PROPORTION(difference.difference or 0.0)} {bounds(difference.interval)}".rstrip()
    return (
        f"with {difference.display} rather than {difference.other}, the share preferring {first} "
        f"less that preferring {second} changes by {value}"
    )
