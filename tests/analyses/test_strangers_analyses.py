"""An analysis of another package: it stands in every form of a report, or is named."""

import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from medassay.__main__ import main
from medassay.analyses import check_analyses, run_study
from medassay.analyses.registry import _loaded, analyses, broken_analyses
from medassay.analyses.results import Results
from medassay.errors import InvalidInput
from medassay.report import read_results, render
from medassay.report.asked import OURS, picture_makers, refuse_shared_figures
from medassay.study import Study, new_study, open_run

pytestmark = pytest.mark.usefixtures("figures")

MODULE = '''
"""How many labels did each rater give on each case?"""
from medassay.analyses import Declaration, analysis
from medassay.exhibits import Finding, shown, table_of
from medassay.judgements import Judgements
from medassay.annotations import CaseId, RaterName, Text, record


@record(infers=False)
class OfCase:
    case: CaseId
    rater: RaterName
    labels: int
    said: Text


@record(infers=False)
class Counts:
    cases: tuple[OfCase, ...]


COLUMNS = (shown("Case", "case"), shown("Rater", "rater"), shown("Labels", "labels", str),
           shown("Comment", "said"))


def tables(found, names):
    return [table_of(found.cases, COLUMNS, id="labels-by-case", title="Labels by case",
                     caption="How many labels each rater gave.", empty="No label.")]


def finding(found, names):
    return Finding("labels-by-case", f"There are {sum(one.labels for one in found.cases)} labels.",
                   ("labels-by-case",))


@analysis(Declaration(id="labels_by_case", title="Labels by case", infers=False, api=API,
                      question="How many labels has each case?", section="SECTION",
                      reader="organiser", cost="COST", tables=tables, finding=finding,
                      part="PART", notes=lambda found, names: ["Nobody was asked twice."]))
def labels_by_case(judgements: Judgements) -> Counts | None:
    rows = judgements.current().select("case", "rater", "label", "comment").rows()
    return Counts(tuple(OfCase(case, rater, 1, said or "") for case, rater, label, said in rows
                        if label is not None))
'''

# Alone in its chapter it stands open; beside other parts it opens on demand.
OWN_PART = re.compile(
    r'<section class="part" id="asked-labels_by_case" aria-labelledby="asked-labels_by_case-title">'
    r'\s*<h3 id="asked-labels_by_case-title">Labels by case</h3>'
    r'|<details class="part" id="asked-labels_by_case">\s*<summary><h3>Labels by case</h3>'
)


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    _loaded.cache_clear()
    yield
    _loaded.cache_clear()


def install(
    monkeypatch: pytest.MonkeyPatch, folder: Path, code: str, name: str = "labels_by_case"
) -> None:
    about = folder / "counting-1.5.dist-info"
    about.mkdir(parents=True)
    (folder / "counting_labels.py").write_text(code, encoding="utf-8")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1.5\n")
    entry = f"{name} = counting_labels:labels_by_case"
    (about / "entry_points.txt").write_text(f"[medassay.analyses]\n{entry}\n")
    monkeypatch.delitem(sys.modules, "counting_labels", raising=False)
    monkeypatch.syspath_prepend(folder)


def module(section: str = "ratings", cost: str = "cheap", api: str = "1", part: str = "") -> str:
    said = {"SECTION": section, "COST": cost, "API": api, "PART": part}
    code = MODULE
    for word, told in said.items():
        code = code.replace(word, told)
    return code


def run(folder: Path) -> Results:
    return run_study(open_run(folder))[0]


@pytest.mark.slow
@pytest.mark.parametrize("section", ["leaders", "ratings", "preferences", "judges", "difficulty"])
def test_it_stands_in_every_form_of_the_report(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path, section: str
) -> None:
    install(monkeypatch, tmp_path / "site", module(section))
    results = run(folder)
    into = tmp_path / "report"
    render(results, into, formats=(), forms=("html", "json", "md", "csv", "latex", "xlsx"))
    page = (into / "report.html").read_text(encoding="utf-8")
    of_section = page[page.index(f'<section id="{section}') if section != "leaders" else 0 :]
    assert OWN_PART.search(of_section)
    counted = json.loads((into / "report.json").read_text(encoding="utf-8"))
    cases = counted["analyses"]["labels_by_case"]["cases"]
    assert cases
    assert any(one["text"] == f"There are {len(cases)} labels." for one in counted["findings"])
    assert f"There are {len(cases)} labels." in page
    rows = (into / "tables" / "labels-by-case.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(rows) == len(cases) + 1
    assert "Labels by case" in (into / "report.md").read_text(encoding="utf-8")
    assert (into / "latex" / "tables" / "labels-by-case.tex").is_file()
    with zipfile.ZipFile(into / "report.xlsx") as book:
        assert b"labels-by-case" in book.read("xl/workbook.xml").lower()
    assert (
        read_results(into / "report.json").analyses["labels_by_case"]
        == (results.analyses["labels_by_case"])
    )


@pytest.mark.slow
def test_it_stands_under_a_heading_of_ours_where_it_names_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path
) -> None:
    install(monkeypatch, tmp_path / "site", module("panel", part="panel-consensus"))
    into = tmp_path / "report"
    render(run(folder), into, formats=(), forms=("html",))
    page = (into / "report.html").read_text(encoding="utf-8")
    assert "asked-labels_by_case" not in page
    assert page.count('id="panel-consensus"') == 1
    part = page.partition('id="panel-consensus"')[2].partition("</section>")[0]
    assert "<li>Nobody was asked twice.</li>" in part
    assert 'id="t-labels-by-case"' in part
    assert "Consensus of the raters" in part


def test_it_stands_in_page_and_files_of_a_study_that_describes_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path / "site", module())
    study, into = tmp_path / "panel", tmp_path / "report"
    new_study(study, "environmental-health")
    render(run(study), into, formats=(), forms=("html", "csv"))
    page = (into / "report.html").read_text(encoding="utf-8")
    assert page.count('id="t-labels-by-case"') == 1
    files = {path.stem for path in (into / "tables").glob("*.csv")}
    assert "labels-by-case" in files
    # The page of the objectives lays these out itself, dimension by dimension.
    assert not files & {"labels", "rating-counts"}
    assert any(name.startswith("labels-") for name in files - {"labels-by-case"})


def test_the_package_is_written_into_the_manifest_and_names_the_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path
) -> None:
    before = open_run(folder)
    install(monkeypatch, tmp_path / "site", module())
    after = open_run(folder)
    told = after.choices["plug_ins"]
    assert isinstance(told, dict)
    assert re.fullmatch("counting 1.5, code [0-9a-f]{12}", told["analyses: labels_by_case"])
    assert before.name != after.name
    file = tmp_path / "site" / "counting_labels.py"
    file.write_text(module().replace("gave.", "has given."), encoding="utf-8")
    assert len({before.name, after.name, open_run(folder).name}) == 3


@pytest.mark.slow
def test_what_privacy_keeps_back_is_taken_out_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path
) -> None:
    install(monkeypatch, tmp_path / "site", module())
    own = Study.open_whole(folder)
    cases = set(own.judgements.frame["case"])
    (folder / "study.toml").write_text(
        (folder / "study.toml").read_text(encoding="utf-8") + '\n[privacy]\ntexts = "none"\n',
        encoding="utf-8",
    )
    into = tmp_path / "report"
    render(run(folder), into, formats=(), forms=("csv", "json"))
    told = json.loads((into / "report.json").read_text(encoding="utf-8"))
    found = told["analyses"]["labels_by_case"]["cases"]
    assert found
    assert not cases & {one["case"] for one in found}
    assert {one["said"] for one in found} == {""}
    text = (into / "tables" / "labels-by-case.csv").read_text(encoding="utf-8-sig")
    assert not any(f"{case}," in text for case in cases)


@pytest.mark.slow
def test_study_toml_says_which_analyses_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path
) -> None:
    install(monkeypatch, tmp_path / "site", module(cost="dear"))
    plain = (folder / "study.toml").read_text(encoding="utf-8")
    left = run(folder)
    assert "labels_by_case" not in left.analyses
    assert [one.how for one in left.not_asked if one.id == "labels_by_case"] == [
        "labels_by_case = true"
    ]
    said = "\n[report.analyses]\nlabels_by_case = true\ncase_difficulty = false\n"
    (folder / "study.toml").write_text(plain + said, encoding="utf-8")
    asked = run(folder)
    assert "labels_by_case" in asked.analyses
    assert "case_difficulty" not in asked.analyses
    unasked = [one.id for one in asked.not_asked]
    assert "case_difficulty" in unasked
    assert "labels_by_case" not in unasked


def test_a_wrong_name_is_refused_with_the_nearest(folder: Path) -> None:
    text = (folder / "study.toml").read_text(encoding="utf-8")
    (folder / "study.toml").write_text(
        text + "\n[report.analyses]\ncase_dificulty = false\n", encoding="utf-8"
    )
    with pytest.raises(InvalidInput) as refused:
        check_analyses(Study.open(folder))
    [problem] = refused.value.problems
    assert problem.column == "report.analyses.case_dificulty"
    assert problem.try_ == 'Did you mean "case_difficulty"?'
    with pytest.raises(SystemExit, match="2"):
        main(["check", str(folder)])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('raise SystemExit("mandrake")', "SystemExit: mandrake"),
        ('raise ValueError("mandrake")', "ValueError: mandrake"),
        ("return Counts((OfCase(1, 2, 3, 4),))", "ValidationError: 3 validation errors"),
        ("return 7", "ValidationError: 1 validation error"),
    ],
)
def test_one_that_fails_is_left_out_and_its_words_only_where_texts_may_go(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path, line: str, said: str
) -> None:
    code = module().replace("    rows = judgements", f"    {line}\n    rows = judgements")
    install(monkeypatch, tmp_path / "site", code)
    whole = run(folder)
    start = "Left out: the analysis labels_by_case of counting 1.5, which failed: "
    assert [one for one in whole.warnings if one.startswith(start + said)], whole.warnings
    assert "labels_by_case" not in whole.analyses
    assert "case_difficulty" in whole.analyses
    (folder / "study.toml").write_text(
        (folder / "study.toml").read_text(encoding="utf-8") + '\n[privacy]\ntexts = "ids"\n',
        encoding="utf-8",
    )
    assert start + said.partition(":")[0] + "." in run(folder).warnings


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "name", "said"),
    [
        (module(api="2"), "labels_by_case", "be written for version 1 of analyses; got 2"),
        (module("nowhere"), "labels_by_case", 'name a section: leaders, .*; got "nowhere"'),
        (module(part="attic"), "labels_by_case", 'part of its section, or none; got "attic"'),
        (module(), "counts", 'be offered under its id; got "labels_by_case"'),
        ("labels_by_case = 1", "labels_by_case", r"be declared by analysis\(\); got int"),
        ("raise SystemExit(3)", "labels_by_case", "load without an error; got SystemExit: 3"),
    ],
)
def test_one_that_cannot_be_used_is_named_and_stops_nobody(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path, code: str, name: str, said: str
) -> None:
    install(monkeypatch, tmp_path / "site", code, name)
    [problem] = broken_analyses()

    assert re.search(said, str(problem)), str(problem)
    assert f'analysis "{name}" (counting_labels:labels_by_case) of counting 1.5' in str(problem)
    assert "case_difficulty" in [one.id for one in analyses()]
    assert any(str(problem) in line for line in run(folder).warnings)


@pytest.mark.slow
@pytest.mark.parametrize("own", ["systems", "unscored"])
def test_a_table_with_the_id_of_one_of_ours_is_refused_and_both_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path, own: str
) -> None:
    install(monkeypatch, tmp_path / "site", module().replace('id="labels-by-case"', f'id="{own}"'))
    with pytest.raises(InvalidInput) as refused:
        render(run(folder), tmp_path / "report", formats=(), forms=("csv",))
    assert str(refused.value).startswith(
        f'the id "{own}": must name one table; got one of medassay\'s report and the analysis '
        '"labels_by_case".'
    )
    assert not (tmp_path / "report" / "tables").exists()


@pytest.mark.slow
def test_a_column_that_the_record_lacks_is_named_with_what_there_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path
) -> None:
    install(monkeypatch, tmp_path / "site", module().replace('"Rater", "rater"', '"Rater", "ratr"'))
    with pytest.raises(InvalidInput) as refused:
        render(run(folder), tmp_path / "report", formats=(), forms=("csv",))
    assert str(refused.value) == (
        'the column "Rater": must read what OfCase has: case, labels, rater, said; got "ratr". '
        'Did you mean "rater"?'
    )


@pytest.mark.slow
def test_a_figure_with_the_id_of_one_of_ours_is_refused(folder: Path) -> None:
    maker, *_ = picture_makers(run(folder))
    [name, *_] = maker.make()
    with pytest.raises(InvalidInput, match=f'the id "{name}": must name one figure; got one of'):
        refuse_shared_figures([(name, OURS), (name, maker.owner)])
