"""Whatever a panel's files are called and hold: taken whole, or refused with place and reason."""

from pathlib import Path

import pytest

from medassay.analyses import run_study
from medassay.analyses.builtin.alignment import alignments_in
from medassay.errors import InvalidInput
from medassay.exchange.environmental_health import import_environmental_health
from medassay.report.findings import findings
from medassay.study import Study, open_run

SCENARIOS = "scenario_id,pollutant,outcome,query\nS1,NO2,asthma,Does it?\nS2,O3,death,Does that?\n"
RATINGS = (
    "scenario_id,expert_id,factuality,interpretability,expert_confidence\n"
    "S1,E1,2,5,high\nS1,E2,1,4,High\nS2,E1,0,3,Low\nS2,E2,1,3,Low\n"
)
RANKING = (
    "scenario_id,document_rank,document,similarity,relevance,expert_id\n"
    "S1,1,a,0.9,1,E1\nS1,1,a,0.9,0,E2\nS1,2,b,0.5,1,E1\nS1,3,c,0.1,0,E1\n"
    "S2,1,a,0.2,1,E1\nS2,2,d,0.2,,E1\nS2,3,c,0.2,0,E1\n"
)
CONFIDENCE = "scenario_id,system_confidence\nS1,HIGH\nS2,Low\n"


def panel(folder: Path, **files: str) -> list[Path]:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return [folder]


def refused(folder: Path, **files: str) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        import_environmental_health(folder / "study", panel(folder / "in", **files))
    assert not (folder / "study").exists()
    return [str(one) for one in caught.value.problems]


def test_every_rule_of_confidence_is_computed(tmp_path: Path) -> None:
    paths = panel(tmp_path / "in", a=SCENARIOS, b=RATINGS, c=RANKING, d=CONFIDENCE)
    import_environmental_health(tmp_path / "study", paths)
    study = Study.open_whole(tmp_path / "study")
    results = run_study(open_run(tmp_path / "study"))[0]
    stated, in_query, in_run = alignments_in(results.analyses)
    # High/High and Low/Low over two queries: complete agreement.
    assert (stated.n, stated.kappa) == (2, 1)
    # S1: (.9, .5, .1) -> 1, .5, 0: mean .5. S2: equal scores: 0.
    assert [row.mean for row in in_query.rows] == [0.5, 0]
    assert [row.system for row in in_query.rows] == ["Medium", "Low"]
    # Over the run least .1, most .9. S1: mean .5. S2: .1 / .8 = .125.
    assert [row.mean for row in in_run.rows] == pytest.approx([0.5, 0.125])
    documents = {d.id: d.grade for d in study.cases["S1"].documents}
    assert documents == {"a": None, "b": 1.0, "c": 0.0}  # of a the experts say 1 and 0
    assert {d.id: d.grade for d in study.cases["S2"].documents}["d"] is None
    kept = (tmp_path / "study" / "relevance.csv").read_text(encoding="utf-8")
    assert "E2,S1,a,0" in kept.splitlines()


def test_a_tie_of_experts_is_no_level(tmp_path: Path) -> None:
    ratings = RATINGS.replace("S2,E2,1,3,Low", "S2,E2,1,3,Medium")
    import_environmental_health(
        tmp_path / "study", panel(tmp_path / "in", a=SCENARIOS, b=ratings, d=CONFIDENCE)
    )
    results = run_study(open_run(tmp_path / "study"))[0]
    row = alignments_in(results.analyses)[0].rows[1]
    assert row.experts is None
    assert row.experts_reason == "a tie of Medium and Low"


def test_a_wording_that_is_rated_is_a_case_of_its_scenario(tmp_path: Path) -> None:
    queries = "query_instance_id,scenario_id,query\nQ1,S1,In the city, is it so?\nQ2,S1,Or so?\n"
    ratings = "query_instance_id,expert_id,factuality\nQ1,E1,2\n"
    paths = panel(tmp_path / "in", a=SCENARIOS, q=queries, b=ratings)
    taken = import_environmental_health(tmp_path / "study", paths)
    cases = Study.open_whole(tmp_path / "study").cases
    assert set(cases.ids) == {"Q1", "S2"}
    assert cases["Q1"].question == "In the city, is it so?"
    assert cases["Q1"].tags["scenario"] == "S1"
    assert any("1 other wording of 1 scenario is in the files" in said for said in taken.findings)


def test_a_label_outside_the_scale_is_named_by_the_groups_own_column(tmp_path: Path) -> None:
    said = refused(tmp_path, a=SCENARIOS, b=RATINGS.replace("S1,E2,1,4", "S1,E2,3,4"))
    assert len(said) == 1
    assert said[0].startswith("b.csv, row 3, column factuality:")


def test_every_problem_is_named_at_once(tmp_path: Path) -> None:
    ranking = RANKING.replace("S2,3,c", "S3,4,c").replace("0.9,0,E2", "0.9,maybe,E2")
    said = refused(tmp_path, a=SCENARIOS, c=ranking, d=CONFIDENCE.replace("HIGH", "Hihg"))
    words = " ".join(said)
    assert "c.csv, row 3, column relevance: must be 0 or 1" in words
    assert '"S3"' in words
    assert 'Did you mean "High"?' in words
    assert "every rank of S3 from 1 to 4" in words


def test_a_table_of_another_kind_is_refused_with_what_is_known(tmp_path: Path) -> None:
    said = refused(tmp_path, a="patient,dose\n1,2\n")
    assert "be one of the protocol's tables" in said[0]
    assert "scenario_id, pollutant, outcome, query" in said[0]


def test_without_scenarios_there_is_nothing_to_study(tmp_path: Path) -> None:
    said = refused(tmp_path, b=RATINGS)
    assert any("be a query that was asked" in one or "table of scenarios" in one for one in said)


def test_a_table_without_its_scenarios_is_named_once(tmp_path: Path) -> None:
    bare = "\n".join(line.partition(",")[2] for line in RATINGS.splitlines()) + "\n"
    said = refused(tmp_path, a=SCENARIOS, b=bare)
    (one,) = [line for line in said if "b.csv" in line]
    assert one.startswith("b.csv, row 1: must have a column scenario_id; got expert_id, factuality")


def test_an_expert_rates_a_query_once(tmp_path: Path) -> None:
    (said,) = refused(tmp_path, a=SCENARIOS, b=RATINGS + "S1,E1,0,5,high\n")
    assert said.startswith("b.csv, row 6, column expert_id: must hold one rating of a query by")
    assert "got E1's rating of S1 again, after b.csv, row 2." in said


def test_a_phase_tells_a_repeat_apart(tmp_path: Path) -> None:
    lines = (RATINGS + "S1,E1,0,5,high\n").splitlines()
    phases = ["phase", "main", "main", "main", "main", "repeat"]
    text = "".join(f"{line},{phase}\n" for line, phase in zip(lines, phases, strict=True))
    taken = import_environmental_health(
        tmp_path / "study", panel(tmp_path / "in", a=SCENARIOS, b=text)
    )
    assert taken is not None
    assert len(Study.open_whole(tmp_path / "study").judgements) == 15


def test_an_expert_who_rated_and_is_not_listed_is_named_with_the_first_row(tmp_path: Path) -> None:
    experts = "expert_id,expertise\nE1,toxicology\nlung-2,cardiology\n"
    (said,) = refused(tmp_path, a=SCENARIOS, b=RATINGS, experts=experts)
    start = "b.csv, row 3, column expert_id: must be an expert of experts.csv; got"
    assert said == f'{start} "E2". Add a row for E2 to experts.csv.'
    (said,) = refused(tmp_path, b=RATINGS.replace("E2", "lung2"))
    assert said == (
        f'{start} "lung2". Did you mean "lung-2"? If not, add a row for lung2 to experts.csv.'
    )


def test_an_expert_who_only_labelled_documents_is_named_too(tmp_path: Path) -> None:
    experts = "expert_id,expertise\nE1,toxicology\n"
    (said,) = refused(tmp_path, a=SCENARIOS, c=RANKING, experts=experts)
    assert said.startswith("c.csv, row 3, column expert_id: must be an expert of experts.csv")


def test_documents_and_their_labels_are_counted(tmp_path: Path) -> None:
    paths = panel(tmp_path / "in", a=SCENARIOS, b=RATINGS, c=RANKING)
    taken = import_environmental_health(tmp_path / "study", paths)
    # S1 returned a, b, c and S2 a, d, c; nobody labelled d, two labelled a for S1.
    assert (taken.documents, taken.labels, taken.texts) == (6, 6, 0)


def test_an_expert_who_rated_nothing_need_not_be_listed(tmp_path: Path) -> None:
    experts = "expert_id,expertise\nE1,toxicology\nE2,cardiology\n"
    paths = panel(tmp_path / "in", a=SCENARIOS, b=RATINGS + "S1,E3,,,\n", experts=experts)
    assert import_environmental_health(tmp_path / "study", paths).experts == 2


def test_without_two_experts_on_an_answer_the_fifth_objective_says_why(tmp_path: Path) -> None:
    lines = RATINGS.splitlines(keepends=True)
    one, apart = lines[:2] + lines[3:4], [lines[0], lines[1], lines[4]]
    said = []
    for name, rows in (("one", one), ("apart", apart)):
        taken = tmp_path / name
        paths = panel(tmp_path / f"in-{name}", a=SCENARIOS, b="".join(rows))
        import_environmental_health(taken, paths)
        found = {one.id: one.text for one in findings(run_study(open_run(taken))[0])}
        said.append(found["agreement"])
    assert said == [
        "One expert rated, so agreement between experts is unknown.",
        "2 experts rated, no two the same answer, so agreement is unknown.",
    ]
