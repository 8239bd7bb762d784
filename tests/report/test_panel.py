"""The panel on the page: who is on it, what stands apart, every picture with its words."""

import re
from pathlib import Path

import pytest
from tools.standard.making import add_settings

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.rater_effects import effects_in, stands_apart
from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.builtin.tie_rules import tie_rules
from medassay.analyses.registry import find_analysis
from medassay.report import render
from medassay.report.cards import rater_cards
from medassay.report.figures import draw
from medassay.report.panel import panel_parts
from medassay.report.tables import all_tables, panel_tables, table_csv
from medassay.study import Study, new_study, open_run

LABELS = {  # of six answers; r3 was excluded, r4 never judged
    "r1": "543215", "r2": "553214", "r3": "111111",
}  # fmt: skip


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("panel") / "study"
    new_study(folder, "ratings", empty=True)
    add_settings(
        folder, '[privacy]\nraters = "named"\n[report.analyses]\nannotation_budget = true\n'
    )
    cases = [f"c{number}" for number in range(6)]
    (folder / "cases.jsonl").write_text("".join(f'{{"case": "{c}"}}\n' for c in cases))
    rows = ["rater,system,case,dimension,label,phase"]
    for system in ("s1", "s2", "s3"):
        for rater, labels in LABELS.items():
            for case, label in zip(cases, labels, strict=True):
                given = max(1, int(label) - (system == "s3"))
                rows.append(f"{rater},{system},{case},quality,{given},main")
                if rater == "r1" and system == "s1":
                    rows.append(f"{rater},{system},{case},quality,{given},repeat")
    (folder / "judgements.csv").write_text("\n".join(rows) + "\n")
    (folder / "raters.csv").write_text(
        "rater,expertise,status,reason\nr1,nurse,qualified,\nr2,nurse,qualified,\n"
        "r3,nurse,excluded,did not finish the training\nr4,nurse,qualified,\n"
    )
    assert Study.open(folder).raters
    return run_study(open_run(folder))[0]


@pytest.mark.slow
def test_the_flow_counts_who_left_and_why(panel: Results, tmp_path: Path) -> None:
    flow = panel.analyses.of(rater_flow)
    assert flow is not None
    assert (flow.listed, flow.qualified, flow.judged) == (4, 3, 2)
    assert flow.excluded == {"did not finish the training": 1}
    assert flow.left_out == 18
    assert "1 of 4 listed raters excluded" in draw(panel)["rater-flow"].caption
    render(panel, tmp_path, formats=["svg"])
    assert (tmp_path / "figures" / "rater-flow.svg").is_file()
    assert (tmp_path / "figures" / "budget.svg").is_file()


@pytest.mark.slow
def test_an_excluded_rater_has_a_card_that_says_so_and_no_effect(panel: Results) -> None:
    cards = {card.rater: card for card in rater_cards(panel)}
    assert set(cards) == {"r1", "r2", "r3"}
    assert cards["r3"].excluded == "did not finish the training"
    assert cards["r3"].lines == ()
    lines = {line.title: line.cells[0][0] for line in cards["r1"].lines}
    assert lines["Labels"].text == "18"
    # r1 gave each of six answers the same label again.
    assert lines["Same label at repeat"].text == "1.00"
    # Two of six labels differ, one up and one down: severity 0 for both raters.
    assert lines["Severity, points"].text == "0.00"
    assert lines["With the leading label"].text == "0.67"


def _on_page(analysis: str) -> bool:
    return find_analysis(analysis).declared.stands == "page"


@pytest.mark.slow
def test_every_picture_on_the_page_has_words_and_ids_of_its_own(
    panel: Results, tmp_path: Path
) -> None:
    render(panel, tmp_path, formats=["svg"])
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    drawn = draw(panel)
    told = [
        name
        for name, picture in drawn.items()
        if picture.caption and picture.analysis and _on_page(picture.analysis)
    ]
    assert {"rater-flow", "budget"} <= set(told)
    for name in told:
        assert drawn[name].caption, name
        assert page.count(f'aria-labelledby="p-{name}"') == 1
    assert "var(--ink)" in page
    svg = (tmp_path / "figures" / "budget.svg").read_text(encoding="utf-8")
    assert "var(--ink)" not in svg


@pytest.mark.slow
def test_what_stands_apart_is_marked_and_chance_is_no_finding(panel: Results) -> None:
    for one in effects_in(panel.analyses):
        if one.interval is None or one.kind in {"competence", "speed"}:
            assert not stands_apart(one)
    assert {one.rater for one in effects_in(panel.analyses)} == {"r1", "r2"}


@pytest.mark.slow
def test_the_tables_of_the_panel_are_files_too(panel: Results) -> None:
    tables = {table.id: table for table in all_tables(panel)}
    assert {"raters", "rater-quality", "tie-rules", "rater-effects", "annotation-budget"} <= set(
        tables
    )
    assert "agreement-by-self" in tables
    said = table_csv(tables["raters"]).decode()
    assert "r3,person,nurse,excluded,did not finish the training,18" in said
    # The two raters differ on two of the six answers of each of three systems.
    found = panel.analyses.of(tie_rules)
    assert found is not None
    (ties,) = found.dimensions
    assert (ties.answers, ties.ties) == (18, 6)


@pytest.mark.slow
def test_every_consensus_stands_side_by_side_on_the_page(panel: Results) -> None:
    known = {table.id: table for table in panel_tables(panel)}
    table = known["joined-means"]
    assert [column.title for column in table.columns] == ["System", "Mean", "Majority"]
    shown = {row.cells[0].text: [cell.text for cell in row.cells[1:]] for row in table.rows}
    # r1 gives s1 5 4 3 2 1 5 and r2 5 5 3 2 1 4: together 40 points of 12 labels, 3.33; the vote
    # leaves out the two answers that they part on: (5 + 3 + 2 + 1) / 4 = 2.75.
    assert shown["s1"] == ["3.33", "2.75"]
    (part,) = [one for one in panel_parts(panel) if one.id == "panel-consensus"]
    assert part.tables[0].id == "joined-means"
