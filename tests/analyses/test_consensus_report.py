"""Consensus of a whole study: everything that a fit holds, control items, priors."""

import csv
import io
import json
from pathlib import Path

import pytest
from tools.standard.making import add_settings
from typer.testing import CliRunner

from medassay.analyses import consensus_report
from medassay.cli.app import app
from medassay.errors import InvalidInput, UnknownName
from medassay.exchange.med_gpt import import_med_gpt
from medassay.study import Study, new_study

HEAD = ["rater", "system", "case", "dimension", "label"]
KNOWN = '{ system = "s1", case = "00", dimension = "quality", label = "5" }'
EVEN = "\n".join(f'"{label}" = 0.2' for label in "12345")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write 30 cases and two systems; of three raters one parts from the others on every fifth."""
    study = tmp_path / "study"
    new_study(study, "ratings", empty=True)
    add_settings(study, '[privacy]\nraters = "named"\n')
    cases = [f"{i:02}" for i in range(30)]
    rows = [
        [rater, system, case, "quality", str((i + j + (rater == "c" and not i % 5)) % 5 + 1)]
        for i, case in enumerate(cases)
        for j, system in enumerate(("s1", "s2"))
        for rater in "abc"
    ]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([HEAD, *rows])
    (study / "judgements.csv").write_text(out.getvalue(), encoding="utf-8")
    asked = [json.dumps({"case": case, "question": "Why?"}) for case in cases]
    (study / "cases.jsonl").write_text("\n".join(asked), encoding="utf-8")
    return study


def choose(folder: Path, text: str) -> None:
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[consensus]\n{text}\n")


def test_json_holds_all_of_every_fit(folder: Path) -> None:
    asked = ["consensus", str(folder), "--json", "--method", "mace", "--method", "mace(keep=50)"]
    made = json.loads(CliRunner().invoke(app, asked).stdout)
    fits = {one["method"]: one for one in made["fits"]}
    assert set(fits) == {"dawid_skene", "mace", "mace(keep=50)"}
    mace, half, skene = fits["mace"], fits["mace(keep=50)"], fits["dawid_skene"]
    assert len(mace["restarts"]) == 10
    assert max(mace["restarts"]) == mace["log_likelihood"]
    assert len(mace["answers"]) == 60
    for one in mace["answers"]:
        assert sum(one["posterior"].values()) == pytest.approx(1)
        assert one["label"] == max(one["posterior"], key=one["posterior"].__getitem__)
    assert (mace["threshold"], mace["kept"]) == (None, 60)
    assert half["kept"] >= 30
    assert half["threshold"] >= 0
    confusion = {one["rater"]: one["confusion"] for one in skene["raters"]}
    assert confusion["a"]["1"]["1"] > confusion["c"]["1"]["1"]
    assert sum(skene["label_shares"].values()) == pytest.approx(1)
    guesses = {one["rater"]: one["guesses"] for one in mace["raters"]}
    assert sum(guesses["a"].values()) == pytest.approx(1)


def test_control_items_and_priors_come_from_study_toml(folder: Path) -> None:
    methods = 'methods = ["mace(controls=used,priors=given)"]'
    choose(folder, f"{methods}\ncontrols = [{KNOWN}]\n[consensus.priors.quality]\n{EVEN}")
    study = Study.open(folder)
    fit = next(f for f in consensus_report(study).fits if "controls" in f.method)
    (known,) = [one for one in fit.answers if one.known]
    # The raters said 1 of the first answer; that it is a 5 is known.
    assert (known.system, known.case, known.label, known.posterior["5"]) == ("s1", "00", "5", 1.0)
    assert fit.controls == 1
    assert fit.priors == dict.fromkeys("12345", 0.2)


def test_control_items_are_in_the_signature(folder: Path) -> None:
    choose(folder, f'methods = ["mace(controls=used)"]\ncontrols = [{KNOWN}]')
    first = _signature(folder)
    path = folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('label = "5"', 'label = "4"'))
    assert "controls:" in first.replace("=", ":")
    assert _signature(folder) != first


def _signature(folder: Path) -> str:
    from medassay.analyses.inputs.study_columns import ScoreColumn
    from medassay.analyses.inputs.study_description import methods_of

    name = "mace(controls=used,dimension=quality)"
    columns = [ScoreColumn(name, "consensus", "higher", None, "quality", "mace(controls=used)")]
    (note,) = [n for n in methods_of(Study.open(folder), columns) if "MACE" in n.title]
    return note.signature


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"controls = [{KNOWN}]", "must be read by a method; got no method that reads them"),
        ('methods = ["mace(controls=used)"]', r"must be there for mace\(controls=used\)"),
        ('methods = ["mace(priors=given)"]', r"must be there for mace\(priors=given\)"),
        (
            f"methods = ['mace(controls=used)']\ncontrols = [{KNOWN.replace('5', '6')}]",
            'must be one of 1, 2, 3, 4, 5; got "6"',
        ),
        (
            f"methods = ['mace(controls=used)']\ncontrols = [{KNOWN.replace('quality', 'qualty')}]",
            'must name a dimension; got "qualty"',
        ),
        (
            f"methods = ['mace(controls=used)']\ncontrols = [{KNOWN.replace('00', 'x')}]",
            "must name a case of the study; got x",
        ),
        (
            f"methods = ['mace(controls=used)']\ncontrols = [{KNOWN}, {KNOWN}]",
            "must know each answer's label once",
        ),
        (
            "methods = ['mace(priors=given)']\n[consensus.priors.quality]\n'5' = 1",
            "must give each label a share: 1, 2, 3, 4, 5; got 5",
        ),
        (
            "methods = ['mace(priors=given)']\n[consensus.priors.quality]\n'5' = -1",
            "priors",
        ),
    ],
)
def test_what_cannot_be_is_named(folder: Path, text: str, problem: str) -> None:
    choose(folder, text)
    with pytest.raises(InvalidInput, match=problem):
        Study.open(folder)


def test_a_method_can_be_asked_for_on_the_command_line(folder: Path) -> None:
    said = CliRunner().invoke(app, ["consensus", str(folder), "--method", "median"])
    assert said.exit_code == 0
    assert " median " in said.stdout
    assert "fitted models" in said.stdout
    wrong = CliRunner().invoke(app, ["consensus", str(folder), "--method", "mace(controls=used)"])
    assert isinstance(wrong.exception, InvalidInput)
    assert "be there for mace(controls=used)" in str(wrong.exception)


def test_a_fit_that_says_nothing_is_told_of_on_the_screen_and_in_json(folder: Path) -> None:
    path = folder / "judgements.csv"
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))[1:]
    alike = [[*row[:4], "4" if row[2] == "00" and row[0] == "c" else "5"] for row in rows]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([HEAD, *[r for r in alike if r[0] != "b"]])
    path.write_text(out.getvalue(), encoding="utf-8")
    asked = ["consensus", str(folder), "--method", "mace"]
    said = CliRunner().invoke(app, asked).stdout
    assert "note: quality: MACE: MACE found nobody who knows" in said
    made = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    assert any("nobody who knows" in one["text"] for one in made["notes"])


def test_labels_without_scores_are_counted_and_the_missing_mean_says_why(tmp_path: Path) -> None:
    study = tmp_path / "study"
    new_study(study, "ratings", empty=True)
    (study / "order.toml").write_text(
        'name = "order"\ntitle = "Order"\nsource = "here"\n[[dimensions]]\nid = "order"\n'
        'title = "Order"\nquestion = "Which came first?"\nscale = "nominal"\nlabels = ['
        '{ label = "before", description = "The first." }, '
        '{ label = "after", description = "The second." }]\n',
        encoding="utf-8",
    )
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[dimensions]]\nrubric = "order.toml"\n')
        file.write('[consensus]\nmethods = ["majority"]\n')
    # Three raters on two answers, two on the third: before, after, and a tie.
    said = {"1": ("before", "before", "after"), "2": ("after",) * 3, "3": ("before", "after")}
    rows = [
        f"{rater},s1,{case},order,{label}"
        for case, labels in said.items()
        for rater, label in zip("abc", labels, strict=False)
    ]
    (study / "judgements.csv").write_text("\n".join([",".join(HEAD), *rows]), encoding="utf-8")
    asked = [json.dumps({"case": case, "question": "When?"}) for case in said]
    (study / "cases.jsonl").write_text("\n".join(asked), encoding="utf-8")

    made = json.loads(CliRunner().invoke(app, ["consensus", str(study), "--json"]).stdout)
    labels = {one["case"]: one["label"] for one in made["labels"] if one["method"] == "majority"}
    assert labels == {"1": "before", "2": "after", "3": None}
    shares = [one for one in made["label_shares"] if one["method"] == "majority"]
    assert [(one["label"], one["answers"], one["of"]) for one in shares] == [
        ("before", 1, 3),
        ("after", 1, 3),
        (None, 1, 3),
    ]
    printed = CliRunner().invoke(app, ["consensus", str(study)]).stdout
    assert "labels by each consensus" in printed
    assert "note: order: majority: no mean: " in printed


def test_a_sum_that_is_refused_says_what_to_choose(folder: Path) -> None:
    with (folder / "judgements.csv").open("a", encoding="utf-8") as file:
        file.write("d,s1,00,quality,3\n")
    printed = CliRunner().invoke(app, ["consensus", str(folder), "--method", "label_sum"]).stdout
    assert "note: quality: label_sum: no mean: answers have 3 to 4 labels" in printed
    assert "choose label_sum(scale=mean_x_n)" in printed


def test_one_dimension_is_what_it_is_among_others(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    results.write_text(
        "question,answer,model,human_score,clarity,rater\n"
        "Why?,So.,a,4,yes,r1\nWhy?,So.,a,5,no,r2\nHow?,Thus.,a,2,yes,r1\nHow?,Thus.,a,2,yes,r2\n"
        "Why?,Ask.,b,1,no,r1\nWhy?,Ask.,b,1,no,r2\nHow?,Go.,b,3,yes,r1\nHow?,Go.,b,4,yes,r2\n"
    )
    import_med_gpt(tmp_path / "study", [results])
    study = Study.open(tmp_path / "study")
    whole = consensus_report(study)
    assert len({one.dimension for one in whole.means}) > 1
    part = consensus_report(study, dimensions=["overall"])
    for kind in ("means", "ties", "harm", "quality", "fits", "label_shares"):
        asked = [one for one in getattr(whole, kind) if one.dimension == "overall"]
        assert getattr(part, kind) == asked
    with pytest.raises(UnknownName, match='Did you mean "overall"'):
        consensus_report(study, dimensions=["overal"])
