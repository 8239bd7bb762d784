"""A rubric's questions as REDCap's fields, and the data dictionary of a row a field."""

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from medassay.campaign.rating_sheet import HEADINGS, REASON_WORDS
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Dimension
from medassay.tables import Sheet, csv_bytes, guarded_cell, unguarded

RECORD: Final = "record_id"
RATER: Final = "rater"
ANSWER: Final = "answer"
"""The form that holds what raters read: filled once for each record."""
RATING: Final = "rating"
"""The form that holds what a rater says: a repeating one, an instance a rater."""
_LONGEST: Final = 26
"""What REDCap recommends; it takes up to 100."""
_ENDINGS: Final = ("", "_why", "_sure", "_comment")
_STEM: Final = _LONGEST - len(max(_ENDINGS, key=len))


@dataclass(frozen=True, slots=True)
class RatingFields:
    """What the fields of one dimension are called.

    Attributes:
        dimension: The dimension.
        said: Takes the label or the number.
        reason: Takes why there is no number; labels have their reasons among the choices.
        confidence: Takes how sure the rater is.
        comment: Takes what the rater writes beside it.
    """

    dimension: Dimension
    said: str
    reason: str
    confidence: str
    comment: str


def shown_field(kind: str) -> str:
    """Give the name of the field that holds a kind of text."""
    return f"shown_{kind}"


def rating_fields(dimensions: Iterable[Dimension]) -> list[RatingFields]:
    """Name the fields of each dimension, as REDCap wants names.

    They are of small letters, digits and single underscores, begin with a letter, and have 2 to 26
    signs; no two are alike, and none is that of another field of the project.

    Example:
        >>> from medassay.judgements import Dimension
        >>> asked = [Dimension(id=name, question="How good?", number={}) for name in
        ...          ("answers-question", "Qualité (1)".replace("(1)", "1"), "質", "rater")]
        >>> [fields.said for fields in rating_fields(asked)]
        ['answers_question', 'qualite_1', 'dimension', 'rater_2']
        >>> rating_fields(asked)[0].comment
        'answers_question_comment'
    """
    taken = {RECORD, RATER, *map(shown_field, (*HEADINGS, "texts"))}
    taken |= {f"{form}_{what}" for form in (ANSWER, RATING) for what in ("complete", "timestamp")}
    named = []
    for dimension in dimensions:
        stem = _stem(dimension.id)
        tries = (_names(stem, number) for number in count(1))
        names = next(some for some in tries if taken.isdisjoint(some))
        taken.update(names)
        said, reason, confidence, comment = names
        named.append(RatingFields(dimension, said, reason, confidence, comment))
    return named


def codes_of(words: Sequence[str], scores: Sequence[float] | None = None) -> dict[str, str]:
    """Give each word a whole number: its own, else its score, else its place from 1.

    Reasons why there is no word follow under 98 and 99, as usual in clinical data, or under 998 and
    999 where a word has one of these.

    Returns:
        Word to code; the reasons last.

    Example:
        >>> codes_of(["1", "2", "3"])
        {'1': '1', '2': '2', '3': '3', 'cannot judge': '98', 'not applicable': '99'}
        >>> codes_of(["no", "yes"], [0, 1])["yes"], codes_of(["no", "yes"])["yes"]
        ('1', '2')
        >>> codes_of(["0", "98"])["cannot judge"]
        '998'
    """
    own = [str(int(word)) for word in words if re.fullmatch(r"[0-9]{1,9}", word)]
    by_score = [str(int(score)) for score in scores or () if score >= 0 and score == int(score)]
    places = [str(place) for place in range(1, len(words) + 1)]
    codes = next(some for some in (own, by_score, places) if len(set(some)) == len(words))
    last = next(
        number
        for number in (10**digits for digits in count(2))
        if not {str(number - 2), str(number - 1)} & {*codes}
    )
    reasons = {word: str(last - 2 + place) for place, word in enumerate(REASON_WORDS)}
    return {**dict(zip(words, codes, strict=True)), **reasons}


def _names(stem: str, number: int) -> list[str]:
    end = "" if number == 1 else f"_{number}"
    candidate = stem[: _STEM - len(end)].rstrip("_") + end
    return [candidate + ending for ending in _ENDINGS]


def _stem(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    if not stem:
        return "dimension"
    # "redcap_" begins names that REDCap has for itself.
    odd = not stem[0].isalpha() or len(stem) == 1 or stem.startswith("redcap")
    return f"d_{stem}" if odd else stem


HEADER: Final = (
    "Variable / Field Name",
    "Form Name",
    "Section Header",
    "Field Type",
    "Field Label",
    "Choices, Calculations, OR Slider Labels",
    "Field Note",
    "Text Validation Type OR Show Slider Number",
    "Text Validation Min",
    "Text Validation Max",
    "Identifier?",
    "Branching Logic (Show field only if...)",
    "Required Field?",
    "Custom Alignment",
    "Question Number (surveys only)",
    "Matrix Group Name",
    "Matrix Ranking?",
    "Field Annotation",
)
"""The 18 columns in REDCap's own words and order."""
_NAMES: Final = {
    HEADER[0]: "field_name",
    HEADER[1]: "form_name",
    HEADER[3]: "field_type",
    HEADER[4]: "field_label",
    HEADER[5]: "select_choices_or_calculations",
    HEADER[17]: "field_annotation",
}
"""The columns that are read, to what REDCap calls them where a program exports them."""
_REQUIRED: Final = (HEADER[0], HEADER[1], HEADER[3], HEADER[4])
_WITH_CHOICES: Final = frozenset({"radio", "dropdown", "checkbox"})
_BUILT_IN: Final = {
    "yesno": {"1": "Yes", "0": "No"},
    "truefalse": {"1": "True", "0": "False"},
}
_ROLE: Final = re.compile(r"medassay: ([a-z]+)(?: (.*?))?(?:\s+@.*)?", re.DOTALL)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a project.

    Attributes:
        name: Its name.
        form: The form that it stands in.
        kind: Its type, such as radio, text or notes.
        label: What people read.
        choices: Code to label, where it has choices.
        section: What stands above it.
        note: What stands below it.
        validation: What a text must be, such as number.
        low: The lowest number.
        high: The highest.
        shown_if: When it is shown.
        required: Whether REDCap asks for it where it is left empty.
        annotation: What designers and REDCap read: notes, and tags such as @READONLY.
        row: Where it stood, of a dictionary that was read.
    """

    name: str
    form: str
    kind: str
    label: str
    choices: Mapping[str, str] = field(default_factory=dict)
    section: str = ""
    note: str = ""
    validation: str = ""
    low: str = ""
    high: str = ""
    shown_if: str = ""
    required: bool = False
    annotation: str = ""
    row: int = 0

    @property
    def role(self) -> tuple[str, str]:
        """Say what it is for medassay, and of which dimension; empty where it says nothing.

        Example:
            >>> Field("q", "rating", "radio", "?", annotation="medassay: dimension a b @X").role
            ('dimension', 'a b')
        """
        said = _ROLE.fullmatch(self.annotation.strip())
        return ("", "") if said is None else (said[1], said[2] or "")

    @property
    def meaning(self) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        """Give what a value of it means: two fields that differ in it must not be mixed up."""
        choices = ((code, plain_words(label)) for code, label in self.choices.items())
        return self.kind, " ".join(self.role), tuple(choices)


def dictionary_bytes(fields: Iterable[Field]) -> bytes:
    """Write a data dictionary that REDCap takes in."""
    rows = [
        [
            asked.name, asked.form, asked.section, asked.kind, asked.label,
            " | ".join(f"{code}, {label}" for code, label in asked.choices.items()),
            asked.note, asked.validation, asked.low, asked.high, "", asked.shown_if,
            "y" if asked.required else "", "", "", "", "", asked.annotation,
        ]
        for asked in fields
    ]  # fmt: skip
    return csv_bytes(HEADER, [[guarded_cell(cell) for cell in row] for row in rows])


def is_dictionary(columns: Iterable[str]) -> bool:
    """Say whether a table with these columns is a data dictionary."""
    there = {name.strip().casefold() for name in columns}
    kinds = ({HEADER[0], HEADER[3]}, {_NAMES[HEADER[0]], _NAMES[HEADER[3]]})
    return any({name.casefold() for name in names} <= there for names in kinds)


def read_dictionary(sheet: Sheet) -> dict[str, Field]:
    """Read a data dictionary, as REDCap's designer or its programming interface exports it.

    Returns:
        The fields by name, in their order.

    Raises:
        InvalidInput: With every problem of it.
    """
    found = {name.strip().casefold(): name for name in sheet.columns}
    columns = {
        ours: found.get(ours.casefold(), found.get(theirs)) for ours, theirs in _NAMES.items()
    }
    lacking = [name for name in _REQUIRED if columns[name] is None]
    if lacking:
        must, got = "have the columns of a data dictionary", f"none called {', '.join(lacking)}"
        hint = "In REDCap: Designer, then Download the current Data Dictionary."
        raise InvalidInput(Problem(sheet.file, must, got, hint, sheet.header))
    fields: dict[str, Field] = {}
    problems: list[Problem] = []
    for row, cells in sheet.records():
        text = {
            ours: unguarded(str(cells.get(theirs or "", "")).strip())
            for ours, theirs in columns.items()
        }
        name = text[HEADER[0]]
        if not name:
            problems.append(Problem(sheet.file, "name the field", "nothing", "", row, HEADER[0]))
            continue
        if name in fields:
            got = f'"{name}" again, after row {fields[name].row}'
            hint = "Delete one of the rows."
            problems.append(
                Problem(sheet.file, "name each field once", got, hint, row, columns[HEADER[0]])
            )
            continue
        kind = text[HEADER[3]].lower()
        choices = dict(_BUILT_IN.get(kind, {}))
        if kind in _WITH_CHOICES:
            place = (sheet.file, row, columns[HEADER[5]] or HEADER[5])
            choices = _choices(text[HEADER[5]], place, problems)
        fields[name] = Field(
            name, text[HEADER[1]], kind, plain_words(text[HEADER[4]]), choices,
            annotation=text[HEADER[17]], row=row,
        )  # fmt: skip
    if not fields and not problems:
        problems.append(Problem(sheet.file, "hold the fields of a project", "none"))
    if problems:
        raise InvalidInput(problems)
    return fields


def plain_words(text: str) -> str:
    """Give a label as an export writes it: on one line, without tags.

    Example:
        >>> plain_words("<b>Is it  safe?</b> &gt; 5 < 6")
        'Is it safe? > 5 < 6'
    """
    return " ".join(html.unescape(_TAG.sub("", text)).split())


def _choices(text: str, place: tuple[str, int, str], problems: list[Problem]) -> dict[str, str]:
    file, row, column = place
    choices: dict[str, str] = {}
    for choice in filter(None, map(str.strip, text.split("|"))):
        code, comma, label = (part.strip() for part in choice.partition(","))
        if not comma or not code or not plain_words(label):
            must = "hold choices such as 1, Good | 2, Bad"
            problems.append(Problem(file, must, f'"{choice}"', "", row, column))
        elif code in choices:
            got = f'"{code}" for "{choices[code]}" and "{label}"'
            problems.append(
                Problem(file, "give each choice a different code", got, "", row, column)
            )
        else:
            choices[code] = plain_words(label)
    if not text:
        must = "hold the choices of the field"
        problems.append(Problem(file, must, "none", "Write 1, Good | 2, Bad.", row, column))
    return choices
