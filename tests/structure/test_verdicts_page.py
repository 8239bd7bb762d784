"""The table of all verdicts is that of the pages that measured them."""

import pytest
from tools.make_verdicts_page import PAGE, page, worst
from tools.verdict import Verdict
from tools.verdict_rows import VERDICTS

from medassay.exhibits import VerdictRow
from medassay.validity import Verdict as GateVerdict
from medassay.validity.uses import Use


def test_the_page_is_what_the_pages_of_simulations_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tools.make_verdicts_page"


def test_every_use_and_every_verdict_of_a_gate_has_its_rate() -> None:
    said = {verdict.says.partition(",")[0] for verdict in VERDICTS}
    uses = set(Use.__args__) - {"never", "exploratory"}  # type: ignore[attr-defined]
    verdicts = {str(verdict) for verdict in GateVerdict}
    assert uses | verdicts <= said


@pytest.mark.parametrize(
    "verdict", VERDICTS, ids=lambda verdict: f"{verdict.says}: {verdict.wrong}"
)
def test_who_misses_a_goal_says_where_readers_are_told(verdict: Verdict) -> None:
    rate, error, _, _ = worst(verdict)
    missed = verdict.goal is not None and rate + 1.64 * error > verdict.goal
    assert bool(verdict.missed) or not missed


@pytest.mark.parametrize("row", VerdictRow)
def test_every_row_that_a_claim_may_name_was_measured(row: VerdictRow) -> None:
    assert row in {verdict.row for verdict in VERDICTS}
    assert f"\n| {row} | " in PAGE.read_text(encoding="utf-8")
