"""What raters said in REDCap: the records that projects export."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.other_tools.import_ratings import ToolRating, ToolRatings
from medassay.exchange.redcap.export import Export, ExportRow, QuestionColumn, Wanted, read_table
from medassay.exchange.redcap.fields import Field, is_dictionary, read_dictionary
from medassay.tables import Sheet, unguarded

_ENTERED_TWICE: Final = re.compile(r"(.+)--([12])")
"""A record of double data entry, of which two people have one each."""
_NOBODY: Final = frozenset({"", "[survey respondent]", "survey-participant"})
"""What @USERNAME writes where nobody is logged in."""
_IDENTIFIER: Final = "redcap_survey_identifier"
_INSTANCE: Final = "redcap_repeat_instance"
_UNUSED: Final = {
    "redcap_event_name": "names of events",
    "redcap_data_access_group": "names of data access groups",
    _IDENTIFIER: "identifiers of survey participants",
}

_Said = dict[str, tuple[str, str]]
"""What was said of a question: dimension, reason, confidence or comment, to column and words."""


def read_redcap(paths: Sequence[Path], wanted: Wanted) -> ToolRatings:
    """Read exports of records, and data dictionaries among the files.

    An export may be raw (codes) or in labels, in cells, header or both. Its records are answers; a
    rater is named by a field, by the survey's identifier, or by who of two entered it.

    Args:
        paths: The files.
        wanted: What is looked for.

    Raises:
        InvalidInput: Every problem of every file.
    """
    tool_ratings = ToolRatings()
    problems: list[Problem] = []
    sheets = list(_sheets(paths, problems))
    given: dict[str, Field] = {}
    for sheet in (sheet for sheet in sheets if is_dictionary(sheet.columns)):
        try:
            _join(given, read_dictionary(sheet), sheet.file, problems)
        except InvalidInput as error:
            problems += error.problems
    exports = [sheet for sheet in sheets if not is_dictionary(sheet.columns)]
    if sheets and not exports and not problems:
        hint = "In REDCap: Data Exports, Reports, and Stats, then Export Data, CSV (raw data)."
        must, got = "come with the records that raters filled", "a data dictionary alone"
        problems.append(Problem(sheets[0].file, must, got, hint))
    named = {name for about in wanted.items.values() for name in about}
    for sheet in exports:
        tool_ratings.notes += map(str, sheet.notes)
        try:
            export = Export(sheet, given, wanted)
        except InvalidInput as error:
            problems += error.problems
            continue
        named |= {name for column in export.columns for name in (column.name, column.header)}
        _Reading(export, wanted, tool_ratings, problems).read()
    if exports and not problems:
        problems += _unknown_fields(wanted.names, named)
    if problems:
        raise InvalidInput(problems)
    return tool_ratings


def _sheets(paths: Sequence[Path], problems: list[Problem]) -> Iterator[Sheet]:
    for path in paths:
        try:
            yield read_table(path)
        except InvalidInput as error:
            problems += error.problems


def _join(
    all_fields: dict[str, Field], fields: Mapping[str, Field], file: str, problems: list[Problem]
) -> None:
    """Add the fields of one dictionary; in two, the same field must mean the same."""
    for name, asked in fields.items():
        before = all_fields.setdefault(name, asked)
        if before.meaning != asked.meaning:
            must = f"say of the field {name} what the other dictionary says"
            hint = "Import the projects one after the other."
            problems.append(Problem(file, must, "another type or other choices", hint, asked.row))


def _unknown_fields(names: Mapping[str, str], named: Collection[str]) -> Iterator[Problem]:
    there = {name.casefold() for name in named}
    for ours, theirs in names.items():
        if theirs.casefold() not in there:
            must = f"name a field of the files behind {ours}="
            yield Problem("--column", must, f'"{theirs}"', nearest(theirs, sorted(named)))


class _Reading:
    """One export while it is read."""

    def __init__(
        self, export: Export, wanted: Wanted, tool_ratings: ToolRatings, problems: list[Problem]
    ) -> None:
        self.export, self.wanted = export, wanted
        self.tool_ratings, self.problems = tool_ratings, problems
        self.base: dict[str, dict[str, str]] = {}
        self.commented = {part.question for part in export.parts if part.what == "comment"}

    def read(self) -> None:
        """Read what every row rates, and count what is not taken."""
        rows = self.export.rows(self.problems)
        for row in rows:
            if _INSTANCE not in row.own:
                base = self.base.setdefault(row.record, {})
                for header, cell in row.cells.items():
                    # What two events say differently is true of neither of the others.
                    base[header] = cell if base.get(header, cell) == cell else ""
        two = (_ENTERED_TWICE.fullmatch(row.record) for row in rows)
        merged = {match[1] for match in two if match}
        rated = {row.record for row in rows if self._row(row, merged)}
        left = self.tool_ratings.left
        left["records that nobody rated"] += len({row.record for row in rows} - rated - merged)

    def _problem(self, row: ExportRow, column: str, must: str, got: str, hint: str) -> None:
        file = self.export.sheet.file
        self.problems.append(Problem(file, must, got, hint, row.number, column))

    def _row(self, row: ExportRow, merged: Collection[str]) -> bool:
        """Read what one row rates; say whether it rates anything."""
        self._count_others(row)
        said = self._said(row)
        rates = {question: parts for question, parts in said.items()
                 if "dimension" in parts or "reason" in parts}  # fmt: skip
        left = self.tool_ratings.left
        left["comments and confidences without a label to go with"] += sum(
            len(parts) for question, parts in said.items() if question not in rates
        )
        if not rates:
            return False
        if row.record in merged:
            left["merged records of double data entry"] += 1
            return True
        rater = self._rater(row)
        if not rater:
            parts = next(iter(rates.values()))
            header = parts["dimension" if "dimension" in parts else "reason"][0]
            hint = "Name the field: --column rater=FIELD, such as redcap_data_access_group."
            if "rater" in self.wanted.names:
                hint = f"Fill the field {self.wanted.names['rater']}."
            self._problem(row, header, "say who rated", "nobody", hint)
            return True
        self._count_unused(row, rater)
        item, fields = self._item(row)
        file = self.export.sheet.file
        for question, parts in rates.items():
            if "dimension" in parts and "reason" in parts:
                got = f'"{parts["dimension"][1]}" and "{parts["reason"][1]}"'
                must = "hold a number or a reason, not both"
                self._problem(row, parts["reason"][0], must, got, "Empty one of them.")
                continue
            header, words = parts["dimension" if "dimension" in parts else "reason"]
            comment = parts["comment"][1] if "comment" in parts else ""
            self.tool_ratings.ratings.append(
                ToolRating(
                    file, row.number, header, item, rater, question, words, fields=fields,
                    comment=comment if question in self.commented else None,
                    confidence=parts["confidence"][1] if "confidence" in parts else "",
                )
            )  # fmt: skip
        self.tool_ratings.ratings += [
            ToolRating(file, row.number, column.header, item, rater, column.name.casefold(),
                       unguarded(row.cells[column.header].strip()), fields=fields)
            for column in self.export.comments
            if column.header in row.cells
        ]  # fmt: skip
        return True

    def _said(self, row: ExportRow) -> dict[str, _Said]:
        """Give of each question what a row says."""
        chosen: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for part in self.export.parts:
            cell = row.cells.get(part.column.header)
            words = "" if cell is None else self._words(part, cell, row)
            if isinstance(words, Problem):
                self.problems.append(words)
            elif words is None:
                self.tool_ratings.left["missing data codes, which say no more than that"] += 1
            elif words:
                key = part.question, part.what
                chosen.setdefault(key, []).append((part.column.header, words))
        said: dict[str, _Said] = {}
        for (question, what), options in chosen.items():
            if len(options) > 1:
                got = ", ".join(words for _, words in options)
                hint = "A dimension takes one label."
                self._problem(row, options[1][0], "choose one thing", got, hint)
            said.setdefault(question, {})[what] = options[0]
        return said

    def _words(self, part: QuestionColumn, cell: str, row: ExportRow) -> str | Problem | None:
        if part.what == "comment":
            return unguarded(cell.strip())
        if part.column.choice:
            return self.export.values.ticked(part.column, cell, row.number)
        return self.export.values.read(part.column, cell, row.number)

    def _rater(self, row: ExportRow) -> str:
        rater = self.export.text("rater", row, {})
        if rater.casefold() not in _NOBODY:
            return rater
        if "rater" in self.wanted.names:
            return ""
        entered = _ENTERED_TWICE.fullmatch(row.record)
        person = "" if entered is None else f"data-entry-person-{entered[2]}"
        return row.own.get(_IDENTIFIER, person)

    def _item(self, row: ExportRow) -> tuple[str, dict[str, str]]:
        """Give the item that a row is about, and the system and the case that it names."""
        entered = _ENTERED_TWICE.fullmatch(row.record)
        record = entered[1] if entered else row.record
        base = self.base.get(row.record, {})
        about = dict(self.wanted.items.get(record, {}))
        ids = []
        for ours in ("system", "case"):
            theirs = self.wanted.names.get(ours, ours)
            named = self.export.text(ours, row, base)
            about |= {theirs: named} if named else {}
            ids.append(about.get(theirs, ""))
        if all(ids):
            # Rows of one record may be about several answers.
            return f"{record}, {', '.join(ids)}", about
        coded = self.export.about.get("code")
        own = coded is not None and coded.kind == "field"
        return (self.export.text("code", row, base) or record) if own else record, about

    def _count_unused(self, row: ExportRow, rater: str) -> None:
        """Count what says where and when somebody rated, and is not taken."""
        left, export = self.tool_ratings.left, self.export
        used = {column.name for column in export.about.values()}
        for name, what in _UNUSED.items():
            by_it = name == _IDENTIFIER and row.own.get(name) == rater
            left[what] += name in row.own and name not in used and not by_it
        left["moments of surveys, which lack a time zone"] += sum(
            column.kind == "moment" and column.header in row.cells for column in export.columns
        )

    def _count_others(self, row: ExportRow) -> None:
        for column in self.export.others:
            cell = row.cells.get(column.header, "").strip().casefold()
            unticked = column.choice and cell in {"0", "unchecked"}
            self.tool_ratings.others[column.name] += bool(cell) and not unticked
