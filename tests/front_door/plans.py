"""What a table is to be like: each way drawn by the fixed shares of shares.toml."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from tests.front_door.words import words_of

__all__ = ["Plan", "draw_plan", "shares"]

_HERE: Final = Path(__file__).parent
_ROOM: Final = {
    # What a layout has columns for, beside questions, answers and labels.
    "long": ("topic", "age", "reference", "contexts", "confidence", "seconds", "tokens", "comment",
             "scores", "choice", "cost"),
    "answers_long": ("topic", "reference", "seconds", "tokens", "scores", "confidence"),
    "long_by_rating": ("topic", "comment"),
    "wide": ("topic", "age", "reference", "scores", "seconds"),
    "grid": ("topic", "reference", "comment"),
    "two_row": ("topic",),
    "sheet_per_system": ("topic", "reference"),
    "sheet_per_rater": ("comment",),
    "apart": ("topic", "reference", "seconds", "comment"),
    "ratings_alone": ("comment",),
    "reviewers": ("topic",),
    "rag_log": ("reference", "contexts", "scores", "confidence", "seconds", "tokens", "retrieved",
                "choice", "cost"),
    "preferences": (),
    "file_per_rater": (),
}  # fmt: skip
_WORKBOOKS: Final = {"sheet_per_system", "sheet_per_rater"}
_ROWS_OF_ONE: Final = {"long", "answers_long", "long_by_rating", "apart", "ratings_alone"}
_UNRATED: Final = {"wide", "rag_log"}
_FLAT: Final = {"long", "answers_long", "long_by_rating", "rag_log"}
_PLAIN_ROWS: Final = {"long", "answers_long", "grid", "wide", "rag_log"}
_SEVERAL: Final = {"apart", "file_per_rater"}
_NAMELESS: Final = {"latin", "cyrillic", "greek", "arabic", "hebrew", "han", "kana", "devanagari"}
_WITHOUT_CAPITALS: Final = {"zh", "ja", "ar"}
_ALWAYS: Final = {"rag_log": ("contexts", "scores")}


@cache
def shares() -> dict[str, dict[str, float]]:
    """Read the shares."""
    return tomllib.loads((_HERE / "shares.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Plan:
    """One way of laying a study out; each word is one of shares.toml."""

    layout: str
    file: str
    language: str
    header: str
    words: str
    texts: str
    systems: str
    raters: str
    rater_word: str
    scale: str
    scale_place: str
    scale_words: str
    yes_no: str
    number: str
    blank: str
    sampled: bool
    samples: int
    rater_place: str
    notes: str
    extras: tuple[str, ...]
    harm_most: bool
    narrow: bool
    several_systems: bool
    one_workbook: bool
    header_style: str
    clutter: str
    confidence: str
    encoding: str
    hand: str
    fill: str
    order: str
    column_order: str
    question: str
    apart_form: str
    head_rows: str
    alone_form: str
    preference_form: str

    @property
    def rated(self) -> bool:
        """Say whether somebody rated the answers."""
        return self.layout not in _UNRATED

    @property
    def best_is_low(self) -> bool:
        """Say whether a scale says that its lowest value is the best."""
        return self.scale_place == "header" and self.scale_words == "(1 = best)"

    @property
    def decimal_comma(self) -> bool:
        """Say whether numbers have a comma: where semicolons part the cells."""
        return self.file == "semicolon"

    @property
    def may_lose_answers(self) -> bool:
        """Say whether the layout shows that an answer is missing: by an empty cell."""
        return self.layout in {"long", "answers_long", "wide", "grid", "two_row"}

    def has(self, extra: str) -> bool:
        """Say whether the table has a column of that role."""
        return extra in self.extras

    def word(self, role: str, rng: np.random.Generator) -> str:
        """Draw the word of a header."""
        word = str(rng.choice(words_of(self.header, role, self.words)))
        if self.header in _WITHOUT_CAPITALS:
            return word
        if self.header_style == "snake":
            return re.sub(r"\W+", "_", word.lower()).strip("_")
        return word.upper() if self.header_style == "upper" else word


def draw_plan(rng: np.random.Generator) -> Plan:
    """Draw how a table shall be; what cannot go together is left out."""
    pick = {heading: _pick(heading, rng) for heading in shares()}
    layout = pick["layout"]
    file = pick["file"]
    if layout in _WORKBOOKS:
        file = "ods" if file in {"ods", "jsonl"} else "xlsx"
    if layout == "two_row" and file == "jsonl":
        file = "xlsx"
    language = pick["language"]
    header = language if pick["header"] == "same" else "en"
    scale, place = pick["scale"], pick["scale_place"]
    if scale in {"yes/no", "0/1", "three words", "five words"} or (
        place in {"row", "above"} and (file == "jsonl" or layout not in {"long", "grid"})
    ):
        place = "nowhere"
    if layout == "ratings_alone" and pick["alone_form"] == "form":
        place = "nowhere"  # a form's headers name no scale
    notes = _notes(pick["notes"], file, layout)
    rater_place = pick["rater_place"] if layout in {"long", "ratings_alone"} else "column"
    samples = 2 if pick["repeats"] == "twice" and layout in _ROWS_OF_ONE else 1
    return Plan(
        layout=layout,
        file=file,
        language=language,
        header=header,
        words=pick["words"],
        texts="long" if layout == "ratings_alone" else pick["texts"],
        systems=pick["systems"],
        raters=pick["raters"],
        rater_word=_rater_word(pick, header, rng),
        scale=scale,
        scale_place=place,
        scale_words=pick["scale_words"],
        yes_no=pick["yes_no"],
        number=_number(pick["number"], scale),
        blank=pick["blank"],
        sampled=pick["design"] == "sampled"
        and layout in {"long", "answers_long", "long_by_rating"},
        samples=samples,
        rater_place=rater_place,
        notes=notes,
        extras=_extras(pick["extras"], layout, rng),
        harm_most=pick["harm_share"] == "most",
        narrow=place == "nowhere" and scale == "1-5" and bool(rng.random() < 0.12),
        several_systems=bool(rng.random() < 0.4),
        one_workbook=layout in _WORKBOOKS
        or notes == "sheet"
        or (layout == "apart" and bool(rng.random() < 0.6)),
        header_style=pick["header_style"],
        clutter=pick["clutter"] if layout in _PLAIN_ROWS and place != "row" else "none",
        confidence=pick["confidence"],
        encoding=_encoding(pick["encoding"], file, language),
        hand=pick["hand"],
        fill=pick["fill"] if layout in {"long", "answers_long"} and file != "jsonl" else "each",
        order=pick["order"],
        column_order=pick["column_order"] if layout in _FLAT and place != "row" else "usual",
        question=pick["question"] if file == "jsonl" and layout in _FLAT else "text",
        apart_form=pick["apart_form"],
        head_rows=pick["head_rows"],
        alone_form=pick["alone_form"] if samples == 1 and rater_place == "column" else "rows",
        preference_form=pick["preference_form"],
    )


def _pick(heading: str, rng: np.random.Generator) -> str:
    table = shares()[heading]
    weights = np.array(list(table.values()), dtype=float)
    return str(rng.choice(list(table), p=weights / weights.sum()))


def _notes(notes: str, file: str, layout: str) -> str:
    """Let a legend have a sheet in workbooks alone, and means a row below columns of numbers."""
    has_sheets = file in {"xlsx", "ods"} and layout not in _SEVERAL
    if file == "jsonl" or (notes == "sheet" and not has_sheets):
        return "none"
    return "none" if notes == "means" and layout not in {"answers_long", "grid"} else notes


def _encoding(encoding: str, file: str, language: str) -> str:
    """Let files of western Europe be written as Windows does."""
    western = language in {"en", "de", "fr", "es", "pt", "it", "nl"}
    return encoding if western and file in {"csv", "semicolon"} else "utf-8"


def _number(number: str, scale: str) -> str:
    """Let only scales of five have words beside their numbers."""
    return number if number in {"plain", "point_zero"} or scale == "1-5" else "plain"


def _rater_word(pick: dict[str, str], header: str, rng: np.random.Generator) -> str:
    named = pick["raters"] in _NAMELESS and pick["rater_word"] == "word"
    return str(rng.choice(words_of(header, "rater")[:3])) if named else ""


def _extras(how_many: str, layout: str, rng: np.random.Generator) -> tuple[str, ...]:
    room = _ROOM[layout]
    if how_many == "none" or not room:
        return _ALWAYS.get(layout, ())
    count = int(rng.integers(1, 3)) if how_many == "few" else int(rng.integers(2, 6))
    chosen = rng.choice(len(room), min(count, len(room)), replace=False)
    extras = dict.fromkeys((*_ALWAYS.get(layout, ()), *(room[i] for i in sorted(chosen))))
    if "retrieved" in extras:
        # Ids of documents stand in the place of their texts.
        extras.pop("contexts", None)
    return tuple(extras)
