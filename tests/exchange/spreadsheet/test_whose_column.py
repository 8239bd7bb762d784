"""A column that a header gives to a system or a person is theirs: no tag, and nobody else's."""

from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_by_cells import TEXTS, came_in

from medassay.study import Study

ASKED = [f"Which dose of {what} is the first?" for what in ("A", "B", "C", "D", "E", "F")]
WHOSE = {
    ("DeepSeek-R1", "R1"): "too long", ("DeepSeek-R1", "R2"): "too short",
    ("GPT-4o", "R1"): "not clear", ("GPT-4o", "R2"): "not polite",
}  # fmt: skip
REMARK = "would send this to a patient at once"


def test_remarks_on_a_system_called_as_a_rater_is_are_of_who_wrote_them(tmp_path: Path) -> None:
    systems, raters = ("DeepSeek-R1", "GPT-4o"), ("R1", "R2")
    head = ["Case", "Question", *(f"Response {system}" for system in systems)]
    head += [f"Tone {s} ({r}) (1-5)" for s in systems for r in raters]
    head += [f"Notes of the reviewer {s} ({r})" for s in systems for r in raters]
    rows: list[list[object]] = [[*head]]
    for at, asked in enumerate(ASKED):
        answers = [f"{text} {at}" for text in TEXTS.values()]
        labels = [1 + (at + more) % 5 for more in range(4)]
        remarks = [f"{WHOSE[s, r]} in part {at}" if at % 2 else "" for s, r in WHOSE]
        rows.append([f"C-{at}", asked, *answers, *labels, *remarks])
    said, into = came_in(tmp_path, *rows)
    assert not said
    rated = Study.open_whole(into).judgements_on_file.frame
    written = rated.filter(rated["comment"] != "")
    assert len(written) == 3 * 4
    for row in written.iter_rows(named=True):
        whose = WHOSE[row["system"], row["rater"]]
        assert row["comment"] == f"{whose} in part {row['case'][-1]}"


@pytest.mark.parametrize("systems", [("bot-a", "bot-b"), ("Perplexity", "Claude")])
@pytest.mark.parametrize(("head", "remark"), [("Answer {}", REMARK), ("{}", "")])
def test_numbers_that_systems_answered_are_answers_beside_labels_and_remarks(
    tmp_path: Path, systems: tuple[str, str], head: str, remark: str
) -> None:
    people = ("Müller", "Gómez")
    whose = [f"{system} ({person})" for system in systems for person in people]
    header = ["Case", "Inquiry", *(head.format(system) for system in systems)]
    told = ("Worth", "Accuracy", "Comment") if remark else ("Worth", "Accuracy")
    header += [f"{what} {who}" for who in whose for what in told]
    rows: list[list[object]] = [[*header]]
    for at, asked in enumerate(ASKED):
        beside: list[object] = []
        for more in range(4):
            written = remark if more < 2 and at % 2 else "too long" if not at else ""
            beside += [1 + (at + more) % 5, 1 + (at * 2 + more) % 5, written][: len(told)]
        rows.append([f"C-{at}", asked, 25 * (at + 3), 700 - 25 * at, *beside])
    said, into = came_in(tmp_path, *rows)
    assert not said
    study = Study.open_whole(into)
    assert set(study.systems) == set(systems)
    assert {case.case: dict(case.tags) for case in study.cases} == {
        f"C-{at}": {} for at in range(6)
    }
    assert {answer.text for answer in study.answers if answer.system == systems[0]} == {
        str(25 * (at + 3)) for at in range(6)
    }
    assert set(study.judgements_on_file.frame["rater"]) == set(people)


def test_what_is_headed_as_a_rated_system_is_no_fact_of_the_question(tmp_path: Path) -> None:
    header = ["Case", "Question", "Alpha value", "Beta value"]
    header += [f"{what} {system}" for system in ("Alpha", "Beta") for what in ("Accuracy", "Tone")]
    rows: list[list[object]] = [[*header]]
    rows += [
        [f"C-{at}", asked, 25 * (at + 3), 700 - 25 * at, *(1 + (at + n) % 5 for n in range(4))]
        for at, asked in enumerate(ASKED)
    ]
    said, _ = came_in(tmp_path, *rows)
    assert "Alpha value" in said, "it is asked about"
    assert "--column" in said


def test_the_mean_of_attempts_below_a_table_is_no_attempt(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Case", "Question", "Model", "Attempt", "Answer", "Accuracy"]]
    rows += [
        [f"C-{at}", asked, system, attempt, f"{text} {at} {attempt}", 1 + (at + attempt) % 5]
        for at, asked in enumerate(ASKED)
        for system, text in TEXTS.items()
        for attempt in (1, 2)
    ]
    names = ["import", str(tmp_path / "mine.csv"), "--into", str(tmp_path / "study")]
    mean = ["Mean", "", "", 1.5, "", 3.1]
    said, into = came_in(tmp_path, *rows, mean, words=[*names, "--rater", "R1", "--yes"])
    assert not said
    assert {answer.sample for answer in Study.open_whole(into).answers} == {0, 1}


def test_words_of_a_scale_with_a_dash_for_none_are_labels_and_no_name_of_what_was_rated(
    tmp_path: Path,
) -> None:
    words = ("خطأ", "صحيح جزئيا", "صحيح", "-")
    rows: list[list[object]] = [["Generated text", "Tool tested", "Judge", "Inquiry", "Factuality"]]
    rows += [
        [f"{text} {at}", system, "Rater Ann", asked, words[(at + len(system)) % 4]]
        for at, asked in enumerate(ASKED)
        for system, text in (("SaluBot", "Rest for a day and drink"), ("MediChat", "See a doctor"))
    ]
    said, into = came_in(tmp_path, *rows)
    assert not said
    study = Study.open_whole(into)
    assert set(study.systems) == {"SaluBot", "MediChat"}
    assert set(study.judgements_on_file.frame["rater"]) == {"Rater Ann"}
    assert len(study.rubric.dimensions) == 1


def test_who_chose_is_named_in_the_headers_of_choices_between_two_columns(tmp_path: Path) -> None:
    head: list[object] = ["Question", "GPT-4 answer", "Gemini answer"]
    rows = [[*head, "Winner (Ann)", "Winner (Bob)"]]
    chosen = ("GPT-4", "Gemini", "Tie")
    for at, asked in enumerate(ASKED):
        answers = [f"{text} {at}" for text in TEXTS.values()]
        rows.append([asked, *answers, chosen[at % 3], chosen[(at + 1) % 3]])
    said, into = came_in(tmp_path, *rows)
    assert not said
    preferred = Study.open_whole(into).preferences_on_file.frame
    assert sorted(preferred["rater"]) == ["Ann"] * 6 + ["Bob"] * 6


@pytest.mark.parametrize(
    "short",
    [
        ("Call for help at once.", "Rest it and drink."),
        ("紧急情况请立即呼救。", "休息十一天，多喝水。"),
        ("En urgence, appelez les secours !", "Reposez-vous et buvez assez."),
    ],
)
def test_sentences_that_some_questions_share_are_asked_about_and_no_kind_of_question(
    tmp_path: Path, short: tuple[str, str]
) -> None:
    rows: list[list[object]] = [["Case", "Question", "Topic", "Zorb text", "A Output", "B Output"]]
    for at, asked in enumerate(ASKED):
        answers = [f"{text} {at}" for text in TEXTS.values()]
        rows.append([f"C-{at}", asked, ("heart", "skin")[at % 2], short[at % 2], *answers])
    said, _ = came_in(tmp_path, *rows)
    assert "--column 'reference=Zorb text'" in said
    assert '"Topic"' not in said


@pytest.mark.parametrize("beside", [["Timestamp"], [""], ["", "Timestamp"], []])
def test_a_row_of_means_is_no_case_also_where_a_file_counts_and_dates_its_rows(
    tmp_path: Path, beside: list[str]
) -> None:
    rows: list[list[object]] = [[*beside, "Question", "System", "Answer", "Accuracy (Rater Ann)"]]
    told: list[tuple[object, ...]] = [
        (asked, system, f"{text} {asked}", 1 + (at + len(text)) % 5)
        for at, asked in enumerate(ASKED)
        for system, text in TEXTS.items()
    ]
    told.append(("Mean", "", "", 2.61))
    for at, cells in enumerate(told):
        own = {"Timestamp": f"2025-03-11 09:26:{at:02}", "": at}
        rows.append([*(own[name] for name in beside), *cells])
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert [case.question for case in Study.open_whole(into).cases] == ASKED


def test_what_is_rated_as_a_total_is_no_row_of_totals(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Criterion", "Case", "Model", "Rater", "Rating"]]
    rows += [
        [what, f"C-{at}", system, rater, 1 + (at + len(what)) % 5]
        for at in range(6)
        for system in ("GPT-4o", "Gemini")
        for rater in ("R1", "R2")
        for what in ("Accuracy", "Total")
    ]
    said, into = came_in(tmp_path, *rows)
    assert len(Study.open_whole(into).judgements_on_file.frame) == len(rows) - 1, said
