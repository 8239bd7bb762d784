"""Verdicts under each rule for answers that nobody judged, and the two readings of harm."""

import csv
from pathlib import Path

import pytest
from tools.judged_study import PEOPLE, write_judged
from tools.standard.unjudged import HARM_RUBRIC

from medassay.analyses import ValidityReport, validity_report
from medassay.analyses.builtin.bad_answers import bad_answers
from medassay.analyses.builtin.harm_bounds import harm_bounds
from medassay.analyses.builtin.trust import trusted_in
from medassay.analyses.builtin.unjudged_trust import unjudged_trust
from medassay.report.asked import tables_of_records
from medassay.study import open_run


def without(folder: Path, gone: set[tuple[str, str]]) -> Path:
    """Take people's judgements of these answers out."""
    path = folder / "judgements.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            row
            for row in rows
            if row["rater"] not in PEOPLE or (row["system"], row["case"]) not in gone
        )
    return folder


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> ValidityReport:
    folder = write_judged(tmp_path_factory.mktemp("rules") / "study")
    with (folder / "judgements.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    [dimension] = {row["dimension"] for row in rows}
    cases = sorted({row["case"] for row in rows})
    rubric = HARM_RUBRIC.replace('id = "quality"', f'id = "{dimension}"')
    (folder / "rubric.toml").write_text(rubric, encoding="utf-8")
    settings = (folder / "study.toml").read_text(encoding="utf-8")
    settings = settings.replace("[run]", '[[dimensions]]\nrubric = "rubric.toml"\n[run]')
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    run = open_run(without(folder, {("alder", case) for case in cases[:7]}))
    return validity_report(run.study, run.metrics)


@pytest.mark.slow
def test_each_verdict_stands_under_both_rules(found: ValidityReport) -> None:
    [on] = trusted_in(found.records)
    ruled = found.records.of(unjudged_trust)
    assert ruled is not None
    own = {one.metric: one for one in on.table.entries if one.role == "metric"}
    assert {one.metric for one in ruled} == set(own)
    for one in ruled:
        dropped, worst = one.rules
        assert (dropped.rule, worst.rule, one.ruled) == ("dropped", "worst", "dropped")
        assert (dropped.tau, dropped.uses) == (own[one.metric].tau, own[one.metric].uses)
        # Seven answers more are known: 113 of 120 are judged.
        assert (dropped.n_answers, worst.n_answers) == (113, 120)
        assert one.changes == (dropped.uses != worst.uses)
    assert on.unjudged == 7
    assert set(on.ruled) == {one.metric for one in ruled if one.changes}
    tables = {table.id: table for table in tables_of_records(found.records, found.names)}
    assert "7 answers that nobody judged" in tables["trust"].rows[0].about
    shown = tables["unjudged-trust"]
    assert [column.group for column in shown.columns] == [
        *([""] + ["Dropped"] * 2 + ["As wrong"] * 2 + [""])
    ]


@pytest.mark.slow
def test_harmful_and_dangerous_are_read_from_their_own_mappings(found: ValidityReport) -> None:
    bounds, bad = found.records.of(harm_bounds), found.records.of(bad_answers)
    assert bounds is not None
    assert bad is not None
    assert {one.kind for one in bounds} == {"harmful", "dangerous"}
    of = {(one.kind, one.system): one.bound.found for one in bounds}
    for (kind, system), many in of.items():
        if kind == "dangerous":
            assert many <= of["harmful", system]
    assert sum(of["harmful", s] for _, s in of) > sum(of["dangerous", s] for _, s in of)
    kinds = {one.kind for one in bad}
    assert kinds == {"unacceptable", "harmful", "dangerous"}
