"""What is said of harm, and by whom, where labels of a model are counted."""

import csv
import io
import shutil
from pathlib import Path

import pytest
from tools.judged_harm import DIMENSION, write_harm
from tools.standard.shared import SharedRuns

from medassay.analyses import Results, judge_results, run_study
from medassay.analyses.builtin.harm_bounds import harm_bounds
from medassay.analyses.builtin.safety import safety
from medassay.exhibits.table import Table
from medassay.judges import import_certificate, write_certificate
from medassay.report.findings import findings
from medassay.report.page import page
from medassay.report.prose import methods_statements
from medassay.report.tables import all_tables, table_csv, table_markdown
from medassay.study import Study, open_run


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_harm(tmp_path_factory.mktemp("tested") / "study", judge="fair", harmful=80)
    study = Study.open_whole(folder)
    return write_certificate(study, judge_results(study, ["robot"])[0])


@pytest.fixture(scope="module")
def alone(standard_run: SharedRuns) -> Results:
    return standard_run("harm-judge").results


def bounds(results: Results) -> list[dict[str, str]]:
    [table] = [one for one in all_tables(results) if one.id == "harm-bounds"]
    return list(csv.DictReader(io.StringIO(table_csv(table).decode())))


def test_a_model_alone_is_said_to_be_in_every_sentence(alone: Results) -> None:
    said = findings(alone)
    assert said[0].id == "models"
    assert [one.id for one in said[1:3]].count("harm") == 1
    assert all(
        "by robot, a model" in one.text
        or " by robot (a model), and no person (" in one.text.partition(". ")[0]
        for one in said[1:3]
    )
    assert not [one.text for one in said if "the raters" in one.text]
    text = page(alone).decode()
    assert "agree with the raters" not in text
    said_of_method = " ".join(one.text for one in methods_statements(alone))
    assert "No person and 1 model gave 36 judgements." in said_of_method
    assert "the raters" not in said_of_method


def resting_on_labels(results: Results) -> list[Table]:
    without = {"answers", "harm-bounds", "inputs", "left-out", "sources", "systems", "unscored"}
    tables = [one for one in all_tables(results) if one.id not in without]
    return [one for one in tables if not one.id.startswith("judge")]


def test_and_below_every_table_that_rests_on_it(alone: Results) -> None:
    rest = resting_on_labels(alone)
    assert {"leaderboard", "comparisons", "agreement-main"} <= {one.id for one in rest}
    for table in rest:
        assert "labels come from robot (a model) and none from people" in table.caption, table.id
        assert "A valid certificate shows how they compare" in table.caption, table.id
        assert "the raters" not in f"{table.title} {table.caption} {table.empty}".lower(), table.id
        assert "(a model)'" not in table.caption, table.id
    [glance] = [one for one in rest if one.id == "at-a-glance"]
    assert glance.caption.startswith("By the mean of the labels of robot (a model), 12 cases.")


def test_bounds_of_harm_read_the_certificate(alone: Results) -> None:
    rows = bounds(alone)
    assert len(rows) == 6
    for row in rows:
        assert row["judge"] == "robot"
        found, many, share = (float(row[name]) for name in ("found", "judged", "share"))
        finds, passes = float(row["judge_finds"]), float(row["judge_passes"])
        corrected = (found / many + passes - 1) / (finds + passes - 1)
        assert share == pytest.approx(max(0.0, corrected))
        # People who had found so few would leave less open.
        assert float(row["upper"]) > found / many
        assert "errs on these answers as on those of its certificate" in row["warning"]


def test_a_models_label_is_no_verdict(alone: Results) -> None:
    told = alone.analyses.of(safety)
    assert told is None or not any(own.dangerous_of for own in told.systems)


def test_without_a_certificate_there_is_no_bound(tmp_path: Path) -> None:
    folder = write_harm(
        tmp_path / "study", judge="none", harmful=27, people=0, models="counted", cases=30
    )
    results = run_study(open_run(folder))[0]
    for row in bounds(results):
        assert row["upper"] == ""
        assert "no certificate that holds says how much" in row["reason"]
    assert results.judged_by[0].people == 0
    for table in resting_on_labels(results):
        assert "No valid certificate shows how they compare" in table.caption, table.id


@pytest.mark.slow
def test_where_people_judged_bounds_are_theirs(certificate: Path, tmp_path: Path) -> None:
    folder = write_harm(
        tmp_path / "study", judge="fair", harmful=12, models="certified", cases=30, seed=3
    )
    import_certificate(Study.open_whole(folder), certificate)
    apart = Path(shutil.copytree(folder, tmp_path / "apart"))
    settings = apart / "study.toml"
    text = settings.read_text(encoding="utf-8").replace('models = "certified"', 'models = "apart"')
    settings.write_text(text, encoding="utf-8")
    counted, held_apart = (run_study(open_run(one))[0] for one in (folder, apart))
    assert counted.analyses.of(harm_bounds) == held_apart.analyses.of(harm_bounds)
    assert not any(one.judge for one in counted.analyses.of(harm_bounds) or ())
    assert counted.judged_by[0].people == 3
    said = findings(counted)
    assert "labels of robot (a model) are counted beside those of 3 people" in said[0].text
    assert [one for one in said if " by these three people and robot (a model) (" in one.text]
    assert not [one for one in said if "by these three raters" in one.text]
    assert held_apart.judged_by == []
    texts = [one.text for one in findings(held_apart)]
    assert [text for text in texts if " by these three raters (" in text]
    assert all("(a model)" not in one.caption for one in all_tables(held_apart))


def test_several_models_are_refused(certificate: Path, tmp_path: Path) -> None:
    folder = write_harm(
        tmp_path / "study", judge="fair", harmful=9, people=0, models="counted", cases=30
    )
    path = folder / "judgements.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    other = [row.replace("robot,", "android,") for row in rows]
    path.write_text("\n".join([head, *rows, *other]) + "\n", encoding="utf-8")
    import_certificate(Study.open_whole(folder), certificate)
    results = run_study(open_run(folder))[0]
    reasons = {row["reason"] for row in bounds(results)}
    assert reasons == {"what several models find together nobody has tested"}
    [board] = [one for one in all_tables(results) if one.id == "harm-bounds"]
    assert "android, robot, a model" in table_markdown(board).decode()
    assert results.judged_by[0].dimension == DIMENSION
