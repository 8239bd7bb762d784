"""The verdicts of a monitor, and the designs that were simulated for them."""

from typing import Final

from tools.verdict import Verdict

_QUARTER: Final = ("quarter", "baseline", "answers a day")
OF_MONITORS: Final = (
    Verdict(
        "monitor",
        "drifted, of a monitor",
        "nothing drifts, in a quarter, over 14 quantities",
        5,
        "monitor",
        "a drift is called",
        _QUARTER,
        only=lambda row: row["quarter"] == "nothing changes",
    ),
    Verdict(
        "monitor",
        "drifted, of a monitor",
        "weekends differ from the baseline, or answers of a day are alike",
        5,
        "monitor",
        "a drift is called",
        _QUARTER,
        studies=200,
        only=lambda row: row["quarter"] != "nothing changes",
        missed="that something moved is true there, and that it stays so is not: the first line "
        "says *Check*, and that answers of one day that resemble each other can do it alone",
    ),
)
