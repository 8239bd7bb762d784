"""The table of all verdicts is that of the pages that measured them."""

import re
from pathlib import Path

import pytest
from tools.make_verdicts_page import PAGE, SIMULATIONS, page, rates, worst
from tools.print_rates import LOST, PARTS, command, lines
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
    rate = worst(verdict)
    missed = verdict.goal is not None and rate.now + 1.64 * rate.error > verdict.goal
    assert bool(verdict.missed) or not missed


@pytest.mark.parametrize("row", VerdictRow)
def test_every_row_that_a_claim_may_name_was_measured(row: VerdictRow) -> None:
    assert row in {verdict.row for verdict in VERDICTS}
    assert f"\n| {row} | " in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("script", sorted(SIMULATIONS.glob("*.py")), ids=lambda path: path.stem)
def test_a_simulation_writes_into_a_page_that_is_there(script: Path) -> None:
    pages = re.findall(r'/ "(design|simulations)" / "([\w-]+\.md)"', script.read_text("utf-8"))
    assert not [name for room, name in pages if not (SIMULATIONS.parent / room / name).is_file()]


@pytest.mark.parametrize("part", PARTS)
def test_each_line_of_the_rates_is_a_row_of_its_page(part: str) -> None:
    told = list(lines([part], every=True))
    assert told
    for verdict in filter(PARTS[part], (*VERDICTS, *LOST)):
        rows = [line for line in told if line.verdict == f"{verdict.says}: {verdict.wrong}"]
        measured = rates(verdict)
        assert len(rows) >= len(measured) > 0
        text = (SIMULATIONS / f"{verdict.page}.md").read_text("utf-8")
        for rate in measured:
            assert " | ".join(rate.row.values()) in text
            assert any((line.before, line.now) == (rate.of_old, f"{rate.now:.1f}") for line in rows)


def test_the_worst_line_of_the_rates_is_that_of_all_verdicts() -> None:
    for verdict in VERDICTS:
        [part] = [name for name, has in PARTS.items() if has(verdict)]
        rows = [line for line in lines([part]) if line.verdict.startswith(f"{verdict.says}: ")]
        rate = worst(verdict)
        assert f"{rate.now:.1f}" in {line.now for line in rows}
        assert f"| {rate.of_old} | {rate.now:.1f} ({rate.error:.1f}) |" in PAGE.read_text("utf-8")


@pytest.mark.parametrize("page_name", sorted({verdict.page for verdict in VERDICTS}))
def test_the_command_behind_a_rate_is_a_script_that_writes_its_page(page_name: str) -> None:
    for verdict in (verdict for verdict in VERDICTS if verdict.page == page_name):
        script = SIMULATIONS.parent / command(verdict).split()[1]
        text = script.read_text("utf-8")
        assert f'"{page_name}.md"' in text or f"simulations/{page_name}.md" in text
        assert re.search(f'"{verdict.mark}"|<!-- {verdict.mark} -->|put_table', text)


_FEWER = 1.4
"""A rate of those studies alone in which there is an estimate has a larger error."""


@pytest.mark.parametrize(
    "verdict", [*VERDICTS, *LOST], ids=lambda verdict: f"{verdict.says}: {verdict.wrong}"
)
def test_the_studies_of_a_rate_are_those_of_its_error(verdict: Verdict) -> None:
    for rate in rates(verdict):
        low, high = (min(max(rate.now / 100 + by, 0), 1) for by in (-0.0005, 0.0005))
        errors = [100 * (share * (1 - share) / rate.studies) ** 0.5 for share in (low, high)]
        if low == 0 or high == 1:
            errors.append(300 / rate.studies)
        assert min(errors) - 0.051 <= rate.error <= _FEWER * max(errors) + 0.051, rate
