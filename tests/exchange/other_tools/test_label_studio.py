"""Label Studio: tasks and a configuration out, annotations in.

The configuration and the annotations we write were held against Label Studio's own checker, of
label-studio-sdk 2.1.2: see `check_label_studio.py` in tests/golden.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from defusedxml import ElementTree

from medassay.study import Study

Run = Callable[..., Any]
Refused = Callable[..., list[str]]
KEPT = ("rater", "system", "case", "label", "seconds", "comment")


def test_an_export_of_label_studio_is_read_whole(study: Path, data: Path, medassay: Run) -> None:
    file = data / "label-studio" / "export.json"
    taken = medassay("import", "--from", "label-studio", file, "--into", study)
    assert (taken["added"], taken["known"]) == (3, 0)
    assert taken["notes"] == [
        "not carried over: predictions of models (1).",
        "not carried over: results of the type labels (1).",
        "not carried over: annotations that were skipped (1).",
    ]
    rows = Study.open_whole(study).judgements.current()
    new = rows.filter(rows["rater"].is_in(["anna@example.org", "2"]))
    assert new.select(KEPT).rows() == [
        ("2", "system-a", "antibiotics", "2", 12.25, None),
        ("2", "system-b", "sprain", "5", 8.0, None),
        ("anna@example.org", "system-b", "sprain", "4", 21.5, "Short, and right."),
    ]
    times = new["time"].to_list()
    assert times[2].isoformat() == "2026-01-05T09:00:31.500000+00:00"
    again = medassay("import", "--from", "label-studio", file, "--into", study)
    assert (again["added"], again["known"]) == (0, 3)


def test_what_we_write_says_nothing_of_systems_and_asks_the_rubric(
    study: Path, tmp_path: Path, medassay: Run
) -> None:
    given = medassay("export", "--to", "label-studio", study, "--into", tmp_path / "out")
    assert given["counts"] == {"answer": 4}
    config = (tmp_path / "out" / "labelling.xml").read_text(encoding="utf-8")
    tasks = json.loads((tmp_path / "out" / "tasks.json").read_bytes())
    assert "system-" not in config + json.dumps(tasks)
    view = ElementTree.fromstring(config)
    (choices,) = view.iter("Choices")
    assert [one.get("value") for one in choices] == [
        *"12345", "cannot judge", "not applicable",
    ]  # fmt: skip
    shown = {one.get("value", "").removeprefix("$") for one in view.iter("Text")}
    assert shown - {"Code $code"} == set(tasks[0]["data"]) - {"code"}
    headers = [one.get("value") for one in view.iter("Header")]
    assert headers[0] is not None
    assert headers[0].startswith("Synthetic data")


def test_annotations_go_out_and_come_back_the_same(
    named_raters: Path, tmp_path: Path, medassay: Run
) -> None:
    study = named_raters
    before = Study.open_whole(study).judgements.current().select("rater", "system", "case", "label")
    medassay("export", "--to", "label-studio", study, "--into", tmp_path / "out", "--ratings")
    header = (study / "judgements.csv").read_text(encoding="utf-8").splitlines()[0]
    (study / "judgements.csv").write_text(f"{header}\n", encoding="utf-8")
    taken = medassay(
        "import", "--from", "label-studio", tmp_path / "out" / "tasks.json", "--into", study
    )
    assert (taken["added"], taken["notes"]) == (8, [])
    after = Study.open_whole(study).judgements.current().select("rater", "system", "case", "label")
    assert after.equals(before)


def test_every_problem_is_said_with_its_place(
    study: Path, tmp_path: Path, data: Path, refused: Refused
) -> None:
    tasks = json.loads((data / "label-studio" / "export.json").read_bytes())
    first, second = tasks[0]["annotations"]
    first["result"][0]["value"]["choices"] = ["4", "5"]
    second["completed_by"] = None
    tasks[1]["annotations"][0]["result"] = "none"
    file = tmp_path / "export.json"
    file.write_text(json.dumps(tasks), encoding="utf-8")
    words = ("import", "--from", "label-studio", file, "--into", study)
    assert refused(*words) == [
        (
            "export.json, row 1, column annotations[1].result[1]: must choose one thing; got 4, 5. "
            "A dimension takes one label: set choice to single in the configuration."
        ),
        (
            "export.json, row 1, column annotations[2]: must say who annotated, as completed_by "
            "does; got nobody."
        ),
        'export.json, row 2, column annotations[1].result: must be a list; got "none".',
    ]
    first["result"][0]["value"]["choices"] = ["fine"]
    tasks[0]["annotations"] = [first]
    tasks[0]["data"]["system"] = "system-bb"
    tasks[1]["annotations"] = []
    file.write_text(json.dumps(tasks), encoding="utf-8")
    assert refused(*words) == [
        (
            "export.json, row 1, column annotations[1].result[1]: must name a system of the study "
            'in the field system; got "system-bb". Did you mean "system-b"?'
        ),
        (
            "export.json, row 1, column annotations[1].result[1]: must be one of 1, 2, 3, 4, 5; "
            'got "fine".'
        ),
    ]


def test_other_forms_are_told_apart(study: Path, tmp_path: Path, refused: Refused) -> None:
    file = tmp_path / "min.json"
    words = ("import", "--from", "label-studio", file, "--into", study)
    file.write_text('[{"id": 1, "quality": "4", "annotation_id": 3}]', encoding="utf-8")
    (problem,) = refused(*words)
    assert "got a task of JSON-MIN. In Label Studio: Export, then JSON." in problem
    file.write_text('{"id": 1}', encoding="utf-8")
    (problem,) = refused(*words)
    assert problem.startswith("min.json: must be a list of tasks; got something else.")
    file.write_text('[{"id": 1,\n "data": ', encoding="utf-8")
    (problem,) = refused(*words)
    assert problem.startswith("min.json, row 2: must be JSON")
    assert "The file may be cut off there." in problem
