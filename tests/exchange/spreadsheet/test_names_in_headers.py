"""Who is named in a header or a cell, and what is merely counted or asked there."""

from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_first_tries import BAD_INPUT, TEXT, came_in

from medassay.exchange.spreadsheet.headers import headings, read_header
from medassay.study import Study

SYSTEMS = ("GPT-4", "Gemini")


def rows_of(*cells: str) -> list[str]:
    """Give a row for each answer of two systems to four questions."""
    return [
        f"q{n},q{n}?,{system},{TEXT} {system}{n},{','.join(cells)}"
        for n in range(1, 5)
        for system in SYSTEMS
    ]


def raters_of(into: Path) -> set[str]:
    return set(Study.open_whole(into).judgements_on_file.frame["rater"].to_list())


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("generation_time_s", "seconds"), ("Zeit in Sekunden", "seconds"), ("Délai [s]", "seconds"),
        ("Fee in dollars", "cost"), ("Total de tokens", "fact"), ("Jetons utilisés", "fact"),
    ],
)  # fmt: skip
def test_a_unit_says_what_a_header_counts(header: str, role: str) -> None:
    assert [heading.role for heading in headings(header)] == [role]
    assert read_header(header).roles == (role,)


@pytest.mark.parametrize("header", ["Frobnication(s)", "s", "Tokens", "Benefits"])
def test_an_ending_is_no_unit(header: str) -> None:
    assert "seconds" not in [heading.role for heading in headings(header)]


@pytest.mark.parametrize("code", ["R1", "R2", "P10"])
def test_the_number_of_a_code_before_a_colon_is_no_end_of_a_scale(code: str) -> None:
    header = read_header(f"{code}: Clarity")
    assert header.ends is None
    assert header.names == (code,)


def test_a_number_ends_the_name_of_a_person() -> None:
    header = read_header("Physician 1 Warmth")
    assert (header.people, header.names) == (("Physician 1",), ("Warmth",))


def test_a_system_in_brackets_is_named_and_not_the_word_before_them() -> None:
    assert [heading.of for heading in headings("Reply given (GPT-4)")] == ["GPT-4"]


@pytest.mark.parametrize("header", ["Harm possible?", "Accuracy grosso modo", "Clarity Bewertung"])
def test_the_last_word_of_a_lone_header_is_nobody(header: str, tmp_path: Path) -> None:
    code, said, _ = came_in(tmp_path, f"id,question,system,answer,{header}", *rows_of("4"))
    assert code == BAD_INPUT
    assert "Who gave the labels" in said


@pytest.mark.parametrize("header", ["Assessed by", "Zzyzx", "Kürzel"])
@pytest.mark.parametrize("person", ["Rater 1", "Dr. Weber", "Gutachter Klein"])
def test_cells_that_name_a_person_are_raters(header: str, person: str, tmp_path: Path) -> None:
    heads = f"id,question,system,answer,{header},Accuracy (1-5)"
    code, said, into = came_in(tmp_path, heads, *rows_of(person, "4"))
    assert code == 0, said
    assert len(raters_of(into)) == 1
    assert "1 rater" in said


def test_a_bare_word_for_people_names_nobody_beside_other_things_rated(tmp_path: Path) -> None:
    heads = "id,question,system,answer,Qualità (1-5),Calore (1-5),Rigore medico (1-5)"
    words = ("--rater", "Weber")
    code, said, into = came_in(tmp_path, heads, *rows_of("4", "3", "5"), words=words)
    assert code == 0, said
    assert len(raters_of(into)) == 1
    held = Study.open_whole(into).judgements_on_file.frame
    assert len(set(held["dimension"].to_list())) == 3


@pytest.mark.parametrize("letter", "AXZ")
def test_one_letter_over_columns_names_their_system(letter: str, tmp_path: Path) -> None:
    code, said, into = came_in(
        tmp_path,
        f",,{letter},,,",
        "id,question,answer,Accuracy Weber (1-5),Accuracy Klein (1-5),Clarity Weber (1-5)",
        *(f"q{n},q{n}?,{TEXT} {n},4,3,5" for n in range(1, 5)),
    )
    assert code == 0, said
    held = Study.open_whole(into)
    assert set(held.judgements_on_file.frame["system"].to_list()) == {letter}
    assert {answer.system for answer in held.answers} == {letter}


def test_a_comparator_called_by_a_word_for_people_is_a_system(tmp_path: Path) -> None:
    heads = [f"{s} answer,{s} accuracy Klein (1-5)" for s in ("Physician", "ChatGPT")]
    rows = [f"q{n},q{n}?,{TEXT} {n},4,{TEXT} {n}b,3" for n in range(1, 5)]
    code, said, into = came_in(tmp_path, "id,question," + ",".join(heads), *rows)
    assert code == 0, said
    held = Study.open_whole(into).judgements_on_file.frame
    assert set(held["system"].to_list()) == {"Physician", "ChatGPT"}


def test_an_expert_who_wrote_the_reference_may_rate_too(tmp_path: Path) -> None:
    heads = "id,question,Expert answer,ChatGPT answer,Expert accuracy (1-5)"
    rows = [f"q{n},q{n}?,{TEXT} {n},{TEXT} {n}b,3" for n in range(1, 5)]
    code, said, into = came_in(tmp_path, heads, *rows)
    assert code == 0, said
    held = Study.open_whole(into)
    assert {answer.system for answer in held.answers} == {"ChatGPT"}
    assert all(case.references for case in held.cases)


def test_who_chose_is_read_from_the_header_of_a_lone_column_of_choices(tmp_path: Path) -> None:
    heads = "id,question,model_a,model_b,winner_rater Weber"
    rows = [f"q{n},q{n}?,GPT-4,Gemini,model_a" for n in range(1, 5)]
    code, said, _ = came_in(tmp_path, heads, *rows)
    assert code == 0, said
    assert "1 rater" in said


def test_ease_of_reading_is_rated_by_nobody_called_ease(tmp_path: Path) -> None:
    heads = "id,question,system,answer,Zzyzx,Ease of reading"
    code, said, into = came_in(tmp_path, heads, *rows_of("王伟", "4"))
    assert code == BAD_INPUT
    assert '"Ease of reading"' in said
    assert not into.exists()


def test_a_name_that_stands_elsewhere_alone_is_no_longer_beside_another_word(
    tmp_path: Path,
) -> None:
    rated = [
        f"{t} {p} (1-5)" for t in ("Overall impression", "Factuality") for p in ("Weber", "Noll")
    ]
    code, said, into = came_in(
        tmp_path, f"id,question,system,answer,{','.join(rated)}", *rows_of("4", "3", "5", "2")
    )
    assert code == 0, said
    assert len(raters_of(into)) == 2


def test_notes_on_a_system_are_no_answers_of_another(tmp_path: Path) -> None:
    notes_of = "Notes of the reviewer {} "
    owned = ("What it said {}", "Worth {} (AK) /5", "Worth {} (MB) /5", f"{notes_of}(AK)",
             f"{notes_of}(MB)")  # fmt: skip
    heads = [head.format(system) for system in SYSTEMS for head in owned]
    notes = {"GPT-4": ("too long", ""), "Gemini": ("", "it says nothing of the dose of the drug")}
    rows = [
        f"q{n},q{n}?,"
        + ",".join(f"{TEXT} {s}{n},{n},{5 - n},{','.join(notes[s])}" for s in SYSTEMS)
        for n in range(1, 5)
    ]
    code, said, into = came_in(tmp_path, "id,question," + ",".join(heads), *rows)
    assert code == 0, said
    held = Study.open_whole(into)
    assert {answer.system for answer in held.answers} == set(SYSTEMS)
    frame = held.judgements_on_file.frame
    written = frame.filter(frame["comment"].is_not_null() & (frame["comment"] != ""))
    assert set(zip(written["rater"], written["system"], strict=True)) == {
        ("AK", "GPT-4"), ("MB", "Gemini")
    }  # fmt: skip
