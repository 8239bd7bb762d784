"""Changed answers are drawn for people, old and new as systems of one family, and rated blind."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.analyses import MOST_CHANGED, compare_versions, draw_changed
from medassay.cli import app
from medassay.errors import InvalidInput
from medassay.study import MetricScaleOptions, Study

SETTINGS = """schema = 1
title = "a pipeline"
[protocol]
name = "ratings"
[[dimensions]]
rubric = "asked.toml"
only = ["accuracy"]
[[metrics]]
name = "rouge1(ref=human)"
[ranking]
by = "rouge1(ref=human)"
[systems.B]
family = "another"
"""


def json_lines(rows: Sequence[Mapping[str, object]]) -> str:
    return "\n".join(map(json.dumps, rows))


def version(folder: Path, words: str, texts: str = "full") -> Path:
    """Make a study of 50 cases and two systems; every fifth answer says the same in each."""
    (folder / "answers").mkdir(parents=True)
    privacy = f'[privacy]\ntexts = "{texts}"\n'
    (folder / "study.toml").write_text(SETTINGS + privacy, encoding="utf-8")
    made = CliRunner().invoke(app, ["rubric", "new", str(folder / "asked.toml"), "accuracy,safety"])
    assert made.exit_code == 0, made.output
    cases: list[dict[str, object]] = [
        {"case": f"c{i:02}", "question": f"Q {i}?", "references": [{"text": f"drink water {i}"}]}
        for i in range(50)
    ]
    rows: dict[str, list[dict[str, object]]] = {
        name: [
            {"case": f"c{i:02}", "text": f"drink {'water' if i % 5 == 0 else words} {i} {name}"}
            for i in range(50)
        ]
        for name in ("A", "B")
    }
    files = {"cases": json_lines(cases)}
    files |= {f"answers/{name}": json_lines(answers) for name, answers in rows.items()}
    for file, text in files.items():
        (folder / f"{file}.jsonl").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_sixty_of_the_changed_answers_become_a_study_that_a_campaign_takes(tmp_path: Path) -> None:
    old, new = version(tmp_path / "old", "water"), version(tmp_path / "new", "tea now and")
    into = tmp_path / "changed"
    done = CliRunner().invoke(app, ["compare", str(old), str(new), "--into", str(into)])
    assert done.exit_code == 3, done.output
    assert "rouge1(ref=human) checks the score; not shown to follow quality." in done.output
    assert f"Drew {MOST_CHANGED} of 80 changed answers, each old and new" in done.output
    drawn = Study.open_whole(into)
    assert len(drawn.answers) == 2 * MOST_CHANGED
    assert drawn.families == {f"{name}-{side}": name for name in "AB" for side in ("old", "new")}
    assert drawn.rubric.ids == ("accuracy",)
    assert all(int(answer.case[1:]) % 5 for answer in drawn.answers)
    texts = {(answer.system, answer.case): answer.text for answer in drawn.answers}
    for (system, case), text in texts.items():
        side = (old if system.endswith("-old") else new) / "answers" / f"{system[0]}.jsonl"
        rows = map(json.loads, side.read_text(encoding="utf-8").splitlines())
        assert text == next(row["text"] for row in rows if row["case"] == case)
    assert drawn.asked.holds(*next(iter(texts)))
    assert sum(drawn.asked.holds(s, c) for s in drawn.systems for c in drawn.cases.ids) == 120
    started = CliRunner().invoke(app, ["campaign", "create", str(into), "--raters", "3"])
    assert started.exit_code == 0, started.output
    assert "120 answers, 3 raters" in started.output
    sheets = CliRunner().invoke(app, ["campaign", "sheets", str(into), "--format", "csv"])
    assert sheets.exit_code == 0, sheets.output
    handed = [*(into / "campaigns" / "main" / "sheets").rglob("*.csv")]
    assert handed
    assert not any(name in file.read_text() for file in handed for name in drawn.systems)


def test_the_draw_is_the_same_again_and_no_more_may_leave_than_before(tmp_path: Path) -> None:
    old, new = version(tmp_path / "old", "water"), version(tmp_path / "new", "tea", texts="none")
    found = compare_versions(str(old), str(new))
    first, second = (draw_changed(found, tmp_path / name) for name in ("first", "second"))
    assert (first.drawn, first.changed, first.left_out) == (60, 80, ())
    for file in ("answers/A-old.jsonl", "answers/B-new.jsonl", "asked.csv", "cases.jsonl"):
        assert (first.folder / file).read_bytes() == (second.folder / file).read_bytes()
    settings = tomllib.loads((first.folder / "study.toml").read_text(encoding="utf-8"))
    assert settings["privacy"]["texts"] == "none"


def test_where_nothing_changed_nothing_is_drawn(tmp_path: Path) -> None:
    old = version(tmp_path / "old", "water")
    drawn = draw_changed(compare_versions(str(old), str(old)), tmp_path / "into")
    assert drawn.drawn == 0
    assert not (tmp_path / "into").exists()


def test_tables_of_scores_and_a_folder_with_files_are_refused(tmp_path: Path) -> None:
    tables = []
    for name, value in (("old", 0.9), ("new", 0.1)):
        rows = [f"A,c{i},{value + i / 1000}" for i in range(30)]
        tables.append(tmp_path / f"{name}.csv")
        tables[-1].write_text("\n".join(["system,case,value", *rows]), encoding="utf-8")
    line = ["compare", *map(str, tables), "--direction", "higher", "--into"]
    refused = CliRunner().invoke(app, [*line, str(tmp_path / "into")])
    assert refused.exit_code
    assert not (tmp_path / "into" / "study.toml").exists()
    scores = compare_versions(
        *map(str, tables), owner_words=MetricScaleOptions({"": "higher"}, {}, {}, frozenset())
    )
    with pytest.raises(InvalidInput, match="be a study, whose answers people can read; got a tab"):
        draw_changed(scores, tmp_path / "into")
    old, new = version(tmp_path / "o", "water"), version(tmp_path / "n", "tea")
    with pytest.raises(InvalidInput, match="be a new or empty folder"):
        draw_changed(compare_versions(str(old), str(new)), tmp_path)
