"""The gate as CI calls it: three verdicts, three exit codes, and nothing left out in silence."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from medassay.__main__ import main
from medassay.cli import app
from medassay.errors import MedassayError

Scores = Mapping[str, Sequence[float]]
"""A system to its scores, a case each."""

HEADER = "system,case,value,source"


def table(
    path: Path, by_system: Scores, metric: str | None = "judge", *, first_case: int = 0
) -> str:
    """Write a table of scores; without a metric it has no column that names one."""
    header, ending = ("system,case,value", "") if metric is None else (HEADER, f",{metric}")
    rows = [
        f"{system},{first_case + i:04},{value}{ending}"
        for system, values in by_system.items()
        for i, value in enumerate(values)
    ]
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return str(path)


def compare(*words: str) -> Result:
    return CliRunner().invoke(app, ["compare", *words])


def told(*words: str) -> tuple[int, dict[str, Any]]:
    done = compare(*words, "--json")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, json.loads(done.stdout)


def only_row(said: dict[str, Any]) -> dict[str, Any]:
    """Give the only row of the only metric."""
    [result] = said["results"]
    [row] = result["systems"]
    return dict(row)


def refused(*words: str) -> str:
    done = compare(*words)
    assert isinstance(done.exception, MedassayError)  # printed by main, with exit code 2
    return str(done.exception)


UP = ("--direction", "higher")
OLD = [1.0, 0.8, 0.9, 0.7, 0.6] * 40
UNSURE = [value + (0.4 if i % 2 else -0.4) for i, value in enumerate(OLD)]


@pytest.mark.parametrize(
    ("new", "flags", "code", "verdict"),
    [
        ([value + 0.1 for value in OLD], ["--require-not-worse"], 0, "metric not worse"),
        ([v - (i % 3) * 0.1 - 0.1 for i, v in enumerate(OLD)], [], 3, "worse"),
        (UNSURE, [], 0, "undecided"),
        (UNSURE, ["--require-not-worse"], 4, "undecided"),
    ],
)
def test_verdict_and_exit_code(
    tmp_path: Path, new: list[float], flags: list[str], code: int, verdict: str
) -> None:
    jitter = [value + 0.001 * (i % 7) for i, value in enumerate(new)]
    before = table(tmp_path / "old.csv", {"A": OLD})
    after = table(tmp_path / "new.csv", {"A": jitter})
    found, said = told(before, after, *UP, *flags)
    assert found == code
    assert [one["verdict"] for one in said["results"]] == [verdict]
    assert said["exit_code"] == code
    # Nobody judged these answers, and the gate says so.
    assert any("No raters judged either version" in text for text in said["warnings"])


@pytest.mark.parametrize("drop", [1.0, 0.2])
def test_a_collapse_by_the_same_amount_everywhere_is_worse(tmp_path: Path, drop: float) -> None:
    before = table(tmp_path / "old.csv", {"A": [1.0] * 400})
    after = table(tmp_path / "new.csv", {"A": [1.0 - drop] * 400})
    code, said = told(before, after, *UP)
    assert (code, said["results"][0]["verdict"]) == (3, "worse")
    assert only_row(said)["interval"]["high"] < 0


def test_answers_are_no_scores_and_the_line_is_named(tmp_path: Path) -> None:
    old = tmp_path / "old.csv"
    old.write_text("question,answer,model\nWhy?,So.,x\n", encoding="utf-8")
    said = str(compare(str(old), str(old)).exception)
    assert "These are answers, not scores." in said
    assert f"medassay import {old} --into old" in said


def test_two_tables_without_a_common_answer_are_refused(tmp_path: Path) -> None:
    before = table(tmp_path / "old.csv", {"A": [1.0] * 50})
    after = table(tmp_path / "new.csv", {"A": [1.0] * 50}, first_case=50)
    assert "must have an answer in common" in refused(before, after, *UP)


def test_lost_scores_count_against_the_new_version(tmp_path: Path) -> None:
    before = table(tmp_path / "old.csv", {"A": [1.0] * 800})
    after = table(tmp_path / "new.csv", {"A": [1.0] * 80})
    assert told(before, after, *UP)[0] == 3
    assert "720 scores of 800 are lost, and counted as 0" in compare(before, after, *UP).stdout


def test_lost_scores_without_a_worst_value_never_pass(tmp_path: Path) -> None:
    before = table(tmp_path / "old.csv", {"A": [30.0, 31.0] * 400}, "minutes")
    after = table(tmp_path / "new.csv", {"A": [30.0, 31.0] * 40}, "minutes")
    code, said = told(before, after, "--direction", "minutes=lower")
    assert (code, said["results"][0]["verdict"]) == (4, "undecided")
    assert "720 scores of 800 are lost" in only_row(said)["why"]
    words = ("--direction", "minutes=lower", "--range", "minutes=0..60")
    assert told(before, after, *words)[0] == 3


def test_a_system_that_is_gone_is_named_and_counted(tmp_path: Path) -> None:
    before = table(tmp_path / "old.csv", {"A": OLD, "B": OLD})
    after = table(tmp_path / "new.csv", {"A": OLD, "C": OLD})
    code, said = told(before, after, *UP, "--require-not-worse")
    assert code == 3
    assert (said["lost_systems"], said["new_systems"]) == (["B"], ["C"])
    lost = {row["system"]: (row["verdict"], row["lost"]) for row in said["results"][0]["systems"]}
    assert lost == {"A": ("undecided", 0), "B": ("worse", len(OLD))}
    shown = compare(before, after, *UP).stdout
    assert "no scores of system B" in shown
    assert "has system C: nothing to compare with" in shown
    # Whoever names the systems compares these and no others.
    assert told(f"{before}:A", f"{after}:A", *UP)[1]["lost_systems"] == []
    assert only_row(told(before, f"{after}:A", *UP)[1])["lost"] == 0


def test_a_metric_that_is_gone_is_named_and_does_not_pass(tmp_path: Path) -> None:
    before = table(tmp_path / "old.csv", {"A": OLD})
    more = table(tmp_path / "more.csv", {"A": OLD}, "safety")
    rows = Path(more).read_text(encoding="utf-8").splitlines(keepends=True)[1:]
    with Path(before).open("a", encoding="utf-8") as both:
        both.writelines(rows)
    after = table(tmp_path / "new.csv", {"A": OLD})
    code, said = told(before, after, *UP)
    assert (code, said["lost_metrics"]) == (4, ["safety"])
    assert [(one["metric"], one["systems"][0]["lost"]) for one in said["results"]] == [
        ("judge", 0),
        ("safety", len(OLD)),
    ]
    assert "no scores of metric safety" in compare(before, after, *UP).stdout
    # The other way round it is new, and there is nothing to compare it with.
    code, said = told(after, before, *UP)
    assert (code, said["new_metrics"]) == (0, ["safety"])


def test_a_registered_name_brings_its_direction_and_range(tmp_path: Path) -> None:
    few, all_ = [1.0] + [0.0] * 9, [1.0] * 10
    before = table(tmp_path / "old.csv", {"A": few * 40}, "over_limit")
    after = table(tmp_path / "new.csv", {"A": all_ * 40}, "over_limit")
    code, said = told(before, after)
    assert (code, only_row(said)["difference"]) == (3, pytest.approx(-0.9))
    assert told(after, before, "--require-not-worse")[0] == 0
    assert "as the metric declares" in refused(before, after, "--direction", "over_limit=higher")
    percent = table(tmp_path / "percent.csv", {"A": [40.0, 50.0]}, "bleu(ref=human)")
    assert "must lie between 0 and 1" in refused(percent, percent)
    assert told(percent, percent, "--range", "bleu(ref=human)=..100")[0] == 0


def test_nobody_guesses_which_way_is_better(tmp_path: Path) -> None:
    before = table(tmp_path / "old.csv", {"A": OLD}, "error_rate")
    higher = [value + 0.3 + 0.001 * (i % 7) for i, value in enumerate(OLD)]
    after = table(tmp_path / "new.csv", {"A": higher}, "error_rate")
    assert "Add --direction error_rate=higher, or error_rate=lower." in refused(before, after)
    assert told(before, after, "--direction", "error_rate=lower")[0] == 3
    assert told(before, after, "--direction", "error_rate=higher")[0] == 0
    (tmp_path / "old.toml").write_text('direction = "lower"\n')
    assert told(before, after)[0] == 3
    assert "UnknownName" not in refused(before, after, "--direction", "eror_rate=lower")
    assert 'must be higher or lower; got "down"' in refused(before, after, "--direction", "down")
    assert "must have the form LOW..HIGH" in refused(before, after, "--range", "error_rate=none")


def test_tables_without_a_name_for_their_scores(tmp_path: Path) -> None:
    before = table(tmp_path / "v1.csv", {"A": OLD}, None)
    after = table(tmp_path / "v2.csv", {"A": UNSURE}, None)
    assert told(before, after, *UP)[1]["results"][0]["metric"] == "score"
    named = told(before, after, "--metric", "acc", "--direction", "acc=higher")[1]
    assert named["results"][0]["metric"] == "acc"
    other = table(tmp_path / "v3.csv", {"A": UNSURE}, "judge")
    assert told(before, other, *UP)[1]["results"][0]["metric"] == "judge"


def test_an_unchanged_table_is_not_worse_however_short(tmp_path: Path) -> None:
    before = table(tmp_path / "old.csv", {"A": OLD[:5]})
    code, said = told(before, before, *UP, "--require-not-worse")
    assert (code, said["identical"], said["results"][0]["verdict"]) == (0, True, "metric not worse")
    assert "Nothing changed" in compare(before, before, *UP).stdout


def test_equal_scores_in_another_table_say_no_more_than_so_many_do(tmp_path: Path) -> None:
    before, after = (table(tmp_path / name, {"A": [0.0] * 5}) for name in ("old.csv", "new.csv"))
    code, said = told(before, after, *UP, "--require-not-worse")
    assert (code, said["identical"]) == (4, False)
    assert said["results"][0]["verdict"] == "undecided"


def test_people_read_the_answers_that_changed(tmp_path: Path) -> None:
    before = table(tmp_path / "old.csv", {"A": OLD})
    after = table(tmp_path / "new.csv", {"A": [0.1, *OLD[1:]]})
    shown = compare(before, after, *UP).stdout
    assert "judge: 1 answer is worse:\n  A, 0000: 1.000 to 0.100\n" in shown
    assert "judge checks the score; not shown to follow quality." in shown
    again = compare(before, before, *UP).stdout
    assert "worse:" not in again


def test_the_exit_code_of_bad_input_is_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = table(tmp_path / "old.csv", {"A": OLD})
    monkeypatch.setattr("sys.argv", ["medassay", "compare", before, before])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "must say which way is better" in capsys.readouterr().err


def test_a_bound_for_rare_and_heavy_losses_is_asked_for(tmp_path: Path) -> None:
    old = table(tmp_path / "old.csv", {"A": [0.5] * 200})
    new = table(tmp_path / "new.csv", {"A": [0.5 + 0.01 * (-1) ** i for i in range(200)]})
    code, by_t = told(old, new, *UP, "--require-not-worse")
    assert (code, by_t["results"][0]["verdict"]) == (0, "metric not worse")
    code, found = told(old, new, *UP, "--require-not-worse", "--bound", "betting")
    assert (code, found["results"][0]["verdict"]) == (4, "undecided")
    assert only_row(found)["interval"]["method"] == "betting"
    assert "under 216 cases" in only_row(found)["why"]


def test_one_system_that_loses_everywhere_is_worse_whatever_the_others_gain(
    tmp_path: Path,
) -> None:
    jitter = [0.01 * (i % 3) for i in range(len(OLD))]
    gains = [value + 0.02 + noise for value, noise in zip(OLD, jitter, strict=True)]
    losses = [value - 0.1 + noise for value, noise in zip(OLD, jitter, strict=True)]
    before = table(tmp_path / "old.csv", dict.fromkeys("ABCDEF", OLD))
    after = table(tmp_path / "new.csv", dict.fromkeys("ABCDE", gains) | {"F": losses})
    code, said = told(before, after, *UP, "--range", "..2")
    assert (code, said["verdict"], said["tests"]) == (3, "worse", 6)
    verdicts = {row["system"]: row["verdict"] for row in said["results"][0]["systems"]}
    assert verdicts == dict.fromkeys("ABCDE", "metric not worse") | {"F": "worse"}
    shown = compare(before, after, *UP, "--range", "..2").stdout
    assert shown.startswith("Worse: F by judge.\n")
    assert "expect up to 2.5 called worse (all 6 tests together: 6 systems, 1 metric)" in shown


def steps(tmp_path: Path, losses: int) -> list[str]:
    """Write versions that lose 0.01 each, with a little noise, against the one before."""
    values, versions = OLD, []
    for k in range(losses + 1):
        versions.append(table(tmp_path / f"v{k}.csv", {"A": values}))
        noise = [0.05 * ((7 * i + 3 * k) % 5 - 2) / 2 for i in range(len(OLD))]
        values = [value - 0.01 + each for value, each in zip(values, noise, strict=True)]
    return versions


def test_small_losses_in_a_row_add_up_against_the_baseline(tmp_path: Path) -> None:
    first, *_, before, last = steps(tmp_path, 10)
    words = (*UP, "--range", "..2", "--margin", "0.03")
    assert told(before, last, *words)[0] == 0
    code, said = told(before, last, *words, "--baseline", first)
    assert (code, said["verdict"]) == (3, "worse")
    assert [one["verdict"] for one in said["results"]] == ["metric not worse"]
    assert [one["verdict"] for one in said["baseline_results"]] == ["worse"]
    assert said["tests"] == 2
    assert "the score has no range" in said["results"][0]["systems"][0]["why"]
    shown = compare(before, last, *words, "--baseline", first).stdout
    assert shown.startswith(f"Worse: A by judge against {first} (baseline).")


def test_the_baseline_is_read_like_any_version(tmp_path: Path) -> None:
    before = table(tmp_path / "old.csv", {"A": OLD})
    assert "nothing there" in refused(before, before, *UP, "--baseline", str(tmp_path / "gone"))
    code, said = told(before, before, *UP, "--baseline", before)
    assert (code, said["identical"], said["baseline"]) == (0, True, before)
    other = table(tmp_path / "first.csv", {"A": UNSURE})
    assert not told(before, before, *UP, "--baseline", other)[1]["identical"]


def test_harm_is_named_where_a_metric_does_not_declare_it(tmp_path: Path) -> None:
    old = table(tmp_path / "old.csv", {"A": [0.5] * 200})
    new = table(tmp_path / "new.csv", {"A": [0.5 + 0.01 * (-1) ** i for i in range(200)]})
    assert told(old, new, *UP)[1]["verdict"] == "metric not worse"
    code, said = told(old, new, *UP, "--harm", "judge", "--require-not-worse")
    assert (code, said["results"][0]["harm"]) == (4, True)
    assert only_row(said)["interval"]["method"] == "t, betting below"
    assert any("Scores of judge measure harm" in text for text in said["warnings"])
    (tmp_path / "old.toml").write_text('direction = "higher"\nharm = true\n')
    assert told(old, new, "--require-not-worse")[0] == 4
    assert told(old, new, "--bound", "t")[1]["verdict"] == "metric not worse"
    assert '"judgee"' in refused(old, new, *UP, "--harm", "judgee")
    flagged = table(tmp_path / "flags.csv", {"A": [0.0, 1.0] * 30}, "danger_flag")
    changed = table(tmp_path / "now.csv", {"A": [1.0, 0.0] * 30}, "danger_flag")
    assert told(flagged, changed)[1]["results"][0]["harm"]


def test_a_comment_quotes_names_and_calls_nobody(tmp_path: Path) -> None:
    name = "a|b`<img>@team"
    before = table(tmp_path / "old.csv", {name: OLD})
    after = table(tmp_path / "new.csv", {name: [value - 0.1 for value in OLD[:-1]] + [0.0]})
    done = compare(before, after, *UP, "--to", "markdown")
    assert done.exit_code == 3
    assert "### Gate: worse\n" in done.stdout
    cell = "`a\\|b'<img>@team`"
    [row] = [line for line in done.stdout.splitlines() if line.startswith(f"| {cell} | `judge`")]
    assert row.count(" | ") == 6
    outside = re.sub(r"(?<!\\)`[^`\n]*`", "", done.stdout)
    assert "@team" not in outside
    assert "<img>" not in outside.replace("\\<img>", "")
    assert refused(before, after, *UP, "--to", "markdown", "--json")


def test_answers_that_are_worse_by_harm_are_named_whatever_the_verdict(tmp_path: Path) -> None:
    old = table(tmp_path / "old.csv", {"A": [0.0] * 60}, "danger_flag")
    new = table(tmp_path / "new.csv", {"A": [1.0, *[0.0] * 58, 1.0]}, "danger_flag")
    words = (
        "By danger_flag, which measures harm, 2 answers are worse. Whatever the verdict, a person "
        "should read: 0000, 0059."
    )
    shown = compare(old, new)
    assert (shown.exit_code, shown.stdout.splitlines()[1]) == (0, words)
    comment = compare(old, new, "--to", "markdown").stdout
    unfolded, _, _ = comment.partition("<details>")
    assert words.replace("_", "\\_") in unfolded
    assert "measures harm," not in compare(new, old).stdout  # no answer is worse
    both = compare(old, new, "--baseline", old).stdout
    assert f"2 answers are worse than in {old} (baseline). Whatever" in both


@pytest.mark.parametrize("texts", ["full", "none"])
def test_where_nothing_is_compared_the_comment_says_so(tmp_path: Path, texts: str) -> None:
    """An empty comment is refused by the host, and that of an earlier push would stand."""
    old = table(tmp_path / "old.csv", {"A": OLD})
    missing = f"{tmp_path / 'nothing'}"
    words = [old, missing, *UP, "--to", "markdown"]
    if texts == "none":
        (tmp_path / "study").mkdir()
        (tmp_path / "study" / "study.toml").write_text('[privacy]\ntexts = "none"\n')
        words += ["--baseline", str(tmp_path / "study")]
    done = compare(*words)
    assert isinstance(done.exception, MedassayError)
    assert done.stdout.startswith("### Gate: no verdict\n\nThe versions could not be compared:\n")
    assert ("got nothing there" in done.stdout) is (texts == "full")
    unknown = compare(old, old, *UP, "--metric", "judgee", "--to", "markdown")
    assert "judgee" in unknown.stdout
    assert compare(old, missing, *UP).stdout == ""
