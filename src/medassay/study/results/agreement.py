"""How agreement and the panel look in results: plain data, as everything in `results`."""

from typing import Literal

from pydantic import Field

from medassay.study.results.plain import IntervalResult, Plain

__all__ = [
    "AgreementNote",
    "AgreementPart",
    "AgreementReport",
    "AgreementResult",
    "RaterFlow",
    "RaterResult",
]


class AgreementResult(Plain):
    """One coefficient of agreement."""

    dimension: str
    mapping: str
    """`full`, or the name of a binary mapping of the rubric."""
    subset: str
    """`all cases`, or `ranking cases`."""
    coefficient: str
    title: str
    value: float | None
    reason: str
    interval: IntervalResult | None
    n_units: int
    n_raters: int
    notes: list[str]
    """What a reader of the value must know, and why there is no interval."""
    n_cases: int = 0
    n_pairs: int = 0
    one: str = ""
    """What 1 means."""
    zero: str = ""
    """What 0 means."""
    below_zero: str = ""
    """What a value below 0 means."""
    bands: dict[str, str] = Field(default_factory=dict)
    """Publication to the word it has for the value; they differ."""


class AgreementPart(Plain):
    """One coefficient on one part of the judgements."""

    by: Literal["phase", "pair", "system", "self"]
    """`self` is a rater's first label against the label given again."""
    group: str
    """The phases, the two raters, the system, or the rater."""
    agreement: AgreementResult


class AgreementNote(Plain):
    """Something about the design of the rating that a reader of coefficients must know."""

    dimension: str
    kind: str
    raters: list[str]
    text: str


class RaterResult(Plain):
    """One rater."""

    rater: str
    kind: str
    expertise: str
    external: bool | None
    conflicts: str
    shown: str
    excluded: bool
    reason: str
    judgements: int
    """What holds now, adjudication included; for an excluded rater what was left out."""
    apart: int = 0
    """How many of them are a model's and in no number about people."""


class RaterFlow(Plain):
    """From the raters who are listed to those whose judgements are counted."""

    listed: int
    excluded: dict[str, int]
    """Reason to how many raters."""
    qualified: int
    judged: int
    """Qualified raters who judged something that counts as people's judgement."""
    judgements: int
    left_out: int
    """Judgements and preferences of excluded raters."""
    raters: list[RaterResult]


class AgreementReport(Plain):
    """All that is known about agreement: the panel, its parts, its design, its raters."""

    panel: list[AgreementResult]
    parts: list[AgreementPart]
    notes: list[AgreementNote]
    cautions: list[str]
    """Sentences on how far the intervals can be trusted; none where there are cases enough."""
    flow: RaterFlow
