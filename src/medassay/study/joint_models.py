"""What a run found about the panel of raters and what it jointly says."""

from medassay.study.plain import IntervalResult, Plain

__all__ = ["HarmResult", "StrengthResult"]


class HarmResult(Plain):
    """How often a dimension's harmful label holds, under one way of counting."""

    dimension: str
    method: str
    """A consensus method, or `judgements` or `any_rater`."""
    title: str
    harmful: int
    undecided: int
    """Answers that the method has no label for; they are among n."""
    n: int
    share: float | None
    interval: IntervalResult | None


class StrengthResult(Plain):
    """How strong one system is, whoever it was compared with."""

    system: str
    log_strength: float | None
    """0 is the average system; a difference of 0.7 doubles the odds of being preferred."""
    interval: IntervalResult | None
    n: int
