"""Every verb, for people and for machines."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medassay.__about__ import __version__

pytestmark = pytest.mark.usefixtures("figures")

Command = Callable[..., Any]  # the fixture `medassay` gives what a command printed

VERBS = ("score", "agree", "consensus", "validity", "check", "run", "report")


def test_the_version_is_printed(medassay: Command) -> None:
    assert medassay("--version").out == f"medassay {__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_speaks_to_people_and_to_machines(
    medassay: Command, study: Path, verb: str
) -> None:
    for_people, for_machines = medassay(verb, study), medassay(verb, study, "--json")
    assert (for_people.code, for_machines.code) == (0, 0)
    assert for_people.out.strip()
    assert for_people.err == for_machines.err == ""  # progress bars only where someone looks on
    assert for_machines.json()
    with pytest.raises(json.JSONDecodeError):
        json.loads(for_people.out)


def test_check_counts_and_ends_calmly(medassay: Command, study: Path) -> None:
    said = medassay("check", study).out
    assert "2 cases, 2 systems, 4 answers, 2 raters, 8 judgements, 0 preferences" in said
    assert said.endswith("No problems.\n")
    facts = medassay("check", study, "--json").json()
    assert (facts["problems"], facts["cases"], facts["judgements"]) == ([], 2, 8)


def test_score_prints_a_mean_for_each_metric_and_system(medassay: Command, study: Path) -> None:
    rows = medassay(
        "score", study, "--only", "length", "--only", "rouge1(ref=human)", "--json"
    ).json()
    found = {(one["metric"], one["system"]): one["mean"] for one in rows["means"]}
    # "Rest the ankle for one or two days. Then move it gently as pain allows." has 15 words,
    # "No, antibiotics do not act on the virus behind a cold." has 11: the mean is 13.
    assert found["length", "system-a"] == 13
    assert len(found) == 4


@pytest.mark.slow
def test_run_says_where_the_report_is_and_does_nothing_twice(
    medassay: Command, study: Path, tmp_path: Path
) -> None:
    first = medassay("run", study, "--json").json()
    assert Path(first["report"]).is_file()
    assert first["findings"]
    second = medassay("run", study, "--json").json()
    assert second["up_to_date"]
    assert second["run"] == first["run"]
    said = medassay("run", study).out
    assert said.startswith("SYNTHETIC DATA")
    assert "Nothing had changed" in said
    told = medassay("report", study, "--into", tmp_path / "r").out
    page = tmp_path / "r" / "report.html"
    assert page.is_file()
    beside = [path.name for path in sorted((tmp_path / "r").iterdir()) if path != page]
    assert beside == ["figures", "report.json", "report.md", "tables"]
    assert f"Wrote {page}, with report.json, figures/ and tables/ beside it." in told


@pytest.mark.slow
def test_texts_are_held_back_on_request(medassay: Command, study: Path) -> None:
    told = medassay("run", study, "--texts", "none", "--json").json()
    page = Path(told["report"]).read_text(encoding="utf-8")
    assert "How long should I rest" not in page
    assert medassay("run", study, "--texts", "some").code == 2


def test_new_writes_what_it_lists(medassay: Command, tmp_path: Path) -> None:
    told = medassay("new", tmp_path / "a", "--protocol", "archehr", "--json").json()
    assert all(Path(file).is_file() for file in told["files"])
    said = medassay("new", tmp_path / "b", "--empty").out
    assert f"medassay check {tmp_path / 'b'}" in said
    assert medassay("check", tmp_path / "b").err.count("\n") == 1


@pytest.mark.parametrize(
    ("kind", "table", "added"),
    [
        ("answers", "model,case,text\nX,sprain,Rest.\n", 1),
        ("judgements", "rater,model,case,dimension,label\nr9,system-a,sprain,quality,5\n", 1),
        ("scores", "model,case,value\nsystem-a,sprain,0.5\nsystem-b,sprain,\n", 2),
    ],
)
def test_import_takes_other_names_and_says_what_it_did(
    medassay: Command, tmp_path: Path, kind: str, table: str, added: int
) -> None:
    medassay("new", tmp_path / "s")
    file = tmp_path / "theirs.csv"
    file.write_text(table, encoding="utf-8")
    words = ("import", "--from", kind, file, "--into", tmp_path / "s", "--column", "system=model")
    assert medassay(*words, "--json").json()["added"] == added
    said = medassay(*words).out
    were = "was" if added == 1 else "were"
    assert said.startswith(f"0 {kind} added, {added} {were} there already.")
    assert medassay("check", tmp_path / "s").code == 0


def test_import_preferences(medassay: Command, tmp_path: Path) -> None:
    medassay("new", tmp_path / "s")
    file = tmp_path / "p.jsonl"
    row = {"rater": "r1", "case": "sprain", "system_a": "system-a", "system_b": "system-b"}
    file.write_text(json.dumps({**row, "choice": "a"}), encoding="utf-8")
    said = medassay("import", "--from", "preferences", file, "--into", tmp_path / "s").out
    assert said == "1 preference added.\nwrote preferences.csv\n"


def test_imported_scores_become_a_metric(medassay: Command, tmp_path: Path) -> None:
    medassay("new", tmp_path / "s")
    file = tmp_path / "judge.csv"
    file.write_text("system,case,value\nsystem-a,sprain,1\nsystem-b,sprain,2\n", encoding="utf-8")
    words = ("--name", "my_judge", "--direction", "lower")
    assert medassay("import", "--from", "scores", file, "--into", tmp_path / "s", *words).code == 0
    rows = medassay("validity", tmp_path / "s", "--json").json()
    assert "my_judge" in {row["metric"] for row in rows["correlations"]["tried"]}


@pytest.mark.slow
def test_metrics_are_listed_and_explained(medassay: Command) -> None:
    listed = {one["name"]: one for one in medassay("metrics", "list", "--json").json()}
    assert {"bleu(ref=human|note)", "length"} <= {name.replace("ref=note|human", "ref=human|note")
                                                  for name in listed}  # fmt: skip
    told = medassay("metrics", "explain", "rouge1(ref=human)").out
    assert "reference of kind human" in told
    assert medassay("metrics", "explain", "rouge1", "--json").json()["range"] == "0 to 1"
    for name in listed:
        bare = name.partition("(")[0].partition("@")[0]
        assert medassay("metrics", "explain", bare).out.startswith("name:"), bare
    assert "distilbert-base-uncased" in medassay("metrics", "explain", "bertscore_f1").out
    assert medassay("metrics", "explain", "minilm_match_f1", "--json").json()["installed"] == "yes"


@pytest.mark.slow
def test_the_demo_runs_to_its_findings(medassay: Command, tmp_path: Path) -> None:
    said = medassay("demo", tmp_path / "demo").out
    assert said.startswith("1. led-base-16384-cochrane gave harmful answers to 25 of 100 cases")
    assert re.findall(r"^([0-9])\. .*\.$", said, re.MULTILINE) == ["1", "2", "3"]
    assert re.fullmatch(r"Report: \S+report\.html", said.splitlines()[-1])
    changed = tmp_path / "demo" / "judgements.csv"
    changed.write_text("mine", encoding="utf-8")
    again = medassay("demo", tmp_path / "demo")
    assert again.code == 2
    assert "must be unchanged since the demo wrote it" in again.err
    assert changed.read_text(encoding="utf-8") == "mine"


@pytest.mark.slow
def test_the_figures_of_the_paper_are_written_and_what_lacks_is_said(
    medassay: Command, study: Path, tmp_path: Path
) -> None:
    said = medassay("report", study, "--to", "paper", "--into", tmp_path / "copy")
    assert said.code == 0
    assert "Figure 2 is missing: it needs" in said.out
    listed = said.out.split("README.md")[0].rsplit("\n", 1)[-1]
    assert "Table 1" in listed
    again = medassay("report", study, "--to", "paper", "--json").json()
    [folder] = (study / "results").glob("*/paper")
    assert {one["number"] for one in again["paper"]} >= {"Figure 1", "Table S1"}
    for path in folder.iterdir():
        assert (tmp_path / "copy" / "paper" / path.name).read_bytes() == path.read_bytes()
    assert again["up_to_date"]  # a paper beside a run leaves it whole


def test_what_heads_agreement_stands_first(medassay: Command, study: Path) -> None:
    said = medassay("agree", study).out
    rows = [line.split("full")[1].strip() for line in said.splitlines() if " full " in line]
    assert rows[0].startswith("Krippendorff's alpha (level interval)")
    assert rows[1].startswith("Intraclass correlation (ICC(A,1))")
