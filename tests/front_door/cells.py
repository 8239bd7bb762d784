"""Write single cells as people do: labels, numbers, headers, and the scale beside them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from tests.front_door.drawn import Dimension, Drawn, Scale
from tests.front_door.plans import Plan
from tests.front_door.words import material
from tests.front_door.written import Cell

__all__ = ["Pen", "accepted_ends", "doubts_about_scales"]

_TO: Final = {
    "en": "to", "de": "bis", "fr": "à", "es": "a", "pt": "a", "it": "a", "nl": "tot", "zh": "至",
    "ja": "〜", "ar": "إلى",
}  # fmt: skip
_BLANKS: Final = {"empty": "", "dash": "-", "na": "n/a", "none": ""}
_WHOLE: Final = {(1.0, 5.0), (1.0, 6.0), (1.0, 7.0), (0.0, 10.0), (0.0, 100.0)}
"""Scales that are known when both of their ends occur; 1 to 3 could be the low part of another."""


@dataclass
class Pen:
    """Who writes the cells of one table: the same words and forms throughout."""

    plan: Plan
    rng: np.random.Generator
    _heads: dict[str, str] = field(default_factory=dict)
    shows_ids: bool = True

    def __post_init__(self) -> None:
        """Decide once whether cases have ids; a table of ratings apart needs them."""
        self.shows_ids = self.plan.layout == "apart" or bool(self.rng.random() < 0.75)

    def head(self, role: str) -> str:
        """Give the header of a role: the same each time."""
        if role not in self._heads:
            word = self.plan.word(role, self.rng)
            self._heads[role] = f"{word} " if self.plan.header_style == "trailing" else word
        return self._heads[role]

    def blank(self) -> Cell:
        """Give what stands where a label is missing."""
        return _BLANKS[self.plan.blank]

    def label(self, dimension: Dimension, value: float | None) -> Cell:
        """Write a label, as neatly as the plan has it."""
        if value is None:
            return self.blank()
        cell = self._neat(dimension, value)
        if self.plan.hand == "neat" or not isinstance(cell, str):
            return cell
        forms = (cell, cell, cell.capitalize(), f"{cell} ")
        return forms[int(self.rng.integers(len(forms)))]

    def _neat(self, dimension: Dimension, value: float) -> Cell:
        scale = dimension.scale
        if scale.yes_no:
            return self._yes_no(scale, value)
        if scale.words:
            return scale.words[scale.values.index(value)]
        number: Cell = int(value) if value.is_integer() else value
        if scale.kind != "1-5" or scale.best_is_low:
            return number
        word = material("five_words")[self.plan.header][int(value) - 1]
        forms: dict[str, Cell] = {
            "worded": f"{number} - {word}",
            "bracketed": f"{number} ({word})",
            "point_zero": float(value),
        }
        return forms.get(self.plan.number, number)

    def _yes_no(self, scale: Scale, value: float) -> Cell:
        forms = {
            "words": scale.words,
            "english": ("No", "Yes"),
            "signs": ("✗", "✓"),
            "true/false": ("false", "true"),
            "Y/N": ("N", "Y"),
        }
        words = forms.get(self.plan.yes_no) if scale.kind == "yes/no" else None
        return int(value) if words is None else words[int(value)]

    def question(self, text: str) -> Cell:
        """Write a question: as text, or as the messages that a log holds."""
        if self.plan.question == "text":
            return text
        return [{"role": "user", "content": text}]

    def probability(self, value: float | None) -> Cell:
        """Write a confidence as a number, or as a percentage."""
        if value is None or self.plan.confidence == "share":
            return value
        return f"{value * 100:.0f}%"

    def listed(self, texts: tuple[str, ...]) -> Cell:
        """Write a list: as itself in JSON, else as Python or JSON prints it."""
        if not texts:
            return None
        if self.plan.file == "jsonl":
            return list(texts)
        python = self.plan.samples == 1 and self.plan.several_systems
        return str(list(texts)) if python else json.dumps(list(texts), ensure_ascii=False)

    def scaled(self, dimension: Dimension, header: str) -> str:
        """Write the scale behind a header, where headers hold it."""
        if self.plan.scale_place != "header" or dimension.scale.words:
            return header
        words = self._range(dimension.scale, self.plan.scale_words)
        if self.plan.header_style == "newline":
            return f"{header}\n{words.strip()}"
        return f"{header}{words}" if words[0] in " /" else f"{header} {words}"

    def range(self, dimension: Dimension) -> str:
        """Write the range alone, for a row of its own."""
        return self._range(dimension.scale, "1-5") if not dimension.scale.words else ""

    def legend(self, dimension: Dimension) -> str:
        """Write a line that tells of a dimension's scale."""
        if dimension.scale.words:
            return f"{dimension.name}: {' / '.join(dimension.scale.words)}"
        return f"{dimension.name}: {self._range(dimension.scale, '1-5')}"

    def _range(self, scale: Scale, form: str) -> str:
        low, high = (f"{end:g}" for end in scale.ends)
        best = material("best")[self.plan.header]
        if form in {"(1 = best)", "(5 = best)"}:
            return f"({low} = {best})" if scale.best_is_low else f"({high} = {best})"
        form = form.replace(" to ", f" {_TO[self.plan.header]} ")
        return form.replace("1", "\0").replace("5", high).replace("\0", low)

    def note(self, where: str) -> str:
        """Draw a line for above or below the table."""
        return str(self.rng.choice(material("notes")[where]))


def accepted_ends(dimension: Dimension, plan: Plan) -> frozenset[tuple[float, float] | None]:
    """List the ends of scale that may be read; None: numbers without ends."""
    low, high = ends = dimension.scale.ends
    if dimension.scale.words or plan.scale_place == "nowhere":
        return frozenset({ends, None})
    if plan.scale_place == "header":
        if plan.scale_words == "(1 = best)" and dimension.scale.best_is_low:
            return frozenset({ends, None})
        if plan.scale_words in {"/5", "(5 = best)", "(1 = best)"}:
            # One end is written: the other may be 0 or 1.
            return frozenset({ends, (0.0, high), (min(low, 1.0), high)})
    return frozenset({ends})


def doubts_about_scales(shown: Drawn, plan: Plan) -> Iterator[str]:
    """Say where labels fit two scales, and where a yes would make most answers harmful."""
    for dimension in shown.dimensions:
        values = [value for at, value in shown.ratings.items() if at[1] == dimension.name]
        if not values:
            continue
        if dimension.harm and sum(values) > len(values) / 2:
            yield "over half of the answers would be harmful"
        if dimension.scale.words or plan.scale_place not in {"nowhere", "header"}:
            continue
        told = plan.scale_place == "header" and not dimension.scale.best_is_low
        if not told and (min(values), max(values)) not in _WHOLE:
            yield "the labels fit two scales, and nothing says which"
