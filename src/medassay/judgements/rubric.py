"""A rubric: what raters are asked, what they may say, and what it lacks."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self, TypeAlias, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from medassay.errors import UnknownName
from medassay.judgements.rows import AboutKind
from medassay.tables import hidden_signs, wrong, wrong_in_all

if TYPE_CHECKING:
    import polars as pl

Scale = Literal["nominal", "ordinal", "interval"]
Reads: TypeAlias = Literal["evidence", "retrieved", "cited", "references"]
"""What a question may speak of beside what was asked and answered."""
AnswerColumn: TypeAlias = Literal["label", "number", "kind"]
ANSWER_COLUMNS: Final[tuple[AnswerColumn, ...]] = get_args(AnswerColumn)
"""The columns of a judgement that hold what a rater said, by what the dimension asks."""
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
NO_SPAN: Final = "none"
"""The kind by which a rater says that there is no span to mark, or takes one back."""
UNIT_INTERVAL: Final = "0-1"
"""What `confidence` says where raters give theirs as a number."""
_KEYS: Final = frozenset({"label", "score", "description", "aliases", "examples"})
_NO_NUMBER: Final = inf
Finding = tuple[str, str, str]
"""What must be, what was found, and what to try."""
_SPEAKS_OF: Final[dict[Reads, str]] = {
    "evidence": r"\bthe notes\b",
    "retrieved": r"\bretriev\w+",
    "cited": r"\bcit(?:e|es|ed|ation|ations)\b",
    "references": r"\b(?:reference|gold) answers?\b",
}
_SHOWN_AS_PART: Final[dict[AboutKind, Reads]] = {"citation": "cited", "document": "retrieved"}
HarmReading = Literal["dangerous", "harmful"]
HARMFUL: Final[HarmReading] = "harmful"
"""The mapping, and the label, by which a rubric says which labels tell of harm of any degree."""
DANGEROUS: Final[HarmReading] = "dangerous"
"""The mapping, and the label, by which a rubric says which labels tell of severe harm."""
HARM_READINGS: Final[tuple[HarmReading, ...]] = (DANGEROUS, HARMFUL)
"""Both, the worse first."""


def _as_name_part(value: str) -> str:
    """Keep out the four signs that structure a canonical name: ids become part of names."""
    bad = set(value) & set("(),=") or not value.isprintable()
    if bad or not value or value != value.strip():
        must = "hold none of ( ) , = on one line, no blanks at its ends"
        raise wrong(must, f'"{value}"', hidden_signs(value))
    return value


_Id = Annotated[str, AfterValidator(_as_name_part)]
_Code = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Example(_Part):
    """An answer that shows when a label is the right one.

    Attributes:
        answer: The answer, or what of it matters.
        why: Why the label is right.
        question: What was asked, where it matters.
        disputed: Why the example is in doubt, where it is: nobody should be trained on it.
    """

    answer: _Text
    why: _Text
    question: str = ""
    disputed: str = ""


class Label(_Part):
    """One thing that a rater may say.

    Attributes:
        label: The word itself; without the signs ( ) , = that canonical names are made of.
        score: The number that means and sums use; either every label of a dimension has one or
            none has.
        description: When to choose it.
        aliases: Other words for it that are accepted on reading.
        examples: Worked examples.
    """

    label: _Id
    score: Annotated[float, Field(allow_inf_nan=False)] | None = None
    description: str = ""
    aliases: tuple[_Text, ...] = ()
    examples: tuple[Example, ...] = ()


class NumberScale(_Part):
    """The numbers that a rater may give, where no labels are chosen from.

    Attributes:
        low: The lowest; none where there is no bound.
        high: The highest.
        unit: What is counted, such as points, percent or seconds.
    """

    low: Annotated[float, Field(allow_inf_nan=False)] | None = None
    high: Annotated[float, Field(allow_inf_nan=False)] | None = None
    unit: str = ""

    def holds(self, numbers: "pl.Series") -> "pl.Series":
        """Say which numbers lie in the range."""
        low, high = (
            (-inf if self.low is None else self.low),
            (inf if self.high is None else self.high),
        )
        return numbers.is_between(low, high)

    def __str__(self) -> str:
        """Say the range in words: "a number from 0 to 100 points"."""
        unit = f" {self.unit}" if self.unit else ""
        match self.low, self.high:
            case None, None:
                return f"a number{f' of{unit}' if unit else ''}"
            case low, None:
                return f"a number from {low:g} up{f', in{unit}' if unit else ''}"
            case None, high:
                return f"a number up to {high:g}{unit}"
            case low, high:
                return f"a number from {low:g} to {high:g}{unit}"


def words_for(labels: Iterable[Label]) -> dict[str, str]:
    """Map every accepted word, aliases included, to its label."""
    return {word: label.label for label in labels for word in (label.label, *label.aliases)}


def _words_of(labels: Iterable[Label]) -> list[str]:
    return [word for label in labels for word in (label.label, *label.aliases)]


def _as_listed(value: object) -> object:
    """Take the one word `0-1` for a list of it."""
    return [value] if isinstance(value, str) else value


class Dimension(_Part):
    """One question put to raters, with its own scale.

    Raters choose one of `labels`, or give a `number`, or mark spans of some `kinds`.

    Attributes:
        id: The word that tables and names use.
        title: What a heading says.
        question: The question as the rater reads it.
        scale: nominal (no order), ordinal (an order), interval (an order with equal steps); left
            out where a number is asked, or kinds of spans.
        labels: The labels, in order.
        number: The numbers that may be given, in place of labels.
        kinds: What a span that raters mark may be, in place of labels. A rater who finds none says
            `none`.
        severities: How bad such a span may be, in order; their scores are weights.
        confidence: How sure raters say that they are: words from unsure to sure, or `0-1` for a
            number; empty where they are not asked.
        precedence: Where two labels can hold at once, the one to choose stands first.
        after_reveal: Whether raters see the system's own confidence label beside this question. It
            is asked in a second part, after everything else has been handed in.
        better: Which end of the scores is the good one: `lower` where they measure harm.
        derived: How the label is made from other answers, where no rater is asked directly.
        about: What is judged: the answer, or each criterion of its case, each of its statements,
            citations or spans, each document.
        reads: What the question speaks of beside what was asked and answered: the case's narrative
            and `evidence`, the texts `retrieved` or `cited`, `references`. A model judge is shown
            it, or not asked; None where the rubric does not say.
        mappings: Coarser readings, name to {label: coarser label}. Each has two coarser labels; the
            one written first counts 1 and the other 0, so a mean is the share of the first.
        harm_words: What an answer is called whose labels read as harmful, where these labels say
            less as well, such as "incorrect or dangerous": reports then say that and not harmful.
    """

    id: _Id
    title: str = ""
    question: _Text
    scale: Scale
    labels: Annotated[tuple[Label, ...], Field(min_length=2)] = ()
    number: NumberScale | None = None
    kinds: tuple[Label, ...] = ()
    severities: tuple[Label, ...] = ()
    confidence: Annotated[tuple[_Id, ...], BeforeValidator(_as_listed)] = ()
    precedence: tuple[str, ...] = ()
    after_reveal: bool = False
    better: Literal["higher", "lower"] = "higher"
    derived: str = ""
    about: AboutKind = "answer"
    reads: tuple[Reads, ...] | None = None
    mappings: dict[_Id, dict[str, _Id]] = {}
    harm_words: str = ""

    @model_validator(mode="before")
    @classmethod
    def _with_scale(cls, values: object) -> object:
        """Give numbers and kinds of spans the one scale that they can have."""
        if isinstance(values, dict) and "scale" not in values and "labels" not in values:
            scale = "interval" if "number" in values else "nominal"
            return {"scale": scale, **values} if {"number", "kinds"} & set(values) else values
        return values

    @model_validator(mode="after")
    def _hold_together(self) -> Self:
        number = self.number
        facts = DimensionFacts(
            [(label.label, label.score) for label in self.labels],
            [word for label in self.labels for word in label.aliases],
            self.scale,
            self.precedence,
            self.mappings,
            [name for name in ("labels", "number", "kinds") if getattr(self, name)],
            self.about,
            (None, None) if number is None else (number.low, number.high),
            _words_of(self.kinds),
            _words_of(self.severities),
            self.confidence,
        )
        found = list(dimension_problems(facts))
        if found:
            raise wrong_in_all(found)
        return self

    @property
    def column(self) -> AnswerColumn:
        """Name the column of a judgement that holds what was said: label, number or kind."""
        return "number" if self.number is not None else "kind" if self.kinds else "label"

    @property
    def confidence_is_number(self) -> bool:
        """Say whether raters give their confidence as a number from 0 to 1."""
        return self.confidence == (UNIT_INTERVAL,)

    @property
    def names(self) -> tuple[str, ...]:
        """List the labels' words, in order."""
        return tuple(label.label for label in self.labels)

    @property
    def scores(self) -> tuple[float, ...] | None:
        """List the labels' scores, in order, or None where the labels have none."""
        scores = tuple(label.score for label in self.labels if label.score is not None)
        return scores or None

    @property
    def scored(self) -> bool:
        """Say whether means have a meaning: its labels have scores, or raters give numbers."""
        return self.number is not None or self.scores is not None

    @property
    def joinable(self) -> bool:
        """Say whether raters answer of the same unit, so that answers can be compared and joined.

        Labels and numbers can. Passages that raters mark cannot: no two need mean the same one.
        """
        return not self.kinds

    @property
    def unit(self) -> str:
        """Say what its scores are counted in."""
        return (self.number.unit if self.number is not None else "") or "points"

    def score(self) -> "pl.Expr":
        """Give the score of each row of judgements, for polars; null where the row has none.

        Example:
            >>> import polars as pl
            >>> likert = Dimension(id="a", question="How good?", scale="ordinal",
            ...                    labels=[{"label": "bad", "score": 0},
            ...                            {"label": "good", "score": 1}])
            >>> pl.DataFrame({"label": ["good", "bad"]}).select(likert.score())["label"].to_list()
            [1.0, 0.0]
            >>> seconds = Dimension(id="b", question="How long?", number={"low": 0})
            >>> pl.DataFrame({"number": [2.5]}).select(seconds.score())["number"].to_list()
            [2.5]
        """
        import polars as pl

        if self.number is not None:
            return pl.col("number")
        of_label = dict(zip(self.names, self.scores or (), strict=True))
        return pl.col("label").replace_strict(of_label, default=None, return_dtype=pl.Float64)

    @property
    def ends(self) -> tuple[float, float] | None:
        """Give the lowest and the highest score; None without scores, or of a scale without end.

        Example:
            >>> Dimension(id="a", question="How good?", number={"low": 0, "high": 100}).ends
            (0.0, 100.0)
            >>> Dimension(id="a", question="How long?", number={"low": 0}).ends
        """
        if self.number is None:
            return None if self.scores is None else (min(self.scores), max(self.scores))
        low, high = self.number.low, self.number.high
        return None if low is None or high is None else (low, high)

    @property
    def words(self) -> dict[str, str]:
        """Map every accepted word, aliases included, to its label."""
        return words_for(self.labels)

    def mapped(self, mapping: str) -> dict[str, str]:
        """Give each label's reading under a mapping; "full" reads each label as itself.

        Raises:
            UnknownName: The dimension has no such mapping.
        """
        if mapping == "full":
            return {name: name for name in self.names}
        if mapping not in self.mappings:
            raise UnknownName(f"mapping of {self.id}", mapping, ["full", *self.mappings])
        return self.mappings[mapping]


class DimensionTranslation(_Part):
    """One question in another language.

    Attributes:
        title: What a heading says.
        question: The question as the rater reads it.
        words: Each label, kind, severity and word for how sure a rater is, to the word that is
            shown in its place. What is kept stays the rubric's own word.
        descriptions: When to choose each label, by the rubric's own word.
    """

    title: str = ""
    question: _Text
    words: dict[str, _Text] = {}
    descriptions: dict[str, _Text] = {}


class Translation(_Part):
    """A rubric in another language.

    Attributes:
        by: Who translated it, and whether somebody checked it; raters and readers are told.
        rationale: What raters are asked to write beside their labels.
        keep_open: What raters keep open while they rate.
        dimensions: Each question that raters are asked, by its id.
    """

    by: _Text
    rationale: str = ""
    keep_open: str = ""
    dimensions: dict[str, DimensionTranslation]


class Rubric(_Part):
    """Everything that raters are asked in one study.

    Attributes:
        name: The word it is loaded by.
        title: What a heading says.
        source: Where it was published.
        wording: What of it is not the source's own words; raters and readers are told.
        rationale: What raters are asked to write beside their labels; it goes into the comment.
        keep_open: What raters keep open while they rate, to check facts, such as
            "the WHO guidelines"; sheets and the rating room tell them.
        language: The code of the language that it is written in, such as `en`; kept with each label
            of the rating room.
        translations: The same in other languages, by their codes.
        dimensions: The questions, in order.
    """

    name: _Id
    title: str = ""
    source: str = ""
    wording: str = ""
    rationale: str = ""
    keep_open: str = ""
    language: _Code | Literal[""] = ""
    translations: dict[_Code, Translation] = {}
    dimensions: Annotated[tuple[Dimension, ...], Field(min_length=1)]

    @property
    def to_keep_open(self) -> str:
        """Tell raters what to keep open; empty where the rubric names nothing.

        Example:
            >>> from medassay.judgements import load_rubric
            >>> load_rubric("med-gpt").to_keep_open
            'Keep the WHO guidelines open while you rate, and check facts there.'
        """
        what = self.keep_open
        return f"Keep {what} open while you rate, and check facts there." if what else ""

    @model_validator(mode="after")
    def _each_dimension_once(self) -> Self:
        twice = sorted({one for one in self.ids if self.ids.count(one) > 1})
        if twice:
            raise wrong("use each dimension id once", f"{', '.join(twice)} twice")
        found = [
            finding
            for language, translation in self.translations.items()
            for finding in _translation_problems(language, translation, self.dimensions)
        ]
        if found:
            raise wrong_in_all(found)
        return self

    def with_dimensions(self, dimensions: Iterable[Dimension]) -> "Rubric":
        """Give the rubric with some of its dimensions, and what its translations say of them."""
        kept = tuple(dimensions)
        ids = {dimension.id for dimension in kept}
        translations = {
            language: translation.model_copy(
                update={"dimensions": {k: v for k, v in translation.dimensions.items() if k in ids}}
            )
            for language, translation in self.translations.items()
            if translation.dimensions.keys() & ids
        }
        return self.model_copy(update={"dimensions": kept, "translations": translations})

    def __repr__(self) -> str:
        """Name it and its dimensions; `rubric.dimensions` holds all that raters are asked."""
        return f"Rubric({self.name!r}, dimensions={', '.join(self.ids)})"

    __str__ = __repr__

    @property
    def ids(self) -> tuple[str, ...]:
        """List the dimensions' ids, in order."""
        return tuple(dimension.id for dimension in self.dimensions)

    def dimension(self, name: str) -> Dimension:
        """Give one dimension.

        Raises:
            UnknownName: The rubric has no such dimension.
        """
        for dimension in self.dimensions:
            if dimension.id == name:
                return dimension
        raise UnknownName(f"dimension of {self.name}", name, self.ids)


def _translation_problems(
    language: str, translation: Translation, dimensions: Sequence[Dimension]
) -> Iterator[Finding]:
    """Name what cannot be used of a translation: no question is read in two languages."""
    asked = {dimension.id: dimension for dimension in dimensions if not dimension.derived}
    place = f"translations.{language}"
    for name, translated in translation.dimensions.items():
        if name in asked:
            yield from _word_problems(f"{place}.dimensions.{name}", translated, asked[name])
            continue
        known = f"Known: {', '.join(asked)}."
        yield f"name questions that raters are asked in {place}", f'"{name}"', known


def _word_problems(
    place: str, translated: DimensionTranslation, dimension: Dimension
) -> Iterator[Finding]:
    labels = (*dimension.labels, *dimension.kinds)
    own = {label.label: label.description for label in (*labels, *dimension.severities)}
    sure = () if dimension.confidence_is_number else dimension.confidence
    for what, has, wanted in (
        ("words", translated.words, [*own, *sure]),
        ("descriptions", translated.descriptions, [word for word, told in own.items() if told]),
    ):
        if lacking := [word for word in wanted if word not in has]:
            yield f"have each word of the question in {place}.{what}", f"no {lacking[0]}", ""
        if more := [word for word in has if word not in wanted]:
            yield f"have only words of the question in {place}.{what}", f'"{more[0]}"', ""
    if dimension.title and not translated.title:
        yield f"have a title in {place}", "none", ""
    for group in (labels, dimension.severities):
        taken = words_for(group)
        shown = [translated.words.get(label.label, label.label) for label in group]
        twice = [word for word, count in Counter(shown).items() if count > 1]
        for label, word in zip(group, shown, strict=True):
            if word in twice or taken.get(word, label.label) != label.label:
                must = f"show each label by a different word in {place}.words"
                yield must, f'"{word}" for {label.label}', ""


@dataclass(frozen=True)
class DimensionFacts:
    """A dimension as plain data, as far as it could be read.

    Attributes:
        labels: Each label with its score, None where it has none; in order.
        aliases: All other words for the labels.
        scale: nominal, ordinal or interval.
        precedence: Labels, the one to choose where two hold first.
        mappings: Coarser readings, name to {label: coarser label}.
        asked: Which of labels, number and kinds it has.
        about: What is judged.
        ends: The lowest and the highest number, None where there is no bound.
        kinds: All words for kinds of spans.
        severities: All words for their severities.
        confidence: How sure raters may say that they are.
    """

    labels: Sequence[tuple[str, float | None]]
    aliases: Sequence[str]
    scale: str
    precedence: Sequence[str]
    mappings: Mapping[str, Mapping[str, str]]
    asked: Sequence[str] = ("labels",)
    about: str = "answer"
    ends: tuple[float | None, float | None] = (None, None)
    kinds: Sequence[str] = ()
    severities: Sequence[str] = ()
    confidence: Sequence[str] = ()

    @classmethod
    def of_raw(cls, values: Mapping[str, object]) -> "DimensionFacts":
        """Take what can be taken of a dimension that was written with mistakes."""
        labels = list(_listed(values.get("labels")))
        tables = [label for label in labels if isinstance(label, dict)]
        names = [name for table in tables if isinstance(name := table.get("label"), str)]
        scores = [_number(table.get("score")) for table in tables]
        # A key that is misspelt, or a score that is a word, was named; what it meant is not known.
        known = (
            set(names) and all(set(table) <= _KEYS for table in tables) and _NO_NUMBER not in scores
        )
        maps = values.get("mappings")
        whole = len(names) == len(labels)
        return cls(
            [(name, scores[i] if known and whole else None) for i, name in enumerate(names)],
            [word for table in tables for word in _words(table.get("aliases"))],
            str(values.get("scale", "")),
            _words(values.get("precedence")) if whole else [],
            {
                str(name): {str(k): v for k, v in mapping.items() if isinstance(v, str)}
                for name, mapping in (maps.items() if whole and isinstance(maps, dict) else ())
                if isinstance(mapping, dict) and all(isinstance(v, str) for v in mapping.values())
            },
            [name for name in ("labels", "number", "kinds") if name in values],
            str(values.get("about", "answer")),
            _ends(values.get("number")),
            _all_words(values.get("kinds")),
            _all_words(values.get("severities")),
            _words(values.get("confidence")),
        )


def dimension_problems(facts: DimensionFacts) -> Iterator[Finding]:
    """Name everything that does not hold together.

    Example:
        >>> labels = [("low", 1.0), ("middle", 3.0), ("high", 2.0)]
        >>> list(dimension_problems(DimensionFacts(labels, [], "ordinal", [], {})))[0][:2]
        ('order the scores as the labels', 'low 1, middle 3, high 2')
    """
    names = [name for name, _ in facts.labels]
    words = [*names, *facts.aliases]
    twice = sorted({word for word in words if words.count(word) > 1})
    if twice:
        yield "use each label or alias once", f"{', '.join(twice)} twice", ""
    scored = [name for name, score in facts.labels if score is not None]
    if scored and len(scored) < len(names):
        yield "give every label a score or none", f"scores for {', '.join(scored)} only", ""
    yield from _order(facts)
    stray = sorted(set(facts.precedence) - set(names))
    if stray:
        yield "name only labels in precedence", ", ".join(stray), ""
    for name, mapping in facts.mappings.items():
        yield from _mapping(name, mapping, names)
    yield from _what_is_asked(facts)
    yield from _spans(facts)
    if len(facts.confidence) == 1 and facts.confidence[0] != UNIT_INTERVAL:
        must = f'be "{UNIT_INTERVAL}" or two words and more, from unsure to sure, in confidence'
        yield must, f'"{facts.confidence[0]}"', ""
    if UNIT_INTERVAL in facts.confidence[1:]:
        yield f'be "{UNIT_INTERVAL}" alone in confidence', ", ".join(facts.confidence), ""


def _what_is_asked(facts: DimensionFacts) -> Iterator[Finding]:
    """Hold a dimension to one thing: labels, a number, or spans of some kinds."""
    if len(facts.asked) != 1:
        got = " and ".join(facts.asked) or "none of them"
        yield "have labels, number or kinds, one of the three", got, ""
    if "number" in facts.asked and facts.scale and facts.scale != "interval":
        hint = "Leave it out: steps between numbers are equal."
        yield "be interval in scale where a number is asked", f'"{facts.scale}"', hint
    low, high = facts.ends
    if low is not None and high is not None and low >= high:
        yield "have low below high in number", f"low {low:g}, high {high:g}", ""


def _spans(facts: DimensionFacts) -> Iterator[Finding]:
    if facts.kinds and facts.about != "span":
        hint = 'Write about = "span": kinds are of the spans that raters mark.'
        yield "be about spans where it has kinds", f'"{facts.about}"', hint
    if facts.severities and not facts.kinds:
        yield "have kinds where it has severities", "none", ""
    for name, words in (("kinds", facts.kinds), ("severities", facts.severities)):
        twice = sorted(word for word, n in Counter(words).items() if n > 1)
        if twice:
            yield f"use each word once in {name}", f"{', '.join(twice)} twice", ""
    if NO_SPAN in facts.kinds:
        hint = f'"{NO_SPAN}" says that an answer has no such span.'
        yield f'call a kind something else than "{NO_SPAN}"', f'"{NO_SPAN}"', hint


def _order(facts: DimensionFacts) -> Iterator[Finding]:
    """Hold the scores of an ordered scale against the order of its labels, best or worst first."""
    scores = [score for _, score in facts.labels if score is not None]
    if facts.scale not in {"ordinal", "interval"} or len(scores) < len(facts.labels):
        return
    up = all(a <= b for a, b in pairwise(scores))
    down = all(a >= b for a, b in pairwise(scores))
    if not up and not down:
        got = ", ".join(f"{name} {score:g}" for name, score in facts.labels)
        hint = f"Write the labels of an {facts.scale} scale from one end to the other, or change "
        hint += "the scores; where the labels have no order, the scale is nominal."
        yield "order the scores as the labels", got, hint


def _mapping(name: str, mapping: Mapping[str, str], names: Sequence[str]) -> Iterator[Finding]:
    if name == "full":
        yield "call a mapping something else", '"full"', "full means no mapping."
    if set(mapping) != set(names):
        yield f"map each of {', '.join(names)} in {name}", ", ".join(mapping) or "none", ""
    coarse = list(dict.fromkeys(mapping.values()))
    if len(coarse) != 2:  # noqa: PLR2004 - binary means two
        yield f"map onto two labels in {name}", ", ".join(coarse) or "none", ""
    if name in HARM_READINGS and coarse and coarse[0] != name:
        # What is written first is what is counted: harm must never be counted the wrong way.
        must = f'write a label that reads "{name}" first in {name}'
        yield must, f'"{coarse[0]}"', "What is written first is what is counted."


def _listed(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else ()


def _words(value: object) -> list[str]:
    return [entry for entry in _listed(value) if isinstance(entry, str)]


def _all_words(value: object) -> list[str]:
    """Give the words and aliases of a list of labels, as far as they can be read."""
    tables = [label for label in _listed(value) if isinstance(label, dict)]
    names = [name for table in tables if isinstance(name := table.get("label"), str)]
    return [*names, *(word for table in tables for word in _words(table.get("aliases")))]


def _ends(value: object) -> tuple[float | None, float | None]:
    if not isinstance(value, dict):
        return None, None
    low, high = (_number(value.get(name)) for name in ("low", "high"))
    return (None, None) if _NO_NUMBER in {low, high} else (low, high)


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return float(value)
    return _NO_NUMBER


def rubric_gaps(rubric: Rubric) -> list[str]:
    """Say what is missing though nothing is wrong, a sentence each.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> rubric_gaps(load_rubric("likert5"))
        ['quality: no label has a worked example, so raters learn it from descriptions alone.']
    """
    return [
        f"{dimension.id}: {gap}"
        for dimension in rubric.dimensions
        for gap in (*_gaps(dimension), *_unsaid(dimension), *_untranslated(rubric, dimension))
    ]


def _untranslated(rubric: Rubric, dimension: Dimension) -> Iterator[str]:
    lacking = [
        language
        for language, translation in rubric.translations.items()
        if dimension.id not in translation.dimensions and not dimension.derived
    ]
    if lacking:
        yield f"no translation in {', '.join(lacking)}: raters read it in the rubric's own words."


def unsaid_reads(dimension: Dimension) -> str:
    """Say what a question speaks of by its words where the rubric does not say; else nothing.

    Example:
        >>> labels = ({"label": "yes"}, {"label": "no"})
        >>> asked = Dimension(id="a", question="Does it keep to the notes?", scale="nominal",
        ...     labels=labels)
        >>> unsaid_reads(asked)
        'it speaks of "the notes": write reads = ["evidence"] in the rubric, or reads = []'
    """
    if dimension.reads is not None or dimension.derived:
        return ""
    said = " ".join([dimension.question, *(label.description for label in dimension.labels)])
    for what, words in _SPEAKS_OF.items():
        found = re.search(words, said, re.IGNORECASE)
        if found is not None and _SHOWN_AS_PART.get(dimension.about) != what:
            line = f'reads = ["{what}"] in the rubric, or reads = []'
            return f'it speaks of "{found[0]}": write {line}'
    return ""


def _unsaid(dimension: Dimension) -> Iterator[str]:
    unsaid = unsaid_reads(dimension)
    if unsaid:
        yield f"model judges are not asked: {unsaid}."


def _gaps(dimension: Dimension) -> Iterator[str]:
    words = (*dimension.labels, *dimension.kinds, *dimension.severities)
    silent = [label.label for label in words if not label.description]
    if silent:
        yield f"without a description: {', '.join(silent)}."
    number = dimension.number
    if number is not None and (number.low is None or number.high is None):
        yield "no lowest and highest number, so a slip of the pen is taken for a number."
    if not dimension.labels:
        return
    if not any(label.examples for label in dimension.labels) and not dimension.derived:
        yield "no label has a worked example, so raters learn it from descriptions alone."
    if dimension.scale != "nominal" and dimension.scores is None:
        yield "labels have no scores, so there are no means, sums or intraclass correlations."
    if dimension.scale != "nominal" and len(set(dimension.scores or ())) < len(
        dimension.scores or ()
    ):
        yield "two labels have one score, so means and sums cannot tell them apart."
    if dimension.scale == "interval" and dimension.scores is not None:
        steps = {round(b - a, 9) for a, b in pairwise(dimension.scores)}
        if len(steps) > 1:
            yield "the steps between its scores differ, though the scale is interval."
    if len(dimension.labels) > 2 and not dimension.mappings:  # noqa: PLR2004 - two need none
        yield "no binary mapping, so agreement is reported on the full labels alone."
