"""A rubric: what raters are asked, and what they may say."""

from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from medassay.errors import UnknownName
from medassay.judgements.about import AboutKind
from medassay.judgements.dimension_checks import DimensionFacts, dimension_problems
from medassay.tables import hidden_signs, wrong, wrong_in_all

__all__ = ["Dimension", "Example", "Label", "Rubric", "Scale"]

Scale = Literal["nominal", "ordinal", "interval"]


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


class Dimension(_Part):
    """One question put to raters, with its own scale.

    Attributes:
        id: The word that tables and names use.
        title: What a heading says.
        question: The question as the rater reads it.
        scale: nominal (no order), ordinal (an order), interval (an order with equal steps).
        labels: The labels, in order.
        precedence: Where two labels can hold at once, the one to choose stands first.
        after_reveal: Whether raters see the system's own confidence label beside this question. It
            is asked in a second part, after everything else has been handed in.
        better: Which end of the scores is the good one: `lower` where they measure harm.
        derived: How the label is made from other answers, where no rater is asked directly.
        about: What is judged: the answer, or each criterion of its case, each of its statements,
            citations or spans, each document.
        mappings: Coarser readings, name to {label: coarser label}. Each has two coarser labels; the
            one written first counts 1 and the other 0, so a mean is the share of the first.
    """

    id: _Id
    title: str = ""
    question: _Text
    scale: Scale
    labels: Annotated[tuple[Label, ...], Field(min_length=2)]
    precedence: tuple[str, ...] = ()
    after_reveal: bool = False
    better: Literal["higher", "lower"] = "higher"
    derived: str = ""
    about: AboutKind = "answer"
    mappings: dict[_Id, dict[str, _Id]] = {}

    @model_validator(mode="after")
    def _hold_together(self) -> Self:
        facts = DimensionFacts(
            [(label.label, label.score) for label in self.labels],
            [word for label in self.labels for word in label.aliases],
            self.scale,
            self.precedence,
            self.mappings,
        )
        found = list(dimension_problems(facts))
        if found:
            raise wrong_in_all(found)
        return self

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
    def words(self) -> dict[str, str]:
        """Map every accepted word, aliases included, to its label."""
        return {
            word: label.label for label in self.labels for word in (label.label, *label.aliases)
        }

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
        dimensions: The questions, in order.
    """

    name: _Id
    title: str = ""
    source: str = ""
    wording: str = ""
    rationale: str = ""
    dimensions: Annotated[tuple[Dimension, ...], Field(min_length=1)]

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
