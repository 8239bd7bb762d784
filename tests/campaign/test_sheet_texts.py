"""Sheets with texts of a study whose reports may have none: said, kept apart, and taken back."""

import json
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pytest

from medassay.campaign import collect_sheets, refuse_among_sheets
from medassay.errors import InvalidInput
from medassay.exchange.label_studio.declared import LABEL_STUDIO_TOOL
from medassay.exchange.other_tools.declaring import WrittenFiles
from medassay.exchange.other_tools.export_tasks import TaskWishes, export_tasks
from medassay.exchange.potato.declared import POTATO_TOOL
from medassay.exchange.redcap.declared import REDCAP_TOOL
from medassay.judgements.campaign import Secret, find_plans
from medassay.study import Study
from medassay.study.config.study_toml import TextLevel

from .conftest import export, filled, ratings, saved, sheet_of, write_study

FULL = ("Question", "Reference", "Answer")


@pytest.fixture
def private(tmp_path: Path) -> Path:
    return private_study(tmp_path / "study", "ids")


def private_study(folder: Path, texts: str) -> Path:
    write_study(folder)
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(f'[privacy]\ntexts = "{texts}"\n')
    return folder


def header(folder: Path, rater: str = "rater-1") -> list[str]:
    return ratings(sheet_of(folder, rater))[0]


TOOLS: Final = {tool.id: tool for tool in (POTATO_TOOL, LABEL_STUDIO_TOOL, REDCAP_TOOL)}


def hand_out(
    folder: Path,
    into: Path,
    tool: str = "potato",
    *,
    texts: TextLevel | None = "full",
    with_ratings: bool = False,
) -> WrittenFiles:
    wishes = TaskWishes(TOOLS[tool], tool, ratings=with_ratings, texts=texts)
    return export_tasks(Study.open_whole(folder), into, wishes, Secret(bytes(32)))


@pytest.mark.parametrize("texts", ["ids", "none"])
def test_the_organisers_sheets_hold_texts_where_they_say_so(tmp_path: Path, texts: str) -> None:
    folder = private_study(tmp_path / "study", texts)
    done = export(folder, texts="full")
    assert set(FULL) <= set(header(folder))
    note = next(one for one in done.notes if one.startswith("--texts full"))
    assert f'in campaigns/main have texts, which [privacy] texts = "{texts}" keeps out' in note
    # What is told of answers that give themselves away is no sheet: it stays as private as ever.
    assert [(one.words, one.around) for one in done.flags] == [("", "")]
    plan = (folder / "campaigns" / "main" / "plan.toml").read_text(encoding="utf-8")
    assert 'texts = "full"' in plan


def test_nothing_is_said_where_the_study_lets_its_texts_out(folder: Path) -> None:
    assert not any("--texts" in note for note in export(folder, texts="full").notes)
    less = export(folder, raters="ben,cleo", name="less", texts="none")
    assert any(note.startswith("--texts none: the sheets have no texts") for note in less.notes)
    assert not set(FULL) & set(ratings(sheet_of(folder, "ben", "less"))[0])


def test_a_campaign_without_texts_gets_them_under_the_same_codes(private: Path) -> None:
    first = export(private)
    assert any("add --texts full" in note for note in first.notes)
    assert not set(FULL) & set(header(private))
    plan = find_plans(private)["main"].assignments
    again = export(private, 8, texts="full")
    assert set(FULL) <= set(header(private))
    assert "campaigns/main/key.csv" not in again.files
    assert find_plans(private)["main"].assignments == plan
    with pytest.raises(InvalidInput, match="were written with --texts full"):
        export(private)
    assert set(FULL) <= set(header(private))
    with pytest.raises(InvalidInput, match="other choices or other answers"):
        export(private, texts="full", repeats=2)
    export(private, texts="ids")
    assert not set(FULL) & set(header(private))


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_what_the_rows_hold_is_what_the_instructions_say(private: Path, form: str) -> None:
    for texts, said in (
        ("full", "need to judge it stands beside it"),
        ("ids", "by the code"),
    ):
        export(private, form=form, texts=texts)
        sheets = private / "campaigns" / "main" / "sheets"
        if form == "csv":
            words = (sheets / "README.txt").read_text(encoding="utf-8")
        else:
            with zipfile.ZipFile(sheets / "rater-1.xlsx") as book:
                words = book.read("xl/sharedStrings.xml").decode()
        assert said in words


@pytest.mark.parametrize("sent", ["full", "ids"])
def test_labels_come_back_from_sheets_with_texts_and_bring_no_text(
    private: Path, tmp_path: Path, sent: str
) -> None:
    export(private, texts=sent)
    cells = ratings(sheet_of(private, "rater-1"))
    labels = {row[0]: ["Yes", "Yes", "No"] for row in cells[1:]}
    back = saved(tmp_path / "back" / "rater-1.xlsx", filled(cells, labels))
    taken = collect_sheets(Study.open_whole(private), [back])
    assert taken.added == 36
    assert not taken.notes
    assert "Rest for" not in (private / "judgements.csv").read_text(encoding="utf-8")
    assert "Rest for" not in repr(taken)


def test_a_text_that_was_typed_over_is_named_without_its_words(
    private: Path, tmp_path: Path
) -> None:
    export(private, texts="full")
    cells = ratings(sheet_of(private, "rater-1"))
    place = cells[0].index("Answer")
    cells[2][place] = "Typed over."
    labels = {row[0]: ["Yes", "Yes", "No"] for row in cells[1:]}
    back = saved(tmp_path / "back" / "rater-1.xlsx", filled(cells, labels))
    (note,) = collect_sheets(Study.open_whole(private), [back]).notes
    assert "column Answer: must hold the text of the study; got another" in note
    assert "Typed" not in note


def in_results(study: Path, _: Path) -> Path:
    return study / "results" / "task"


def deep_in_results(study: Path, _: Path) -> Path:
    return study / "results" / "kept" / "deep" / "task"


def over_a_link(study: Path, outside: Path) -> Path:
    (study / "results").mkdir(exist_ok=True)
    (outside / "link").symlink_to(study / "results", target_is_directory=True)
    return outside / "link" / "task"


def beside_a_report(_: Path, outside: Path) -> Path:
    (outside / "public").mkdir()
    (outside / "public" / "report.md").write_text("Made by medassay.\n", encoding="utf-8")
    return outside / "public" / "task"


def beside_a_reports_workbook(_: Path, outside: Path) -> Path:
    with zipfile.ZipFile(outside / "report.xlsx", "w") as book:
        book.writestr("xl/sharedStrings.xml", "<si><t>Made by medassay.</t></si>")
    return outside / "far" / "away" / "task"


def beside_a_reports_tables(study: Path, outside: Path) -> Path:
    for tables in (study / "results" / "run" / "tables", outside / "tables"):
        tables.mkdir(parents=True)
        (tables / "leaderboard.csv").write_text("system\n", encoding="utf-8")
    return outside / "task"


@pytest.mark.parametrize(
    "target",
    [
        in_results,
        deep_in_results,
        over_a_link,
        beside_a_report,
        beside_a_reports_workbook,
        beside_a_reports_tables,
    ],
)
@pytest.mark.parametrize("tool", ["potato", "label-studio", "redcap"])
def test_tasks_with_texts_are_refused_where_reports_go(
    private: Path, tmp_path: Path, tool: str, target: Callable[[Path, Path], Path]
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    into = target(private, outside)
    with pytest.raises(InvalidInput, match="--into: must be outside of folders with reports"):
        hand_out(private, into, tool)
    assert not into.exists()
    assert not (private / "campaigns").exists()
    # Without texts a task may lie there as before.
    assert hand_out(private, into, tool, texts=None).counts == {"answer": 12}


def test_files_of_other_programs_are_no_reports(private: Path, tmp_path: Path) -> None:
    for name in ("report.html", "report.json", "report.xlsx"):
        (tmp_path / name).write_text("PK of somebody else\n", encoding="utf-8")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "leaderboard.csv").write_text("player\n", encoding="utf-8")
    assert hand_out(private, tmp_path / "task").counts == {"answer": 12}


@pytest.mark.parametrize("linked", ["campaigns", "campaigns/main", "campaigns/main/sheets"])
def test_sheets_with_texts_are_refused_where_a_link_leads_into_results(
    private: Path, linked: str
) -> None:
    home = private / "results" / "elsewhere"
    home.mkdir(parents=True)
    (private / linked).parent.mkdir(parents=True, exist_ok=True)
    (private / linked).symlink_to(home, target_is_directory=True)
    with pytest.raises(InvalidInput, match="must be outside of folders with reports"):
        export(private, texts="full")
    assert not list(home.iterdir())


@pytest.mark.parametrize("inner", ["", "main", "main/sheets", "new/report"])
def test_no_report_is_written_among_keys_and_sheets(folder: Path, inner: str) -> None:
    export(folder)
    with pytest.raises(InvalidInput, match="outside of the study's campaigns"):
        refuse_among_sheets(folder, folder / "campaigns" / inner)
    refuse_among_sheets(folder, folder / "results" / "copy")
    (folder / "raters-key.csv").touch()
    with pytest.raises(InvalidInput, match="who the raters are"):
        refuse_among_sheets(folder, folder)
    refuse_among_sheets(folder, folder / "results" / "copy")
    refuse_among_sheets(folder, folder / "report")


@pytest.mark.parametrize("tool", ["potato", "label-studio", "redcap"])
def test_a_private_report_is_not_written_among_tasks(
    private: Path, tmp_path: Path, tool: str
) -> None:
    hand_out(private, tmp_path / "task", tool)
    for into in (tmp_path / "task", tmp_path / "task" / "report"):
        with pytest.raises(InvalidInput, match="apart from tasks for raters"):
            refuse_among_sheets(private, into)
    refuse_among_sheets(private, tmp_path / "report")


def test_a_private_report_gets_a_folder_of_its_own(private: Path, tmp_path: Path) -> None:
    hand_out(private, tmp_path / "out" / "deep" / "task")
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "S01.json").write_text("[]", encoding="utf-8")
    for into, there in (("out", "deep"), ("submission", "S01.json"), ("study", "answers")):
        with pytest.raises(InvalidInput, match=f"folder for the report alone.*with {there}"):
            refuse_among_sheets(private, tmp_path / into)
    (tmp_path / "again" / "tables").mkdir(parents=True)
    (tmp_path / "again" / "report.html").write_text("made by medassay", encoding="utf-8")
    for fine in ("again", "new", "report/new"):
        refuse_among_sheets(private, tmp_path / fine)
    (tmp_path / "again" / "S01.json").write_text("[]", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"with S01\.json"):
        refuse_among_sheets(private, tmp_path / "again")


def test_tasks_with_texts_are_refused_in_the_results_of_any_study(
    private: Path, tmp_path: Path
) -> None:
    other = private_study(tmp_path / "other", "ids")
    with pytest.raises(InvalidInput, match="in the results of the study other"):
        hand_out(private, other / "results" / "ls")
    hand_out(private, tmp_path / "results" / "ls")


_CODE = r"\b[A-Z]{4}-[A-Z]{4}\b"


def words_in(files: Sequence[Path]) -> str:
    return "".join(one.read_text(encoding="utf-8") for one in files)


@pytest.mark.parametrize("tool", ["potato", "label-studio", "redcap"])
def test_tasks_for_other_tools_hold_texts_where_they_say_so(
    private: Path, tmp_path: Path, tool: str
) -> None:
    without = hand_out(private, tmp_path / "ids", tool, texts=None)
    assert any("add --texts full" in note for note in without.notes)
    assert "Rest for" not in words_in(list((tmp_path / "ids").iterdir()))
    given = hand_out(private, tmp_path / "full", tool)
    assert any('have texts, which [privacy] texts = "ids" keeps out' in one for one in given.notes)
    words = words_in(list((tmp_path / "full").iterdir()))
    assert words.count("Rest for") >= 10
    # The same codes: what was asked without texts may be asked with them.
    codes = set(re.findall(_CODE, words))
    assert codes == set(re.findall(_CODE, words_in(list((tmp_path / "ids").iterdir()))))
    assert len(codes) == 12


@pytest.mark.parametrize("tool", ["potato", "label-studio", "redcap"])
def test_what_raters_wrote_leaves_a_private_study_only_with_its_texts(
    private: Path, tmp_path: Path, tool: str
) -> None:
    row = "zoe,robot,01,answers-question,Yes,It says ZQX."
    table = f"rater,system,case,dimension,label,comment\n{row}\n"
    (private / "judgements.csv").write_text(table, encoding="utf-8")
    given = hand_out(private, tmp_path / "ids", tool, texts=None, with_ratings=True)
    words = words_in(list((tmp_path / "ids").iterdir()))
    assert "zoe" not in words
    assert "rater-1" in words
    assert "ZQX" not in words
    assert "Left behind too: what raters wrote beside their labels." in given.notes
    hand_out(private, tmp_path / "full", tool, with_ratings=True)
    assert "ZQX" in words_in(list((tmp_path / "full").iterdir()))
    names = [path.name for path in (tmp_path / "full").iterdir() if path.suffix == ".json"]
    assert all(json.loads((tmp_path / "full" / name).read_bytes()) for name in names)
