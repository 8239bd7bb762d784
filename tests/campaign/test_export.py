"""What raters get: blinded, balanced, the same bytes each time."""

import re
import zipfile
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.judgements.campaign import CampaignPlan, find_plans
from medassay.study import Study
from medassay.tables import file_stem, read_pages

from .conftest import CASES, SYSTEMS, export, ratings, sheet_of, write_study


def plan_of(folder: Path, name: str = "main") -> CampaignPlan:
    return find_plans(folder)[name]


def test_everybody_rates_everything_unless_told_otherwise(folder: Path) -> None:
    export(folder)
    plan = plan_of(folder)
    for rater in ("rater-1", "rater-2"):
        items = [(one.item.system, one.item.case) for one in plan.of_rater(rater)]
        assert sorted(items) == sorted((s, c) for s in SYSTEMS for c in CASES)
    orders = [[one.item for one in plan.of_rater(rater)] for rater in plan.settings.raters]
    assert orders[0] != orders[1]


def test_an_overlap_is_balanced(folder: Path) -> None:
    # 12 answers x 2 raters = 24 ratings by 3 raters: 8 each, each pair shares 4, each rater
    # meets each system 24 / 9 times, that is 2 or 3 times.
    export(folder, raters="3", overlap=2)
    plan = plan_of(folder)
    assert {len(plan.of_rater(rater)) for rater in plan.settings.raters} == {8}
    panels: dict[object, list[str]] = {}
    for one in plan.assignments:
        panels.setdefault(one.item, []).append(one.rater)
    assert {len(panel) for panel in panels.values()} == {2}
    pairs = Counter(pair for panel in panels.values() for pair in combinations(sorted(panel), 2))
    assert set(pairs.values()) == {4}
    seen = Counter((one.rater, one.item.system) for one in plan.assignments)
    assert set(seen.values()) == {2, 3}


def test_repeats_come_later_under_another_code(folder: Path) -> None:
    export(folder, repeats=3)
    for rater in ("rater-1", "rater-2"):
        mine = plan_of(folder).of_rater(rater)
        first = {one.item: one for one in mine if one.phase == "main"}
        again = [one for one in mine if one.phase == "repeat"]
        assert len(again) == 3
        assert len(first) == 12
        for one in again:
            assert one.position > first[one.item].position + 1
            assert one.code != first[one.item].code
            assert one.shown == first[one.item].shown


def test_calibration_comes_first_the_same_for_everyone(folder: Path) -> None:
    done = export(folder, calibration=3)
    plan = plan_of(folder)
    starts = [plan.of_rater(rater)[:3] for rater in plan.settings.raters]
    assert [one.item for one in starts[0]] == [one.item for one in starts[1]]
    assert {one.phase for one in (*starts[0], *starts[1])} == {"calibration"}
    assert {one.item.system for one in starts[0]} == set(SYSTEMS)
    others = {one.item for one in plan.assignments if one.phase == "main"}
    assert not others & {one.item for one in starts[0]}
    assert done.answers == 12


def test_cases_tagged_for_calibration_are(folder: Path) -> None:
    text = (folder / "cases.csv").read_text(encoding="utf-8").splitlines()
    tags = ["tags", '"{""calibration"": ""yes""}"', "", "", ""]
    lines = [f"{line},{tag}" for line, tag in zip(text, tags, strict=True)]
    (folder / "cases.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    export(folder)
    phases = {(one.item.case, one.phase) for one in plan_of(folder).assignments}
    assert phases == {("01", "calibration"), ("02", "main"), ("03", "main"), ("04", "main")}


def test_the_same_wishes_give_the_same_bytes_and_another_secret_another_plan(
    tmp_path: Path,
) -> None:
    contents = []
    for name, secret in (("a", 1), ("b", 1), ("c", 2)):
        folder = write_study(tmp_path / name)
        export(folder, secret, repeats=2)
        files = sorted((folder / "campaigns").rglob("*.*"))
        contents.append([path.read_bytes() for path in files if path.is_file()])
    assert contents[0] == contents[1] != contents[2]


def test_nothing_in_a_sheet_tells_the_system(folder: Path) -> None:
    export(folder)
    sheet = sheet_of(folder, "rater-1")
    with zipfile.ZipFile(sheet) as book:
        inside = {name: book.read(name).decode() for name in book.namelist()}
        assert {one.date_time[0] for one in book.infolist()} == {1980}
    texts = "".join(inside.values())
    assert not [name for name in ("phi-3", "clinic", "robot") if name in texts]
    core = inside["docProps/core.xml"]
    assert re.findall(r"<dc:creator>(.*?)</dc:creator>", core) == [""]
    assert set(re.findall(r"\d{4}-\d\d-\d\dT[\d:]+Z", core)) == {"1980-01-01T00:00:00Z"}
    assert "<f>" not in texts
    assert "<f " not in texts


def test_text_that_looks_like_a_formula_stays_text(folder: Path) -> None:
    export(folder, raters="anna", form="csv", name="c")
    export(folder, raters="ben")
    (page, *_), _ = read_pages(sheet_of(folder, "ben").read_bytes(), "ben.xlsx")
    assert not page.formulas
    assert any('=HYPERLINK("http://x","y")' in row for row in ratings(sheet_of(folder, "ben")))
    text = sheet_of(folder, "anna", "c", "csv").read_text(encoding="utf-8-sig")
    assert "'=HYPERLINK" in text
    assert not re.search(r"""(^|,)"?[=+\-@]""", text, re.MULTILINE)


def test_what_gives_a_system_away_is_told_to_the_organiser(folder: Path) -> None:
    flags = export(folder).flags
    assert [(one.system, one.case, one.words) for one in flags] == [("phi-3", "01", "Phi")]


def test_a_repeated_answer_that_names_its_system_is_told_too(folder: Path) -> None:
    rows = ["case,sample,text", "01,0,Rest.", "01,1,[Robot] Rest.", "02,0,Rest.", "03,0,Rest."]
    (folder / "answers" / "robot.csv").write_text("\n".join(rows), encoding="utf-8")
    flags = [flag for flag in export(folder).flags if flag.system == "robot"]
    assert [(flag.case, flag.words, flag.certain) for flag in flags] == [("01", "Robot", False)]


def test_an_everyday_word_is_shown_in_its_sentence_and_not_counted(
    folder: Path,
) -> None:
    rows = ["case,text", "01,Rest. Go to a clinic. Eat.", "02,A clinic helps.", "03,Phi-3: rest."]
    (folder / "answers" / "robot.csv").write_text("\n".join(rows), encoding="utf-8")
    shown = CliRunner().invoke(app, ["campaign", "create", str(folder), "--raters", "a,b"]).output
    assert "Answers whose words give their system away: 2." in shown
    assert re.search(r"clinic +2 +robot +01 +Go to a clinic\.", shown)


def test_answers_in_a_language_that_is_not_searched_are_counted(folder: Path) -> None:
    italian = "Il paziente deve riposare e bere molto e non lavorare."
    rows = ["case,text", f"01,{italian}", f"02,{italian}", "03,Пейте воду.", "04,Rest."]
    (folder / "answers" / "robot.csv").write_text("\n".join(rows), encoding="utf-8")
    [note] = [note for note in export(folder).notes if "as an AI" in note]
    assert "2 answers in Italian, 1 answer in a language in Cyrillic script" in note


def test_a_title_that_names_a_system_is_told_too(folder: Path) -> None:
    text = (folder / "study.toml").read_text(encoding="utf-8")
    (folder / "study.toml").write_text(text.replace("Ankles", "Ankles, by PHI 3"), encoding="utf-8")
    first, *_ = export(folder).flags
    assert (first.system, first.words) == ("", "PHI 3")
    assert first.why == "the study's title names a system of the study"


@pytest.mark.parametrize(("texts", "case"), [("ids", True), ("none", False)])
def test_private_texts_stay_in_the_study(tmp_path: Path, texts: str, case: bool) -> None:  # noqa: FBT001 - a column of the table above
    folder = write_study(tmp_path / "study")
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(f'[privacy]\ntexts = "{texts}"\n')
    done = export(folder)
    header, *rows = ratings(sheet_of(folder, "rater-1"))
    assert ("Case" in header) == case
    assert "Answer" not in header
    assert len(rows) == 12
    written = b"".join(path.read_bytes() for path in (folder / "campaigns").rglob("*.csv"))
    assert b"ankle" not in written
    assert not any(one.words or one.around for one in done.flags)
    assert any("have no texts" in note for note in done.notes)


def test_a_made_up_study_says_so_on_every_page(tmp_path: Path) -> None:
    folder = write_study(tmp_path / "study", "synthetic = true")
    export(folder, raters="anna")
    export(folder, raters="ben", form="csv", name="c")
    with zipfile.ZipFile(sheet_of(folder, "anna")) as book:
        strings = book.read("xl/sharedStrings.xml").decode()
        pages = [book.read(f"xl/worksheets/sheet{n}.xml").decode() for n in (1, 2, 3)]
    entries = re.findall(r"<si>(.*?)</si>", strings)
    banner = next(i for i, one in enumerate(entries) if "Synthetic data" in one)
    assert all(re.search(rf'<c r="A1"[^>]*><v>{banner}</v>', page) for page in pages)
    assert "Synthetic data" in sheet_of(folder, "ben", "c", "csv").read_text(encoding="utf-8")


def test_a_campaign_that_is_out_is_never_drawn_up_anew(folder: Path) -> None:
    assert export(folder).files
    assert not export(folder).files
    with pytest.raises(InvalidInput, match="name a new campaign"):
        export(folder, repeats=1)
    with pytest.raises(InvalidInput, match="have not been asked about these answers yet"):
        export(folder, name="second")


def test_raters_who_have_judged_are_not_asked_again(folder: Path) -> None:
    row = "rater,system,case,dimension,label\nrater-1,robot,01,answers-question,Yes\n"
    (folder / "judgements.csv").write_text(row, encoding="utf-8")
    with pytest.raises(InvalidInput, match="rater-1"):
        export(folder)
    assert export(folder, raters="anna, ben").loads == {"anna": 12, "ben": 12}


def test_the_raters_table_says_who_may_rate(folder: Path) -> None:
    table = "rater,status,reason\nanna,,\nben,excluded,left\ncleo,,\n"
    (folder / "raters.csv").write_text(table, encoding="utf-8")
    with pytest.raises(InvalidInput, match='"ben", who was excluded'):
        export(folder, raters="anna,ben")
    with pytest.raises(InvalidInput, match="3, and it has 2"):
        export(folder, raters="3")
    assert set(export(folder, raters=None).loads) == {"anna", "cleo"}


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"overlap": 3}, "at most the 2 raters"),
        ({"repeats": 7}, "at most half of the answers"),
        ({"calibration": 12}, "be less than the 12 answers"),
        ({"cases": 5}, "be at most the cases there are"),
        ({"name": "../x"}, "be letters, digits"),
        ({"raters": "anna,ANNA"}, "different file names"),
        ({"raters": "=anna"}, "begin with a letter"),
        ({"raters": "0"}, "a number from 1 to 1,000"),
        ({"raters": "1001"}, "a number from 1 to 1,000"),
        ({"raters": "9" * 5000}, "a number from 1 to 1,000"),
        ({"raters": ","}, "be names, or how many"),
        ({"raters": "anna,rubric"}, "not be the name of the rubric's file"),
        ({"raters": "an\u202ena"}, "begin with a letter"),
        ({"name": "CON"}, "a folder's name on every operating system"),
        ({"name": "nul.2025"}, "a folder's name on every operating system"),
        ({"name": "main."}, "a folder's name on every operating system"),
        ({"name": "n" * 300}, "a folder's name on every operating system"),
    ],
)
def test_wishes_that_do_not_fit_are_refused(
    folder: Path, wishes: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidInput, match=re.escape(said)):
        export(folder, **wishes)
    assert not (folder / "campaigns").exists()


def test_pairs_are_blinded_and_their_sides_balanced(folder: Path) -> None:
    done = export(folder, kind="preferences", repeats=2)
    assert done.answers == 4 * 3
    plan = plan_of(folder)
    for rater in plan.settings.raters:
        mine = plan.of_rater(rater)
        left = Counter(one.item.system for one in mine)
        right = Counter(one.item.system_b for one in mine)
        assert all(abs(left[system] - right[system]) <= 2 for system in SYSTEMS)
    header, first, *_ = ratings(sheet_of(folder, "rater-1"))
    one = plan.by_code[first[0]]
    answer = Study.open_whole(folder).answers.get(one.item.system, one.item.case)
    assert answer is not None
    assert first[header.index("Answer A")] == answer.text


def test_a_folder_of_campaigns_is_no_slip_of_a_study(folder: Path) -> None:
    export(folder)
    assert not Study.open_whole(folder).warnings


HARD_NAMES = ("n" * 300 + "1", "n" * 300 + "2", "CON", "nul.txt", "Dr. Ann.", "Zoë/Å", "中文")


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_every_rater_gets_a_sheet_that_every_system_can_hold(folder: Path, form: str) -> None:
    done = export(folder, raters=",".join(HARD_NAMES), form=form)
    assert set(done.loads) == set(HARD_NAMES)
    sheets = sorted(path.stem for path in (folder / "campaigns" / "main" / "sheets").iterdir())
    own = [stem for stem in sheets if stem not in {"rubric", "README"}]
    assert len(own) == len(HARD_NAMES)
    assert own == [file_stem(stem) for stem in own]
    assert {"CON_", "nul_.txt", "Dr.-Ann-"} <= {*own}


def test_raters_of_the_table_whose_sheets_would_be_one_are_named(folder: Path) -> None:
    (folder / "raters.csv").write_text("rater\na/b\na-b\nanna\n", encoding="utf-8")
    for wished in (None, "3", "a/b,a-b"):
        with pytest.raises(InvalidInput, match='"a/b"'):
            export(folder, raters=wished)
    assert not (folder / "campaigns").exists()
