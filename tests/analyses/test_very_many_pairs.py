"""Of very many pairs of systems those by metrics are tested, and not kept."""

from pathlib import Path

import pytest

from medassay.analyses import run_study
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.inputs import system_boards
from medassay.report.tables import all_tables
from medassay.study import open_run

METRIC = "rouge1(ref=human)"


def test_of_very_many_pairs_those_by_metrics_are_tested_and_not_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = folder / "study.toml"
    asked = f'[[metrics]]\nname = "{METRIC}"\n'
    settings.write_text(settings.read_text(encoding="utf-8") + asked, encoding="utf-8")
    made = []
    for most in (system_boards._MOST_PAIRS, 0):
        monkeypatch.setattr(system_boards, "_MOST_PAIRS", most)
        results = run_study(open_run(folder))[0]
        [pairs] = (table for table in all_tables(results) if table.id == "comparisons")
        made.append((leaderboards_in(results.analyses), pairs.caption))
    (every, whole), (few, cut) = made
    assert few.standings == every.standings
    assert METRIC in {pair.source for pair in every.comparisons}
    assert few.comparisons == tuple(pair for pair in every.comparisons if pair.source != METRIC)
    assert few.comparisons
    assert ("not listed" in whole, "not listed" in cut) == (False, True)
