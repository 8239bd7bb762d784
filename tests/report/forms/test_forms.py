"""A run as LaTeX, Markdown, CSV and a workbook: whole, the same every time, marked, and private."""

import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from medassay.analyses.results import Results
from medassay.report import FORMS, render
from medassay.report.contents import tables_of
from medassay.report.latex import escaped
from medassay.report.tables import SYNTHETIC

pytestmark = pytest.mark.usefixtures("figures")

NASTY = (
    r"\input{/etc/passwd} 50% of_all & #1 $x^2$ ~ {a} | <b> `code` "
    "≥ τ κ — é Ångström Wąsik Łódź naïve ß “quoted” 中文 שלום مرحبا 🫁 =1+1 a--b\u202e"
)
RARE_WORD = "zanthoxylum"
"""In every text of the invented study."""


@pytest.fixture(scope="module")
def nasty(make_results: Callable[..., Results]) -> Results:
    plain = make_results(cases=8)
    named = [NASTY[at : at + 22] for at in range(0, len(NASTY), 22)]
    systems = [
        s.model_copy(update={"title": f"{name} {s.id}"})
        for s, name in zip(plain.systems, named, strict=False)
    ]
    study = plain.study.model_copy(update={"title": NASTY, "description": NASTY, "source": NASTY})
    return plain.model_copy(update={"systems": systems, "study": study})


@pytest.fixture(scope="module")
def written(nasty: Results, tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("forms")
    render(nasty, into, formats=["png"], forms=FORMS)
    return into


def test_only_the_forms_asked_for_are_written(
    make_results: Callable[..., Results], tmp_path: Path
) -> None:
    files = render(make_results(cases=8), tmp_path, forms=["xlsx", "csv"])
    kinds = {path.relative_to(tmp_path).parts[0] for path in files}
    assert kinds == {"report.xlsx", "tables"}
    assert {path.suffix for path in files} == {".xlsx", ".csv", ".txt"}


@pytest.mark.slow
def test_the_same_run_gives_the_same_bytes(nasty: Results, written: Path, tmp_path: Path) -> None:
    forms = ["latex", "docx", "xlsx", "abstract"]
    for path in render(nasty, tmp_path, formats=["png"], forms=[f for f in FORMS if f in forms]):
        assert (written / path.relative_to(tmp_path)).read_bytes() == path.read_bytes(), path.name


@pytest.mark.slow
def test_every_form_says_that_the_data_are_made_up(written: Path) -> None:
    assert SYNTHETIC in (written / "tables" / "SYNTHETIC.txt").read_text(encoding="utf-8")
    assert f"> {SYNTHETIC}" in (written / "report.md").read_text(encoding="utf-8")
    for path in (written / "latex").rglob("*.tex"):
        text = path.read_text(encoding="utf-8")
        assert f"% {SYNTHETIC}" in text, path.name
        assert SYNTHETIC in text.replace(f"% {SYNTHETIC}", ""), path.name
    for sheet in load_workbook(written / "report.xlsx").worksheets:
        cells = [cell for row in sheet.values for cell in row]
        assert SYNTHETIC in cells, sheet.title


@pytest.mark.slow
@pytest.mark.parametrize("texts", ["ids", "none"])
def test_no_text_leaves_that_the_study_keeps(
    make_results: Callable[..., Results], tmp_path: Path, texts: str
) -> None:
    def found(folder: Path) -> list[str]:
        held = []
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            parts = [path.read_bytes()]
            if path.suffix in {".xlsx", ".docx"}:
                with zipfile.ZipFile(path) as archive:
                    parts = [archive.read(name) for name in archive.namelist()]
            held += [path.name for part in parts if RARE_WORD.encode() in part.lower()]
        return held

    forms = [form for form in FORMS if form not in {"html", "csv"}]
    render(make_results(cases=8, study_texts=texts), tmp_path, formats=["svg"], forms=forms)
    assert found(tmp_path) == []


@pytest.mark.slow
def test_numbers_of_the_workbook_are_numbers_and_those_of_the_tables(
    nasty: Results, written: Path
) -> None:
    book = load_workbook(written / "report.xlsx")
    assert book.sheetnames[:2] == ["About", "Paragraphs"]
    [board] = [table for table in tables_of(nasty) if table.id == "leaderboard"]
    [name] = [name for name in book.sheetnames if name.endswith(" leaderboard")]
    rows = [["" if value is None else value for value in row] for row in book[name].values]
    at = next(i for i, row in enumerate(rows) if row[0] == "System")
    for row, own in zip(rows[at + 1 :], board.rows, strict=True):
        raw = [value for cell in own.cells for value in cell.raw]
        for shown, value in zip(row, raw, strict=False):
            if isinstance(value, bool) or value is None:
                continue
            # The format keeps sixteen digits.
            number = isinstance(value, float | int)
            assert isinstance(shown, float | int) == number
            assert shown == (pytest.approx(value, rel=1e-14) if number else value)
    with zipfile.ZipFile(written / "report.xlsx") as archive:
        for part in archive.namelist():
            assert b"<f>" not in archive.read(part)


@pytest.mark.slow
def test_the_workbook_shows_and_prints_its_paragraphs_whole(written: Path) -> None:
    paragraphs = load_workbook(written / "report.xlsx")["Paragraphs"]
    said = max(len(str(row[1])) for row in paragraphs.values)
    with zipfile.ZipFile(written / "report.xlsx") as archive:
        sheet = archive.read("xl/worksheets/sheet2.xml").decode()
    heights = [float(height) for height in re.findall(r'ht="([0-9.]+)"', sheet)]
    # 100 letters a line, 15 points a line.
    assert max(heights) >= 15 * said / 100
    assert 'orientation="landscape"' in sheet
    assert 'fitToHeight="0"' in sheet


@pytest.mark.slow
def test_every_table_is_in_every_form(nasty: Results, written: Path) -> None:
    tables = [table for table in tables_of(nasty) if table.rows]
    book = " ".join(load_workbook(written / "report.xlsx").sheetnames)
    text = (written / "report.md").read_text(encoding="utf-8")
    for table in tables:
        assert (written / "tables" / f"{table.id}.csv").is_file()
        assert (written / "latex" / "tables" / f"{table.id}.tex").is_file()
        assert table.id[:20] in book
        assert table.title.partition(" (")[0].replace("_", r"\_") in text


@given(st.text())
def test_any_text_becomes_plain_latex(text: str) -> None:
    code = escaped(text)
    assert code.isascii()
    bare = re.sub(r"\\[{}$&#_%\\]", "", code)
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"(?<!\\)[%#&_]", bare.replace("$_", "").replace("\\_", ""))
    assert bare.count("$") % 2 == 0


@pytest.mark.latex
def test_the_main_file_compiles_without_a_warning(written: Path, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.fail("No pdflatex on this machine. Run tools/install-what-tests-need.")
    folder = tmp_path / "latex"
    shutil.copytree(written / "latex", folder)
    said = ""
    for _ in range(4):  # long tables and references settle
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "main.tex"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)  # noqa: S603 - a fixed command on files made here
        said = done.stdout.decode(errors="replace")
        assert done.returncode == 0, said[-3000:]
    assert "Overfull" not in said, re.findall(r"Overfull.*", said)
    assert not re.findall(r"(?:LaTeX|Package \w+) Warning.*", said)
    assert b"/Type3" not in (folder / "main.pdf").read_bytes()
