"""The Word document: CHART's order, Word's own parts, and what every other form says as well."""

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import docx
import pytest
from docx.document import Document as WordFile
from docx.oxml.ns import qn
from PIL import Image
from tests.report.conftest import NASTY, RARE_WORD
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

from medassay.analyses.results import Results
from medassay.report import read_results
from medassay.report.abstract import abstract_of
from medassay.report.checklists import checklists, left_to_authors
from medassay.report.contents import Contents
from medassay.report.forms import Document
from medassay.report.pictures import FigureOnPage
from medassay.report.render import render
from medassay.report.tables import SYNTHETIC, table_markdown
from medassay.report.word import WordFigure, word_document

CHAPTERS: Final = (
    "Title and abstract", "Introduction", "Methods", "Results", "Discussion", "Open science",
)  # fmt: skip


def _point() -> bytes:
    """Make a picture of one point: to draw figures takes longer than all else here."""
    out = io.BytesIO()
    Image.new("L", (1, 1)).save(out, "png")
    return out.getvalue()


def written(results: Results) -> tuple[bytes, Document, Contents]:
    document = Document.of(results)
    known = {"overview": FigureOnPage("What was found", "Dots are estimates.", "")}
    known |= {
        f"of-{analysis}": FigureOnPage(f"About {analysis}", "A picture.", "", analysis)
        for analysis in ("label-counts", "d-study", "accuracy")
    }
    held = Contents.of(document.results, known)
    drawn = {
        name: WordFigure(figure.title, figure.caption, 178, _point())
        for name, figure in known.items()
    }
    return word_document(document, held, abstract_of(results), drawn), document, held


def opened(content: bytes) -> WordFile:
    return docx.Document(io.BytesIO(content))


def text_of(element: Any) -> str:  # noqa: ANN401 - an element of lxml
    """Read an element's text, that of fields among it."""
    return "".join(part.text or "" for part in element.iter(qn("w:t")))


@pytest.fixture(scope="module")
def small(make_results: Callable[..., Results]) -> Results:
    return make_results(cases=8)


@pytest.fixture(scope="module")
def word(small: Results) -> WordFile:
    return opened(written(small)[0])


def test_the_same_results_give_the_same_bytes(small: Results) -> None:
    content = written(small)[0]
    assert content == written(small)[0]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert not [name for name in archive.namelist() if "thumbnail" in name]
    properties = opened(content).core_properties
    assert properties.title == small.study.title
    assert {properties.author, properties.last_modified_by, properties.comments} == {""}


def test_chapters_are_those_of_chart_in_its_order(word: WordFile) -> None:
    heads = [p.text for p in word.paragraphs if p.style and p.style.name == "Heading 1"]
    assert tuple(heads[: len(CHAPTERS)]) == CHAPTERS
    assert heads[len(CHAPTERS) :] == ["References", "In files"]


@pytest.mark.parametrize("study", STANDARD)
def test_every_sentence_and_every_item_of_chart_stands_in_it(
    study: str, standard_run: SharedRuns
) -> None:
    results = read_results(standard_run(study).folder / "report.json")
    content, document, held = written(results)
    file = opened(content)
    paragraphs = [" ".join(text_of(p._p).split()) for p in file.paragraphs]
    whole = "\n".join(paragraphs)
    for statement in (*document.methods, *document.found):
        assert " ".join(statement.text.split())[:-1] in whole
    for _, text in left_to_authors("chart", results, (*document.tables, *document.files)):
        assert " ".join(text.split()) in paragraphs
    [chart] = [checklist for checklist in checklists() if checklist.id == "chart"]
    asked = [match[1] for line in paragraphs if (match := re.match(r"CHART (\w+), ", line))]
    order = [item.number for item in chart.items]
    assert asked == [number for number in order if number in asked]
    # Whatever the page shows is there, once.
    on_page = {table.id: table for table in held.shown}
    captions = [p for p in paragraphs if re.match(r"Table \d+\. ", p)]
    for table in on_page.values():
        if table.rows:
            assert sum(f". {' '.join(table.title.split())}." in c for c in captions) >= 1
    origin = re.findall(r"Table (\d+) of the report: tables/([\w.-]+)\.csv", whole)
    numbers = {table.id: str(table.number) for table in (*document.tables, *document.files)}
    assert all(numbers[name] == number for number, name in origin)
    assert [c.partition(".")[0] for c in captions] == [
        f"Table {n}" for n in range(1, len(captions) + 1)
    ]
    assert (SYNTHETIC in whole) == results.study.synthetic


def test_tables_are_words_own_with_the_cells_of_the_report(small: Results) -> None:
    content, document, _ = written(small)
    file = opened(content)
    titles = [
        match[1]
        for paragraph in file.paragraphs
        if (match := re.match(r"Table \d+\. (.*)", text_of(paragraph._p)))
    ]
    assert len(titles) == len(file.tables)
    known = {table.title: table for table in document.tables}
    compared = 0
    for title, shown in zip(titles, file.tables, strict=True):
        table = next((known[name] for name in known if title.startswith(f"{name}.")), None)
        assert shown.style is not None
        assert shown.style.name == "Report table"
        heads = [row for row in shown.rows if row._tr.xpath("w:trPr/w:tblHeader")]
        assert [row._tr for row in heads] == [row._tr for row in list(shown.rows)[: len(heads)]]
        assert heads
        if table is None:
            continue
        compared += 1
        printed = table_markdown(table).decode()
        for row in list(shown.rows)[len(heads) :]:
            for cell in {cell._tc: cell for cell in row.cells}.values():
                for word in cell.text.split():
                    assert word.replace("|", "") in printed.replace("\\", ""), (title, word)
        for column, cell in zip(table.columns, list(shown.rows)[-1].cells, strict=True):
            [paragraph] = cell.paragraphs
            assert paragraph.style is not None
            assert (paragraph.style.name == "Table number") == column.numeric
    assert compared > 8


def test_captions_count_by_word_and_sentences_refer_to_them(word: WordFile) -> None:
    captions = [p for p in word.paragraphs if p.style and p.style.name == "Caption"]
    marks = {mark.get(qn("w:name")) for p in captions for mark in p._p.iter(qn("w:bookmarkStart"))}
    assert len(marks) == len(captions)
    fields = [field.get(qn("w:instr")) for field in word.element.iter(qn("w:fldSimple"))]
    assert sum(" SEQ " in field for field in fields) == len(captions)
    referred = {field.split()[1] for field in fields if field.split()[0] == "REF"}
    assert referred
    assert referred <= marks


def test_a_figure_says_in_words_what_it_shows_and_has_its_numbers_below(small: Results) -> None:
    content, *_ = written(small)
    file = opened(content)
    said = [shape._inline.docPr.get("descr") for shape in file.inline_shapes]
    overview = abstract_of(small).overview
    assert overview is not None
    [first] = [text for text in said if "What was found" in text]
    assert overview.in_words in first
    assert all(said)
    [numbers] = [
        table
        for table in file.tables
        if table.rows[0].cells[0].text == overview.rows_are
        and [cell.text for cell in table.rows[0].cells][1:] == [x.title for x in overview.lanes]
    ]
    for row, shown in zip(overview.rows, list(numbers.rows)[1:], strict=True):
        assert shown.cells[0].text == row.title
        for spot, cell in zip(row.spots, shown.cells[1:], strict=True):
            assert cell.text.startswith(f"{spot.text} {spot.aside}".strip())


@pytest.mark.parametrize("texts", ["ids", "none"])
def test_no_text_leaves_that_the_study_keeps(
    make_results: Callable[..., Results], tmp_path: Path, texts: str
) -> None:
    results = make_results(cases=8, study_texts=texts)
    render(results, tmp_path, forms=["abstract"])
    for content in (written(results)[0], *(p.read_bytes() for p in tmp_path.iterdir())):
        assert RARE_WORD.encode() not in content.lower()
    with zipfile.ZipFile(io.BytesIO(written(results)[0])) as archive:
        for name in archive.namelist():
            assert RARE_WORD.encode() not in archive.read(name).lower(), name


def test_signs_that_no_file_can_hold_are_written_as_their_codes(small: Results) -> None:
    odd = f"{NASTY} \x0b \x00 \ud83d"
    study = small.study.model_copy(update={"title": odd, "description": odd})
    named = [s.model_copy(update={"title": f"{odd} {s.id}"}) for s in small.systems]
    file = opened(written(small.model_copy(update={"study": study, "systems": named}))[0])
    assert "\\u202eevil" in file.paragraphs[0].text
    assert "\\ud83d" in file.paragraphs[0].text
