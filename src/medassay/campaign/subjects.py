"""What raters are asked about one item: the answer, its parts, what it is held against."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, get_args

from medassay.answers import Answer
from medassay.campaign.texts import document_paragraph
from medassay.cases import Case, Document
from medassay.errors import InvalidInput, Problem
from medassay.judgements import About, AboutKind, Dimension, Label, Part, Rubric, parts_of
from medassay.judgements.campaign import Abouts, Item, Kind, Settings
from medassay.study.folder import Study

PASSAGES: Final = 5
"""How many rows a sheet offers for passages that raters find; they may add some."""
_TITLES: Final[dict[AboutKind, str]] = {
    "answer": "Answer",
    "criterion": "Criterion",
    "statement": "Statement",
    "citation": "Citation",
    "span": "Passage",
    "document": "Document",
}
_BEFORE: Final[tuple[AboutKind, ...]] = ("document",)
"""What is judged before the answer is read."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that a judgement can be about.

    Attributes:
        kind: What it is.
        about: Its value for the column `about`; empty for the answer, and for a passage, which the
            rater finds.
        title: What stands for it in a sheet, such as `Criterion 2`.
        text: Its words; of a passage the text that it is found in.
        short: The same where what it is held against is seen beside it.
    """

    kind: AboutKind
    about: str = ""
    title: str = ""
    text: str = ""
    short: str = ""


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """One row of an item in a sheet, and the dimensions that it asks."""

    subject: Subject
    dimensions: tuple[str, ...]


def asked_rows(
    study: Study, item: Item, rubric: Rubric, settings: Settings, *, citations: bool = True
) -> tuple[SubjectRow, ...]:
    """Give the rows of an item: its documents, the answer, and what else is asked of it.

    Args:
        study: The study.
        item: What is rated.
        rubric: What is asked.
        settings: What stands beside an answer; a hidden document is not asked about.
        citations: Whether the rater sees what statements cite.
    """
    of_kind: dict[AboutKind, list[str]] = {}
    for dimension in rubric.dimensions:
        of_kind.setdefault(dimension.about, []).append(dimension.id)
    rows = {}
    for kind in get_args(AboutKind):
        asked = tuple(of_kind.get(kind, ()))
        if kind == "answer":
            subjects: Sequence[Subject] = (Subject("answer", title=_TITLES["answer"]),)
        elif not asked or item.system_b or (kind == "citation" and not citations):
            subjects = ()
        else:
            subjects = _wanted(subjects_of(study, item, kind, settings), item)
        rows[kind] = [SubjectRow(subject, asked) for subject in subjects]
    order = [*_BEFORE, *(kind for kind in rows if kind not in _BEFORE)]
    return tuple(row for kind in order for row in rows[kind])


def _wanted(subjects: Sequence[Subject], item: Item) -> list[Subject]:
    """Keep the parts that an item names; of a kind of which it names none all are asked."""
    named = [subject for subject in subjects if subject.about in item.parts]
    return named or list(subjects)


def abouts_of(study: Study, settings: Settings) -> Abouts:
    """Say of any item what each dimension is asked about; None where raters find that."""
    by_item = rows_by_item(study, settings)

    def abouts(item: Item, dimension: str) -> Sequence[str] | None:
        subjects = [row.subject for row in by_item(item) if dimension in row.dimensions]
        if any(subject.kind == "span" for subject in subjects):
            return None
        return [subject.about for subject in subjects]

    return abouts


def rows_by_item(study: Study, settings: Settings) -> Callable[[Item], tuple[SubjectRow, ...]]:
    """Give the rows of any item, worked out once; of one that is gone the answer's alone."""
    rubric = asked_rubric(study, settings.kind)

    @cache
    def rows(item: Item) -> tuple[SubjectRow, ...]:
        return asked_rows(study, item, rubric, settings)

    return rows


def found_in(text: str, words: str) -> list[str]:
    """Find words in a text and give each place as a value for the column `about`.

    Blanks and line ends do not matter.

    Example:
        >>> found_in("Rest. Then rest more.", "rest"), found_in("Take it  twice.", "it twice")
        (['span:11-15'], ['span:5-14'])
    """
    import re

    pattern = r"\s+".join(re.escape(word) for word in words.split())
    return [About("span", span=match.span()).written for match in re.finditer(pattern, text)]


def subjects_of(study: Study, item: Item, kind: AboutKind, settings: Settings) -> list[Subject]:
    """List what of an item a judgement of this kind can be about; nothing where it has none."""
    answer = study.answers.get(item.system, item.case, item.sample)
    if item.case not in study.cases or answer is None or not answer.held:
        return []
    case = study.cases[item.case]
    if kind == "span":
        text = answer.text or ""
        return [Subject(kind, "", f"{_TITLES[kind]} {n}", text) for n in range(1, PASSAGES + 1)]
    parts = parts_of(case, answer, kind, _documents(case, answer, settings))
    known = {document.id: document for document in case.documents}
    return [
        Subject(kind, part.about, f"{_TITLES[kind]} {number}", text, part.title or part.text)
        for number, part in enumerate(parts, start=1)
        for text in [_words(kind, part, known.get(part.id))]
    ]


def _documents(case: Case, answer: Answer, settings: Settings) -> list[str]:
    """List the documents that stand beside an answer, those that it rests on first."""
    retrieved = [document.document for document in answer.retrieved or ()]
    offered = [document.id for document in case.documents if document.text]
    return [
        *(retrieved if "retrieved" in settings.parts else ()),
        *(offered if "documents" in settings.parts else ()),
    ]


def _words(kind: AboutKind, part: Part, document: Document | None) -> str:
    if kind == "document":
        return document_paragraph(part.id, document)
    return f"{part.cited_by}\n[{part.id}] {part.text}".strip() if kind == "citation" else part.text


PREFERENCES = Rubric(
    name="preferences",
    dimensions=(
        Dimension(
            id="overall",
            title="Which is better?",
            question="Which of the two answers would you rather give to the person who asked?",
            scale="nominal",
            labels=(
                Label(label="A", description="Answer A is better.", aliases=("Answer A",)),
                Label(label="B", description="Answer B is better.", aliases=("Answer B",)),
                Label(
                    label="tie",
                    description="Neither is better: they are equally good, or equally bad.",
                    aliases=("equal", "same"),
                ),
            ),
        ),
    ),
)


def asked_rubric(study: Study, kind: Kind) -> Rubric:
    """Give the dimensions that raters are asked directly; derived ones follow from others.

    Raises:
        InvalidInput: Every dimension of the study is derived.
    """
    if kind == "preferences":
        return PREFERENCES
    asked = tuple(dimension for dimension in study.rubric.dimensions if not dimension.derived)
    if not asked:
        must = "have a dimension that raters are asked about"
        raise InvalidInput(Problem("study.toml", must, "derived ones only", "", None, "dimensions"))
    return study.rubric.with_dimensions(asked)


def asked_parts(study: Study, kind: Kind) -> tuple[Rubric, ...]:
    """Part what is asked: first what is judged blind, then what needs the system's confidence.

    There is one part where no system says how confident it is, or no question is about that.
    """
    rubric = asked_rubric(study, kind)
    blind = tuple(dimension for dimension in rubric.dimensions if not dimension.after_reveal)
    revealed = tuple(dimension for dimension in rubric.dimensions if dimension.after_reveal)
    has_levels = any(answer.confidence_label is not None for answer in study.answers)
    if not (blind and revealed and has_levels):
        return (rubric,)
    return tuple(map(rubric.with_dimensions, (blind, revealed)))


def hash_of_rubric(rubric: Rubric) -> str:
    """Give a short SHA-256 of what is asked; a translation of it asks the same."""
    return hash_of(rubric.model_dump(mode="json", exclude={"language", "translations"}))


def hash_of(value: object) -> str:
    """Give a short SHA-256 of plain data."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
