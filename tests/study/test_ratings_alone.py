"""A study of ratings alone: what runs, what says why it does not, and how texts come later."""

import csv
import re
from pathlib import Path

import pytest
from tools.ratings_alone import write_ratings_alone

from medassay.__main__ import main
from medassay.answers import Answer
from medassay.campaign import Wishes, create_campaign
from medassay.errors import InvalidInput
from medassay.exchange.archehr.write import write_archehr_submission
from medassay.judgements import load_rubric
from medassay.judgements.campaign import Secret
from medassay.judges.questions import sources_of
from medassay.study import Study

HOW = "medassay import answers.csv --into STUDY"
WRONG = re.compile(r"\bnan\b|empty answer|never answered", re.IGNORECASE)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a study that was run."""
    folder = write_ratings_alone(tmp_path_factory.mktemp("alone") / "small")
    assert stopped("run", str(folder)) == 0
    return folder


def stopped(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(list(words))
    return int(end.value.code or 0)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert stopped(*words) == 0
    out, _ = capsys.readouterr()
    return " ".join(out.split())


def test_check_says_once_what_is_not_held_and_how_to_add_it(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = printed(capsys, "check", str(small))
    assert told.count("The texts of 8 of 8 answers are not held.") == 1
    assert HOW.replace("STUDY", str(small)) in told
    assert "8 answers (8 not held)" in told


@pytest.mark.parametrize(
    ("verb", "says"),
    [
        ("agree", "Krippendorff's alpha"),
        ("consensus", "majority"),
        ("plan", "What the study finds as it is: Accuracy"),
        ("report", "no metric of text could be tested"),
        ("validity", "The texts of 8 of 8 answers are not held."),
        ("triage", "8 answers have a text that is not held and can be in no queue."),
        ("score", "4 text not held"),
    ],
)
def test_what_needs_no_text_runs_and_the_rest_says_why(
    small: Path, capsys: pytest.CaptureFixture[str], verb: str, says: str
) -> None:
    told = printed(capsys, verb, str(small))
    assert says in told
    assert not WRONG.search(told)


def test_a_study_of_seven_systems_is_ranked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_ratings_alone(tmp_path / "seven", systems=7, cases=74, dimensions=("accuracy",))
    told = printed(capsys, "run", str(folder))
    assert re.search(r"s6 scored highest on Accuracy by these two raters \(.*; 74 cases\)", told)
    assert told.count("not held") == 1


@pytest.mark.parametrize("texts", ["ids", "none"])
def test_what_is_not_held_is_said_whatever_may_be_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], texts: str
) -> None:
    more = f'privacy = {{ texts = "{texts}" }}'
    folder = write_ratings_alone(tmp_path / "quiet", more=more)
    assert "no metric of text could be tested" in printed(capsys, "run", str(folder))
    [report] = folder.glob("results/*/report.json")
    assert '"answers_not_held":8' in report.read_text("utf-8")


def test_nobody_is_sent_an_answer_that_cannot_be_read(tmp_path: Path) -> None:
    study = Study.open_whole(write_ratings_alone(tmp_path / "study"))
    with pytest.raises(InvalidInput, match=re.escape(HOW)):
        create_campaign(study, Wishes(raters="2"), Secret(bytes(32)))


def test_of_some_texts_the_others_are_rated_and_the_rest_is_said(tmp_path: Path) -> None:
    folder = write_ratings_alone(tmp_path / "study")
    (folder / "answers" / "s0.jsonl").write_text(
        "".join(f'{{"case": "id{n}", "text": "Rest."}}\n' for n in range(4)), "utf-8"
    )
    done = create_campaign(Study.open_whole(folder), Wishes(raters="2"), Secret(bytes(32)))
    assert done.answers == 4
    assert "Left out: 4 answers with a text that is not held." in " ".join(done.notes)
    pairs = Wishes(raters="2", kind="preferences")
    with pytest.raises(InvalidInput, match="4 pairs with a text that is not held, and no other"):
        create_campaign(Study.open_whole(folder), pairs, Secret(bytes(32)))


def test_a_judge_is_not_asked_about_it(tmp_path: Path) -> None:
    study = Study.open_whole(write_ratings_alone(tmp_path / "study"))
    asked = load_rubric("likert5").dimensions[0]
    case = study.cases["id0"]
    bare = Answer(system="s0", case="id0", held=False)
    assert sources_of(asked, case, bare) == ({}, "text not held")


@pytest.mark.parametrize(
    ("form", "into"),
    [("potato", "out"), ("label-studio", "out"), ("redcap", "out"), ("med-gpt", "out.csv")],
)
def test_formats_that_are_made_of_texts_refuse_with_what_to_type(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, into: str
) -> None:
    capsys.readouterr()
    assert stopped("export", str(small), "--to", form, "--into", str(tmp_path / into)) == 2
    assert HOW.replace("STUDY", str(small)) in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / into).exists()


@pytest.mark.parametrize("form", ["inspect", "mt-metrics-eval"])
def test_formats_of_scores_and_ratings_say_what_is_left_out(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    into = str(tmp_path / "out")
    assert "8 answers" in printed(capsys, "export", str(small), "--to", form, "--into", into)
    if form == "inspect":  # its own log, read again, gives no empty answers
        twin = write_ratings_alone(tmp_path / "twin")
        logs = [f"{into}/{system}.json" for system in ("s0", "s1")]
        stopped("import", *logs, "--from", "inspect", "--into", str(twin))
        assert {answer.status for answer in Study.open_whole(twin).answers} == {"not held"}


def test_a_submission_of_texts_names_the_cause_once() -> None:
    bare = [Answer(system="A", case=str(n), held=False) for n in range(20)]
    with pytest.raises(InvalidInput) as refused:
        write_archehr_submission(Path("a.json"), bare, "archehr2026-st3")
    assert len(refused.value.problems) == 1
    assert "20 of 20 whose text is not held" in str(refused.value)


def test_texts_that_come_later_keep_the_ratings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_ratings_alone(tmp_path / "study")
    rows = [(f"s{n}", f"id{c}", f"Rest, {n} {c}.") for n in range(2) for c in range(4)]
    with (tmp_path / "answers.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("system", "case", "text"), *rows])
    told = printed(capsys, "import", str(tmp_path / "answers.csv"), "--into", str(folder))
    assert "8 answers of the study gained: text (8)." in told
    first = (folder / "answers" / "s0.jsonl").read_text("utf-8").splitlines()[0]
    assert first == '{"case": "id0", "text": "Rest, 0 0."}'
    study = Study.open_whole(folder)
    assert {answer.status for answer in study.answers} == {"given"}
    assert study.judgements.current().height == 48
    assert not [line for line in study.warnings if "held" in line]
