"""Whose competence stands where: that of the method named, on every page."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tools.standard.making import add_settings
from typer.testing import CliRunner

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.quality import qualities_in, quality, quality_columns
from medassay.analyses.builtin.rater_effects import effects_in
from medassay.analyses.inputs.study_columns import step_rng
from medassay.cli.app import app
from medassay.judgements import units
from medassay.report import findings
from medassay.report.cards import rater_cards
from medassay.report.figures import draw
from medassay.report.tables import all_tables
from medassay.study import Study, new_study, open_run

PLAIN, OWN = "mace", "mace(guessing=20)"
CASES = 80
"""Two answers each: MACE tells competence from 150 answers on."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write 160 answers of five raters who know less and less whether each is good."""
    study = tmp_path_factory.mktemp("quality") / "study"
    new_study(study, "ratings", empty=True)
    add_settings(study, '[privacy]\nraters = "named"\n')
    rng = np.random.default_rng(5)
    rows = ["rater,system,case,dimension,label"]
    for case in range(CASES):
        for system in ("s1", "s2"):
            truth = rng.choice([1, 5])
            for rater, knows in zip("abcde", (0.9, 0.7, 0.5, 0.3, 0.0), strict=True):
                label = truth if rng.random() < knows else rng.choice([1, 5])
                rows.append(f"{rater},{system},{case},quality,{label}")
    (study / "judgements.csv").write_text("\n".join(rows) + "\n")
    cases = "".join(f'{{"case": "{case}"}}\n' for case in range(CASES))
    (study / "cases.jsonl").write_text(cases)
    with (study / "study.toml").open("a") as file:
        file.write(
            f'\n[consensus]\nmethods = ["mean", "{PLAIN}", "{OWN}"]\n[run]\nreplicates = 100\n'
        )
    return study


@pytest.fixture(scope="module")
def competence(folder: Path) -> dict[str, dict[str, float]]:
    """Fit both models by the method itself, with the draws of the study."""
    from medassay.consensus import join_units
    from medassay.consensus.consensus import stream_of

    study = Study.open(folder)
    seed = int(step_rng(study, "s38").integers(2**63))
    read = units(study.judgements, "quality")
    found: dict[str, dict[str, float]] = {}
    for method in (PLAIN, OWN):
        labelled, joined = join_units(read, method, rng=stream_of(seed, "quality", "full"))
        known = [one for one in joined.quality if one is not None]
        found[method] = dict(zip(labelled.raters, known, strict=True))
    # The two models differ, so a number of the one cannot pass for one of the other.
    assert max(abs(found[PLAIN][r] - found[OWN][r]) for r in "abcde") > 0.05
    return found


@pytest.fixture(scope="module")
def results(folder: Path) -> Results:
    return run_study(open_run(folder))[0]


def test_json_names_the_competence_of_each_method(
    folder: Path, competence: dict[str, dict[str, float]]
) -> None:
    asked = ["consensus", str(folder), "--json"]
    made = json.loads(CliRunner().invoke(app, asked).stdout)
    for method, known in competence.items():
        quality = {
            one["rater"]: one["quality"] for one in made["quality"] if one["method"] == method
        }
        (fit,) = [one for one in made["fits"] if one["method"] == method]
        assert quality == known
        assert {one["rater"]: one["quality"] for one in fit["raters"]} == known


def test_the_screen_gives_each_method_its_own_column(
    folder: Path, competence: dict[str, dict[str, float]]
) -> None:
    said = CliRunner(env={"COLUMNS": "200"}).invoke(app, ["consensus", str(folder)]).stdout
    table = [line.split() for line in said[said.index(": raters") :].splitlines()]
    (heads,) = [line for line in table if line[:3] == ["dimension", "rater", "labels"]]
    assert heads[-2:] == [PLAIN, OWN]
    shown = {line[1]: line[-2:] for line in table if line[:1] == ["quality"]}
    for rater in "abcde":
        wanted = [competence[method][rater] for method in (PLAIN, OWN)]
        assert [float(one) for one in shown[rater]] == pytest.approx(wanted, abs=0.006)
    assert f"{PLAIN}, {OWN}: competence: how often the rater knows" in said
    # Votes read the labels themselves, and say the same of every rater.
    assert "majority (the same for majority(ties=lower), mean): share of" in said


@pytest.mark.slow
def test_the_page_gives_each_method_its_own_column(
    results: Results, competence: dict[str, dict[str, float]]
) -> None:
    (table,) = [one for one in all_tables(results) if one.id == "rater-quality"]
    place = {column.fields[0]: i for i, column in enumerate(table.columns)}
    for method, known in competence.items():
        shown = {row.cells[0].text: row.cells[place[method]].raw[0] for row in table.rows}
        assert shown == known


@pytest.mark.slow
def test_the_effects_cards_and_figures_tell_of_the_model_that_the_study_names(
    results: Results, competence: dict[str, dict[str, float]]
) -> None:
    competences = [one for one in effects_in(results.analyses) if one.kind == "competence"]
    assert {one.about for one in competences} == {PLAIN, OWN}
    own = [one for one in competences if one.about == OWN]
    assert {one.rater: one.effect for one in own} == competence[OWN]
    for one in own:
        assert "MACE (guessing 20)" in one.meaning
        assert one.interval is None or one.interval.low < one.interval.high
    (table,) = [table for table in all_tables(results) if table.id == "rater-effects"]
    effects = [row.cells[1].text for row in table.rows]
    assert effects.count("competence, MACE (guessing 20)") == 5
    (card,) = [one for one in rater_cards(results) if one.rater == "b"]
    lines = {line.title: line.cells[0][0].text for line in card.lines}
    assert lines["MACE (guessing 20) competence"] == f"{competence[OWN]['b']:.2f}"
    assert lines["MACE competence"] == f"{competence[PLAIN]['b']:.2f}"
    assert (
        "Competence, MACE (guessing 20): how often the rater"
        in draw(results)["raters-quality"].caption
    )


def test_a_study_that_names_no_mace_has_none_and_is_told_how_to_ask(
    folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "study"
    shutil.copytree(folder, other, ignore=shutil.ignore_patterns("results"))
    text = (other / "study.toml").read_text().replace(f', "{PLAIN}", "{OWN}"', "")
    (other / "study.toml").write_text(text)
    results, _ = run_study(open_run(other))
    assert {one.method for one in qualities_in(results.analyses)}.isdisjoint({PLAIN, OWN})
    assert not [one for one in effects_in(results.analyses) if one.kind == "competence"]
    (table,) = [one for one in all_tables(results) if one.id == "rater-quality"]
    assert 'methods = ["mean", "mace"] under [consensus]' in table.caption


@pytest.mark.slow
def test_methods_share_a_column_only_where_every_number_is_the_same(results: Results) -> None:
    told = qualities_in(results.analyses)
    columns = quality_columns(told)
    assert [list(one.of) for one in columns] == [
        ["majority", "majority(ties=lower)", "mean"],
        ["dawid_skene"],
        [PLAIN],
        [OWN],
    ]
    moved = [
        replace(one, quality=0.5) if (one.method, one.rater) == ("mean", "e") else one
        for one in told
    ]
    assert len(quality_columns(moved)) == 5


@pytest.mark.slow
def test_a_study_may_leave_it_out_and_the_rest_stays(
    folder: Path, tmp_path: Path, results: Results
) -> None:
    other = tmp_path / "study"
    shutil.copytree(folder, other, ignore=shutil.ignore_patterns("results"))
    with (other / "study.toml").open("a") as file:
        file.write("[report.analyses]\nquality = false\n")
    found, _ = run_study(open_run(other))
    assert found.analyses.of(quality) is None
    assert "rater-quality" not in [one.id for one in all_tables(found)]
    cards, full = rater_cards(found), rater_cards(results)
    assert [one.rater for one in cards] == [one.rater for one in full]
    assert "Labels" in [line.title for line in full[0].lines]
    assert "Labels" not in [line.title for line in cards[0].lines]
    (first,) = [one.text for one in findings(found) if one.id == "leaders"]
    assert "these five raters" in first
