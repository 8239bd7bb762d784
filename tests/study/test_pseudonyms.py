"""People who rate have pseudonyms that their names do not give away, and every number stands."""

import contextlib
import csv
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from enum import StrEnum
from functools import cache
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import polars as pl
import pytest
from tools.standard import STANDARD, write_standard
from tools.standard.shared import SharedRuns

from medassay.__main__ import main
from medassay.analyses import Results, run_study
from medassay.analyses.builtin.rater_effects import effects_in
from medassay.annotations import Kind, mark_on, pruned
from medassay.errors import InvalidInput
from medassay.judgements import Judgements, Raters
from medassay.library import run_and_report
from medassay.report.findings import findings
from medassay.report.tables import all_tables
from medassay.study import Study, open_run
from medassay.study.certificates.certificate import Judges
from medassay.study.contents.private import Pseudonyms
from medassay.study.files.names import RATERS_KEY, RATERS_NAMED
from medassay.tables import csv_bytes

NAMED = '\n[privacy]\nraters = "named"\n'
BACKWARDS = {"ann": "Zoe", "bob": "Maya", "cyd": "Abe"}


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rename(study: Path, names: dict[str, str]) -> Path:
    """Call people otherwise in every table of a study."""
    tables = [study / f"{of}.csv" for of in ("judgements", "preferences", "raters", "relevance")]
    for path in (*tables, *study.glob("campaigns/*/guesses.csv")):
        if path.is_file():
            rows = rows_of(path)
            for row in rows:
                row["rater"] = names.get(row["rater"], row["rater"])
            if rows:
                path.write_bytes(csv_bytes(list(rows[0]), (list(row.values()) for row in rows)))
    return study


def people_of(study: Path) -> list[str]:
    return sorted(Study.open_whole(study).pseudonyms.of)


def found(study: Path) -> Results:
    return run_study(open_run(study))[0]


Told = Callable[[str], str]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Give what a run of a standard study says; each is run once for all tests of this file."""

    @cache
    def of(name: str) -> str:
        study = write_standard(name, tmp_path_factory.mktemp("told"))
        return found(study).model_dump_json(exclude={"run"})

    return of


@pytest.mark.parametrize(
    "name",
    [
        "missing",
        *(pytest.param(one, marks=pytest.mark.slow)
          for one in ("rated", "summaries", "panel", "pool", "judges")),
    ],
)  # fmt: skip
def test_whatever_people_are_called_a_run_says_the_same(
    told: Told, tmp_path: Path, name: str
) -> None:
    study = write_standard(name, tmp_path)
    people = people_of(study)
    other = rename(Path(copytree(study, tmp_path / "other" / name)), dict(
        zip(people, (f"p{n:03}" for n in range(len(people), 0, -1)), strict=True)
    ))  # fmt: skip
    assert people_of(other) != people
    assert in_one_form(other, repr(Study.open(other).warnings)) == in_one_form(
        study, repr(Study.open(study).warnings)
    )
    # Left aside: which files were read, and what the run is called by their hashes.
    of_other = in_one_form(other, found(other).model_dump_json(exclude={"run"}))
    assert of_other == in_one_form(study, told(name))


def in_one_form(study: Path, text: str) -> str:
    """Number people in words where they have letters, since a study has names with numbers."""
    plain = {mark[6:]: n[6:] for mark, n in Study.open_whole(study).pseudonyms.drawn_as.items()}
    marks = "|".join(sorted(plain, key=len, reverse=True))
    return re.sub(rf"(?<=ater-)({marks})(?![\w-])", lambda match: plain[match[1]], text)


@pytest.mark.slow
def test_pseudonyms_do_not_follow_the_alphabet() -> None:
    """Over many studies the first name has every number about as often."""
    first = []
    for seed in range(60):
        rows = [
            {"rater": rater, "system": "A", "case": "1", "dimension": "quality", "label": label}
            for place, rater in enumerate(("ann", "bob", "cyd"))
            for label in [str(1 + (seed * 7 + place * 3 + seed * place) % 5)]
        ]
        rows += [{**row, "case": f"2-{seed}"} for row in rows]
        of = pseudonyms(rows)
        first.append(of["ann"])
    assert {first.count(f"rater-{n}") > 5 for n in (1, 2, 3)} == {True}


def pseudonyms(rows: list[dict[str, str]]) -> dict[str, str]:
    from medassay.judgements import Preferences, load_rubric

    judgements = Judgements.from_rows(rows, load_rubric("likert5"))
    return dict(Pseudonyms.given(judgements, Preferences.from_rows([]), Raters(), ()).of)


def test_a_column_that_a_later_version_adds_gives_nobody_another_pseudonym(folder: Path) -> None:
    study = Study.open_whole(folder)
    frame = study.judgements.frame.with_columns(later=pl.lit(None, dtype=pl.String))
    of = Pseudonyms.given(
        Judgements(frame, study.judgements.rubric), study.preferences, study.raters, ()
    ).of
    assert sorted(of.values()) == sorted(study.pseudonyms.of.values())
    assert of == study.pseudonyms.of


def test_models_keep_their_names_and_nobody_takes_one() -> None:
    row = {"system": "A", "case": "1", "dimension": "quality", "label": "4"}
    of = pseudonyms(
        [
            {**row, "rater": "rater-1", "rater_kind": "model"},
            {**row, "rater": "ann", "rater_kind": "person"},
        ]
    )
    assert of == {"ann": "rater-A"}


@pytest.mark.slow
def test_whoever_is_named_by_a_pseudonym_is_said_to_be(tmp_path: Path) -> None:
    study = write_standard("measured", tmp_path)
    numbered = {name: f"rater{place}" for place, name in enumerate(people_of(study), 1)}
    results = found(rename(study, numbered))
    [said] = [finding.text for finding in findings(results) if finding.id == "severity"]
    key = "raters-key.csv in the study says who is who."
    said = said.removeprefix("Still to confirm with the raters: ")
    assert said.startswith("Rater-")
    assert said.endswith(f"{said[:7]} is a pseudonym: {key}")
    told = {table.id: table.caption for table in all_tables(results)}
    assert told["raters"].endswith(f"Names of raters are pseudonyms: {key}")
    assert "pseudonym" not in told["systems"]
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write(NAMED)
    results = found(study)
    assert not any("pseudonym" in finding.text for finding in findings(results))
    assert not any("pseudonym" in table.caption for table in all_tables(results))


def test_rows_in_another_order_give_the_same_pseudonyms(folder: Path) -> None:
    before = Study.open_whole(folder).pseudonyms.of
    path = folder / "judgements.csv"
    rows = rows_of(path)[::-1]
    path.write_bytes(csv_bytes(list(rows[0]), (list(row.values()) for row in rows)))
    assert Study.open_whole(folder).pseudonyms.of == before


@pytest.mark.slow
def test_the_key_is_the_leads_own(folder: Path) -> None:
    run = open_run(folder)
    run_study(run)
    key = folder / RATERS_KEY
    held = {row["rater"]: row["pseudonym"] for row in rows_of(key)}
    assert held == Study.open_whole(folder).pseudonyms.of
    assert set(held.values()) == set(run.study.judgements.frame["rater"])
    if os.name == "posix":
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    again = open_run(folder)
    assert again.name == run.name
    assert RATERS_KEY not in again.study.inputs


@pytest.mark.slow
def test_a_study_without_people_or_with_names_has_no_key(folder: Path, tmp_path: Path) -> None:
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(NAMED)
    results = run_study(open_run(folder))[0]
    assert {one.rater for case in results.cases for answer in case.answers
            for one in answer.judgements} == {"r1", "r2"}  # fmt: skip
    none = write_standard("encoder", tmp_path)
    (none / "judgements.csv").unlink(missing_ok=True)
    run_study(open_run(none))
    assert not (folder / RATERS_KEY).exists()
    assert not (none / RATERS_KEY).exists()


@pytest.mark.parametrize(
    "name",
    [
        "missing",
        *(pytest.param(one, marks=pytest.mark.slow)
          for one in ("judges", "rated", "panel", "pool", "drawn")),
    ],
)  # fmt: skip
def test_naming_people_changes_nothing_but_names(told: Told, tmp_path: Path, name: str) -> None:
    study = write_standard(name, tmp_path)
    names = {mark: who for who, mark in Study.open_whole(study).pseudonyms.of.items()}
    other = Path(copytree(study, tmp_path / "other" / name))
    text = (other / "study.toml").read_text(encoding="utf-8")
    setting = 'raters = "named"\n'
    private = "\n[privacy]\n"
    text = text.replace(private, private + setting) if private in text else text + private + setting
    (other / "study.toml").write_text(text, encoding="utf-8")
    hidden, named = told(name), found(other).model_dump_json(exclude={"run"})
    assert hidden != named
    longest = sorted(names, key=len, reverse=True)
    marks = re.compile(rf"(?<![\w-])({'|'.join(longest)})(?![\w-])")
    expected = marks.sub(lambda match: names[match[1]], hidden)
    assert named == expected.replace('"raters":"pseudonyms"', '"raters":"named"')
    assert not (other / RATERS_KEY).exists()


@pytest.mark.slow
def test_the_key_keeps_each_run_whose_results_are_there(folder: Path) -> None:
    first = open_run(folder)
    run_study(first)
    before = Study.open_whole(folder).pseudonyms.of
    path = folder / "judgements.csv"
    rows = rows_of(path)
    rows[0]["label"] = "1" if rows[0]["label"] != "1" else "2"
    path.write_bytes(csv_bytes(list(rows[0]), (list(row.values()) for row in rows)))
    second = open_run(folder)
    run_study(second)
    held = rows_of(folder / RATERS_KEY)
    of = {name: {row["rater"]: row["pseudonym"] for row in held if row["run"] == name}
          for name in (first.name, second.name, "now")}  # fmt: skip
    assert of[first.name] == before
    assert of[second.name] == of["now"] == Study.open_whole(folder).pseudonyms.of
    rmtree(first.folder)
    Study.open_whole(folder).pseudonyms.write_key(folder)
    assert {row["run"] for row in rows_of(folder / RATERS_KEY)} == {second.name, "now"}


@pytest.mark.slow
def test_a_finished_run_writes_a_lost_key_anew(folder: Path) -> None:
    run_and_report(folder)
    key = (folder / RATERS_KEY).read_bytes()
    (folder / RATERS_KEY).unlink()
    assert run_and_report(folder).again
    assert (folder / RATERS_KEY).read_bytes() == key


@pytest.mark.parametrize("verb", ["agree", "consensus", "validity", "plan", "triage"])
def test_what_prints_pseudonyms_writes_the_key(folder: Path, verb: str) -> None:
    with contextlib.suppress(SystemExit):
        main([verb, str(folder), *(["--n", "1"] if verb == "triage" else []), "--json"])
    held = {row["rater"]: row["pseudonym"] for row in rows_of(folder / RATERS_KEY)}
    assert held == Study.open_whole(folder).pseudonyms.of


def test_a_judges_tests_say_where_people_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = write_standard("judges", tmp_path)
    with contextlib.suppress(SystemExit):
        main(["judge", str(study)])
    assert "raters-key.csv in the study says who is who" in capsys.readouterr().out
    assert {row["run"] for row in rows_of(study / RATERS_KEY)} == {"now"}


@pytest.mark.parametrize(
    "text",
    ["name,mail\nann,a@b\n", "pseudonym,rater\nrater-1,ann\n", "run,pseudonym,rater\nx\n", "\n"],
)
def test_a_key_that_is_not_ours_is_refused_and_left(folder: Path, text: str) -> None:
    (folder / RATERS_KEY).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"raters-key\.csv: must be the key that medassay wrote"):
        run_study(open_run(folder))
    assert (folder / RATERS_KEY).read_text(encoding="utf-8") == text


@pytest.mark.slow
def test_a_study_that_another_command_holds_is_read_all_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "import sys, time; from pathlib import Path; from medassay.study import only_writer\n"
    code += "with only_writer(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    with subprocess.Popen(  # noqa: S603 - our own interpreter and words
        [sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with contextlib.suppress(SystemExit):
            main(["consensus", str(folder)])
        holder.kill()
    assert "who is who could not be written" in capsys.readouterr().out
    assert not (folder / RATERS_KEY).exists()


@pytest.mark.parametrize("name", STANDARD)
def test_whoever_is_named_in_a_report_is_a_pseudonym_or_a_model(
    standard_run: SharedRuns, name: str
) -> None:
    run = standard_run(name)
    models = set(Study.open_whole(run.study).judges.raters)
    seen = Seen()
    pruned(run.results, seen)
    single = {one for told in seen.raters for one in told.split(" and ")}
    ours = re.compile(r"rater-(\d+|[A-Z]+)|all raters|main|calibration|")
    assert not {one for one in single if not ours.fullmatch(one)} - models


class Seen:
    """A reader who is told everything, and notes whom a record names."""

    def __init__(self) -> None:
        self.raters: set[str] = set()

    @classmethod
    def mark_of(cls, hint: Any) -> Kind | None:  # noqa: ANN401 - types of every shape
        kind = mark_on(hint, Kind)
        return kind if kind is Kind.RATER else None

    def take(self, value: Any, mark: StrEnum) -> object:  # noqa: ANN401 - as above
        assert mark is Kind.RATER
        self.raters.update([value] if isinstance(value, str) else value or ())
        return value


@pytest.mark.slow
def test_what_is_found_of_people_by_name_is_the_leads_own(tmp_path: Path) -> None:
    study = write_standard("rated", tmp_path)
    run = open_run(study)
    results = run_study(run)[0]
    path = study / RATERS_NAMED
    rows = rows_of(path)
    assert {row["rater"]: row["pseudonym"] for row in rows} == run.pseudonyms.of
    effects = {row["effect"] for row in rows}
    assert {"severity", "judgements"} <= effects
    assert any(effect.startswith("quality by ") for effect in effects)
    severe = {(row["rater"], row["dimension"]): row["value"] for row in rows
              if row["effect"] == "severity" and row["value"]}  # fmt: skip
    names = {told: name for name, told in run.pseudonyms.of.items()}
    assert severe == {
        (names[one.rater], one.dimension): repr(one.effect)
        for one in effects_in(results.analyses)
        if one.kind == "severity" and one.effect is not None
    }
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert RATERS_NAMED not in open_run(study).study.inputs
    names_said = [name for name in run.pseudonyms.of if f'"{name}"' in results.model_dump_json()]
    assert not names_said


def test_an_odd_name_is_counted_and_not_quoted(folder: Path) -> None:
    path = folder / "judgements.csv"
    text = path.read_text(encoding="utf-8").replace("r1,", " r1,").replace(",c1,", ", c1,", 1)
    path.write_text(text, encoding="utf-8")
    whole, told = (
        "\n".join(opened.warnings) for opened in (Study.open_whole(folder), Study.open(folder))
    )
    assert '" r1"' in whole
    assert "r1" not in told
    assert "with blanks" in told
    assert '" c1"' in told


def test_the_studys_own_files_are_not_written_with_pseudonyms(folder: Path) -> None:
    Study.open_whole(folder).require_whole()
    with pytest.raises(ValueError, match="open_whole"):
        Study.open(folder).require_whole()


def test_pseudonyms_are_given_once(folder: Path) -> None:
    once = Study.open(folder)
    assert once.private() is once
    assert isinstance(once.judges, Judges)
    assert json.dumps(list(once.pseudonyms.of)) == "[]"
