"""Names that differ in capitals, stops and blanks alone are told; runs are a system's samples."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_first_tries import BAD_INPUT, TEXT, came_in

from medassay.exchange.spreadsheet.checked import bare_name
from medassay.study import Study

HEADS = "id,question,system,answer,rater,Accuracy (1-5)"


def long(systems: Sequence[str], raters: Sequence[str]) -> list[str]:
    """Give a row for each rater of each answer; the last name stands in two rows alone."""
    rows = [
        f"q{n},q{n}?,{system},{TEXT} {of}{n},{rater},{1 + (n + of + who) % 5}"
        for n in range(1, 7)
        for of, system in enumerate(systems[:2])
        for who, rater in enumerate(raters[:2])
    ]
    for names, place in ((systems, 2), (raters, 4)):
        own = [at for at, row in enumerate(rows) if row.split(",")[place] == names[0]]
        for at in own[-2:] if names[2:] else ():
            cells = rows[at].split(",")
            cells[place] = names[2]
            rows[at] = ",".join(cells)
    return [HEADS, *rows]


@pytest.mark.parametrize(
    ("first", "other"),
    [("Dr. Lee", "dr lee"), ("Müller", "MÜLLER"), ("R1", "R 1"), ("J. Öz", "J Öz"), ("R_1", "r-1")],
)
def test_a_rater_spelt_in_two_ways_is_no_third_rater(
    first: str, other: str, tmp_path: Path
) -> None:
    code, said, into = came_in(tmp_path, *long(["Alpha", "Beta"], [first, "Kim", other]))
    assert code == BAD_INPUT
    assert "must call each rater alike wherever it stands" in said
    assert f'"{other}"' in said
    assert f'"{first}"' in said
    assert not into.exists()


@pytest.mark.parametrize("other", ["alpha", "ALPHA", "Al-pha"])
def test_a_system_spelt_in_two_ways_is_no_third_system(other: str, tmp_path: Path) -> None:
    code, said, _ = came_in(tmp_path, *long(["Alpha", "Beta", other], ["Lee", "Kim"]))
    assert code == BAD_INPUT
    assert "must call each system alike wherever it stands" in said
    assert f'"{other}"' in said
    assert "by design" not in said


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("Llama 3.1", "Llama 31"),
        ("C++", "C"),
        ("GPT-4", "GPT-4*"),
        ("A", "Á"),
        ("gpt-3", "gpt-3.5"),
    ],
)
def test_names_that_differ_in_more_are_two(first: str, other: str) -> None:
    assert bare_name(first) != bare_name(other)


@pytest.mark.parametrize(
    ("heads", "systems"),
    [
        (["GPT-4 run 1", "GPT-4 run 2", "Claude run 1", "Claude run 2"], {"GPT-4", "Claude"}),
        (["Run 1 GPT-4", "Run 2 GPT-4", "Run 1 Claude", "Run 2 Claude"], {"GPT-4", "Claude"}),
        (["GPT-4 (attempt 1)", "GPT-4 (attempt 2)", "Claude (attempt 1)", "Claude (attempt 2)"],
         {"GPT-4", "Claude"}),
        (["GPT-4 Durchlauf 1", "GPT-4 Durchlauf 2"], {"GPT-4"}),
        (["GPT-4 essai 1", "GPT-4 essai 2"], {"GPT-4"}),
    ],
)  # fmt: skip
def test_runs_are_answers_of_one_system(
    heads: Sequence[str], systems: set[str], tmp_path: Path
) -> None:
    rows = [
        f"q{n},q{n}?," + ",".join(f"{TEXT} {at}{n}" for at in range(len(heads)))
        for n in range(1, 6)
    ]
    code, said, into = came_in(tmp_path, ",".join(["id", "question", *heads]), *rows)
    assert code == 0, said
    answers = Study.open_whole(into).answers
    assert {answer.system for answer in answers} == systems
    assert {answer.sample for answer in answers} == {0, 1}
    assert len(list(answers)) == len(heads) * 5
