"""What raters jointly say of each kind of dangerous error: how bad, how likely, and dangerous."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from medassay.judgements import DANGEROUS, Dimension, Judgements, Units, units
from medassay.scores import Unit

__all__ = ["ErrorVerdict", "harm_verdicts"]

_SEVERITY: Final = "-severity"
_LIKELIHOOD: Final = "-likelihood"
_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class ErrorVerdict:
    """What is known of one answer, or one part of it, and one kind of error.

    Attributes:
        system: The system.
        case: The case.
        sample: Which of the system's answers to the case.
        about: Its part that was judged; empty for the answer as a whole.
        kind: The kind: the dimension's id without `-severity`.
        raters: How many gave a label before any adjudication.
        differ: Whether their labels of severity differ.
        adjudicated: Whether an adjudicator gave a label, which then counts alone.
        severity: The label that counts.
        severity_score: Its score.
        likelihood: The label of likelihood that counts; None where none was given.
        likelihood_score: Its score.
        dangerous: Whether the label of severity reads dangerous.
    """

    system: str
    case: str
    sample: int
    about: str
    kind: str
    raters: int
    differ: bool
    adjudicated: bool
    severity: str
    severity_score: float | None
    likelihood: str | None
    likelihood_score: float | None
    dangerous: bool

    @property
    def open(self) -> bool:
        """Say whether raters differ and nobody has adjudicated."""
        return self.differ and not self.adjudicated

    @property
    def reviewed_twice(self) -> bool:
        """Say whether two raters or more judged it."""
        return self.raters >= _TWO


def harm_verdicts(judgements: Judgements) -> list[ErrorVerdict]:
    """Join the labels of severity and likelihood, an adjudicator's before all others.

    Of several labels the upper median counts: of two that differ the worse one. So an answer is
    dangerous where half of its raters or more call it so.

    Args:
        judgements: What raters said. Dimensions without a mapping `dangerous` are passed over.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> said = [("r1", "none"), ("r2", "severe")]
        >>> judgements = Judgements.from_rows(
        ...     [{"rater": r, "system": "A", "case": "1", "dimension": "wrong-dose-severity",
        ...       "label": label} for r, label in said], load_rubric("harm"))
        >>> [one] = harm_verdicts(judgements)
        >>> one.severity, one.dangerous, one.open
        ('severe', True, True)
    """
    rubric = judgements.rubric
    judged = set(judgements.frame["dimension"])
    verdicts = []
    for dimension in rubric.dimensions:
        reading = dimension.mappings.get(DANGEROUS)
        if reading is None or dimension.id not in judged:
            continue
        kind = dimension.id.removesuffix(_SEVERITY)
        main, last = _labels(judgements, dimension.id)
        other = f"{kind}{_LIKELIHOOD}"
        likely = _labels(judgements, other) if other in judged else ({}, {})
        for key in sorted(main.keys() | last.keys()):
            severity, severity_score = _joined(last.get(key) or main[key], dimension)
            words = likely[1].get(key) or likely[0].get(key)
            likelihood, likelihood_score = (
                _joined(words, rubric.dimension(other)) if words else (None, None)
            )
            before = main.get(key, [])
            verdicts.append(
                ErrorVerdict(
                    *key,
                    kind,
                    len(before),
                    len(set(before)) > 1,
                    key in last,
                    severity,
                    severity_score,
                    likelihood,
                    likelihood_score,
                    reading[severity] == DANGEROUS,
                )
            )
    return verdicts


_Labels = dict[Unit, list[str]]


def _labels(judgements: Judgements, dimension: str) -> tuple[_Labels, _Labels]:
    """Give each answer's labels before adjudication, and by adjudication."""
    main = units(judgements, dimension, "full")
    last = units(judgements, dimension, "full", ("adjudication",))
    return _by_answer(main), _by_answer(last)


def _by_answer(read: Units) -> _Labels:
    by_answer: _Labels = {}
    for unit, code in zip(read.unit.tolist(), read.code.tolist(), strict=True):
        by_answer.setdefault(read.keys[unit], []).append(read.labels[code])
    return by_answer


def _joined(labels: Sequence[str], dimension: Dimension) -> tuple[str, float | None]:
    """Give the upper median and its score: in the order of the scores, or of the labels."""
    scores = dict(zip(dimension.names, dimension.scores or (), strict=False))
    order = [(scores.get(name, float(i)), i, name) for i, name in enumerate(dimension.names)]
    ranked = sorted(entry for label in labels for entry in order if entry[2] == label)
    name = ranked[len(ranked) // 2][2]
    return name, scores.get(name)
