"""A rubric: what raters are asked, and what they may say."""

from collections.abc import Iterable
from math import inf
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
from medassay.judgements.about import AboutKind
from medassay.judgements.dimension_checks import (
    UNIT_INTERVAL,
    DimensionFacts,
    dimension_problems,
)
from medassay.tables import hidden_signs, wrong, wrong_in_all

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "ANSWER_COLUMNS",
    "AnswerColumn",
    "Dimension",
    "Example",
    "Label",
    "NumberScale",
    "Reads",
    "Rubric",
    "Scale",
    "words_for",
]

Scale = Literal["nominal", "ordinal", "interval"]
Reads: TypeAlias = Literal["evidence", "retrieved", "cited", "references"]
"""What a question may speak of beside what was asked and answered."""
AnswerColumn: TypeAlias = Literal["label", "number", "kind"]
ANSWER_COLUMNS: Final[tuple[AnswerColumn, ...]] = get_args(AnswerColumn)
"""The columns of a judgement that hold what a rater said, by what the dimension asks."""


def _as_name_part(value: str) -> str:
    """Keep out the four signs that structure a canonical name: ids become part of names."""
    bad = set(value) & set("(),=") or not value.isprintable()
    if bad or not value or value != value.strip():
        must = "hold none of ( ) , = on one line, no blanks at its ends"
        raise wrong(must, f'"{value}"', hidden_signs(value))
    return value


_Id = Annotated[str, AfterValidator(_as_name_part)]
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


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
        dimensions: The questions, in order.
    """

    name: _Id
    title: str = ""
    source: str = ""
    wording: str = ""
    rationale: str = ""
    keep_open: str = ""
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
        return self

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
