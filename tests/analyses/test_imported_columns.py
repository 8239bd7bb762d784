"""Scores computed elsewhere stand in their metric's place, and two that could are a question."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.shared_task import shared_task, task_tables
from medassay.analyses.builtin.targets import targets
from medassay.analyses.inputs.system_task_boards import TaskBoard, TaskColumn
from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.exchange.archehr import import_archehr
from medassay.exchange.archehr.submission import Form
from medassay.report import findings
from medassay.report.names import Names
from medassay.report.paper.rated_tables import table_s1
from medassay.study import Study, check_meaning, find_completed_run, import_scores, open_run

PRINTED = Path(__file__).parents[1] / "data" / "archehr"
XML, KEY = PRINTED / "table4.xml", PRINTED / "table4_key_2026.json"
SETTINGS = "baseline=en,layer=4,limit=75,model=distilbert-base-uncased"
BERTSCORE = f"bertscore_f1({SETTINGS},ref=human)"
BLEU = "bleu(limit=75,ref=human,words=blanks)"
VALUES = {"A": 0.2, "B": 0.4, "C": 0.9}
ANSWERS = {
    "A": "She had a pneumonia and was given antibiotics for it. |5|",
    "B": "The antibiotics were for an infection. |5|",
    "C": "It was given as planned. |5|",
}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return made(tmp_path, "archehr2025")


def made(folder: Path, form: Form) -> Path:
    files = []
    for system, text in ANSWERS.items():
        key = "answer" if form == "archehr2025" else "prediction"
        file = folder / f"{system}.json"
        said = text if form == "archehr2025" else text.partition(" |")[0]
        file.write_text(json.dumps([{"case_id": "table4", key: said}]), encoding="utf-8")
        files.append(file)
    import_archehr(folder / "study", XML, KEY, files, form=form)
    say(folder / "study", "[run]\nreplicates = 100")
    return folder / "study"


def say(study: Path, more: str) -> None:
    path = study / "study.toml"
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{more}\n", encoding="utf-8")


def table(study: Path, values: dict[str, float], name: str = "gpu.csv") -> Path:
    file = study.parent / name
    rows = "".join(f"{system},table4,{value}\n" for system, value in values.items())
    file.write_text(f"system,case,value\n{rows}", encoding="utf-8")
    return file


def bring(study: Path, name: str, values: dict[str, float] | None = None, **said: str) -> list[str]:
    file = table(study, values or VALUES)
    return import_scores(Study.open_whole(study), file, {}, name, check_meaning(said, "it")).notes


def put(study: Path, name: str, values: dict[str, float]) -> None:
    """Lay a file into the study by hand, which asks nobody."""
    (study / "scores").mkdir(exist_ok=True)
    with (study / "scores" / "by-hand.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [(system, "table4", name, value) for system, value in values.items()]
        csv.writer(file).writerows([("system", "case", "source", "value"), *rows])


def results(study: Path) -> Results:
    return run_study(open_run(study))[0]


def board_of(found: Results, ref: str = "human") -> TaskBoard:
    boards: tuple[TaskBoard, ...] = found.analyses[shared_task.id]
    return next(board for board in boards if board.name == ref)


def ranks_by(column: TaskColumn) -> dict[str, int | None]:
    return {value.system: value.place.rank for value in column.values}


def column(found: Results, name: str, ref: str = "human") -> TaskColumn:
    board = board_of(found, ref)
    return next(one for one in board.columns if one.name.startswith(name))


def values(found: Results, name: str, ref: str = "human") -> dict[str, float | None]:
    return {
        value.system: value.value
        for column in board_of(found, ref).columns
        if column.name.partition("(")[0] == name
        for value in column.values
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "name"),
    [
        ("bertscore", BERTSCORE),
        ("bertscore", "bertscore(ref=human)"),
        ("bertscore", "bertscore_f1(ref=human)"),
        ("alignscore", "alignscore(limit=75,ref=human)"),
        ("alignscore", "alignscore(ref=human)"),
        ("medcon", "medcon(limit=75,ref=human,rule=compat)"),
        ("medcon", "medcon(ref=human)"),
    ],
)
def test_an_import_stands_in_its_metrics_column_with_its_origin(
    study: Path, metric: str, name: str
) -> None:
    (note,) = bring(study, name, origin="bert-score 0.3.13 on a server of ours")
    assert "the place of" in note
    found = results(study)
    assert values(found, metric) == VALUES
    one = column(found, metric)
    assert (one.lacking, one.question) == ("", "")
    assert "bert-score 0.3.13 on a server of ours" in one.origin
    assert "imported" in one.origin
    assert "scores/" in one.origin
    caption = next(item for item in table_s1(found) if item.id == "table-s1-human").caption
    assert f"{one.title}: {one.origin}." in caption
    assert one.title not in caption.partition("want of scores: ")[2].partition(".")[0]
    assert not column(found, metric, "note").origin
    assert column(found, metric, "note").lacking


@pytest.mark.slow
def test_means_and_ranks_read_the_imported_column(study: Path) -> None:
    before = results(study)
    for name in ("bertscore_f1(ref=human)", "alignscore(ref=human)", "medcon(ref=human)"):
        (study.parent / "gpu.csv").unlink(missing_ok=True)
        bring(study, name)
    found = results(study)
    assert column(before, "relevance").own
    assert not column(found, "relevance").own, "all six columns are there"
    parts = [values(found, name) for name in ("bleu", "rougeLsum", "sari")] + [VALUES] * 3
    for system in VALUES:
        mean = sum(part[system] or 0.0 for part in parts) / 6
        assert values(found, "relevance")[system] == pytest.approx(mean)
    ranks = ranks_by(column(found, "relevance"))
    assert ranks == {"C": 1, "B": 2, "A": 3}
    assert ranks_by(column(before, "relevance")) != ranks
    overall = values(found, "overall_paper")
    strict = values(found, "strict_macro_f1")
    for system, value in overall.items():
        assert value == pytest.approx(
            ((strict[system] or 0.0) + (values(found, "relevance")[system] or 0.0)) / 2
        )


@pytest.mark.slow
def test_a_system_with_fewer_imported_cases_than_others_is_not_ranked_by_them(study: Path) -> None:
    bring(study, BERTSCORE, {"A": 0.9, "B": 0.1})
    found = results(study)
    assert values(found, "bertscore") == {"A": 0.9, "B": 0.1, "C": None}
    ranks = ranks_by(board_of(found).leading)
    assert sorted(ranks, key=lambda one: ranks[one] or 9) == ["A", "B", "C"]
    assert ranks["C"] is None
    [said] = [one.text for one in findings(found) if one.id == "task"]
    assert "1 system has no value." in said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("BERTScore", "ref=human) and for"),
        ("bertscore-f1", "ref=human) and for"),
        ("BERTScore_F1(ref=human)", "the place of"),
    ],
)
def test_a_metric_as_papers_write_it_is_that_metric(study: Path, name: str, said: str) -> None:
    (note,) = bring(study, name)
    assert said in note


@pytest.mark.slow
def test_what_was_imported_is_not_called_left_out(study: Path) -> None:
    bring(study, BERTSCORE)
    run = open_run(study)
    left = [name for one in run.left_out for name in one.metrics]
    assert left == [f"bertscore_f1({SETTINGS},ref=note)"]
    assert BERTSCORE not in {str(metric.name) for metric in run.metrics}
    found, _ = run_study(run)
    source = next(one for one in found.sources if one.name == BERTSCORE)
    assert (source.kind, source.stands_for, source.scored) == ("imported", BERTSCORE, 3)
    assert source.title.endswith(", imported")
    assert source.high == 1, "what nobody said the metric says"
    assert "How near" in source.question


@pytest.mark.slow
def test_a_run_with_an_import_is_found_again(study: Path) -> None:
    bring(study, BERTSCORE)
    run = open_run(study)
    run_study(run)
    run.finish()
    assert find_completed_run(study) == run.folder


@pytest.mark.slow
def test_the_name_of_a_computed_metric_is_a_question(study: Path) -> None:
    with pytest.raises(InvalidInput, match=r"does not compute; .*\[scores\] .* = \"imported\" or"):
        bring(study, BLEU)
    assert not (study / "scores").exists()
    computed = values(results(study), "bleu")
    put(study, BLEU, VALUES)
    with pytest.raises(InvalidInput, match=r"by-hand.csv: .*\[scores\]"):
        Study.open(study)
    say(study, f'[scores]\n"{BLEU}" = "imported"')
    run = open_run(study)
    assert BLEU not in {str(metric.name) for metric in run.metrics}
    found, _ = run_study(run)
    assert values(found, "bleu") == VALUES != computed
    assert "scores/by-hand.csv" in column(found, "bleu").origin
    path = study / "study.toml"
    path.write_text(path.read_text().replace('= "imported"', '= "computed"'))
    found = results(study)
    assert values(found, "bleu") == computed
    assert not column(found, "bleu").origin
    assert [one.kind for one in found.sources if one.name == BLEU] == ["metric"]


@pytest.mark.slow
def test_what_study_toml_chooses_may_be_imported(study: Path) -> None:
    say(study, f'[scores]\n"{BLEU}" = "imported"')
    bring(study, BLEU)
    assert values(results(study), "bleu") == VALUES


@pytest.mark.slow
def test_a_looser_name_beside_a_computed_metric_is_a_question_too(study: Path) -> None:
    (note,) = bring(study, "bleu(ref=human)")
    assert "could both stand for" in note
    found = results(study)
    assert column(found, "bleu").lacking
    assert column(found, "bleu").question == note == found.questions[0]
    say(study, f'[scores]\n"{BLEU}" = "bleu(ref=human)"')
    assert values(results(study), "bleu") == VALUES


@pytest.mark.slow
def test_of_two_imports_none_is_picked(study: Path) -> None:
    bring(study, "bertscore(ref=human)")
    other = {system: value / 2 for system, value in VALUES.items()}
    (note,) = bring(study, "bertscore_f1(ref=human)", other)
    assert "could both stand for" in note
    found = results(study)
    assert column(found, "bertscore").question == note
    assert set(values(found, "bertscore").values()) == {None}
    assert column(found, "relevance").own, "the mean is of what is there"
    [human, _] = task_tables(found.analyses[shared_task.id], Names(found))
    assert f"Not here: {note}" in human.caption
    assert "BERTScore" not in human.caption.partition("want of scores: ")[2].partition(".")[0]
    assert note in found.warnings
    said = CliRunner().invoke(app, ["check", str(study)]).output
    assert "could both stand for" in said
    say(study, '[scores]\n"bertscore_f1(ref=human)" = "bertscore_f1(ref=human)"')
    found = results(study)
    assert values(found, "bertscore") == other
    assert found.questions == []


@pytest.mark.slow
def test_a_name_that_may_mean_two_metrics_stands_for_neither(study: Path) -> None:
    (note,) = bring(study, "bertscore_f1")
    assert "ref=human) and for" in note
    found = results(study)
    assert found.questions == [note]
    assert set(values(found, "bertscore").values()) == {None}
    say(study, f'[scores]\n"{BERTSCORE}" = "bertscore_f1"')
    found = results(study)
    assert values(found, "bertscore") == VALUES
    assert column(found, "bertscore", "note").lacking


def test_where_one_reference_is_known_no_name_need_say_it(tmp_path: Path) -> None:
    study = made(tmp_path, "archehr2026-st3")
    bring(study, "bertscore_f1")
    found = results(study)
    assert values(found, "bertscore", "st3") == VALUES


@pytest.mark.slow
def test_percent_are_no_fractions(study: Path) -> None:
    percent = {system: 100 * value for system, value in VALUES.items()}
    with pytest.raises(InvalidInput, match=r"on the scale of .*holds 20, and the metric ends at 1"):
        bring(study, "bertscore(ref=human)", percent)
    put(study, "bertscore(ref=human)", percent)
    found = results(study)
    assert "holds 20, and the metric ends at 1" in column(found, "bertscore").question
    put(study, BERTSCORE, percent)
    with pytest.raises(InvalidInput, match=r"by-hand.csv, .*on the scale of .*holds 20"):
        Study.open(study)
    put(study, "bertscore(ref=human)", percent)
    found = results(study)
    assert set(values(found, "bertscore").values()) == {None}


@pytest.mark.slow
def test_another_form_of_the_metric_stands_there_only_where_it_is_chosen(study: Path) -> None:
    other = "bertscore_f1(layer=17,model=roberta-large,ref=human)"
    assert bring(study, other) == []
    found = results(study)
    assert column(found, "bertscore").lacking
    assert found.questions == []
    say(study, f'[scores]\n"bertscore_f1(ref=human)" = "{other}"')
    found = results(study)
    assert values(found, "bertscore") == VALUES
    assert f"as {other} from" in column(found, "bertscore").origin


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('"bertscore_f2(ref=human)" = "computed"', "name one metric of the study"),
        ('bertscore_f1 = "computed"', "Say more of its name"),
        ('"bertscore_f1(ref=human)" = "gpu"', 'be "computed", "imported" or the name of imported'),
    ],
)
def test_a_choice_of_nothing_is_named(study: Path, line: str, said: str) -> None:
    say(study, f"[scores]\n{line}")
    with pytest.raises(InvalidInput, match=said):
        Study.open(study)


@pytest.mark.slow
def test_rankings_and_targets_follow_to_the_import(study: Path) -> None:
    bring(study, "bertscore(ref=human)")
    say(study, f'[ranking]\nby = "{BERTSCORE}"\n[targets]\n"{BERTSCORE}" = 0.5')
    found = results(study)
    assert found.primary == "bertscore(ref=human)"
    assert {target.system: target.value for target in found.analyses[targets.id]} == VALUES


def test_importing_again_changes_nothing(study: Path) -> None:
    bring(study, BERTSCORE)
    before = {path: path.read_bytes() for path in (study / "scores").iterdir()}
    taken = import_scores(
        Study.open_whole(study), table(study, VALUES), {}, BERTSCORE, check_meaning({}, "it")
    )
    assert (taken.added, taken.known) == (0, 3)
    assert {path: path.read_bytes() for path in (study / "scores").iterdir()} == before


def test_the_command_keeps_who_computed_them(study: Path) -> None:
    words = ["import", "--from", "scores", str(table(study, VALUES)), "--into", str(study),
             "--name", "bertscore(ref=human)", "--origin", "team 3, bert-score 0.3.13"]  # fmt: skip
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 0
    assert (
        'origin = "team 3, bert-score 0.3.13"'
        in next((study / "scores").glob("*.toml")).read_text()
    )
    [one] = Study.open(study).imported
    assert (one.meaning.direction, one.meaning.high) == ("higher", 1.0)
    assert one.table.sources == ("bertscore(ref=human)",)
