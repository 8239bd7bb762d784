"""How agreement and the panel look in results: plain data, as everything in `results`."""

from typing import Literal

from pydantic import Field

from medassay.agreement import DesignNote
from medassay.analyses.builtin.rater_flow.record import RaterFlow
from medassay.marks import DesignName, RaterName, Words
from medassay.marks.plain import Plain
from medassay.stats import Interval

__all__ = [
    "AgreementPart",
    "AgreementReport",
    "AgreementResult",
]


class AgreementResult(Plain, infers=False):
    """One coefficient of agreement."""

    dimension: DesignName
    mapping: DesignName
    """`full`, or the name of a binary mapping of the rubric."""
    subset: Words
    """`all cases`, or `ranking cases`."""
    coefficient: DesignName
    title: Words
    value: float | None
    reason: Words
    interval: Interval | None
    n_units: int
    n_raters: int
    notes: list[Words]
    """What a reader of the value must know, and why there is no interval."""
    n_cases: int = 0
    n_pairs: int = 0
    one: Words = ""
    """What 1 means."""
    zero: Words = ""
    """What 0 means."""
    below_zero: Words = ""
    """What a value below 0 means."""
    bands: dict[DesignName, Words] = Field(default_factory=dict)
    """Publication to the word it has for the value; they differ."""


class AgreementPart(Plain, infers=False):
    """One coefficient on one part of the judgements."""

    by: Literal["phase", "pair", "system", "self"]
    """`self` is a rater's first label against the label given again."""
    group: RaterName
    """The phases, the two raters, the system, or the rater."""
    agreement: AgreementResult


class AgreementReport(Plain, infers=False):
    """All that is known about agreement: the panel, its parts, its design, its raters."""

    panel: list[AgreementResult]
    parts: list[AgreementPart]
    notes: list[DesignNote]
    cautions: list[Words]
    """Sentences on how far the intervals can be trusted; none where there are cases enough."""
    flow: RaterFlow
