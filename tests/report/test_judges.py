"""The report's part on model judges."""

from pathlib import Path

import pytest
from tools.judged_study import write_judged
from tools.standard.shared import SharedRuns

from medassay.analyses import Results, run_study
from medassay.analyses.results.whole import Records
from medassay.report.page import page
from medassay.report.tables import all_tables, table_csv
from medassay.study import open_run


@pytest.fixture(scope="module")
def results(standard_run: SharedRuns) -> Results:
    return standard_run("judges").results


def test_every_judge_has_its_tests_numbers_and_certificate(results: Results) -> None:
    tables = {one.id: one for one in all_tables(results)}
    assert {"judges", "judge-numbers", "judge-people", "judge-order"} <= set(tables)
    verdicts = table_csv(tables["judges"]).decode()
    assert "fair" in verdicts
    assert "honoured" in verdicts
    assert "refused" in verdicts
    assert len(tables["judge-people"].rows) == 8
    raters = table_csv(tables["raters"]).decode()
    assert "held apart" in raters


def test_without_judges_there_is_no_such_part(results: Results) -> None:
    of_judges = {"jury", "judges"}
    others = {name: found for name, found in results.analyses.items() if name not in of_judges}
    without = results.model_copy(update={"analyses": Records(others)})
    text = page(without).decode()
    assert 'id="judges-title"' not in text


@pytest.mark.slow
def test_tables_of_a_models_preferences_say_that_no_certificate_speaks_of_them(
    tmp_path: Path,
) -> None:
    folder = write_judged(tmp_path / "study", cases=6)
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8").replace("replicates = 500", "replicates = 100")
    counted = text.replace("[run]", '[raters]\nmodels = "counted"\n[run]')
    settings.write_text(counted, encoding="utf-8")
    tables = {one.id: one for one in all_tables(run_study(open_run(folder))[0])}
    said = tables["preferences-overall"].caption
    of_models = "preferences of fair (a model) and wordy (a model) are counted beside those of 1"
    assert f"{of_models} person. No certificate covers preferences." in said
    assert "No valid certificate shows how they compare" in said
