"""The made-up study has the published margins and agreement, and says what it is."""

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest

from medassay.agreement import agree
from medassay.analyses.builtin.rater_flow import count_raters
from medassay.analyses.inputs.readable import on_file_of
from medassay.consensus import label_distribution
from medassay.judgements import Judgements, load_rubric, units
from medassay.study import Study, write_demo
from medassay.study.demo import synthetic_files

# Tables 2 and 3 of the paper: label totals, majority counts; kappa with three labels and with two.
PUBLISHED = {
    "answers-question": ((3824, 2634, 1942), (1286, 767, 580), 0.347, 0.545),
    "uses-evidence": ((6941, 844, 615), (2472, 159, 101), 0.222, 0.236),
    "uses-knowledge": ((2291, 5790, 319), (583, 2087, 40), 0.159, 0.147),
}
UNANIMOUS = {"answers-question": 0.402, "uses-evidence": 0.660, "uses-knowledge": 0.450}


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return synthetic_files()


@pytest.fixture(scope="module")
def judgements(files: dict[str, bytes]) -> Judgements:
    rows = list(csv.DictReader(io.StringIO(files["judgements.csv"].decode())))
    return Judgements.from_rows(rows, load_rubric("archehr"))


@pytest.mark.parametrize("dimension", PUBLISHED)
def test_label_totals_and_majorities_are_the_published_ones(
    judgements: Judgements, dimension: str
) -> None:
    spread = label_distribution(units(judgements, dimension))
    totals, majority, _, _ = PUBLISHED[dimension]
    assert spread.judgements == totals
    assert spread.majority == majority
    assert spread.ties == 2800 - sum(majority)


def test_agreement_is_the_published_one(judgements: Judgements) -> None:
    found = {
        (one.dimension, one.mapping, one.name.base): one.value
        for one in agree(judgements, coefficient_names=["fleiss", "unanimous"])
    }
    for dimension, (_, _, three, two) in PUBLISHED.items():
        assert found[dimension, "full", "fleiss"] == pytest.approx(three, abs=0.0015)
        assert found[dimension, "published", "fleiss"] == pytest.approx(two, abs=0.0025)
        assert found[dimension, "full", "unanimous"] == pytest.approx(
            UNANIMOUS[dimension], abs=0.0005
        )


def test_three_different_raters_an_answer_and_an_even_load(judgements: Judgements) -> None:
    frame = judgements.frame
    panels = frame.group_by("system", "case", "dimension").agg(frame["rater"].n_unique())
    assert panels.height == 8400
    per_answer = frame.group_by("system", "case", "dimension").len()["len"]
    assert set(per_answer) == {3}
    load = Counter(frame["rater"])
    assert len(load) == 26
    assert max(load.values()) - min(load.values()) <= 3


def test_the_same_bytes_at_every_call(files: dict[str, bytes]) -> None:
    assert synthetic_files() == files


def test_every_text_says_what_it_is(files: dict[str, bytes]) -> None:
    cases = [json.loads(line) for line in files["cases.jsonl"].splitlines()]
    assert len(cases) == 100
    assert all(case["narrative"].startswith("Synthetic text") for case in cases)
    assert b"synthetic = true" in files["study.toml"]


@pytest.mark.slow
def test_it_opens_as_a_study(tmp_path: Path) -> None:
    write_demo(tmp_path / "made-up", "archehr-synthetic")
    study = Study.open_whole(tmp_path / "made-up")
    assert (len(study.cases), len(study.systems), len(study.answers)) == (100, 28, 2800)
    assert study.config.synthetic
    assert not study.warnings


@pytest.mark.slow
def test_every_rater_is_listed_as_invented_and_three_are_left_out(tmp_path: Path) -> None:
    write_demo(tmp_path / "demo", "archehr-synthetic")
    study = Study.open_whole(tmp_path / "demo")
    assert study.config.synthetic
    flow = count_raters(on_file_of(study), study.judgements, study.preferences)
    assert (flow.listed, flow.qualified, flow.judged, flow.left_out) == (29, 26, 26, 0)
    assert flow.judgements == 2800 * 3 * 3
    assert sorted(flow.excluded.values()) == [1, 2]
    said = [count.rater.expertise for count in flow.raters] + [*flow.excluded]
    assert all(words.startswith("Invented") for words in said)
