"""Both verbs of the panel on four public sets of ratings: what they print and warn of."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tools.make_rating_studies import SETS, make_studies
from typer.testing import CliRunner

from medassay.analyses import agreement_report
from medassay.cli.app import app
from medassay.study import Study

DATA = Path(__file__).parents[1] / "data"
Ask = Callable[..., str]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Give what a verb prints on one of the sets."""
    folder = tmp_path_factory.mktemp("sets")
    for study in make_studies(DATA, folder):
        path = study / "study.toml"
        fewer = path.read_text(encoding="utf-8") + "\n[run]\nreplicates = 200\n"
        path.write_text(fewer, encoding="utf-8")

    @cache
    def say(verb: str, name: str, *words: str) -> str:
        done = CliRunner().invoke(app, [verb, str(folder / name), *words])
        assert done.exit_code == 0, done.output
        return done.output

    return say


def estimates(ask: Ask, name: str) -> dict[str, Any]:
    panel = json.loads(ask("agree", name, "--json"))["panel"]
    return {
        row["coefficient"]: row
        for row in panel
        if row["mapping"] == "full" and row["subset"] == "all cases"
    }


@pytest.mark.slow
def test_two_readers_who_saw_different_texts_are_said_to_have(ask: Ask) -> None:
    found = estimates(ask, "pubmedqa_pqal")
    # 701 of 1,000 abstracts have the same two labels; the final label is adjudication and no third.
    assert found["mean_pairwise"]["value"] == 0.701
    assert (found["fleiss"]["n_units"], found["fleiss"]["n_raters"]) == (1000, 2)
    (note,) = json.loads(ask("agree", "pubmedqa_pqal", "--json"))["notes"]
    assert note["kind"] == "different texts"
    assert sorted(note["raters"]) == ["reasoning-free", "reasoning-required"]
    said = ask("agree", "pubmedqa_pqal")
    assert "raters were shown different texts" in said
    assert "Cohen's kappa. 1: they agree on every answer" in said


def test_a_third_rater_who_settles_is_said_to_make_coefficients_invalid(ask: Ask) -> None:
    found = estimates(ask, "openqa_nq301")
    assert found["fleiss"]["value"] is None
    said = ask("agree", "openqa_nq301")
    # annotator3 labelled all 195 answers where the first two differ, and 28 of 1,288 others.
    assert "annotator3 labelled 100% of the answers where the others differ and 2%" in said
    assert (
        "note: acceptable (full): Fleiss' kappa: no value: undefined here: answers have 2 to"
        in said
    )
    (line,) = [line for line in said.splitlines() if "Fleiss' kappa   " in line]
    assert line.split()[4:] == ["none", "1,490", "301", "3"]


def test_claims_of_one_question_are_drawn_together(ask: Ask, tmp_path: Path) -> None:
    found = estimates(ask, "kqa")
    assert (found["fleiss"]["n_units"], found["fleiss"]["n_raters"]) == (399, 3)
    assert json.loads(ask("agree", "kqa", "--json"))["notes"] == []
    (folder,) = make_studies(DATA, tmp_path, ["kqa"])
    path = folder / "study.toml"
    alone = path.read_text(encoding="utf-8").replace('clusters = "question"', "")
    path.write_text(alone + "\n[run]\nreplicates = 200\n", encoding="utf-8")
    other = agreement_report(Study.open_whole(folder), by=()).panel
    apart = next(row for row in other if row.coefficient == "fleiss")
    assert apart.value == found["fleiss"]["value"]
    assert apart.interval is not None
    together = found["fleiss"]["interval"]
    assert together["high"] - together["low"] > apart.interval.high - apart.interval.low


@pytest.mark.slow
def test_two_annotators_with_few_shared_answers_are_flagged(ask: Ask) -> None:
    found = estimates(ask, "mslr_cochrane")
    # 39 summaries were judged by both; both answered outcome on 17 of them.
    rows = json.loads(ask("agree", "mslr_cochrane", "--json"))["panel"]
    shared = {(r["dimension"], r["n_units"]) for r in rows if r["subset"] == "all cases"}
    assert shared == {("fluency", 39), ("outcome", 17)}
    assert found["mean_pairwise"]["n_raters"] == 2
    said = ask("agree", "mslr_cochrane")
    assert "fluency (acceptable, all cases): Cohen's kappa, Fleiss' kappa" in said
    assert ": 99% of the labels" in said
    assert "(raters on 97%)" in said


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_consensus_prints_means_raters_ties_and_holds_all_of_it(ask: Ask, name: str) -> None:
    said, held = ask("consensus", name), json.loads(ask("consensus", name, "--json"))
    for heading in (": consensus", ": raters"):
        assert heading in said
    assert ("by the rule for ties" in said) == any(one["ties"] for one in held["ties"])
    means = held["means"]
    around = [(one["mean"], one["interval"]) for one in means if one["interval"]]
    assert around
    assert all(each["low"] <= mean <= each["high"] for mean, each in around)
    methods = {"majority", "majority(ties=lower)", "dawid_skene", "mace"}
    assert {one["method"] for one in held["quality"]} == methods
    assert "both" not in {one["rater"] for one in held["quality"]}
    for one in held["scores"]:
        assert (one["value"] is None) != (one["reason"] == "")
        assert one["uncertainty"] is None or one["uncertainty"] >= 0
