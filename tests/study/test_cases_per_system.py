"""asked.csv says which system was asked which case; what it does not ask is not missing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tools.standard.asked import in_turn, write_asked

from medassay.answers import Answer, Answers, CasesPerSystem
from medassay.campaign import Wishes, create_campaign
from medassay.errors import InvalidInput
from medassay.judgements.campaign import Secret
from medassay.study import Study, add_answers, open_run
from medassay.study.check import summarise
from medassay.study.contents.cases_and_answers import asked_bytes

PAIRS = in_turn(6, 3, 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_asked(tmp_path / "study", PAIRS)


def problems(folder: Path) -> str:
    with pytest.raises(InvalidInput) as caught:
        Study.open(folder)
    return "\n".join(map(str, caught.value.problems))


def test_what_was_not_asked_is_told_from_what_never_came(tmp_path: Path) -> None:
    asked = [*in_turn(6, 3, 2)]
    study = Study.open(write_asked(tmp_path / "study", asked, never_given=asked[:1]))
    assert study.answers.lacks(*asked[0])
    assert not study.answers.lacks("s2", "c000")
    assert [study.missing(system) for system in study.systems] == [1, 0, 0]
    assert study.answers.lacking(study.systems, study.cases.ids) == asked[:1]
    assert study.warnings[:2] == (
        "Each case was asked of 2 of 3 systems, and each system was asked 4 of 6 cases.",
        "6 answers were not asked for. They are not missing: no mean and no count holds them.",
    )
    assert [(s.given, s.missing, s.not_asked) for s in summarise(study).systems] == [
        (3, 1, 2),
        (4, 0, 2),
        (4, 0, 2),
    ]


def test_without_the_file_every_system_was_asked_every_case(tmp_path: Path) -> None:
    study = Study.open(write_asked(tmp_path / "study", PAIRS, said=False))
    assert study.asked.everything
    assert [study.missing(system) for system in study.systems] == [4, 4, 4]
    assert not any("asked" in warning for warning in study.warnings)


def _without_rows(text: str) -> str:
    return text.splitlines()[0] + "\n"


CHANGES: dict[str, Callable[[str], str]] = {
    "case": lambda text: text + "d000,s1\n",
    "system": lambda text: text + "c000,s9\n",
    "twice": lambda text: text + "c000,s0\n",
    "column": lambda text: text.replace("system", "model", 1),
    "other column": lambda text: text.replace("\n", ",x\n").replace("system,x", "system,why", 1),
    "empty": _without_rows,
    "answered": lambda text: text.replace("c004,s1\n", ""),
}
WORDS = {
    "case": 'row 8, column case: must be the id of a case that was asked; got "d000".',
    "system": 'row 8, column system: must be a system that answered; got "s9".',
    "twice": "row 8: must name a case and a system together once; got "
    '"c000" and "s0" again, as in row 2. Take one of them out.',
    "column": "row 1, column system: must be given; got only case, model.",
    "other column": 'row 1, column why: must be one of case, system; got "why". Leave the column '
    "out.",
    "empty": "asked.csv: must name a case and a system that was asked it; got no row. "
    "Remove the file where every system was asked every case.",
    "answered": "asked.csv: must ask for every answer that was given; got 1 answer not asked for: "
    "s1 to c004. Add their rows (case, system), or take these answers out of the study.",
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_is_wrong_is_said_with_its_place(folder: Path, what: str) -> None:
    path = folder / "asked.csv"
    path.write_text(CHANGES[what](path.read_text()))
    said = problems(folder)
    assert said.startswith("asked.csv")
    assert WORDS[what] in said


@pytest.mark.parametrize(
    ("file", "text", "column"),
    [
        ("judgements.csv", "rater,system,case,dimension,label\nr1,s0,c001,quality,3\n", "system"),
        ("preferences.csv", "rater,case,system_a,system_b,choice\nr1,c001,s1,s0,a\n", "system_b"),
        ("scores/mine.csv", "system,case,value\ns0,c001,1\n", "system"),
    ],
)
def test_nothing_is_said_of_an_answer_that_nobody_asked_for(
    folder: Path, file: str, text: str, column: str
) -> None:
    (folder / file).parent.mkdir(exist_ok=True)
    (folder / file).write_text(text)
    assert (
        f"{file}, row 2, column {column}: must be of answers that were asked for (asked.csv); got "
        "1 row of others: s0 to c001." in problems(folder)
    )


def test_ratings_alone_may_say_what_was_asked(folder: Path) -> None:
    for file in (folder / "answers").iterdir():
        file.unlink()
    (folder / "answers").rmdir()
    study = Study.open(folder)
    assert [study.missing(system) for system in study.systems] == [0, 0, 0]
    assert "Each case was asked of 1 of 3 systems" in study.warnings[0]
    with (folder / "asked.csv").open("a") as rows:
        rows.write("c000,s8\n")
    assert 'asked.csv, column system: must name a system of the study; got "s8"' in problems(folder)


def test_it_is_part_of_the_runs_name(folder: Path) -> None:
    before = open_run(folder).name
    with (folder / "asked.csv").open("a") as file:
        file.write("c000,s1\n")
    assert open_run(folder).name != before
    assert "asked.csv" in open_run(folder).study.inputs


def test_no_case_is_named_where_the_study_names_none(folder: Path) -> None:
    with (folder / "study.toml").open("a") as file:
        file.write('\n[privacy]\ntexts = "none"\n')
    whole, private = Study.open_whole(folder), Study.open(folder)
    assert whole.asked.of is not None
    assert private.asked.of is not None
    assert not {case for own in private.asked.of.values() for case in own} & set(whole.cases.ids)
    assert [private.missing(system) for system in private.systems] == [0, 0, 0]
    assert private.warnings[0] == whole.warnings[0]


def test_a_campaign_asks_nobody_of_what_was_not_asked(folder: Path) -> None:
    made = create_campaign(Study.open_whole(folder), Wishes(raters="2", name="two"), Secret.new())
    assert made.answers == len(PAIRS)


def test_an_import_hands_over_what_was_asked(tmp_path: Path) -> None:
    folder = write_asked(tmp_path / "study", PAIRS, said=False)
    study = Study.open_whole(folder)
    theirs = [Answer(system="new", case="c001", text="Rest.")]
    asked = CasesPerSystem.in_pairs([("new", "c001"), ("new", "c002")])
    summary = add_answers(study, Answers.of(theirs, asked), "the files")
    assert "asked.csv" in summary.files
    again = Study.open_whole(folder)
    # Nobody said what the others were asked: all cases, as before.
    assert {s: again.asked.count(s, 6) for s in again.systems} == {
        "new": 2,
        "s0": 6,
        "s1": 6,
        "s2": 6,
    }
    assert again.answers.lacks("new", "c002")
    # The same import again changes nothing.
    before = (folder / "asked.csv").read_bytes()
    assert before == asked_bytes(again.asked)
    assert not add_answers(again, Answers.of(theirs, asked), "the files").files


def test_answers_that_come_later_were_asked_for(folder: Path) -> None:
    later = [Answer(system=system, case="c001", text="Rest.") for system in ("s0", "t")]
    summary = add_answers(Study.open_whole(folder), Answers.of(later), "the files")
    study = Study.open_whole(folder)
    assert (study.asked.count("s0", 6), study.asked.count("t", 6)) == (3, 6)
    assert summary.notes == [
        "asked.csv counts t as asked all 6 cases. Take out the rows of cases that were not asked."
    ]


def test_answers_in_memory_are_held_against_what_was_asked() -> None:
    with pytest.raises(InvalidInput, match="1 answer not asked for: A to 1"):
        Answers.of([Answer(system="A", case="1", text="")], CasesPerSystem.in_pairs([("A", "2")]))
