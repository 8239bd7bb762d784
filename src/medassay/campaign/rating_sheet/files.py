"""A rater's sheet as CSV, what stood in it when it was sent, and what comes back."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from medassay.campaign.catalogues import Catalogues, Texts, shipped
from medassay.campaign.rating_sheet.sheet import (
    ABOUT,
    ABOUT_KINDS,
    CODE,
    GENERAL,
    HEADINGS,
    REASON_WORDS,
    RatingSheet,
    english,
    said_columns,
)
from medassay.campaign.rating_sheet.workbook import (
    columns_of,
    fitting,
    instructions,
    rubric_rows,
)
from medassay.campaign.translations import rubric_in
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import NO_SPAN, Rubric
from medassay.tables import (
    Page,
    cell_name,
    csv_bytes,
    file_bytes,
    folded,
    guarded,
    read_pages,
    text_bytes,
    unguarded,
)


@dataclass(frozen=True)
class SentRow:
    """One row as it was sent.

    Attributes:
        address: Where its code stood.
        texts: Each heading, in English, to the texts that may stand under it, and whether each was
            cut where no more fitted. A workbook and a CSV file lay texts out differently, and
            either may be saved as the other.
        whole: What stands behind a text that was cut.
    """

    address: str
    texts: Mapping[str, tuple[tuple[str, bool], ...]]
    whole: str

    def is_as_sent(self, heading: str, text: str) -> bool:
        """Say whether a text is the one that was sent; blanks and line ends do not matter."""
        now = folded(text)
        return heading not in self.texts or any(
            now.startswith(f"{sent} {self.whole}") if cut else now == sent
            for sent, cut in self.texts[heading]
        )


def rows_as_sent(sheet: RatingSheet, form: str) -> dict[tuple[str, str], SentRow]:
    """Give each row of a sheet by its code and what it is about.

    Rows for passages are left out: a rater may well delete those that were not needed.

    Args:
        sheet: The sheet.
        form: xlsx or csv.
    """
    columns = [column for column in columns_of(sheet) if column.kinds]
    kinds = [kind for kind in HEADINGS if sheet.has(kind)]
    in_english = {sheet.say(key): heading for heading, key in GENERAL.items()}
    page, sent_rows = sheet.say("ratings"), {}
    top = 1 if sheet.synthetic else 0
    for number, row in enumerate(sheet.rows, start=1):
        if row.passage:
            continue
        texts: dict[str, set[tuple[str, bool]]] = {}
        for kind in kinds:
            whole = folded("\n".join(row.texts.get(kind, ())))
            texts.setdefault(HEADINGS[kind], set()).add((whole, False))
        for column in columns:
            shown, cut = fitting(column.pieces(row, sheet), column.width)
            text = folded("\n".join(piece.text for piece in shown))
            texts.setdefault(in_english[column.heading], set()).add((text, cut))
        # In a workbook a line stands above each batch.
        place = f"{page}!{cell_name(top + number + row.batch, 0)}"
        address = place if form == "xlsx" else cell_name(number, 0)
        sent_rows[row.code, about_in_english(row.about, sheet.texts)] = SentRow(
            address,
            {name: tuple(some) for name, some in texts.items()},
            folded(sheet.say("whole")),
        )
    return sent_rows


def marked_csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Write CSV that spreadsheets open rightly: UTF-8 with its mark, and nothing to run."""
    cells = [[guarded(cell) for cell in row] for row in rows]
    return b"\xef\xbb\xbf" + csv_bytes([guarded(cell) for cell in header], cells)


def csv_sheet_bytes(sheet: RatingSheet) -> bytes:
    """Write a rater's rows as CSV."""
    kinds = [kind for kind in HEADINGS if sheet.has(kind)]
    say = sheet.say
    asked = [say("passage")] if sheet.has_passages else []
    asked += [column.heading for column in said_columns(sheet.rubric, sheet.texts)]
    asked += [say("rationale"), say("notes")]
    about = [say("about")] if sheet.is_parted else []
    header = [say("code"), *about, say("batch"), *map(say, kinds), *asked]
    rows = [
        [
            row.code,
            *([row.about] if about else []),
            str(row.batch),
            *("\n".join(row.texts.get(kind, ())) for kind in kinds),
            *("" for _ in asked),
        ]
        for row in sheet.rows
    ]
    if sheet.synthetic:
        header.append(say("synthetic"))
        rows = [[*row, say("invented")] for row in rows]
    return marked_csv(header, rows)


def rubric_bytes(sheet: RatingSheet) -> bytes:
    """Write the rubric as CSV, as the sheet's rater reads it."""
    header = [sheet.say(key) for key in ("column", "question", "label", "choose_when", "example")]
    return marked_csv(header, rubric_rows(sheet.rubric, sheet.texts))


def instructions_bytes(sheet: RatingSheet) -> bytes:
    """Write what to do as plain text, in words that fit a CSV file."""
    lines = [sheet.say("invented"), ""] if sheet.synthetic else []
    lines += [sheet.title, "", sheet.say("what_to_do"), ""]
    steps = instructions(sheet, plain=True)
    lines += [f"{number}. {step}" for number, step in enumerate(steps, start=1)]
    return text_bytes("".join(f"{line}\n" for line in lines))


def about_word(kind: str) -> str:
    """Give what an English sheet calls a kind of row."""
    return english()(f"sheet.{kind}")


def about_in_english(about: str, texts: Texts) -> str:
    """Give what a row is about as an English sheet calls it, such as `Criterion 2`."""
    kinds = {_plain(texts(f"sheet.{kind}")): kind for kind in ABOUT_KINDS}
    word, space, number = folded(about).rpartition(" ")
    if (kind := kinds.get(_plain(about))) is not None:
        return about_word(kind)
    kind = kinds.get(_plain(word))
    return about if kind is None else f"{about_word(kind)}{space}{number}"


_DEEPEST: Final = 50
"""So far down a page its header is looked for."""


@dataclass(frozen=True)
class ReturnedTable:
    """The rows of one page that has codes.

    Attributes:
        page: The page.
        header: The header's row, from 0.
        columns: Each heading, in English where medassay wrote it, to its place, from 0; of two
            alike, the first.
        texts: The language of the sheet.
        kept: Of each column by its place: words that were shown in that language, to those that
            are kept.
    """

    page: Page
    header: int
    columns: Mapping[str, int]
    texts: Texts = field(default_factory=english)
    kept: Mapping[int, Mapping[str, str]] = field(default_factory=dict)

    def asked(self, parts: Sequence[Rubric]) -> "ReturnedTable":
        """Give the table with the headings and words of what was asked as the rubric has them."""
        columns, kept = dict(self.columns), dict(self.kept)
        reasons = {_plain(self.texts(f"sheet.{key}")): word for word, key in REASON_WORDS.items()}
        none = {_plain(self.texts("sheet.none")): NO_SPAN}
        for part in parts:
            shown = said_columns(rubric_in(part, self.texts), self.texts)
            for ours, theirs in zip(said_columns(part), shown, strict=True):
                written = {_plain(name): name for name in columns}
                if ours.heading not in columns and _plain(theirs.heading) in written:
                    columns[ours.heading] = columns.pop(written[_plain(theirs.heading)])
                if (place := columns.get(ours.heading)) is not None:
                    words = dict(zip(map(_plain, theirs.words), ours.words, strict=True))
                    kept[place] = {**reasons, **(none if NO_SPAN in ours.words else {}), **words}
        return replace(self, columns=columns, kept=kept)

    def rows(self) -> Iterator[int]:
        """Go through the rows below the header that hold anything."""
        for row in range(self.header + 1, len(self.page.cells)):
            if any(cell.strip() for cell in self.page.cells[row]):
                yield row

    def text(self, row: int, column: int) -> str:
        """Give what a cell shows, without blanks around it."""
        cells = self.page.cells[row]
        text = cells[column] if column < len(cells) else ""
        text = text.replace("\u00a0", " ").replace("\ufeff", "").replace("\r\n", "\n").strip(" \n")
        text = unguarded(text) if self.page.from_text else text.strip()
        if column == self.columns.get(ABOUT):
            return about_in_english(text, self.texts)
        return self.kept.get(column, {}).get(_plain(text), text)

    def address(self, row: int, column: int) -> str:
        """Name a cell so that it can be typed into a spreadsheet's name box."""
        name = cell_name(row, column)
        if not self.page.title:
            return name
        plain = self.page.title.replace("_", "").isalnum()
        title = self.page.title if plain else "'" + self.page.title.replace("'", "''") + "'"
        return f"{title}!{name}"

    def oddity(self, row: int, column: int) -> tuple[str, str]:
        """Say what keeps a cell from being read as it stands, and what to do; or nothing."""
        name = cell_name(row, column)
        if name in self.page.errors:
            got = f"the error {self.page.errors[name] or 'of a formula'}"
            return got, "Type the text again; one that begins with a sign needs a ' before it."
        if name in self.page.formulas:
            return "a formula", "Formulas are not computed: type what it should say."
        if name in self.page.merged:
            first = self.page.merged[name]
            return f"a cell merged into {first}", "Unmerge the cells and fill each one."
        return "", ""


@dataclass(frozen=True)
class ReturnedFile:
    """One file as it came back.

    Attributes:
        file: What messages call it.
        content: Its bytes, to keep.
        tables: The tables with codes.
        notes: What was odd about it and was read all the same.
    """

    file: str
    content: bytes
    tables: Sequence[ReturnedTable]
    notes: Sequence[Problem]


def read_returned(path: Path, catalogues: Catalogues | None = None) -> ReturnedFile:
    """Read a file that a rater sent back: a workbook of any kind, or CSV of any kind.

    Pages may have been renamed, moved or added, and rows and columns moved about: a table is found
    by its heading Code, in any language.

    Args:
        path: The file.
        catalogues: The languages that sheets may be in; those that are shipped if not given.

    Raises:
        InvalidInput: The file cannot be read, or no page of it has a column of codes.
    """
    file = path.name
    content = file_bytes(path, file)
    if not content.strip():
        raise InvalidInput(Problem(file, "be a sheet that came back", "an empty file"))
    pages, notes = read_pages(content, file)
    languages = (catalogues or shipped()).texts.values()
    tables = [table for page in pages if (table := _table(page, languages)) is not None]
    if not tables:
        firsts = [cell for page in pages for row in page.cells[:_DEEPEST] for cell in row if cell]
        hint = nearest(CODE, firsts) and "Was its heading changed?"
        got = "none on any of its pages" if len(pages) > 1 else "none"
        must = f'have a column with the heading "{CODE}"'
        hint = hint or "Is it the file that the rater filled in?"
        raise InvalidInput(Problem(file, must, got, hint))
    return ReturnedFile(file, content, tables, notes)


def _plain(text: str) -> str:
    return folded(text).casefold()


def _table(page: Page, languages: Collection[Texts]) -> ReturnedTable | None:
    """Find the table of a page: its header names a code in a language that most of it is in."""
    for number, cells in enumerate(page.cells[:_DEEPEST]):
        words = [unguarded(folded(cell)) if page.from_text else folded(cell) for cell in cells]
        known = {_plain(word) for word in words if word}
        spoken = [texts for texts in languages if _plain(texts("sheet.code")) in known]
        if not spoken:
            continue
        # English is the first of all: it wins where another one has no more of the headings.
        texts = max(spoken, key=lambda texts: len(known & _general(texts).keys()))
        general = _general(texts)
        columns: dict[str, int] = {}
        for place, word in enumerate(words):
            if word:
                columns.setdefault(general.get(_plain(word), word), place)
        return ReturnedTable(page, number, columns, texts)
    return None


def _general(texts: Texts) -> dict[str, str]:
    """Map what stands above columns whatever the rubric asks to the same in English."""
    return {_plain(texts(f"sheet.{key}")): heading for heading, key in GENERAL.items()}
