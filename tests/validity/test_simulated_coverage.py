"""What the page says of the trust table's intervals is what was simulated."""

import re
from pathlib import Path

from medassay.validity import coverage_warning
from medassay.validity.simulated_coverage import SIMULATED

PAGE = Path(__file__).parents[2] / "simulations" / "coverage-trust.md"


def test_the_settings_are_those_of_the_committed_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (\d+) \| [\d.]+ \| ([\d.]+) \| (\d+) \| \d+ \| (\d+) \|", text, re.MULTILINE
    )
    told = [(int(n), float(r), int(together), int(low)) for n, r, together, low in rows]
    assert told == [(s.systems, s.reliability, s.together, s.lower_end) for s in SIMULATED]


def test_it_warns_for_unreliable_means() -> None:
    assert "86%" in coverage_warning(12, 0.5)
    assert "28 systems" in coverage_warning(40, 0.2)
    assert coverage_warning(12, 0.94) == ""
    assert "unknown" in coverage_warning(12, None)
    assert coverage_warning(28, 0.84) == ""
    assert coverage_warning(5, 0.97) == ""
