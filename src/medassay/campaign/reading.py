"""What a sheet that came back says of each thing that was asked, each with its address."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Final, NamedTuple

from medassay.campaign.rating_sheet import (
    ABOUT,
    CODE,
    NOTES,
    PASSAGE,
    RATIONALE,
    REASON_WORDS,
    SENT_HEADINGS,
    ReturnedFile,
    ReturnedTable,
    SaidColumn,
    dimension_headings,
    said_columns,
)
from medassay.campaign.subjects import SubjectRow, found_in
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import MANY, NO_SPAN, Dimension, Rubric, off_scale
from medassay.judgements.campaign import CampaignPlan, Item, as_code
from medassay.judgements.rubric import words_for
from medassay.tables import folded
from medassay.text import count_of


def _own_columns(table: ReturnedTable, parts: Sequence[Rubric]) -> dict[str, int]:
    """Give the headings that no sheet is sent with, each to its place.

    Args:
        table: The table.
        parts: What was asked.
    """
    ours = {_plain_heading(heading) for heading in SENT_HEADINGS}
    for part in parts:
        for column in said_columns(part):
            dimension = column.dimension
            ours |= {
                _plain_heading(column.heading),
                _plain_heading(dimension.id),
                _plain_heading(dimension.question),
            }
    return {
        heading: place
        for heading, place in table.columns.items()
        if heading.strip() and _plain_heading(heading) not in ours
    }


def said_of_own_columns(returned: ReturnedFile, parts: Sequence[Rubric]) -> Iterator[str]:
    """Name columns of a rater's own that hold words."""
    for table in returned.tables:
        for heading, place in _own_columns(table, parts).items():
            filled = sum(bool(table.text(row, place)) for row in table.rows())
            if filled:
                rows = count_of(filled, "row")
                yield (
                    f'{returned.file}, cell {table.address(table.header, place)}: "{heading}" was '
                    f"not in the sheet that was sent. Nothing was read of it ({rows}); copy what "
                    f"is to be kept under {NOTES}."
                )


def _which_own(table: ReturnedTable, parts: Sequence[Rubric]) -> str:
    """Ask whether the one column that nobody sent is the one that is missed; or nothing."""
    names = list(_own_columns(table, parts))
    return f'Is it "{names[0]}"?' if len(names) == 1 else ""


def _plain_heading(heading: str) -> str:
    return folded(heading).casefold()


Said = tuple[str | None, str | None]
"""A label (or a number in its shortest form), or the reason why there is none."""

_REASONS: Final = {
    **REASON_WORDS,
    "cant judge": "cannot_judge",
    "can not judge": "cannot_judge",
    "n/a": "not_applicable",
    "na": "not_applicable",
}


def read_label(text: str, dimension: Dimension) -> Said | str:
    """Read a label however a spreadsheet or a hand wrote it.

    Small and capital letters, blanks of any kind, composed or full-width letters, typographic
    quotes and dashes do not matter, and 1.0 is 1.
    What is nearly a label is none: the answer is then the sentence that suggests the nearest.

    Returns:
        The label or the reason; or, where the text is neither, what to try.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> asked = load_rubric("archehr").dimension("answers-question")
        >>> read_label(" yes", asked), read_label("cannot judge", asked)
        (('Yes', None), (None, 'cannot_judge'))
        >>> read_label("Partly", asked)
        'Did you mean "Partially"?'
        >>> read_label("4.0", load_rubric("likert5").dimensions[0])
        ('4', None)
    """
    return _read_word(text, dimension.words, REASON_WORDS)


def _read_word(text: str, words: Mapping[str, str], reasons: Collection[str]) -> Said | str:
    """Read one of some words, or one of the reasons why there is none.

    Args:
        text: What was typed.
        words: The words, to what they stand for.
        reasons: The reasons that are offered in place of a word.

    Returns:
        The word or the reason; or, where the text is neither, what to try.
    """
    if text in words:
        return words[text], None
    for same in (_plain, _number):
        key = same(text)
        meant = {label for word, label in words.items() if key and same(word) == key}
        if len(meant) == 1:
            return meant.pop(), None
    reason = _reason(text) if reasons else None
    return nearest(text, [*words, *reasons]) if reason is None else (None, reason)


def read_number(
    text: str, bounds: tuple[float | None, float | None], reasons: Collection[str] = ()
) -> Said | str:
    """Read a number of a range, or one of the reasons why there is none.

    Returns:
        The number in its shortest form, or the reason; or, where it is neither, what to try.

    Example:
        >>> read_number("7,50", (0, 10)), read_number("11", (0, 10))
        (('7.5', None), '')
        >>> read_number("not applicable", (0, None), REASON_WORDS)
        (None, 'not_applicable')
    """
    try:
        number = float(_plain(text).replace(",", "."))
    except ValueError:
        reason = _reason(text) if reasons else None
        return nearest(text, reasons) if reason is None else (None, reason)
    low, high = bounds
    inside = (low is None or number >= low) and (high is None or number <= high)
    return (f"{number:.15g}", None) if inside and isfinite(number) else ""


def _reason(text: str) -> str | None:
    return _REASONS.get(_plain(text).replace("_", " ").replace("'", ""))


def _plain(text: str) -> str:
    plain = folded(text)
    for sign, usual in (("’", "'"), ("‘", "'"), ("–", "-"), ("−", "-")):
        plain = plain.replace(sign, usual)
    return plain.casefold().rstrip(".")


def _number(text: str) -> str:
    """Give the shortest form of a number, or nothing; a comma may stand for the point."""
    try:
        return f"{float(_plain(text).replace(',', '.')):g}"
    except ValueError:
        return ""


class Filled(NamedTuple):
    """What was said of one thing on one dimension.

    Attributes:
        word: The label, the number in its shortest form, or the kind of a passage.
        reason: Why there is none.
        severity: How bad the passage is.
        confidence: How sure the rater is.
    """

    word: str | None = None
    reason: str | None = None
    severity: str | None = None
    confidence: str | None = None

    def __str__(self) -> str:
        """Say it in words."""
        text = self.word if self.word is not None else (self.reason or "").replace("_", " ")
        more = [part for part in (self.severity, self.confidence) if part]
        return f"{text} ({', '.join(more)})" if more else text

    def columns(self, dimension: Dimension) -> dict[str, object]:
        """Give what columns of a judgement hold."""
        return {
            dimension.column: self.word,
            "reason": self.reason,
            "severity": self.severity,
            "confidence": self.confidence,
        }

    @classmethod
    def held(cls, row: dict[str, object]) -> "Filled":
        """Read what a row of judgements says."""
        number = row["number"]
        word = row["label"] or row["kind"]
        word = f"{number:.15g}" if isinstance(number, float) else word
        cells = (word, row["reason"], row["severity"], row["confidence"])
        return cls(*(None if cell is None else str(cell) for cell in cells))


def _read_cell(text: str, column: SaidColumn) -> Filled | str:
    """Read a cell of a sheet.

    Returns:
        What it says, in its place; or, where it says nothing that was asked, what to try.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> quality = SaidColumn("Quality", load_rubric("likert5").dimensions[0])
        >>> _read_cell("4.0", quality)
        Filled(word='4', reason=None, severity=None, confidence=None)
    """
    dimension = column.dimension
    if column.what != "said":
        word_or_hint = (
            read_number(text, column.bounds)
            if column.bounds is not None
            else _read_word(text, _words(column), ())
        )
        if isinstance(word_or_hint, str):
            return word_or_hint
        return Filled(**{column.what: word_or_hint[0]})
    if dimension.labels:
        label_or_hint = read_label(text, dimension)
    elif column.bounds is not None:
        label_or_hint = read_number(text, column.bounds, REASON_WORDS)
    else:
        label_or_hint = _read_word(text, _words(column), REASON_WORDS)
    return label_or_hint if isinstance(label_or_hint, str) else Filled(*label_or_hint)


def _words(column: SaidColumn) -> dict[str, str]:
    dimension = column.dimension
    match column.what:
        case "severity":
            return words_for(dimension.severities)
        case "confidence":
            return {word: word for word in dimension.confidence}
        case "said":
            return {**words_for(dimension.kinds), NO_SPAN: NO_SPAN}


_FEW = 5


@dataclass(frozen=True)
class ReturnedRow:
    """What one row says.

    Attributes:
        code: The row's code.
        about: What it is about, as the column of that name has it; empty for the answer.
        labels: Each dimension that was answered, to the label or the reason.
        addresses: Where each of them stands.
        empty: Each dimension that was left empty, to its cell.
        comment: Rationale and notes.
        file: The file, for messages.
        address: Where the code stands.
    """

    code: str
    about: str
    labels: Mapping[str, Filled]
    addresses: Mapping[str, str]
    empty: Mapping[str, str]
    comment: str
    file: str
    address: str


def campaign_of(
    returned: ReturnedFile, plans: Mapping[str, CampaignPlan], name: str | None
) -> CampaignPlan:
    """Find the campaign that a file belongs to, by its codes.

    Raises:
        InvalidInput: None of its codes is one of the study's.
    """
    codes = [
        code
        for table in returned.tables
        for row in table.rows()
        if (code := as_code(table.text(row, _place(table, CODE)))) is not None
    ]
    counts = {
        campaign: sum(code in plan.by_code for code in codes) for campaign, plan in plans.items()
    }
    wanted = {name: counts.get(name, 0)} if name is not None else counts
    best = max(wanted, key=lambda campaign: (wanted[campaign], campaign))
    if wanted[best]:
        return plans[best]
    must = f"have codes of the campaign {name}" if name else "have codes of a campaign of the study"
    others = sorted(campaign for campaign, count in counts.items() if count)
    got = f'codes of the campaign "{others[0]}"' if others else "none"
    if not others and codes:
        got = f"{count_of(len(codes), 'code')} of another study, such as {codes[0]}"
    hint = "" if others else f"Known: {', '.join(sorted(plans))}. Was it exported from this study?"
    raise InvalidInput(Problem(returned.file, must, got, hint))


def read_given(
    returned: ReturnedFile,
    plan: CampaignPlan,
    plans: Mapping[str, CampaignPlan],
    parts: Sequence[Rubric],
    asked: Callable[[Item], Sequence[SubjectRow]],
    notes: list[str],
    left_out: list[Problem] | None = None,
) -> list[ReturnedRow]:
    """Read every row of every table of a file.

    Args:
        returned: The file.
        plan: The campaign that it belongs to.
        plans: All campaigns of the study.
        parts: What was asked, part by part; each table holds one part or several.
        asked: The rows of an item, and what each asks.
        notes: Where it is added what was odd, and was read all the same.
        left_out: Where problems of single rows are added, which are then left out, unless no row
            is good; None: one such row refuses the file.

    Raises:
        InvalidInput: With every problem of the file.
    """
    problems: list[Problem] = []
    rows: list[ReturnedRow] = []
    left_before = len(left_out or ())
    for table in returned.tables:
        reader = _Reader(returned.file, table, plan, plans, parts, asked, problems, notes)
        before = len(problems)
        givens = reader.rows()
        if left_out is None:
            rows += [given for _, given in givens]
            continue
        left_out += reader.with_whole_readings(problems[before:])
        del problems[before:]
        rows += [given for row, given in givens if row not in reader.bad]
    if not rows and left_out is not None:
        problems += left_out[left_before:]  # no row is good: the file is refused
    if problems:
        raise InvalidInput(problems)
    return rows


class _Reader:
    """Reads one table; problems and notes are added to the lists given."""

    def __init__(
        self,
        file: str,
        table: ReturnedTable,
        plan: CampaignPlan,
        plans: Mapping[str, CampaignPlan],
        parts: Sequence[Rubric],
        asked: Callable[[Item], Sequence[SubjectRow]],
        problems: list[Problem],
        notes: list[str],
    ) -> None:
        self.file, self.table, self.plan, self.plans = file, table, plan, plans
        self.parts, self.problems, self.notes = parts, problems, notes
        self.rows_of = asked
        self.off: dict[str, list[tuple[int, str, str]]] = {}
        self.bad: set[int] = set()
        self.unread: set[tuple[int, str]] = set()
        """Rows and dimensions with a cell that could not be read: it is told once."""
        self.passages: dict[str, list[int]] = {}
        self.columns = [column for part in parts for column in said_columns(part)]
        self.parted = any(
            dimension.about != "answer" for part in parts for dimension in part.dimensions
        )
        self.code = _place(table, CODE)
        self.places = self._places()

    def rows(self) -> list[tuple[int, ReturnedRow]]:
        """Read the rows that have a code, and name those that have labels and none."""
        givens = []
        before = len(self.problems)
        for row in self.table.rows():
            filled = self._filled(row)
            code = self._code(row, filled=filled)
            asked = None if code is None else self._asked(row, code, filled=filled)
            if code is None or asked is None:
                continue
            self._refuse_unasked(row, code, asked)
            labels, addresses, empty = self._labels(row, asked)
            about = asked.subject.about
            if asked.subject.kind == "span":
                about, empty = self._passage(row, asked, labels), {}
                self.passages.setdefault(code, []).extend([row] if filled else [])
            comment = self._comment(row)
            address = self.table.address(row, self.code)
            given = ReturnedRow(code, about, labels, addresses, empty, comment, self.file, address)
            givens.append((row, given))
        self.bad |= {row for off in self.off.values() for row, *_ in off}
        self._refuse_off_scale()
        self.problems[before:] = sorted(self.problems[before:], key=lambda one: one.row or 0)
        return givens

    def with_whole_readings(self, problems: Sequence[Problem]) -> list[Problem]:
        """Leave out all passages of an answer of which one is wrong, and say so beside that one.

        Some of the passages that somebody marked would count as all that were found.
        """
        torn = [rows for rows in self.passages.values() if self.bad & {*rows} and len(rows) > 1]
        wrong = {row + 1 for rows in torn for row in self.bad & {*rows}}
        self.bad |= {row for rows in torn for row in rows}
        more = "The other passages of this answer are left out with it."
        return [
            replace(problem, try_=f"{problem.try_} {more}".lstrip())
            if problem.row in wrong
            else problem
            for problem in problems
        ]

    def _refuse_off_scale(self) -> None:
        """Name words that are no label of their column; many of one column in one sentence."""
        for column in self.columns:
            off = self.off.get(column.heading, [])
            place = self.places.get(column.heading, 0)
            if len(off) < MANY:
                for row, text, hint in off:
                    self._refuse(row, place, column.must, f'"{text}"', hint)
                continue
            said, rows = [text for _, text, _ in off], [row + 1 for row, *_ in off]
            known = [label.label for label in column.dimension.labels]
            found = off_scale(said, rows, column.dimension.title or column.dimension.id, known)
            self._refuse(off[0][0], place, column.must, *found)

    def _places(self) -> dict[str, int]:
        """Find the column of each dimension, of the rationale and of the notes."""
        headings: dict[str, str] = {}
        for part in self.parts:
            headings |= dimension_headings(part)
        theirs = {_plain_heading(heading): place for heading, place in self.table.columns.items()}
        places: dict[str, int] = {}
        for column in self.columns:
            names = [column.heading]
            if column.what == "said":
                names += [column.dimension.id, column.dimension.question]
            place = next(
                (theirs[_plain_heading(n)] for n in names if _plain_heading(n) in theirs), None
            )
            if place is not None:
                places[column.heading] = place
        for heading in (ABOUT, PASSAGE, RATIONALE, NOTES):
            if _plain_heading(heading) in theirs:
                places[heading] = theirs[_plain_heading(heading)]
        begun = [
            part
            for part in self.parts
            if any(said_column.heading in places for said_column in said_columns(part))
        ] or self.parts[:1]
        wanted = [column.heading for part in begun for column in said_columns(part)]
        wanted += [ABOUT] if self.parted else []
        if any(dimension.about == "span" for part in begun for dimension in part.dimensions):
            wanted.append(PASSAGE)
        for heading in wanted:
            if heading not in places:
                unknown = [name for name in self.table.columns if name not in headings.values()]
                near = nearest(heading, unknown) or _which_own(self.table, self.parts)
                hint = near and f"{near} Give it its heading again."
                must = f'have the column "{heading}"'
                at = self.table.address(self.table.header, self.code)
                self.problems.append(
                    Problem(self.file, must, "none", hint, self.table.header + 1, None, at)
                )
        return places

    def _filled(self, row: int) -> bool:
        words = (name for name in self.places if name != ABOUT)
        return any(self.table.text(row, self.places[name]) for name in words)

    def _code(self, row: int, *, filled: bool) -> str | None:
        written = self.table.text(row, self.code)
        code = as_code(written)
        if code is not None and self.table.oddity(row, self.code)[0] == "a formula":
            self._note(row, self.code, "a formula", f'"{written}" was read.')
        if code in self.plan.by_code:
            return code
        if code is None and not filled:
            return None
        hint = nearest(code or written.upper(), self.plan.by_code) if written else ""
        got = f'"{written}"' if written else "an empty cell"
        other = [name for name, plan in self.plans.items() if code in plan.by_code]
        if other:
            got, hint = f'{got}, a code of the campaign "{other[0]}"', "Import that row on its own."
        elif not hint:
            hint = "Put back the code that stood in this row, or empty the row's labels."
        must = f"be a code of the campaign {self.plan.settings.name}"
        self._refuse(row, self.code, must, got, hint)
        return None

    def _asked(self, row: int, code: str, *, filled: bool) -> SubjectRow | None:
        """Find which of an item's rows this is; where it is none, say so if it holds anything."""
        rows = self.rows_of(self.plan.by_code[code].item)
        place = self.places.get(ABOUT)
        written = "" if place is None else self.table.text(row, place)
        titles = {_plain_heading(entry.subject.title): entry for entry in rows}
        if not written:
            return next(entry for entry in rows if entry.subject.kind == "answer")
        if _plain_heading(written) in titles:
            return titles[_plain_heading(written)]
        passages = [entry for entry in rows if entry.subject.kind == "span"]
        word, _, number = _plain_heading(written).partition(" ")
        if passages and number.isdecimal() and word == _plain_heading(PASSAGE):
            return passages[0]
        if filled and place is not None:
            must = f"say what the row of {code} is about: {describe_few([*_titles(rows)])}"
            self._refuse(row, place, must, f'"{written}"', nearest(written, _titles(rows)))
        return None

    def _refuse_unasked(self, row: int, code: str, asked: SubjectRow) -> None:
        """Name what stands in a cell that this row does not ask, and where it belongs."""
        rows = self.rows_of(self.plan.by_code[code].item)
        names = {
            column.heading: [other for other in rows if column.dimension.id in other.dimensions]
            for column in self.columns
            if column.dimension.id not in asked.dimensions
        }
        if asked.subject.kind != "span":
            names[PASSAGE] = [other for other in rows if other.subject.kind == "span"]
        for name, belongs in names.items():
            text = self.table.text(row, self.places[name]) if name in self.places else ""
            if text:
                must = f"be empty in a row about {asked.subject.title or 'an answer'}"
                where = " or ".join(_titles(belongs)[:2])
                hint = f"It belongs in the row {where} of {code}." if where else "Empty the cell."
                self._refuse(row, self.places[name], must, f'"{text}"', hint)

    def _labels(
        self, row: int, asked: SubjectRow
    ) -> tuple[dict[str, Filled], dict[str, str], dict[str, str]]:
        labels: dict[str, Filled] = {}
        addresses: dict[str, str] = {}
        empty: dict[str, str] = {}
        beside: dict[str, list[SaidColumn]] = {}
        for column in self.columns:
            name, place = column.dimension.id, self.places.get(column.heading)
            if place is None or name not in asked.dimensions:
                continue
            text = self.table.text(row, place)
            got, hint = self.table.oddity(row, place)
            filled = _read_cell(text, column) if text and not got else Filled()
            if column.what == "said" and (got or isinstance(filled, str)):
                self.unread.add((row, name))
            if isinstance(filled, str) and column.what == "said" and column.dimension.labels:
                self.off.setdefault(column.heading, []).append((row, text, filled))
            elif got or isinstance(filled, str):
                got, hint = (got, hint) if got else (f'"{text}"', str(filled))
                self._refuse(row, place, column.must, got, hint)
            elif column.what == "said" and text:
                labels[name] = filled
                addresses[name] = self.table.address(row, place)
            elif column.what == "said":
                empty[name] = self.table.address(row, place)
            elif name in labels:
                labels[name] = labels[name]._replace(**{column.what: getattr(filled, column.what)})
            if column.what != "said" and text:
                beside.setdefault(name, []).append(column)
        self._hold_together(row, labels, beside)
        return labels, addresses, empty

    def _hold_together(
        self,
        row: int,
        labels: Mapping[str, Filled],
        beside: Mapping[str, Iterable[SaidColumn]],
    ) -> None:
        """Name severities that lack or are too many, and what goes with nothing that was said."""
        for column in self.columns:
            name, place = column.dimension.id, self.places.get(column.heading)
            filled = labels.get(name)
            if place is None or column.what == "said" or (row, name) in self.unread:
                continue
            marked = filled is not None and filled.word not in {None, NO_SPAN}
            text = self.table.text(row, place)
            if column in beside.get(name, ()) and (
                filled is None or (column.what == "severity" and not marked)
            ):
                must = "be empty where there is no label"
                self._refuse(row, place, must, f'"{text}"', "")
            elif column.what == "severity" and marked and not text:
                self._refuse(
                    row, place, column.must, "an empty cell", "Give the severity of the passage."
                )

    def _passage(self, row: int, asked: SubjectRow, labels: Mapping[str, Filled]) -> str:
        """Find the marked words in the answer, and give their place as the column about has it."""
        place = self.places.get(PASSAGE)
        if place is None:
            return ""
        words = self.table.text(row, place)
        marked = [label for label in labels.values() if label.word not in {None, NO_SPAN}]
        unread = any((row, name) in self.unread for name in asked.dimensions)
        if unread or (not words and not marked):
            return ""
        if not marked:
            must = "be empty where no kind of passage is chosen beside it"
            self._refuse(row, place, must, f'"{words}"', "Choose a kind, or take the words out.")
            return ""
        spans = found_in(asked.subject.text, words) if words else []
        if len(spans) == 1 and len(marked) == len(labels):
            return spans[0]
        if spans and len(marked) < len(labels):
            must, hint = "be empty where one of the kinds is none", "Say none in a separate row."
        elif spans:
            must = "be words that occur once in the answer"
            hint = f"They occur {len(spans)} times: copy some of the words around them too."
        else:
            must, hint = "be words of the answer", "Copy them out of the answer, letter by letter."
        self._refuse(row, place, must, f'"{words}"' if words else "an empty cell", hint)
        return ""

    def _comment(self, row: int) -> str:
        parts = []
        for heading in (RATIONALE, NOTES):
            place = self.places.get(heading)
            if place is None:
                continue
            text = self.table.text(row, place)
            got, hint = self.table.oddity(row, place)
            if got.startswith("the error"):
                self._refuse(row, place, "be text", got, hint)
            elif got:
                outcome = f'"{text}" was read.' if text else f"Nothing was read. {hint}"
                self._note(row, place, got, outcome)
            if text:
                parts.append(f"{NOTES}: {text}" if heading == NOTES else text)
        return "\n".join(parts)

    def _note(self, row: int, column: int, got: str, outcome: str) -> None:
        heading = next(n for n, place in self.table.columns.items() if place == column)
        at = self.table.address(row, column)
        self.notes.append(str(Problem(self.file, "be text", got, outcome, None, heading, at)))

    def _refuse(self, row: int, column: int, must: str, got: str, hint: str) -> None:
        heading = next((n for n, place in self.table.columns.items() if place == column), None)
        at = self.table.address(row, column)
        self.bad.add(row)
        self.problems.append(Problem(self.file, must, got, hint, row + 1, heading, at))


def _titles(rows: Iterable[SubjectRow]) -> list[str]:
    return [row.subject.title for row in rows if row.subject.title]


def _place(table: ReturnedTable, heading: str) -> int:
    return next(
        place
        for name, place in table.columns.items()
        if _plain_heading(name) == _plain_heading(heading)
    )


def describe_few(things: Sequence[str]) -> str:
    """List some things and count the others."""
    more = f" and {len(things) - _FEW} more" if len(things) > _FEW else ""
    return ", ".join(things[:_FEW]) + more
