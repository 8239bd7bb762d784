"""Experts label the documents that were returned for each query, 0 or 1: sheets out and in.

Each document of a query is labelled once by an expert, however many systems returned it. A sheet
is a workbook, a CSV file, or a page that any browser opens and that saves such a CSV file. It
holds neither rank nor similarity nor who returned a document, and every expert has an order of
their own. What comes back goes into relevance.csv, which metrics of retrieval read.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Final, Literal

from medassay.campaign.apart import describe_texts, refuse_where_reports_go
from medassay.campaign.catalogues import Catalogues, Texts, catalogues_of
from medassay.campaign.create import write_files
from medassay.campaign.rating_sheet import marked_csv
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import FOLDER
from medassay.study.config.study_toml import TextLevel
from medassay.study.contents.document_labels import read_relevance
from medassay.study.files.names import RELEVANCE, table_file
from medassay.study.folder import Study
from medassay.tables import (
    csv_bytes,
    file_stems,
    new_workbook,
    read_sheet,
    unguarded,
    write_atomically,
)

SheetForm = Literal["xlsx", "csv", "html"]
"""The forms in which an expert may label documents."""
_NAME: Final = "document-labels"
_PAGE: Final = "document_page.html"
_ASKED_PLACE: Final = "/*asked*/"
_TITLE_PLACE: Final = "/*title*/"
_NEEDS_PLACE: Final = "/*needs*/"
_WORDS: Final = "documents."
_COLUMNS: Final = ("Expert", "Query", "Question", "Document", "Title", "Text", "Relevance")
_TEXTS: Final = ("Question", "Title", "Text")
_KEPT: Final = ("rater", "case", "document", "relevance")
_WIDTHS: Final = (10, 10, 40, 16, 30, 80, 12)
_CELL: Final = 32_000
"""Letters that a cell of a workbook has room for."""
_ASKED: Final = "Is this document relevant to the query? 1 if it is, 0 if it is not."


@dataclass(frozen=True)
class DocumentSheets:
    """What was written for experts.

    Attributes:
        experts: How many sheets.
        documents: Documents of all queries that each is asked about.
        files: The study's files that were written.
        notes: What an organiser should know.
    """

    experts: int
    documents: int
    files: list[str]
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class DocumentLabels:
    """What came back.

    Attributes:
        added: Labels that are new.
        known: Labels that were there.
        open: Documents of these sheets without a label.
    """

    added: int
    known: int
    open: int


def write_document_sheets(
    study: Study,
    experts: Sequence[str] = (),
    form: SheetForm = "xlsx",
    texts: TextLevel | None = None,
) -> DocumentSheets:
    """Write one sheet for each expert: a row a document of each query, to be labelled 0 or 1.

    Args:
        study: The study.
        experts: Who labels; the raters table's that are not excluded if none are named.
        form: The form of the sheets.
        texts: How much text the sheets hold; as much as the study lets out if not given.

    Raises:
        InvalidInput: Nobody is named, no answer says what was retrieved, or the texts may not go
            where reports go.
    """
    study.require_whole()
    rows = list(_asked(study))
    if not rows:
        hint = "Import rankings: medassay import --from trec-run"
        raise InvalidInput(Problem("answers", "say what systems retrieved", "no ranking", hint))
    excluded = {rater.rater for rater in study.raters.excluded}
    listed = [rater.rater for rater in study.raters if rater.rater not in excluded]
    named = [*dict.fromkeys(experts)] or listed
    if not named:
        hint = "Name them: --raters anna,ben; or add raters.csv."
        raise InvalidInput(Problem("--raters", "name who labels", "nobody", hint))
    study.raters.refuse_third_party("--raters", dict.fromkeys(named, "person"))
    level = texts or study.config.privacy.texts
    if level == "none":
        hint = "Add --texts full or --texts ids for experts who may read them."
        raise InvalidInput(Problem("--texts", "show at least which document it is", "none", hint))
    spoken, lacking = catalogues_of(study.path, _NAME)
    sheets = {
        f"sheets/{stem}.{form}": _sheet(study, expert, rows, form, spoken, full=level == "full")
        for expert, stem in file_stems(named).items()
    }
    if not study.config.privacy.allows(level):
        refuse_where_reports_go(study.path, [study.path / FOLDER / _NAME / "sheets"], "--texts")
    written = write_files(study.path, _NAME, sheets)
    notes = ["Send each expert only their own sheet.", *lacking]
    notes += describe_texts(study, level, f"{FOLDER}/{_NAME}")
    return DocumentSheets(len(named), len(rows), written, notes)


def collect_document_labels(study: Study, sheets: Sequence[Path]) -> DocumentLabels:
    """Add the labels of sheets that came back to relevance.csv; a row without one stays open.

    Raises:
        InvalidInput: Every problem of every file; nothing is written then.
    """
    study.require_whole()
    problems: list[Problem] = []
    asked = set(_asked(study))
    on_file = read_relevance(study.path, study.cases.ids, study.raters)
    there = {(label.rater, label.case, label.document): label.relevance for label in on_file}
    new: dict[tuple[str, str, str], int] = {}
    known = left = 0
    for file in sheets:
        for row, key, label in _returned(file, asked, problems):
            before = {**there, **new}.get(key)
            if label is None:
                left += before is None
            elif before is None:
                new[key] = label
            elif before == label:
                known += 1
            else:
                must = f"say of {key[2]} for {key[1]} what {key[0]} said before, {before}"
                hint = "Change it in relevance.csv, if the new label is right."
                problems.append(Problem(file.name, must, str(label), hint, row, "Relevance"))
    if not problems and new:
        study.raters.refuse_third_party("the sheets", dict.fromkeys((k[0] for k in new), "person"))
        _append(study, new, problems)
    if problems:
        raise InvalidInput(problems)
    return DocumentLabels(len(new), known, left)


def _asked(study: Study) -> Iterator[tuple[str, str]]:
    """Give each query with each document that any system returned for it, once."""
    by_case: dict[str, set[str]] = {}
    for answer in study.answers:
        found = by_case.setdefault(answer.case, set())
        found |= {retrieved.document for retrieved in answer.retrieved or ()}
    for case in study.cases.ids:
        yield from ((case, document) for document in sorted(by_case.get(case, ())))


def _sheet(
    study: Study,
    expert: str,
    asked: Sequence[tuple[str, str]],
    form: str,
    spoken: Catalogues,
    *,
    full: bool,
) -> bytes:
    def place(key: tuple[str, str]) -> tuple[int, str]:
        # An order that tells nothing of ranks, and is another one for each expert.
        words = "\0".join((expert, *key))
        return order[key[0]], sha256(words.encode()).hexdigest()

    order = {case: number for number, case in enumerate(study.cases.ids)}
    rows = []
    for case, name in sorted(asked, key=place):
        whole = study.cases[case]
        document = next((each for each in whole.documents if each.id == name), None)
        texts = (whole.prompt, document and document.title, document and document.text)
        question, title, text = (text or "" if full else "" for text in texts)
        rows.append([expert, case, question, name, title, text, ""])
    if form == "html":
        return _page(rows, spoken)
    return marked_csv(_COLUMNS, rows) if form == "csv" else _workbook(rows, study.config.title)


def _page(rows: Sequence[Sequence[str]], spoken: Catalogues) -> bytes:
    """Write a page that needs no network: its labels stay in the browser until they are saved.

    It holds the words of every language, since nobody knows yet in which it will be read.
    """
    named = [dict(zip(map(str.lower, _COLUMNS), row, strict=True)) for row in rows]
    expert = named[0]["expert"]
    keys = "\0".join([expert, *(row[name] for row in named for name in ("query", "document"))])
    place = f"medassay-{sha256(keys.encode()).hexdigest()[:16]}"
    columns = [name for name in _COLUMNS if name not in _TEXTS]
    asked = {
        "expert": expert, "place": place, "columns": columns, "rows": named,
        "languages": {texts.language: _words_of(texts) for texts in spoken.texts.values()},
    }  # fmt: skip
    # No text of a document can end the script that holds it.
    shown = json.dumps(asked, ensure_ascii=False).replace("<", "\\u003c")
    needs = "".join(
        f'<p lang="{texts.language}" dir="{texts.direction}">{escape(texts("documents.needs"))}</p>'
        for texts in spoken.texts.values()
    )
    page = files(__package__).joinpath(_PAGE).read_text(encoding="utf-8")
    page = page.replace(_TITLE_PLACE, escape(spoken.texts["en"]("documents.title")))
    return page.replace(_NEEDS_PLACE, needs).replace(_ASKED_PLACE, shown).encode()


def _words_of(texts: Texts) -> dict[str, str]:
    """Give the words of the page in one language, and who made and checked them."""
    own = {
        key.removeprefix(_WORDS): text
        for key, text in texts.words.items()
        if key.startswith(_WORDS)
    }
    about = f"{texts('about.made')} {texts('about.checked')}"
    shown = {"name": texts("name"), "direction": texts.direction, "about": about}
    return {**own, **shown, "language": texts("door.language")}


def _workbook(rows: Sequence[Sequence[str]], title: str) -> bytes:
    out = BytesIO()
    book = new_workbook(out, title)
    page = book.add_worksheet("Documents")
    wrapped = book.add_format({"text_wrap": True, "valign": "top"})
    head = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
    for column, (heading, width) in enumerate(zip(_COLUMNS, _WIDTHS, strict=True)):
        page.set_column(column, column, width, wrapped)
        page.write_string(0, column, heading, head)
    for place, row in enumerate(rows, start=1):
        for column, cell in enumerate(row):
            if cell:
                short = cell if len(cell) <= _CELL else f"{cell[:_CELL]} […]"
                page.write_string(place, column, short, wrapped)
    last = len(_COLUMNS) - 1
    wanted = {"validate": "list", "source": ["1", "0"], "input_title": "Relevance",
              "input_message": _ASKED, "error_message": _ASKED}  # fmt: skip
    page.data_validation(1, last, len(rows), last, wanted)
    page.freeze_panes(1, 0)
    book.close()
    return out.getvalue()


def _returned(
    file: Path, asked: Collection[tuple[str, str]], problems: list[Problem]
) -> Iterator[tuple[int, tuple[str, str, str], int | None]]:
    """Give the rows of a sheet: its place, expert with query and document, and the label."""
    try:
        sheet = read_sheet(file)
    except InvalidInput as error:
        problems += error.problems
        return
    lacking = [name for name in _COLUMNS if name not in (*sheet.columns, *_TEXTS)]
    if lacking:
        hint = "Give sheets that medassay campaign documents wrote."
        must, got = f"have the columns {', '.join(_COLUMNS)}", f"no {', '.join(lacking)}"
        problems.append(Problem(file.name, must, got, hint, sheet.header))
        return
    for row, cells in sheet.records():
        expert, case, document, label = (
            unguarded(str("" if cells.get(name) is None else cells[name])).strip()
            for name in ("Expert", "Query", "Document", "Relevance")
        )
        if not expert:
            problems.append(Problem(file.name, "name the expert", "nothing", "", row, "Expert"))
        elif (case, document) not in asked:
            must, got = "be a document that the sheet asked about", f'"{document}" of "{case}"'
            hint = nearest(document, [name for query, name in asked if query == case])
            problems.append(Problem(file.name, must, got, hint, row, "Document"))
        elif label.removesuffix(".0") not in {"", "0", "1"}:
            hint = "Leave it empty where you cannot tell."
            problems.append(Problem(file.name, "be 0 or 1", f'"{label}"', hint, row, "Relevance"))
        else:
            number = int(label.removesuffix(".0")) if label else None
            yield row, (expert, case, document), number


def _append(study: Study, new: Mapping[tuple[str, str, str], int], problems: list[Problem]) -> None:
    path = table_file(study.path, RELEVANCE)
    if path is not None and path.suffix != ".csv":
        must = "be relevance.csv, so that labels can be added"
        problems.append(Problem(path.name, must, path.suffix, "Save it as CSV first."))
        return
    there = () if path is None else read_sheet(path).records()
    rows = [[cells.get(name, "") for name in _KEPT] for _, cells in there]
    rows += [[*key, label] for key, label in sorted(new.items())]
    write_atomically(study.path / f"{RELEVANCE}.csv", csv_bytes(_KEPT, rows))
