"""Targets beside what was reached: on screen, in the JSON, on the page; unknown ones are named."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.analyses.results import LeaderboardRow, SourceResult
from medassay.analyses.results.target import Verdict
from medassay.analyses.targets import target_results
from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.study import Study

N = 40


def study(folder: Path, targets: str, right: int = 20) -> Path:
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(
        'schema = 1\ntitle = "T"\n[protocol]\nname = "clinical-mcq"\n[run]\nreplicates = 200\n'
        f"[targets]\n{targets}\n"
    )
    cases = [{"case": f"q{i}", "options": {"A": "x", "B": "y"}, "gold": "A"} for i in range(N)]
    answers = [{"case": f"q{i}", "choice": "A" if i < right else "B"} for i in range(N)]
    for name, rows in (("cases", cases), ("answers/s", answers)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_targets_stand_beside_the_results_everywhere(tmp_path: Path) -> None:
    made = study(tmp_path / "s", 'accuracy = 0.80\n"exact_match(missing=first)" = 0.1\nmap = 0.5')
    done = CliRunner().invoke(app, ["run", str(made)])
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "Targets: Accuracy of .80 missed by s (.50 [" in said
    assert "MAP of .50 without a value for s" in said
    (folder,) = (made / "results").glob("*/report.json")
    found = json.loads(folder.read_bytes())["targets"]
    assert [(one["name"], one["verdict"]) for one in found] == [
        ("accuracy", "missed"), ("exact_match(missing=first)", "reached"), ("map", "no value"),
    ]  # fmt: skip
    page = (folder.parent / "report.html").read_text(encoding="utf-8")
    assert 'id="t-targets"' in page
    assert (folder.parent / "tables" / "targets.csv").is_file()


def test_a_target_about_nothing_is_named_with_what_is_near(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r'targets\.acuracy: .*Did you mean "accuracy"'):
        Study.open(study(tmp_path / "s", "acuracy = 0.80"))


@pytest.mark.parametrize(
    ("low", "high", "n", "verdict", "turned"),
    [
        (0.81, 0.9, 100, "reached", "missed"),
        (0.7, 0.79, 100, "missed", "reached"),
        (0.75, 0.85, 100, "too close to say", "too close to say"),
        # 60 answers need not show the heavy losses that would bring .855 down to .8.
        (0.81, 0.9, 60, "too close to say", "too close to say"),
    ],
)
def test_the_whole_interval_decides(
    low: float, high: float, n: int, verdict: Verdict, turned: Verdict
) -> None:
    mean = (low + high) / 2
    base = {"system": "s", "source": "brier", "mean": mean, "reason": "", "n": n, "missing": 0}
    more = {"never_answered": 0, "mean_given": None, "rank": 1, "rank_low": 1, "rank_high": 1}
    around = {"low": low, "high": high, "level": 0.95, "method": "m", "estimand": "e"}
    one = LeaderboardRow.model_validate({**base, **more, "interval": around, "letters": "a"})
    source: dict[str, object] = {
        "name": "brier", "title": "B", "kind": "imported", "dimension": None, "method": None,
        "question": "", "unit": "", "low": 0, "high": 1, "scored": 9, "unscored": {},
        "unscored_example": "", "signature": "", "control": False,
    }  # fmt: skip

    for direction, expected in (("higher", verdict), ("lower", turned)):
        known = [SourceResult.model_validate({**source, "direction": direction})]
        (found,) = target_results({"brier": 0.8}, [one], known)
        assert found.verdict == expected
