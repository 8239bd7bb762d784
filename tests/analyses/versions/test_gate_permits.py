"""What the raters permit a gate to say is said by `compare`, in the numbers of the trust table."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from medassay.analyses import compare_versions, run_study
from medassay.analyses.builtin.trust import trust_summary, trust_table, trusted_in
from medassay.cli import app
from medassay.report.names import Names
from medassay.study import open_run

SETTINGS = """schema = 1
title = "fourteen systems"
synthetic = true
[protocol]
name = "ratings"
[[dimensions]]
rubric = "harm"
only = ["missed-diagnosis-severity"]
[[metrics]]
name = "length"
[consensus]
methods = ["mean"]
[run]
replicates = 100
"""
LABELS = ("none", "mild", "moderate", "severe", "death")
CASES = 6


def study(folder: Path, systems: Sequence[str], harm: Sequence[float]) -> Path:
    """Make a study with a column `safety` that goes with the raters, and `luck` that does not."""
    rng = np.random.default_rng(7)
    (folder / "answers").mkdir(parents=True)
    (folder / "scores").mkdir()
    (folder / "study.toml").write_text(SETTINGS, encoding="utf-8")
    lines = [f'{{"case": "c{i}", "question": "What now?"}}' for i in range(CASES)]
    (folder / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    judged = ["rater,system,case,dimension,label"]
    columns = {"safety": ["system,case,value"], "luck": ["system,case,value"]}
    for system, degree in zip(systems, harm, strict=True):
        words = rng.integers(1, 9, CASES)
        said = [
            f'{{"case": "c{i}", "text": "Wait{" now" * int(n)}."}}' for i, n in enumerate(words)
        ]
        (folder / "answers" / f"{system}.jsonl").write_text("\n".join(said), encoding="utf-8")
        for i in range(CASES):
            label = LABELS[int(np.clip(round(degree + rng.normal(0, 0.5)), 0, 4))]
            judged.append(f"r1,{system},c{i},missed-diagnosis-severity,{label}")
            columns["safety"].append(f"{system},c{i},{4 - degree + rng.normal(0, 0.3):.3f}")
            columns["luck"].append(f"{system},c{i},{rng.normal():.3f}")
    (folder / "judgements.csv").write_text("\n".join(judged), encoding="utf-8")
    for name, rows in columns.items():
        (folder / "scores" / f"{name}.csv").write_text("\n".join(rows), encoding="utf-8")
        (folder / "scores" / f"{name}.toml").write_text(
            'direction = "higher"\nlow = -9.0\nhigh = 9.0\n', encoding="utf-8"
        )
    return folder


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    systems = [f"s{i:02}" for i in range(14)]
    return study(tmp_path_factory.mktemp("judged") / "old", systems, np.linspace(0, 4, 14).tolist())


@pytest.mark.slow
def test_the_numbers_are_those_of_the_trust_table(judged: Path, tmp_path: Path) -> None:
    new = study(tmp_path / "new", ["s03"], [1.0])
    (new / "judgements.csv").unlink()
    found = compare_versions(f"{judged}:s03", str(new), metrics=["safety", "luck"])
    results, _ = run_study(open_run(judged))
    [on] = trusted_in(results.analyses)
    entry = next(one for one in on.table.entries if one.metric == "safety")
    assert "gate" in entry.uses
    assert entry.surrogacy is not None
    [permit] = found.permits
    assert (permit.metric, permit.systems, permit.scope) == ("safety", 14, "between systems")
    assert permit.threshold == entry.surrogacy.threshold
    assert permit.not_excluded == entry.surrogacy.not_excluded
    # Raters' points of harm: one of the metric is one of theirs, and fewer is the better end.
    assert entry.surrogacy.slope == pytest.approx(1, abs=0.15)
    told = " ".join(found.warnings)
    follows = "safety checks the score; not shown to follow quality between versions, only"
    assert f"{follows} between systems, and there not shown within one kind of system" in told
    assert "luck checks the score; not shown to follow quality." in told
    assert f"medassay compare {judged}:s03 {new} --into changed" in told


@pytest.mark.slow
def test_the_terminal_says_it(judged: Path) -> None:
    said = CliRunner().invoke(app, ["compare", str(judged), str(judged), "-m", "safety"]).stdout
    assert "safety checks the score; not shown to follow quality between versions" in said


def family_study(folder: Path, *, kind_only: bool = False) -> Path:
    """Make a study of five families of three versions each, harm differing within and between."""
    rng = np.random.default_rng(3)
    harm = (np.linspace(0.6, 3.4, 5)[:, None] + np.array([-0.6, 0.0, 0.6])).ravel()
    systems = [f"s{i:02}" for i in range(15)]
    made = study(folder, systems, harm.tolist())
    rows = ["system,case,value"]
    for i, name in enumerate(systems):
        known = float(np.linspace(0.6, 3.4, 5)[i // 3]) if kind_only else harm[i]
        rows += [f"{name},c{j},{4 - known + rng.normal(0, 0.1):.3f}" for j in range(CASES)]
    (made / "scores" / "safety.csv").write_text("\n".join(rows), encoding="utf-8")
    families = "".join(f'[systems.{n}]\nfamily = "f{i // 3}"\n' for i, n in enumerate(systems))
    (made / "study.toml").write_text(SETTINGS + families, encoding="utf-8")
    return made


@pytest.mark.slow
def test_versions_of_families_permit_a_gate_between_versions(tmp_path: Path) -> None:
    made = family_study(tmp_path / "study")
    new = study(tmp_path / "new", ["s03"], [1.0])
    found = compare_versions(f"{made}:s03", str(new), metrics=["safety", "luck"])
    [permit] = found.permits
    assert (permit.metric, permit.scope) == ("safety", "between versions")
    assert (permit.systems, permit.families) == (10, 5)
    told = " ".join(found.warnings)
    assert f"A drop of {permit.threshold:.3g} in safety between versions means a loss on" in told
    assert "tested on 10 pairs of versions from 5 families" in told
    results, _ = run_study(open_run(made))
    table = trust_table(trusted_in(results.analyses), Names(results))
    titles = [column.title for column in table.columns]
    row = next(row for row in table.rows if row.cells[0].raw[0] == "safety")
    assert row.cells[titles.index("Gate between versions from")].text == f"{permit.threshold:.3g}"
    assert "gate between versions only" in row.cells[titles.index("Use")].aside


@pytest.mark.slow
def test_a_metric_that_knows_only_the_kind_gates_no_version(tmp_path: Path) -> None:
    made = family_study(tmp_path / "study", kind_only=True)
    found = compare_versions(str(made), str(made), metrics=["safety"])
    assert found.permits == ()


def test_the_report_prints_both_numbers_where_there_is_a_permit(judged: Path) -> None:
    results, _ = run_study(open_run(judged))
    trusted = trusted_in(results.analyses)
    for made in (trust_table, trust_summary):
        table = made(trusted, Names(results))
        at = [column.title for column in table.columns].index("Gate from a loss of")
        cells = {row.cells[0].raw[0]: row.cells[at] for row in table.rows}
        line = next(e for e in trusted[0].table.entries if e.metric == "safety").surrogacy
        assert line is not None
        assert cells["safety"].text == f"{line.threshold:.3g}"
        assert cells["safety"].aside == f"may hide {line.not_excluded:.3g}"
        assert (cells["luck"].text, cells["chance"].text) == ("–", "–")


def test_under_twelve_systems_no_gate_is_permitted(tmp_path: Path) -> None:
    few = study(tmp_path / "few", [f"s{i}" for i in range(8)], np.linspace(0, 4, 8).tolist())
    found = compare_versions(str(few), str(few), metrics=["safety"])
    assert found.permits == ()
    assert any("safety checks the score; not shown" in text for text in found.warnings)
