"""What experts say of single documents is what retrieval is scored by, whatever made the study."""

from pathlib import Path
from shutil import copytree

import pytest

from medassay.analyses import run_study
from medassay.analyses.builtin.document_relevance import documents_in
from medassay.analyses.results import Results
from medassay.errors import InvalidInput
from medassay.exchange.environmental_health import import_environmental_health
from medassay.study import Study, answer_study, new_study, open_run

EXAMPLES = Path(__file__).parents[2] / "examples" / "environmental-health"
MAJORITY = "precision_returned@3"
MEAN = "precision_returned@3(labels=mean)"


def ranked(folder: Path, labels: str, grades: str = "", **files: str) -> Path:
    """Write a study of one query, for which a system returned the documents a, b and c."""
    folder.mkdir()
    documents = f', "documents": [{grades}]' if grades else ""
    written = {
        "study.toml": 'schema = 1\ntitle = "T"\n[protocol]\nname = "environmental-health"\n'
        f'[[metrics]]\nname = "{MAJORITY}"\n[[metrics]]\nname = "{MEAN}"\n',
        "cases.jsonl": f'{{"case": "q", "question": "Why?"{documents}}}\n',
        "relevance.csv": f"rater,case,document,relevance\n{labels}",
        "answers/s.jsonl": '{"case": "q", "text": "x", "retrieved": [{"document": "a"},'
        ' {"document": "b"}, {"document": "c"}]}\n',
        **files,
    }
    for name, text in written.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def scores(results: Results, source: str) -> dict[tuple[str, str], float | None]:
    return {
        (answer.system, case.case): score.value
        for case in results.cases
        for answer in case.answers
        for score in answer.scores
        if score.source == source
    }


def precision(study: Path, source: str = MAJORITY) -> dict[tuple[str, str], float | None]:
    return scores(run_study(open_run(study))[0], source)


def test_three_experts_on_three_documents_by_hand(tmp_path: Path) -> None:
    # a: 1 1 0, most say 1. b: 1 0, a tie: no label. c: one expert says 0.
    study = ranked(tmp_path / "s", "x,q,a,1\ny,q,a,1\nz,q,a,0\nx,q,b,1\ny,q,b,0\nx,q,c,0\n")
    opened = Study.open_whole(study)
    assert [one.grade for one in opened.cases["q"].documents] == [1, None, 0]
    results = run_study(open_run(study))[0]
    assert scores(results, MAJORITY) == {("s", "q"): 1 / 2}
    assert scores(results, MEAN) == {("s", "q"): pytest.approx((2 / 3 + 1 / 2 + 0) / 3)}
    # The table of documents shows the same labels as the metric reads.
    assert [one.consensus for one in documents_in(results.analyses)] == [1, None, 0]
    assert not [one for one in opened.warnings if "relevance" in one]


def test_where_every_document_is_a_tie_there_is_no_precision(tmp_path: Path) -> None:
    study = ranked(tmp_path / "s", "x,q,a,1\ny,q,a,0\n")
    results = run_study(open_run(study))[0]
    (found,) = [one for one in results.cases[0].answers[0].scores if one.source == MAJORITY]
    assert found.value is None
    assert "no documents that experts, or most of them, labelled" in found.reason
    assert scores(results, MEAN) == {("s", "q"): 1 / 2}


def test_labels_overrule_the_cases_grades_and_the_conflict_is_said(tmp_path: Path) -> None:
    grades = '{"id": "a", "grade": 1}, {"id": "b", "grade": 1}, {"id": "c", "grade": 0.5}'
    study = ranked(tmp_path / "s", "x,q,a,0\nx,q,b,1\n", grades)
    opened = Study.open_whole(study)
    # Of c no expert said anything: the grade in the cases stands.
    assert [one.grade for one in opened.cases["q"].documents] == [0, 1, 0.5]
    (said,) = [one for one in opened.warnings if one.startswith("relevance")]
    assert 'got 0 for "a" of q, where the cases have 1.' in said
    assert precision(study) == {("s", "q"): 1.5 / 3}


def test_a_label_of_a_document_that_nobody_knows_is_said(tmp_path: Path) -> None:
    study = ranked(tmp_path / "s", "x,q,rank-1,1\nx,q,rank-2,0\nx,q,c,1\n")
    (said,) = [one for one in Study.open_whole(study).warnings if one.startswith("relevance")]
    assert 'got "rank-1" of q, and 1 more.' in said
    assert precision(study) == {("s", "q"): 1}


def test_labels_of_excluded_experts_and_of_models_count_nowhere(tmp_path: Path) -> None:
    raters = "rater,rater_kind,status,reason\nx,,,\ny,,excluded,conflict\ngpt,model,,\n"
    labels = "x,q,a,0\ny,q,a,1\ngpt,q,a,1\nx,q,b,1\n"
    study = ranked(tmp_path / "s", labels, **{"raters.csv": raters})
    opened = Study.open_whole(study)
    assert [one.rater for one in opened.relevance] == ["x", "x"]
    (said,) = [one for one in opened.warnings if one.startswith("In no number about documents")]
    assert "1 label of gpt (a model" in said
    assert "1 label of y (excluded: conflict)" in said
    results = run_study(open_run(study))[0]
    assert scores(results, MAJORITY) == {("s", "q"): 1 / 2}
    assert [(one.document, one.labels) for one in documents_in(results.analyses)] == [
        ("a", 1),
        ("b", 1),
    ]
    toml = study / "study.toml"
    toml.write_text(
        toml.read_text(encoding="utf-8") + '[raters]\nmodels = "counted"\n', encoding="utf-8"
    )
    assert [one.grade for one in Study.open_whole(study).cases["q"].documents] == [None, 1]


def test_a_rater_who_is_not_in_the_raters_table_is_refused(tmp_path: Path) -> None:
    study = ranked(tmp_path / "s", "ana,q,a,1\n", **{"raters.csv": "rater\nanna\n"})
    with pytest.raises(InvalidInput, match=r'relevance\.csv.*"ana".*Did you mean "anna"'):
        Study.open_whole(study)


def test_changed_labels_change_what_was_kept(tmp_path: Path) -> None:
    study = ranked(tmp_path / "s", "x,q,a,1\nx,q,b,1\n")
    assert precision(study) == {("s", "q"): 1}
    assert precision(study, MEAN) == {("s", "q"): 1}
    before = open_run(study).name
    labels = study / "relevance.csv"
    labels.write_text(labels.read_text(encoding="utf-8").replace("b,1", "b,0"), encoding="utf-8")
    assert precision(study) == {("s", "q"): 1 / 2}
    assert precision(study, MEAN) == {("s", "q"): 1 / 2}
    assert open_run(study).name != before


@pytest.mark.parametrize(
    "into", [pytest.param("panel", marks=pytest.mark.slow), "starter", "tfidf"]
)
def test_all_labels_at_0_make_precision_0_wherever_the_study_comes_from(
    into: str, tmp_path: Path
) -> None:
    study = tmp_path / "study"
    if into == "panel":
        import_environmental_health(study, [EXAMPLES / "panel"], synthetic=True)
    elif into == "starter":
        new_study(study, "environmental-health")
    else:
        new_study(study, "environmental-health", empty=True)
        asked = "case,question\n1,Does NO2 worsen asthma?\n"
        (study / "cases.jsonl").unlink()
        (study / "cases.csv").write_text(asked, encoding="utf-8")
        copytree(EXAMPLES / "original", study / "texts")
        with (study / "study.toml").open("a", encoding="utf-8") as settings:
            settings.write('\n[systems.tfidf]\nkind = "tfidf"\ncorpus = "texts"\n')
        answer_study(study, "tfidf")
    opened = Study.open_whole(study)
    rows = [
        f"e,{answer.case},{one.document},0"
        for answer in opened.answers
        for one in answer.retrieved or ()
    ]
    text = "\n".join(["rater,case,document,relevance", *dict.fromkeys(rows)]) + "\n"
    (study / "raters.csv").unlink(missing_ok=True)
    (study / "relevance.csv").write_text(text, encoding="utf-8")
    found = precision(study)
    assert len(found) == len(opened.answers)
    assert set(found.values()) == {0}


@pytest.mark.slow
def test_documents_called_by_their_rank_take_labels(tmp_path: Path) -> None:
    study = tmp_path / "study"
    import_environmental_health(study, [EXAMPLES / "original"], synthetic=True)
    assert precision(study)["framework", "S1"] == 1  # by the labels without an expert's name
    labels = "rater,case,document,relevance\ne1,S1,rank-1,0\ne2,S1,rank-1,0\n"
    (study / "relevance.csv").write_text(labels, encoding="utf-8")
    assert precision(study)["framework", "S1"] == pytest.approx(2 / 3)
    (said,) = [one for one in Study.open_whole(study).warnings if one.startswith("relevance")]
    assert 'got 0 for "rank-1" of S1, where the cases have 1.' in said
