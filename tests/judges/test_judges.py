"""Model judges in a study: held apart, tested, certified; refused once anything changes."""

import csv
import json
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tools.judged_study import PEOPLE, write_judged

from medassay.analyses import agreement_report, consensus_of, flow_of, judge_results
from medassay.errors import InvalidInput, UnknownName
from medassay.judges import import_certificate, write_certificate
from medassay.study import JudgeResult, Study


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_judged(tmp_path_factory.mktemp("judged") / "study")


@pytest.fixture(scope="module")
def found(made: Path) -> dict[str, JudgeResult]:
    return {one.judge: one for one in judge_results(Study.open_whole(made))}


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "study"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def certified(folder: Path, judge: str = "fair") -> Path:
    study = Study.open_whole(folder)
    return write_certificate(study, judge_results(study, [judge])[0])


def verdicts(result: JudgeResult) -> dict[str, str]:
    return {one.name: one.verdict for one in result.dimensions[0].checks}


def without_models(folder: Path) -> None:
    for name in ("judgements.csv", "preferences.csv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(row for row in rows if row["rater_kind"] == "person")
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8")
    start, end = text.index("[judges.fair]"), text.index("[systems.cedar]")
    settings.write_text(text[:start] + text[end:], encoding="utf-8")


def test_models_change_no_number_about_people(made: Path, folder: Path) -> None:
    without_models(folder)
    one, other = Study.open_whole(made), Study.open_whole(folder)
    assert one.judgements.to_csv() == other.judgements.to_csv()
    assert one.preferences.to_csv() == other.preferences.to_csv()
    assert consensus_of(one).frame.equals(consensus_of(other).frame)
    assert agreement_report(one).panel == agreement_report(other).panel
    assert any("fair is a model: its judgements are compared with" in w for w in one.warnings)
    flow = flow_of(one)
    assert (flow.listed, flow.judged) == (6, 4)
    assert flow.judgements == len(one.judgements) + len(one.preferences)


def test_counted_models_are_said_to_be(folder: Path) -> None:
    edit(folder / "study.toml", "[run]", '[raters]\nmodels = "counted"\n[run]')
    study = Study.open_whole(folder)
    assert set(study.judgements.frame["rater"]) == {*PEOPLE, "fair", "wordy"}
    assert any("nothing shows that it may be (no certificate)" in said for said in study.warnings)


def test_the_fair_judge_passes_and_the_wordy_one_does_not(found: dict[str, JudgeResult]) -> None:
    assert verdicts(found["fair"]) == {
        "alt-test": "passed", "label": "passed", "controls": "passed",
        "known-harm": "not tested", "canaries": "not tested", "repeats": "passed",
        "order": "undecided", "severity": "passed", "length": "passed",
        "self-preference": "passed",
    }  # fmt: skip
    assert found["fair"].dimensions[0].passes
    wordy = verdicts(found["wordy"])
    assert (wordy["alt-test"], wordy["repeats"], wordy["order"]) == ("failed",) * 3
    assert not found["wordy"].dimensions[0].passes
    assert found["wordy"].dimensions[0].people == list(PEOPLE)


def test_a_judge_is_not_tested_where_people_are_too_few(tmp_path: Path) -> None:
    folder = write_judged(tmp_path / "study", people=1)
    [one] = judge_results(Study.open_whole(folder), ["fair"])
    told = one.dimensions[0]
    assert "3 people" in told.alt_test.reason
    assert "the place needs two people" in told.place.reason
    assert not told.passes


def test_an_unknown_judge_is_named(made: Path) -> None:
    with pytest.raises(UnknownName, match="fair"):
        judge_results(Study.open_whole(made), ["fiar"])


def test_a_certificate_holds_and_says_what_it_rests_on(folder: Path) -> None:
    path = certified(folder)
    told = json.loads(path.read_text(encoding="utf-8"))
    assert told["judge"]["model"] == "fair-large"
    assert told["dimensions"][0]["tested"]["answers"] == 120
    assert told["inputs"]["judgements.csv"]
    assert "burns" not in path.read_text(encoding="utf-8")
    standing = Study.open_whole(folder).standing("fair", "quality")
    assert (standing.status, standing.counted) == ("honoured", False)
    assert standing.open == [
        "known-harm (not tested)", "canaries (not tested)", "order (undecided)"
    ]  # fmt: skip
    again = path.read_bytes()
    assert certified(folder).read_bytes() == again


def test_certified_labels_count_and_others_do_not(folder: Path) -> None:
    certified(folder)
    edit(folder / "study.toml", "[run]", '[raters]\nmodels = "certified"\n[run]')
    study = Study.open_whole(folder)
    assert set(study.judgements.frame["rater"]) == {*PEOPLE, "fair"}
    assert any(
        "its certificate holds; open: known-harm (not tested)" in said for said in study.warnings
    )


CHANGES: dict[str, tuple[str, str, str, str]] = {
    "version": ("study.toml", 'version = "2026-01"', 'version = "2026-03"', "its version was"),
    "settings": ("study.toml", "temperature 0", "temperature 1", "its settings was"),
    "prompt": ("prompts/fair.txt", "from 1 to 5", "strictly", "its prompt changed"),
    "domain": ("study.toml", "first aid at home", "first aid at sea", "the domain was"),
    "tags": (
        "study.toml",
        'tags = ["topic"]',
        "tags = []",
        "the tags of the domain were topic and are none",
    ),
    "cases": ("cases.jsonl", '"burns"', '"bites"', "1 of the 2 values of topic were not among"),
    "rules": ("study.toml", "[run]", "[raters]\nepsilon = 0.1\n[run]", "allowed epsilon 0.2"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_is_refused_once_anything_changes(folder: Path, change: str) -> None:
    certified(folder)
    file, old, new, why = CHANGES[change]
    edit(folder / file, old, new)
    standing = Study.open_whole(folder).standing("fair", "quality")
    assert standing.status == "refused"
    assert len(standing.why) == 1
    assert why in standing.why[0]


def test_it_is_refused_once_the_rubric_changes(folder: Path) -> None:
    certified(folder)
    text = (files("medassay") / "data" / "rubrics" / "likert5.toml").read_text(encoding="utf-8")
    start = text.index('question = "') + len('question = "')
    own = text[:start] + "Really? " + text[start:]
    (folder / "own.toml").write_text(own, encoding="utf-8")
    edit(folder / "study.toml", "[run]", '[[dimensions]]\nrubric = "own.toml"\n[run]')
    standing = Study.open_whole(folder).standing("fair", "quality")
    assert [why.partition(": ")[2] for why in standing.why] == ["the question of quality changed"]


def test_fewer_kinds_of_cases_stay_inside_the_domain(folder: Path) -> None:
    certified(folder)
    edit(folder / "cases.jsonl", '"burns"', '"sprains"')
    assert Study.open_whole(folder).standing("fair", "quality").status == "honoured"


def test_a_certificate_of_a_judge_that_failed_is_refused(folder: Path) -> None:
    certified(folder, "wordy")
    standing = Study.open_whole(folder).standing("wordy", "quality")
    assert standing.status == "refused"
    assert "the judge did not pass: alt-test (failed" in standing.why[0]


def test_judgements_that_speak_against_a_certificate_are_said(folder: Path) -> None:
    certified(folder)
    path = folder / "judgements.csv"
    text = path.read_text(encoding="utf-8").replace("fair,", "x,").replace("wordy,", "fair,")
    path.write_text(text.replace("x,", "wordy,"), encoding="utf-8")
    [one] = judge_results(Study.open_whole(folder), ["fair"])
    assert one.certificates[0].status == "honoured"
    assert "speak against it: alt-test, repeats" in one.said[-1]


def test_a_certificate_travels(folder: Path, tmp_path: Path) -> None:
    path = certified(folder)
    carried = Path(shutil.copy(path, tmp_path / "carried.json"))
    shutil.rmtree(folder / "certificates")
    edit(folder / "study.toml", "[run]", '[raters]\nmodels = "certified"\n[run]')
    assert "fair" not in set(Study.open_whole(folder).judgements.frame["rater"])
    import_certificate(Study.open_whole(folder), carried)
    assert "fair" in set(Study.open_whole(folder).judgements.frame["rater"])
    assert "certificates/fair.json" in Study.open_whole(folder).inputs


def test_a_certificate_of_a_stranger_is_not_taken(folder: Path, tmp_path: Path) -> None:
    carried = Path(shutil.copy(certified(folder), tmp_path / "carried.json"))
    without_models(folder)
    shutil.rmtree(folder / "certificates")
    with pytest.raises(InvalidInput, match="speak of a judge of the study"):
        import_certificate(Study.open_whole(folder), carried)


def test_a_certificate_of_an_older_hand_is_refused_with_one_cause(folder: Path) -> None:
    path = certified(folder)
    told = json.loads(path.read_text(encoding="utf-8"))
    told["schema_version"] = 2
    del told["dimensions"][0]["canaries"], told["rules"]["planted"]
    path.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(InvalidInput, match="column schema_version: must be 3; got 2") as caught:
        Study.open_whole(folder)
    assert len(caught.value.problems) == 1
    assert "medassay judge STUDY --certify" in caught.value.problems[0].try_


def test_what_is_changed_by_hand_is_refused_whole(folder: Path) -> None:
    path = certified(folder, "wordy")
    edit(path, '"passed": false', '"passed": true')
    with pytest.raises(InvalidInput, match="does not fit its seal"):
        Study.open_whole(folder)


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("no json", "Expecting value"),
        ("[" * 5000, "nested too deep"),
        ("9" * 5000, "a number too long to read"),
        ('{"rater": "\\ud83d"}', "half of a surrogate pair"),
    ],
)
def test_what_is_no_certificate_is_refused(folder: Path, text: str, got: str) -> None:
    certified(folder, "wordy").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=f"be a certificate in JSON; got {got}|{got}"):
        Study.open_whole(folder)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[judges.fair]", "[judges.fiar]", 'name a model rater of the study; got "fiar"'),
        ("[judges.fair]", "[judges.anna]", "who is a person"),
        ("prompts/fair.txt", "prompts/nothing.txt", "be a file that exists"),
        ("prompts/fair.txt", "../fair.txt", "name a file of the study"),
        ('tags = ["topic"]', 'tags = ["topics"]', "name tags that cases have"),
    ],
)
def test_a_declaration_that_cannot_be_is_refused(
    folder: Path, old: str, new: str, said: str
) -> None:
    edit(folder / "study.toml", old, new)
    with pytest.raises(InvalidInput, match=said.replace("(", r"\(")):
        Study.open_whole(folder)


def test_a_rater_of_two_kinds_is_refused(folder: Path) -> None:
    edit(folder / "preferences.csv", "fair,model", "fair,person")
    with pytest.raises(InvalidInput, match="be model for fair, as in judgements; got person"):
        Study.open_whole(folder)


def test_without_a_declaration_or_a_domain_there_is_no_certificate(folder: Path) -> None:
    edit(folder / "study.toml", 'name = "first aid at home"', 'name = ""')
    edit(folder / "study.toml", "[judges.fair]", "[judges.wordy3]")
    text = (folder / "study.toml").read_text(encoding="utf-8")
    start, end = text.index("[judges.wordy3]"), text.index("[judges.wordy]")
    (folder / "study.toml").write_text(text[:start] + text[end:], encoding="utf-8")
    study = Study.open_whole(folder)
    with pytest.raises(InvalidInput) as caught:
        write_certificate(study, judge_results(study, ["fair"])[0])
    assert [one.must for one in caught.value.problems] == ["declare the judge", "name the domain"]


def test_the_order_of_rows_means_nothing(folder: Path, found: dict[str, JudgeResult]) -> None:
    for name in ("judgements.csv", "preferences.csv"):
        header, *rows = (folder / name).read_text(encoding="utf-8").splitlines()
        (folder / name).write_text("\n".join([header, *reversed(rows)]) + "\n", encoding="utf-8")
    turned: list[Any] = judge_results(Study.open_whole(folder))
    assert {one.judge: one for one in turned} == found
