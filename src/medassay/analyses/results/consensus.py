"""How a fitted consensus looks in results: all that the model holds, by name."""

from pydantic import Field

from medassay.annotations import CaseId, DesignName, RaterName, SystemName, Words
from medassay.annotations.record import Plain

__all__ = [
    "ConsensusFit",
    "ConsensusNote",
    "FittedAnswer",
    "FittedRater",
    "JoinedLabel",
    "LabelShare",
]


class ConsensusNote(Plain, infers=True):
    """What a reader must know of one fit before reading its numbers."""

    dimension: DesignName
    method: DesignName
    title: Words
    text: Words


class FittedAnswer(Plain, infers=False):
    """What the model makes of one answer."""

    system: SystemName
    case: CaseId
    label: DesignName | None
    """The most probable label; None at a tie, or where the answer is not certain enough."""
    posterior: dict[DesignName, float]
    """Label to its probability."""
    entropy: float
    """Of the posterior, in nats; 0 where there is no doubt."""
    kept: bool
    """Whether the answer is certain enough to have a score."""
    known: DesignName = ""
    """The label that study.toml knows this control item to have; empty for the others."""


class FittedRater(Plain, infers=False):
    """What the model makes of one rater."""

    rater: RaterName
    quality: float | None
    n: int
    """Labels of the rater."""
    confusion: dict[DesignName, dict[DesignName, float]] = Field(default_factory=dict)
    """True label to label said to its probability; empty where the model has none."""
    guesses: dict[DesignName, float] = Field(default_factory=dict)
    """Label to how often a guess is it; empty where the model knows no guessing."""


class ConsensusFit(Plain, infers=True):
    """One model fitted to one dimension."""

    dimension: DesignName
    method: DesignName
    title: Words
    meaning: Words
    """What the quality of a rater is."""
    labels: list[DesignName]
    log_likelihood: float
    """Of the fit that was kept."""
    restarts: list[float]
    """Log likelihood of every start; the highest was kept."""
    steps: int
    label_shares: dict[DesignName, float] | None
    """How often each label is true by the model; None where the model does not estimate it."""
    priors: dict[DesignName, float] | None
    """Label priors of study.toml; None for equal shares."""
    threshold: float | None
    """The highest entropy of an answer that is kept, in nats; None where all are."""
    kept: int
    controls: int
    """Answers whose label was known."""
    notes: list[Words]
    raters: list[FittedRater]
    answers: list[FittedAnswer]


class JoinedLabel(Plain, infers=False):
    """The label that one aggregation method gives one answer."""

    dimension: DesignName
    method: DesignName
    system: SystemName
    case: CaseId
    label: DesignName | None
    """None at a tie, or where the answer is not certain enough."""


class LabelShare(Plain, infers=False):
    """How many answers have a label, under one aggregation method."""

    dimension: DesignName
    method: DesignName
    label: DesignName | None
    """None for the answers that it has no label for."""
    answers: int
    of: int
    """Answers that a rater labelled."""
