"""The results file of the med-gpt protocol: its rows checked, and put together by answer."""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from medassay.cases import Id
from medassay.errors import InvalidInput, Problem, nearest
from medassay.tables import Sheet, finite, parse_widely, read_record, read_sheet, with_points, wrong

_REQUIRED: Final = ("question", "answer", "model")
_SHORT: Final = (
    "question", "model", "relevance_score", "faithfulness_score", "human_score", "rater",
)  # fmt: skip
_SEPARATORS: Final = {
    "|||": re.compile(r"\s*\|\|\|\s*"),
    "||": re.compile(r"\s*\|\|\s*"),
    "a line of dashes": re.compile(r"\s*\n[ \t]*-{3,}[ \t]*\n\s*"),
    "an empty line": re.compile(r"\s*\n[ \t]*\n\s*"),
}
"""What parts chunks of running text; the first that occurs does."""
_LISTED: Final = re.compile(r"\[\s*(?:[\"'{]|[bru]+[\"']|\])")
_TEXT: Final = ("text", "content", "page_content", "chunk")
_ID: Final = ("id", "doc_id", "chunk_id", "document")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of text that a system retrieved.

    Attributes:
        text: What it says.
        name: The name that the file gives it; empty for none.
        score: The score that the file gives it.
    """

    text: str
    name: str = ""
    score: float | None = None


def read_med_gpt(paths: Sequence[Path]) -> list[Sheet]:
    r"""Read results files: question, answer, model, and whatever stands beside.

    Headers are read however their letters are written; blanks around scores and names are dropped.

    Args:
        paths: The files (.csv, .tsv, .xlsx, .jsonl, .parquet); a workbook is known by content.

    Raises:
        InvalidInput: A file cannot be read, or lacks a column; every one named.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "results.csv"
        ...     _ = file.write_text("Question,Answer,Model,human_score\nWhy?,So.,phi,4\n", "utf-8")
        ...     [sheet] = read_med_gpt([file])
        >>> list(sheet.columns)
        ['question', 'answer', 'model', 'human_score']
    """
    problems: list[Problem] = []
    sheets = []
    for path in paths:
        try:
            sheet = _named(read_sheet(path)).trimmed(_SHORT)
            sheet = with_points(sheet, [name for name in sheet.columns if _is_number(name)])
        except InvalidInput as error:
            problems += error.problems
            continue
        lacking = [name for name in _REQUIRED if name not in sheet.columns]
        for name in lacking:
            near = nearest(name, list(sheet.columns)) or f"It has {', '.join(sheet.columns)}."
            problems.append(
                Problem(sheet.file, f"have a column {name}", "none", near, sheet.header)
            )
        if not lacking and not len(sheet):
            problems.append(Problem(sheet.file, "hold an answer", "no row"))
        sheets.append(sheet)
    if problems:
        raise InvalidInput(problems)
    return sheets


def read_chunks(cell: object) -> tuple[tuple[Chunk, ...], str]:
    """Read what was retrieved for one answer, and say in which form it was written.

    A JSON list and a list as Python prints it hold texts, or objects with a text, an id and a
    score. Anything else is running text, parted by the first of |||, ||, a line of dashes and an
    empty line that occurs in it.

    Raises:
        ValueError: It begins as a list and is none; the message says what is wrong.

    Example:
        >>> chunks, form = read_chunks("['Rest.', 'Drink.']")
        >>> [chunk.text for chunk in chunks], form
        (['Rest.', 'Drink.'], 'a list as Python prints it')
        >>> read_chunks("Rest. ||| Drink.")[1]
        'text parted by |||'
    """
    if not isinstance(cell, str):
        if not isinstance(cell, list | tuple):
            raise ValueError(f"{cell!r}")  # noqa: TRY004 - what the cell holds is wrong, not the call
        return tuple(map(_chunk, cell)), "a list"
    text = cell.strip()
    if _LISTED.match(text):
        return _list_of(text)
    for name, separator in _SEPARATORS.items():
        if separator.search(text):
            pieces = [piece for piece in separator.split(text) if piece.strip()]
            return tuple(Chunk(piece.strip()) for piece in pieces), f"text parted by {name}"
    return (Chunk(text),), "one text"


def _is_number(column: str) -> bool:
    return column == "position" or "_score" in column


def _named(sheet: Sheet) -> Sheet:
    named: dict[str, list[object]] = {}
    for name, cells in sheet.columns.items():
        ours = name.strip().lower().replace(" ", "_")
        if ours in named:
            got = f'"{ours}" twice'
            raise InvalidInput(Problem(sheet.file, "name each column once", got, "", sheet.header))
        named[ours] = cells
    return replace(sheet, columns=named)


def _list_of(text: str) -> tuple[tuple[Chunk, ...], str]:
    form = "a JSON list"
    try:
        chunks: Any = parse_widely(text)
    except (ValueError, RecursionError):
        form = "a list as Python prints it"
        try:
            chunks = ast.literal_eval(text)
            # Half of a surrogate pair is no character.
            json.dumps(chunks, ensure_ascii=False, default=str).encode()
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise ValueError("the beginning of a list that is none") from None
    return tuple(map(_chunk, chunks)), form


def _chunk(item: object) -> Chunk:
    if isinstance(item, str):
        return Chunk(item.strip())
    if isinstance(item, dict):
        text = next((item[key] for key in _TEXT if isinstance(item.get(key), str)), None)
        name = next((item[key] for key in _ID if isinstance(item.get(key), str | int)), "")
        score = item.get("score")
        known = isinstance(score, int | float) and not isinstance(score, bool)
        if text is not None:
            return Chunk(text.strip(), str(name), finite(score) if known else None)  # type: ignore[arg-type] # `known` says that it is a number
    raise ValueError(f"a list that holds {json.dumps(item, default=str)[:60]}")


SCORES: Final = ("relevance_score", "faithfulness_score")
NOTHING: Final = frozenset({"", "nan", "none", "null", "na", "n/a", "<na>"})
"""What programs write into a cell that is empty."""
_COMMENTS: Final = ("rationale", "comment", "notes", "note")
ASPECTS: Final[Mapping[str, str]] = {
    "accuracy": "accuracy", "medical_accuracy": "accuracy", "completeness": "completeness",
    "clarity": "clarity", "clinical_relevance": "clinical-relevance", "grounding": "grounding",
}  # fmt: skip
_SIGNS: Final = {"✓": "yes", "✗": "no", "?": "unclear"}
_WIDE: Final = "human_score_"
_OWN: Final = (
    "question", "answer", "model", "retrieved_chunks", *SCORES, "human_score", "rater", "position",
)  # fmt: skip


def _none_if_nothing(value: object) -> object:
    return None if isinstance(value, str) and value.strip().lower() in NOTHING else value


def _asked(value: object) -> object:
    text = str(value).strip()
    if text.lower() in NOTHING:
        raise wrong("ask something", f'"{value}"')
    return text


_Number = Annotated[
    Annotated[float, Field(allow_inf_nan=False)] | None, BeforeValidator(_none_if_nothing)
]


class _Row(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    question: Annotated[str, BeforeValidator(_asked)]
    model: Id
    relevance_score: _Number = None
    faithfulness_score: _Number = None
    rater: Id | None = None
    position: Annotated[int, Field(ge=1)] | None = None


@dataclass
class Merged:
    """One model's answer to one question, from every file that holds it.

    Attributes:
        text: The answer.
        chunks: What was retrieved; None where no file says.
        scores: Name to value, of those that are there.
        extra: Cells of columns that the protocol has not.
        place: File and row that brought it.
    """

    text: str
    chunks: tuple[Chunk, ...] | None
    scores: dict[str, float]
    extra: dict[str, str]
    place: tuple[str, int]


@dataclass
class MedGptRatings:
    """What the files hold.

    Attributes:
        answers: Question and model to the answer, in the order of the first file.
        labels: Judgements as rows of cells, each with its file, row and column.
        forms: How retrieved chunks were written, to how many cells were.
        empty: Column to how many cells hold a word for nothing, such as nan.
    """

    answers: dict[tuple[str, str], Merged] = field(default_factory=dict)
    labels: list[tuple[str, int, str, dict[str, object]]] = field(default_factory=list)
    forms: dict[str, int] = field(default_factory=dict)
    empty: dict[str, int] = field(default_factory=dict)


def merge(sheets: Sequence[Sheet], raters: Sequence[str], problems: list[Problem]) -> MedGptRatings:
    """Check every row, and put rows of several files about one answer together.

    Args:
        sheets: The files.
        raters: For each file who rated in it, where its rows do not say.
        problems: Where everything that is wrong is added: answers given twice, two texts or two
            scores of one answer, scores that are no whole number from 1 to 5.
    """
    rated = MedGptRatings()
    first_said: dict[tuple[str, str, str], tuple[str, int]] = {}
    for sheet, own in zip(sheets, raters, strict=True):
        for row, cells in sheet.records():
            record = read_record(_Row, cells, file=sheet.file, row=row, problems=problems)
            if record is None:
                continue
            key = record.question, record.model
            by_row = "rater" in sheet.columns
            rater = record.rater if by_row else own
            labels = _labels(sheet, row, cells, rater, problems)
            if by_row and record.rater is None:
                # Nobody rated it, or it is not known who did.
                if labels:
                    problems.append(
                        Problem(sheet.file, "say who rated", "nothing", "", row, "rater")
                    )
                    continue
                rater = ""
            there = first_said.setdefault((*key, rater or ""), (sheet.file, row))
            if there != (sheet.file, row):
                got = f"the answer of {there[0]}, row {there[1]} again"
                hint = "One file a rater, or a column rater, brings more than one rater's scores."
                must = "hold one answer for a question and model"
                problems.append(Problem(sheet.file, must, got, hint, row, "model"))
                continue
            _count_empty(cells, rated)
            _add(rated, key, _answer(sheet.file, row, cells, record, rated, problems), problems)
            for column, dimension, label, who in labels:
                judgement: dict[str, object] = {
                    "rater": who, "question": record.question, "system": record.model,
                    "dimension": dimension, "label": label, "position": record.position,
                    "comment": _comment(cells) if dimension == "overall" and who == rater else None,
                }  # fmt: skip
                rated.labels.append((sheet.file, row, column, judgement))
    return rated


def _labels(
    sheet: Sheet, row: int, cells: Mapping[str, object], rater: str | None, problems: list[Problem]
) -> list[tuple[str, str, str, str]]:
    """Give column, dimension, label and rater of everything that was judged in one row."""
    labels = []
    for column, cell in cells.items():
        text = str(cell).strip()
        if text.lower() in NOTHING:
            continue
        if column == "human_score" or column.startswith(_WIDE):
            score = _whole(text)
            if score is None:
                hint = "An average of raters is none: give each rater's own scores." * ("." in text)
                must = "be a whole number from 1 to 5"
                problems.append(Problem(sheet.file, must, f'"{text}"', hint, row, column))
            else:
                who = rater if column == "human_score" else column.removeprefix(_WIDE)
                labels.append((column, "overall", score, who or ""))
        elif column in ASPECTS:
            label = _SIGNS.get(text, text.lower())
            if label not in _SIGNS.values():
                must = "be yes, no or unclear"
                problems.append(Problem(sheet.file, must, f'"{text}"', "", row, column))
            else:
                labels.append((column, ASPECTS[column], label, rater or ""))
    return labels


def _whole(text: str) -> str | None:
    whole, _, rest = text.partition(".")
    return whole if whole in {"1", "2", "3", "4", "5"} and not rest.strip("0") else None


def _answer(
    file: str,
    row: int,
    cells: Mapping[str, object],
    record: _Row,
    rated: MedGptRatings,
    problems: list[Problem],
) -> Merged:
    chunks: tuple[Chunk, ...] | None = None
    cell = cells.get("retrieved_chunks")
    if cell is not None and str(cell).strip().lower() not in NOTHING:
        try:
            chunks, form = read_chunks(cell)
            rated.forms[form] = rated.forms.get(form, 0) + 1
        except ValueError as error:
            must, column = "be a list of texts, or text", "retrieved_chunks"
            problems.append(Problem(file, must, str(error), "", row, column))
    text = str(cells.get("answer", ""))
    scores = {name: value for name in SCORES if (value := getattr(record, name)) is not None}
    known = {*_OWN, *_COMMENTS, *ASPECTS}
    extra = {
        name: str(value)
        for name, value in cells.items()
        if name not in known and not name.startswith(_WIDE) and name
    }
    return Merged(text, chunks, scores, extra, (file, row))


def _add(rated: MedGptRatings, key: tuple[str, str], new: Merged, problems: list[Problem]) -> None:
    """Add an answer, or hold it against what another file said of it."""
    old = rated.answers.setdefault(key, new)
    if old is new:
        return
    file, row = new.place
    where = f"{old.place[0]}, row {old.place[1]}"

    def differs(column: str, got: str) -> None:
        must = f"say of an answer what {where} says of it"
        problems.append(Problem(file, must, got, "", row, column))

    if old.text.strip() != new.text.strip():
        differs("answer", "another text")
    if old.chunks is None:
        old.chunks = new.chunks
    elif new.chunks is not None and old.chunks != new.chunks:
        differs("retrieved_chunks", "other texts")
    for name, value in new.scores.items():
        if old.scores.setdefault(name, value) != value:
            differs(name, f"{value:g}, and {old.scores[name]:g} there")
    for name, cell in new.extra.items():
        old.extra.setdefault(name, cell)


def _count_empty(cells: Mapping[str, object], rated: MedGptRatings) -> None:
    for name in (*SCORES, "human_score", "retrieved_chunks"):
        if str(cells.get(name, "1")).strip().lower() in NOTHING:
            rated.empty[name] = rated.empty.get(name, 0) + 1


def _comment(cells: Mapping[str, object]) -> str | None:
    lines = [str(cells[name]).strip() for name in _COMMENTS if name in cells]
    return " / ".join(dict.fromkeys(filter(None, lines))) or None
