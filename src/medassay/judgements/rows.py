"""What rows of judgements and of preferences have in common, and labels that no dimension has."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

from medassay.answers import Answer, Statement
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.tables import csv_bytes, guarded, listed
from medassay.text import count_of

if TYPE_CHECKING:
    import polars as pl

    from medassay.judgements.intake import Intake
    from medassay.tables import Sheet

AboutKind: TypeAlias = Literal["answer", "criterion", "statement", "citation", "span", "document"]
"""What raters are shown: the answer, or a part of it or of what it is held against."""
ABOUT: Final[tuple[AboutKind, ...]] = get_args(AboutKind)
_NUMBER: Final = re.compile(r"[1-9]\d*")
_SPAN: Final = re.compile(r"(\d+)-(\d+)")
_FORMS: Final[dict[AboutKind, str]] = {
    "answer": "be empty: the dimension is about the answer as a whole",
    "criterion": "name a criterion of the case, such as criterion:c3",
    "statement": "name a statement of the answer by its place, such as statement:2",
    "citation": "name a citation by statement and id, such as citation:2/7",
    "span": "name characters of the answer, such as span:10-25 (from 0, the end not included)",
    "document": "name a document of the case, such as document:d7",
}


class About(NamedTuple):
    """What a judgement is about, read from its column `about`.

    Attributes:
        kind: What it is.
        id: The criterion, document or cited evidence; empty for others.
        place: The statement, from 1; 0 for others.
        span: The characters, from 0, the end not included; (0, 0) for others.
    """

    kind: AboutKind
    id: str = ""
    place: int = 0
    span: tuple[int, int] = (0, 0)

    @classmethod
    def read(cls, text: str) -> "About | None":
        """Read a cell of the column `about`; None where it has none of the forms.

        Example:
            >>> About.read("citation:2/7")
            About(kind='citation', id='7', place=2, span=(0, 0))
            >>> About.read("").kind, About.read("span:9-3"), About.read("page:3")
            ('answer', None, None)
        """
        if not text:
            return cls("answer")
        kind, _, rest = text.partition(":")
        match kind:
            case "criterion" | "document" if rest:
                return cls(kind, rest)
            case "statement" if _NUMBER.fullmatch(rest):
                return cls(kind, place=int(rest))
            case "citation":
                place, _, cited = rest.partition("/")
                return cls(kind, cited, int(place)) if _NUMBER.fullmatch(place) and cited else None
            case "span" if span := _SPAN.fullmatch(rest):
                start, end = int(span[1]), int(span[2])
                return cls(kind, span=(start, end)) if start < end else None
        return None

    @property
    def written(self) -> str:
        """Give the cell of the column `about` that this is read from.

        Example:
            >>> About("criterion", "c3").written, About("citation", "7", 2).written
            ('criterion:c3', 'citation:2/7')
            >>> About.read(About("span", span=(3, 9)).written)
            About(kind='span', id='', place=0, span=(3, 9))
        """
        match self.kind:
            case "answer":
                return ""
            case "criterion" | "document":
                return f"{self.kind}:{self.id}"
            case "statement":
                return f"{self.kind}:{self.place}"
            case "citation":
                return f"{self.kind}:{self.place}/{self.id}"
            case "span":
                return f"{self.kind}:{self.span[0]}-{self.span[1]}"

    @staticmethod
    def must(kind: AboutKind) -> str:
        """Say what a cell of the column must be, for a dimension about this."""
        return _FORMS[kind]


class Part(NamedTuple):
    """One thing that can be judged.

    Attributes:
        about: Its value for the column `about`.
        id: The criterion, document or cited evidence; empty for others.
        text: Its own words; empty where nobody has them.
        title: What a document is called; empty for others.
        cited_by: The words of the statement that cites it; empty for others.
    """

    about: str
    id: str = ""
    text: str = ""
    title: str = ""
    cited_by: str = ""


def parts_of(
    case: Case, answer: Answer | None, kind: AboutKind, documents: Iterable[str] | None = None
) -> Iterator[Part]:
    """List what a judgement of this kind can be about, in the order of case and answer.

    Of an answer that is not there only what its case has. Spans are found by who judges.

    Args:
        case: Its case.
        answer: The answer.
        kind: What the judgement is about.
        documents: Ids of documents, in their order; those that were retrieved and then those of
            the case if not given.

    Example:
        >>> case = Case(case="1", evidence=[{"id": "7", "text": "Rest for two weeks."}])
        >>> answer = Answer(
        ...     system="A", case="1", statements=[{"text": "Rest.", "citations": ["7"]}]
        ... )
        >>> [part.about for part in parts_of(case, answer, "statement")]
        ['statement:1']
        >>> part, = parts_of(case, answer, "citation")
        >>> part.about, part.text, part.cited_by
        ('citation:1/7', 'Rest for two weeks.', 'Rest.')
    """
    statements = () if answer is None else statements_of(answer)
    match kind:
        case "answer":
            yield Part("")
        case "criterion":
            for criterion in case.criteria:
                yield Part(About(kind, criterion.id).written, criterion.id, criterion.text)
        case "statement":
            for place, statement in enumerate(statements, start=1):
                yield Part(About(kind, place=place).written, text=statement.text)
        case "citation":
            yield from _citations(case, statements)
        case "document":
            retrieved = () if answer is None else answer.retrieved or ()
            every = [retrieved_document.document for retrieved_document in retrieved] + [
                document.id for document in case.documents
            ]
            yield from _documents(case, every if documents is None else documents)
        case "span":
            pass


def _citations(case: Case, statements: Sequence[Statement]) -> Iterator[Part]:
    for place, statement in enumerate(statements, start=1):
        for cited in dict.fromkeys(statement.citations):
            about = About("citation", cited, place).written
            yield Part(about, cited, cited_text(case, cited) or "", cited_by=statement.text)


def cited_text(case: Case, cited: str) -> str | None:
    """Give the words of what an answer cites; empty where nobody has them.

    Returns:
        None where the case has other sources, and none of this name.

    Example:
        >>> case = Case(case="1", documents=[{"id": "d", "text": "Rest."}, {"id": "e"}])
        >>> cited_text(case, "d"), cited_text(case, "d#3"), cited_text(case, "e")
        ('Rest.', 'Rest.', '')
        >>> cited_text(case, "f"), cited_text(Case(case="2"), "f")
        (None, '')
    """
    texts = {document.id: document.text or document.title or "" for document in case.documents}
    texts |= {evidence.id: evidence.text for evidence in case.evidence}
    # `document#3` is a sentence of a document.
    return texts.get(cited, texts.get(cited.rpartition("#")[0], None if texts else ""))


def _documents(case: Case, names: Iterable[str]) -> Iterator[Part]:
    known = {document.id: document for document in case.documents}
    for name in dict.fromkeys(names):
        title, text = "", ""
        if name in known:
            title, text = known[name].title or "", known[name].text or ""
        yield Part(About("document", name).written, name, text or title, title or text)


def statements_of(answer: Answer) -> Sequence[Statement]:
    """Give an answer's statements; all of its text is one where it has none of its own.

    Example:
        >>> [one.text for one in statements_of(Answer(system="A", case="1", text="Rest."))]
        ['Rest.']
    """
    if answer.statements or not (answer.text or "").strip():
        return answer.statements or ()
    return (Statement(text=answer.text or ""),)


RATER_KINDS: Final = ("person", "model")
NO_VERDICT: Final = ("off_menu", "refused", "cut_off", "failed")
"""How a model that was asked gave no verdict: nothing of what was offered, a refusal, half a reply,
or none at all. Never a verdict, and never the rater's own `cannot_judge`."""
_OWN_REASONS: Final = ("cannot_judge", "not_applicable")
REASONS: Final = (*_OWN_REASONS, *NO_VERDICT)
OWN_WORDS: Final = ("comment", "rationale")
"""What raters wrote in words of their own."""
SAID: Final = ("label", "number", "kind", "severity", "choice", "reason")
"""What a judgement or a preference says, or why it says nothing."""
COUNTED: Final = ("main",)
"""The phases that count where nobody says that calibration does."""
PHASES: Final = ("calibration", "main", "repeat", "adjudication")
MANY: Final = 4
"""From so many rows on, one line says it of all of them."""
_FIRST: Final = 3
_SHOWN: Final = 4
_NAMES_A_THING: Final = ("rater", "system", "system_a", "system_b", "case", "about", "dimension")


def earliest_first(frame: "pl.DataFrame", key: Sequence[str]) -> "pl.DataFrame":
    """Sort by key, and the rows of one key by time where all of them have one.

    Where one lacks a time the order of the rows decides, so that a correction typed into the end of
    a file is never taken for something older.
    """
    import polars as pl

    if frame["time"].null_count() in {0, frame.height}:
        return frame.sort(*key, "time", maintain_order=True)
    timed = pl.col("time").is_not_null().all().over(key)
    return frame.sort(*key, pl.when(timed).then("time"), maintain_order=True)


def latest(sorted_rows: "pl.DataFrame", key: Sequence[str]) -> "pl.DataFrame":
    """Keep the last row of each key, and of each arm of display in which it was judged."""
    arms = ["display"] if sorted_rows["display"].is_not_null().any() else []
    return sorted_rows.unique([*key, *arms], keep="last", maintain_order=True)


def first_display(current: "pl.DataFrame", key: Sequence[str]) -> "pl.DataFrame":
    """Keep one row of each key: of the same thing in two arms of display the one met first.

    The second time a rater knows what they saw before. First means: by `position`, else in the
    order of the rows.
    """
    if current["display"].is_null().all():
        return current
    met = current.sort(*key, "position", nulls_last=True, maintain_order=True)
    return met.unique(key, keep="first", maintain_order=True)


def frame_to_csv(frame: "pl.DataFrame") -> bytes:
    """Write a frame as CSV with moments in ISO 8601 and no comment that could run as a formula."""
    import polars as pl

    moments = pl.col("time").dt.strftime("%Y-%m-%dT%H:%M:%S%.fZ")
    own = [name for name in OWN_WORDS if name in frame.columns]
    safe = {name: {c: guarded(c) for c in frame[name].unique().drop_nulls()} for name in own}
    written = [
        pl.col(name).replace({c: to for c, to in safe[name].items() if c != to}) for name in own
    ]
    whole = frame.with_columns(moments, *written)
    if _is_plain(whole):
        return whole.write_csv().encode()  # the same bytes at a tenth of the time
    return csv_bytes(whole.columns, _Rows(whole))


def _is_plain(frame: "pl.DataFrame") -> bool:
    """Say whether polars and the csv module write the same: words, none of them empty, and counts.

    They write fractions, empty words and lone carriage returns in ways of their own.
    """
    import polars as pl

    if frame.width <= 1 or frame.is_empty():
        return False
    words = [name for name, kind in frame.schema.items() if kind == pl.String]
    others = frame.drop(words)
    if any(not kind.is_integer() and others[n].count() for n, kind in others.schema.items()):
        return False
    odd = [(pl.col(name) == "") | pl.col(name).str.contains("\r", literal=True) for name in words]
    return not frame.select(pl.any_horizontal(*odd).any()).item()


class _Rows:
    """The rows of a frame, to be gone through again and again without being held."""

    def __init__(self, frame: "pl.DataFrame") -> None:
        self._frame = frame

    def __iter__(self) -> Iterator[tuple[object, ...]]:
        return self._frame.iter_rows()


def without_empty(frame: "pl.DataFrame", columns: Sequence[str]) -> "pl.DataFrame":
    """Leave out those of the columns that no row fills."""
    return frame.drop(
        name for name in columns if name in frame.columns and frame[name].is_null().all()
    )


def refuse_both_or_neither(
    intake: "Intake", series: "pl.Series", reason: "pl.Series", rows: "pl.Series | None" = None
) -> None:
    """Refuse rows that hold both a label (a number, a choice) and a reason, or none of them.

    Args:
        intake: Where problems go.
        series: What was said, as written.
        reason: Why nothing was said.
        rows: Which rows are meant; all if not given.
    """
    what = series.name
    hint = f"Leave one of them empty: a reason says why there is no {what}."
    both = series.is_not_null() & reason.is_not_null()
    both = both if rows is None else both & rows
    intake.refuse(both, what, f"hold a {what} or a reason, not both", series, hint)
    neither = series.is_null() & reason.is_null()
    neither = neither if rows is None else neither & rows
    hint = f"Say why in the column reason: {' or '.join(_OWN_REASONS)}."
    intake.refuse(neither, what, f"hold a {what} or a reason", "neither", hint)


def refuse_twice(frame: "pl.DataFrame", key: Sequence[str], sheet: "Sheet") -> None:
    """Refuse what a rater said twice of one thing where no time says which of them holds.

    Args:
        frame: The rows of the sheet, checked, in their order.
        key: What a judgement is of, and whose it is.
        sheet: Where they stand.

    Raises:
        InvalidInput: With the rows of each; of many the first are named and the others counted.
    """
    import polars as pl

    arms = [name for name in ("display",) if name in frame.columns]
    several = (pl.len().over(*key, *arms) > 1) & pl.col("time").is_null().any().over(*key, *arms)
    groups: dict[tuple[object, ...], list[int]] = {}
    for at, *thing in frame.with_row_index("at").filter(several).select("at", *key, *arms).rows():
        groups.setdefault(tuple(thing), []).append(at)
    hint = "Leave out all but the one that holds, or give each its time (column time)."
    problems = []
    for rows in list(groups.values())[:_SHOWN]:
        names = [name for name in _NAMES_A_THING if name in frame.columns]
        what = ", ".join(f"{name} {value}" for name in names if (value := frame[name][rows[0]]))
        places = [f"{sheet.rows[at]}" for at in rows]
        if len({*places}) == 1:
            places = [getattr(sheet.rows[at], "column", places[0]) for at in rows]
            got = f"{what} in columns {listed(places)}"
        else:
            got = f"{what} in rows {listed(places)}"
        must = "hold a judgement once"
        problems.append(Problem(sheet.file, must, got, hint, row=sheet.rows[rows[-1]]))
    if more := len(groups) - len(problems):
        problems.append(Problem(sheet.file, "hold a judgement once", f"{more:,} more twice"))
    if problems:
        raise InvalidInput(problems)


def refuse_two_kinds(intake: "Intake", frame: "pl.DataFrame") -> None:
    """Refuse a rater who is a person in one row and a model in another."""
    import polars as pl

    first = pl.col("rater_kind").first().over("rater")
    changes = frame.select(pl.col("rater_kind") != first).to_series() & frame["rater"].is_not_null()
    intake.refuse(changes, "rater_kind", "be the same in every row of a rater", frame["rater_kind"])


def phases_that_count(*, calibration: bool) -> tuple[str, ...]:
    """Give the phases whose labels count in a study: one rule for every number and every export.

    An answer judged again is read for agreement with oneself alone, and adjudication settles what
    raters differ on: both stand beside what counts.

    Example:
        >>> phases_that_count(calibration=True), phases_that_count(calibration=False)
        (('calibration', 'main'), ('main',))
    """
    return ("calibration", *COUNTED) if calibration else COUNTED


def last_of_phases(
    current: "pl.DataFrame", phases: Sequence[str], key: Sequence[str]
) -> "pl.DataFrame":
    """Keep the rows of these phases; of each key only the row of the phase named last.

    Raises:
        InvalidInput: A phase is not known, or none is named.
    """
    import polars as pl

    strange = [phase for phase in phases if phase not in PHASES]
    if strange or not phases:
        must = f"be some of {', '.join(PHASES)}"
        raise InvalidInput(Problem("phases", must, ", ".join(strange) or "none"))
    order = {phase: i for i, phase in enumerate(phases)}
    rows = current.filter(pl.col("phase").is_in(list(phases)))
    turn = pl.col("phase").replace_strict(order, return_dtype=pl.Int64)
    rows = rows.sort(*key, turn, maintain_order=True)
    return rows.unique(key, keep="last", maintain_order=True)


def off_scale(
    said: Sequence[str], rows: Sequence[int], dimension: str, labels: Sequence[str], who: str = ""
) -> tuple[str, str]:
    """Say what stands there in place of labels, and what may have happened.

    Args:
        said: What stands there, row by row.
        rows: The rows.
        dimension: What was rated.
        labels: The labels that there are, in their order.
        who: Who said it, where the file does not say.

    Returns:
        What was found, and what to try.

    Example:
        >>> found, hint = off_scale(["7", "10", "9", "7"], [2, 3, 5, 8], "accuracy", "15", "anna")
        >>> print(found)
        values up to 10 of anna on 4 rows (2, 3, 5 ...)
        >>> print(hint)
        accuracy goes from 1 to 5: was it another scale? Then give the rubric that raters had, or \
bring the values to this one first.
        >>> off_scale(["good", "bad", "good", "bad"], [2, 3, 4, 5], "safety", ["1", "2"])[0]
        '"good", "bad" on 4 rows (2, 3, 4 ...)'
    """
    rows = list(dict.fromkeys(rows))
    values = [_number(word) for word in said]
    scale = [_number(label) for label in labels]
    numbers = [value for value in values if value is not None]
    ends = [value for value in scale if value is not None]
    first = ", ".join(map(str, rows[:_FIRST]))
    where = f"on {count_of(len(rows), 'row')} ({first}{' ...' if rows[_FIRST:] else ''})"
    of = f" of {who}" if who else ""
    if ends and len(ends) == len(scale) and len(numbers) == len(values):
        high = max(numbers) > max(ends)
        end = f"up to {max(numbers):g}" if high else f"down to {min(numbers):g}"
        between = min(ends) <= min(numbers) and not high
        found = "values between the labels" if between else f"values {end}"
        scaled = f"{dimension} goes from {min(ends):g} to {max(ends):g}: was it another scale?"
    else:
        words = list(dict.fromkeys(f'"{word}"' for word in said))
        more = f" and {len(words) - _SHOWN} more" if words[_SHOWN:] else ""
        found = ", ".join(words[:_SHOWN]) + more
        scaled = f"Are these the labels of another rubric than the one in use for {dimension}?"
    hint = "Then give the rubric that raters had, or bring the values to this one first."
    return f"{found}{of} {where}", f"{scaled} {hint}"


def _number(word: str) -> float | None:
    try:
        return float(word.replace(",", "."))
    except ValueError:
        return None
