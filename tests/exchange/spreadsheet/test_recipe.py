"""What was answered once is kept without anybody's name, and the same layout asks nothing again."""

from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.exchange.spreadsheet.collected import FallbackNames
from medassay.exchange.spreadsheet.importing import Wishes, import_spreadsheet, propose
from medassay.exchange.spreadsheet.recipe import RECIPE
from medassay.study import Study

TEXT = "Rest it for a day or two, and then move it gently, says {who} of {n}."


def answers(file: Path, month: int, header: str = "Musing") -> Path:
    rows = "".join(
        f'What is {n}?,"{TEXT.format(who="one", n=n)}","{TEXT.format(who="two", n=n)}"\n'
        for n in range(month, month + 4)
    )
    file.write_text(f"Question,GPT-4,{header}\n{rows}", encoding="utf-8")
    return file


def rated(file: Path, *people: str) -> Path:
    heads = ",".join(f"ChatGPT accuracy (Rater {name})" for name in people)
    rows = "".join(
        f'{n},What is {n}?,"{TEXT.format(who="it", n=n)}",'
        + ",".join(str(1 + (n + at) % 5) for at in range(len(people)))
        + "\n"
        for n in range(9)
    )
    file.write_text(f"ID,Question,ChatGPT answer,{heads}\n{rows}", encoding="utf-8")
    return file


def test_the_same_layout_asks_nothing_the_second_time(tmp_path: Path) -> None:
    study, first = tmp_path / "s", answers(tmp_path / "may.csv", 1)
    [question] = propose(study, [first], Wishes()).questions
    pairs = question.answers["no, an expert's answers to compare with"]
    assert RECIPE in import_spreadsheet(study, [first], Wishes(columns=pairs)).files
    again = import_spreadsheet(study, [first], Wishes())
    assert RECIPE not in again.files
    assert any("read as answered before (1 column)" in note for note in again.notes)
    assert Study.open_whole(study).systems == ("GPT-4",)


def test_a_recipe_is_taken_into_a_new_study_by_its_file(tmp_path: Path) -> None:
    study, first = tmp_path / "s", answers(tmp_path / "may.csv", 1)
    import_spreadsheet(study, [first], Wishes(columns=["skip=Musing"]))
    june = answers(tmp_path / "june.csv", 5)
    named = Wishes(recipe=str(study / RECIPE))
    assert not propose(tmp_path / "t", [june], named).questions
    import_spreadsheet(tmp_path / "t", [june], named)
    assert Study.open_whole(tmp_path / "t").systems == ("GPT-4",)


def test_what_is_typed_wins(tmp_path: Path) -> None:
    study, first = tmp_path / "s", answers(tmp_path / "may.csv", 1)
    import_spreadsheet(study, [first], Wishes(columns=["skip=Musing"]))
    wishes = Wishes(columns=["answer=Musing"], recipe=str(study / RECIPE))
    import_spreadsheet(tmp_path / "t", [first], wishes)
    assert Study.open_whole(tmp_path / "t").systems == ("GPT-4", "Musing")


def test_another_layout_is_told_why_it_asks(tmp_path: Path) -> None:
    study, first = tmp_path / "s", answers(tmp_path / "may.csv", 1)
    import_spreadsheet(study, [first], Wishes(columns=["skip=Musing"]))
    other = answers(tmp_path / "other.csv", 1, "Thought")
    with pytest.raises(InvalidInput, match=r'import\.toml: must be about .*no column "Musing"'):
        propose(tmp_path / "t", [other], Wishes(recipe=str(study / RECIPE)))


@pytest.mark.parametrize("name", ["Müller", "佐藤", "Anna-Lena O'Neil", "m.weber@clinic.example"])
def test_no_name_of_a_rater_is_kept_and_others_may_rate_next_time(
    tmp_path: Path, name: str
) -> None:
    wishes = Wishes(columns=[f"rating.accuracy=ChatGPT accuracy (Rater {name})"])
    study = tmp_path / "s"
    import_spreadsheet(study, [rated(tmp_path / "a.csv", name, "Weber")], wishes)
    kept = (study / RECIPE).read_text(encoding="utf-8")
    assert name not in kept
    assert "Weber" not in kept
    assert "{rater}" in kept
    third = rated(tmp_path / "b.csv", "Sato", "Klein", "Roy")
    said = import_spreadsheet(tmp_path / "t", [third], Wishes(recipe=str(study / RECIPE)))
    assert (said.raters, said.judgements) == (3, 27)


def test_a_typed_name_is_not_kept_and_that_is_said(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    rows = "".join(f"q{n},Bot,{1 + n % 5}\n" for n in range(8))
    file.write_text(f"id,system,Accuracy (1-5)\n{rows}", encoding="utf-8")
    wishes = Wishes(names=FallbackNames(rater="Dr. Weber"), scales=["accuracy=1-5"])
    said = import_spreadsheet(tmp_path / "s", [file], wishes)
    assert "import.toml keeps no names: say --rater again next time." in said.notes
    assert "Weber" not in (tmp_path / "s" / RECIPE).read_text(encoding="utf-8")
    kept = Wishes(names=FallbackNames(rater="rater-1"))
    import_spreadsheet(tmp_path / "t", [file], kept)
    assert not propose(tmp_path / "t", [file], Wishes()).questions


@pytest.mark.parametrize("rubric", ["../../mine.toml", "/etc/rubric.toml", "http://a.example/x"])
def test_a_received_recipe_names_no_path(tmp_path: Path, rubric: str) -> None:
    recipe = tmp_path / "import.toml"
    recipe.write_text(f'[[recipe]]\nheaders = ["Question"]\nrubric = "{rubric}"\n')
    file = answers(tmp_path / "a.csv", 1)
    with pytest.raises(InvalidInput, match=r"import\.toml, column .*rubric: must name dimensions"):
        propose(tmp_path / "t", [file], Wishes(recipe=str(recipe)))
