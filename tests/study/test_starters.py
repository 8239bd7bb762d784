"""What `medassay new` begins with holds what its protocol is for."""

from pathlib import Path

import pytest

from medassay.analyses import run_study
from medassay.analyses.builtin.jury import jury
from medassay.report.findings import findings
from medassay.study import new_study, open_run


def test_pairs_begin_with_preferences_in_two_arms_and_the_report_with_what_was_preferred(
    tmp_path: Path,
) -> None:
    new_study(tmp_path / "pairs", "blinded-pairs")
    run = open_run(tmp_path / "pairs")
    preferences = run.study.preferences.current()
    assert run.study.config.synthetic
    assert preferences.height == 18
    assert preferences["display"].n_unique() == 2
    assert len(run.study.judgements) == 0
    results, _ = run_study(run)
    assert findings(results)[0].id == "preferences"


@pytest.mark.slow
def test_a_jury_begins_with_models_beside_clinicians(tmp_path: Path) -> None:
    new_study(tmp_path / "jury", "jury")
    run = open_run(tmp_path / "jury")
    assert run.study.config.synthetic
    assert len(run.study.judges.raters) == 3
    assert run.study.judgements.current()["rater"].n_unique() == 2
    results, _ = run_study(run)
    assert results.analyses.of(jury) is not None
