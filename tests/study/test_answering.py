"""A folder of texts and cases in, a study with answers out."""

from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.exchange.environmental_health import import_environmental_health
from medassay.study import Study, answer_cases

ORIGINAL = Path(__file__).parents[2] / "examples" / "environmental-health" / "original"


def test_the_demo_corpus_answers_the_demo_queries_beside_the_groups_own_system(
    tmp_path: Path,
) -> None:
    study = tmp_path / "study"
    import_environmental_health(study, [ORIGINAL])
    done = answer_cases(study, study / "cases.jsonl", ORIGINAL)
    assert (done.answers, done.documents, done.empty) == (6, 6, ())
    opened = Study.open_whole(study)
    assert opened.systems == ("framework", "tfidf")
    first = opened.answers.get("tfidf", "S6")
    assert first is not None
    assert first.retrieved is not None
    assert first.retrieved[0].document == "demo_cadmium_cvd_example"
    again = answer_cases(study, study / "cases.jsonl", ORIGINAL)
    assert (again.answers, again.known) == (0, 6)


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    cases = tmp_path / "cases.csv"
    cases.write_text("case,question\n1,Does NO2 worsen asthma?\n2,mercury?\n", encoding="utf-8")
    for name in ("a", "b"):
        done = answer_cases(tmp_path / name, cases, ORIGINAL)
        assert done.empty == ("2",)
        assert all((tmp_path / name / file).is_file() for file in done.files)
        assert {"study.toml", "cases.jsonl", "documents.jsonl"} <= set(done.files)
    one, other = ((tmp_path / name / "answers" / "tfidf.jsonl").read_bytes() for name in ("a", "b"))
    assert one == other


def test_cases_of_another_study_are_refused(tmp_path: Path) -> None:
    cases = tmp_path / "cases.csv"
    cases.write_text("case,question\n1,Does NO2 worsen asthma?\n", encoding="utf-8")
    answer_cases(tmp_path / "study", cases, ORIGINAL)
    cases.write_text("case,question\n9,Does NO2 worsen asthma?\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="be a case of the study"):
        answer_cases(tmp_path / "study", cases, ORIGINAL)


def test_confidence_follows_the_studys_own_thresholds(tmp_path: Path) -> None:
    study = tmp_path / "study"
    import_environmental_health(study, [ORIGINAL])
    with (study / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write(
            '\n[confidence]\ndimension = "expert-confidence"\nk = 2\nthresholds = [0.1, 0.2]\n'
        )
    answer_cases(study, study / "cases.jsonl", ORIGINAL)
    mine = [one for one in Study.open_whole(study).answers if one.system == "tfidf"]
    # Of two similarities the normalised mean is 1/2: above .2 that is High.
    assert {one.confidence_label for one in mine} == {"High"}
    assert {len(one.retrieved or ()) for one in mine} == {2}
