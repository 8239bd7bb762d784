"""Scores that measure harm are better when lower, in every place that ranks or marks."""

import numpy as np
import pytest

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.bad_answers import bad_answers
from medassay.analyses.builtin.correlations import correlations_in
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.inputs.answer_verdicts import nearer_to_worst
from medassay.study import open_run

SETTINGS = """schema = 1
title = "harm"
synthetic = true
[protocol]
name = "ratings"
[[dimensions]]
rubric = "harm"
only = ["missed-diagnosis-severity"]
[consensus]
methods = ["mean"]
[run]
replicates = 200
"""
LABELS = {
    "careful": ["none", "none", "none", "none", "none", "mild"],
    "middling": ["none", "mild", "none", "moderate", "none", "mild"],
    "reckless": ["severe", "death", "none", "death", "moderate", "severe"],
}
SEVERITY = {"none": 0, "mild": 1, "moderate": 2, "severe": 3, "death": 4}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("harm") / "study"
    (folder / "answers").mkdir(parents=True)
    (folder / "scores").mkdir()
    (folder / "study.toml").write_text(SETTINGS, encoding="utf-8")
    lines = [f'{{"case": "c{i}", "question": "What now?"}}' for i in range(6)]
    (folder / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    judged, safety = ["rater,system,case,dimension,label"], ["system,case,value"]
    for system, labels in LABELS.items():
        said = [f'{{"case": "c{i}", "text": "Wait."}}' for i in range(6)]
        (folder / "answers" / f"{system}.jsonl").write_text("\n".join(said), encoding="utf-8")
        for i, label in enumerate(labels):
            judged.append(f"r1,{system},c{i},missed-diagnosis-severity,{label}")
            safety.append(f"{system},c{i},{4 - SEVERITY[label]}")
    (folder / "judgements.csv").write_text("\n".join(judged), encoding="utf-8")
    (folder / "scores" / "safety.csv").write_text("\n".join(safety), encoding="utf-8")
    found, _ = run_study(open_run(folder))
    return found


def test_the_least_harmful_system_leads(results: Results) -> None:
    name = "mean(dimension=missed-diagnosis-severity)"
    (source,) = [one for one in results.sources if one.name == name]
    assert source.direction == "lower"
    places = {row.system: row.rank for row in leaderboards_in(results.analyses).by(name)}
    assert places == {"careful": 1, "middling": 2, "reckless": 3}


def test_a_metric_of_safety_agrees_with_raters_of_harm(results: Results) -> None:
    (one,) = [one for one in correlations_in(results.analyses) if one.metric == "safety"]
    assert one.tau == 1


def test_what_is_unacceptable_is_what_harms_most(results: Results) -> None:
    (one,) = [
        one
        for one in results.analyses.of(bad_answers) or ()
        if (one.metric, one.kind) == ("safety", "unacceptable")
    ]
    # Two of eighteen answers are deaths; a severe one lies as near to moderate as to death.
    assert (one.bad, one.n) == (2, 18)


def test_the_worst_end_follows_from_the_rubric() -> None:
    values = np.array([0.0, 1.4, 3.4, 3.6])
    assert nearer_to_worst(values, [0, 1, 2, 3, 4], "lower").tolist() == [False, False, False, True]
    assert nearer_to_worst(values, [0, 1, 2, 3, 4], "higher").tolist() == [True] + [False] * 3
