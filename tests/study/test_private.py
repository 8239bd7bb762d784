"""A study that keeps its names is the same study under numbers: same values, no name."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Literal

import polars as pl
import pytest

from medassay.analyses import Results, compare_versions, run_study
from medassay.report.privacy import guarded
from medassay.study import Study, open_run

WARDS = {"c1": "north", "c2": "south", "c3": "north", "c4": "south"}
CLUSTERED = '\n[ranking]\nclusters = "ward"\n'


@pytest.fixture
def tagged(folder: Path) -> Path:
    """Give each case two tags, one of which says what is resampled together."""
    path = folder / "cases.jsonl"
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for case in cases:
        case["tags"] = {"ward": WARDS[case["case"]], "nurse": "Maya"}
    path.write_text("".join(f"{json.dumps(case)}\n" for case in cases), encoding="utf-8")
    add(folder, CLUSTERED)
    return folder


def add(study: Path, settings: str) -> Path:
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write(settings)
    return study


def keep(study: Path, texts: str) -> Path:
    return add(study, f'\n[privacy]\ntexts = "{texts}"\n')


def numbers_of(value: object, path: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from numbers_of(one, f"{path}.{key}")
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from numbers_of(one, f"{path}.{place}")
    elif isinstance(value, int | float):
        yield path, value


@pytest.mark.slow
def test_every_number_is_the_same_whatever_is_kept(tagged: Path) -> None:
    """Draws follow from the ids of the files, in whatever numbers cases are known by."""

    def found(texts: Literal["full", "ids", "none"]) -> dict[str, float]:
        results: Results = run_study(open_run(tagged, texts=texts))[0]
        whole = results.model_dump(mode="json", exclude={"cases"})
        # Inside the values of a tag: rows that name tags are there under `full` alone.
        whole["analyses"]["groups"] = [
            one for one in whole["analyses"].get("groups", []) if one["by"] == "family"
        ]
        return dict(numbers_of(whole))

    full = found("full")
    assert len(full) > 1_000
    assert found("ids") == full
    assert found("none") == full


def test_nothing_is_left_to_tell_of(tagged: Path) -> None:
    study = Study.open(keep(tagged, "none"))
    assert study.cases.ids == ("case-1", "case-2", "case-3", "case-4")
    assert {name for case in study.cases for name in case.tags} == {study.config.ranking.clusters}
    assert study.config.ranking.clusters == "tag 2"
    assert set(study.clusters.values()) == {"value 1", "value 2"}
    tables = (study.answers, study.cases)
    assert {one.case for table in tables for one in table} == set(study.cases.ids)
    assert set(study.judgements_on_file.frame["case"]) <= set(study.cases.ids)
    said = repr(study).replace(str(tagged), "")
    assert [word for word in ("ward", "north", "nurse", "Maya") if word in said] == []
    assert Study.open_whole(tagged).cases.ids == ("c1", "c2", "c3", "c4")


@pytest.mark.slow
def test_no_case_is_called_what_another_has_as_its_id(tagged: Path) -> None:
    """Sorted as text, case-10 stands before case-2, and was called case-2."""
    for path in (tagged / "cases.jsonl", *tagged.glob("answers/*"), *tagged.glob("*.csv")):
        text = path.read_text(encoding="utf-8")
        for old, new in (("c1", "case-1"), ("c2", "case-10"), ("c3", "case-2"), ("c4", "case-3")):
            text = re.sub(rf"\b{old}\b", new, text)
        path.write_text(text, encoding="utf-8")
    numbers = tuple(f"private-case-{n}" for n in range(1, 5))
    private = Study.open(keep(tagged, "none"))
    assert private.cases.ids == numbers
    assert private.private().cases.ids == numbers
    assert guarded(run_study(open_run(tagged))[0]).ranking_cases == list(numbers)


def test_ids_stay_where_only_texts_are_kept(tagged: Path) -> None:
    study = Study.open(keep(tagged, "ids"))
    assert study.cases.ids == ("c1", "c2", "c3", "c4")
    assert not any("nurse" in case.tags for case in study.cases)


def test_a_study_is_made_private_once(tagged: Path) -> None:
    once = Study.open(keep(tagged, "none"))
    twice = once.private()
    assert twice.cases.ids == once.cases.ids
    assert twice.called == once.called == dict(zip(WARDS, once.cases.ids, strict=True))
    assert [case.tags for case in twice.cases] == [case.tags for case in once.cases]
    assert twice.config == once.config


def test_kinds_of_danger_are_our_words_and_others_are_numbered(folder: Path) -> None:
    path = folder / "cases.jsonl"
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    cases[0]["tags"] = {"danger": "wrong-dose"}
    cases[1]["tags"] = {"danger-A": "what Maya did"}
    path.write_text("".join(f"{json.dumps(case)}\n" for case in cases), encoding="utf-8")
    study = Study.open(keep(folder, "ids"))
    assert study.config.safety.tag == "tag 1"
    assert [case.tags for case in study.cases][:2] == [
        {"tag 1": "wrong-dose"},
        {"tag 1-A": "value 1"},
    ]


def test_a_warning_counts_and_does_not_quote(tagged: Path) -> None:
    path = tagged / "judgements.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",c1,", ", c1,"), encoding="utf-8")
    said = ["must have no blanks around it; got 6 with blanks. They were dropped."]
    assert [one.rpartition(": ")[2] for one in Study.open(keep(tagged, "none")).warnings] == said
    assert '" c1", and blanks in 5 more' in " ".join(Study.open_whole(tagged).warnings)


def test_scores_and_manifest_name_no_case_and_no_tag(tagged: Path) -> None:
    run = open_run(keep(tagged, "none"), only=["length"])
    run_study(run)
    run.finish()
    assert set(pl.read_parquet(run.folder / "scores.parquet")["case"]) == set(run.study.cases.ids)
    assert "ward" not in (run.folder / "manifest.json").read_text(encoding="utf-8")


def test_two_versions_are_held_together_by_their_ids(tagged: Path) -> None:
    """Numbers stand for other cases where one version has a case more."""
    new = Path(copytree(keep(tagged, "none"), tagged.parent / "new"))
    path = new / "cases.jsonl"
    more = json.dumps({"case": "b0", "question": "Earlier in the order?", "tags": {"ward": "west"}})
    path.write_text(path.read_text(encoding="utf-8") + more + "\n", encoding="utf-8")
    answers = new / "answers" / "A.jsonl"
    text = answers.read_text(encoding="utf-8").replace("Drink water.", "Drink water, and rest.")
    answers.write_text(text, encoding="utf-8")
    found = compare_versions(str(tagged), str(new), metrics=["rouge1(ref=human)"])
    [flip] = found.results[0].flips
    assert (flip.system, flip.case) == ("A", "case-4")  # c3, after b0, c1 and c2


@pytest.mark.slow
def test_scores_that_name_no_case_are_held_against_their_study(tagged: Path) -> None:
    run = open_run(keep(tagged, "none"), only=["rouge1(ref=human)"])
    run_study(run)
    kept = tagged.parent / "kept.csv"
    pl.read_parquet(run.folder / "scores.parquet").drop("parts").write_csv(kept)
    found = compare_versions(str(kept), str(tagged), metrics=["rouge1(ref=human)"])
    [result] = [one for one in found.results if one.metric == "rouge1(ref=human)"]
    assert sum(row.n for row in result.systems) == 9
    assert {(row.lost, row.difference) for row in result.systems} == {(0, 0)}
