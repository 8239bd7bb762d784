"""Which metrics and dimensions a study was made for: the family that is corrected."""

from dataclasses import dataclass

__all__ = ["EXPLORATORY", "Primary"]

EXPLORATORY = "exploratory: study.toml names other metrics or dimensions as primary ([report])"


@dataclass(frozen=True, slots=True)
class Primary:
    """What is tested and permitted; the rest is exploratory.

    Attributes:
        metrics: The primary metrics; None where all are.
        consensuses: The raters' consensuses on the primary dimensions; None where all are.
    """

    metrics: frozenset[str] | None = None
    consensuses: frozenset[str] | None = None

    def holds(self, metric: str, consensus: str) -> bool:
        """Say whether a metric on a dimension belongs to the family.

        Example:
            >>> Primary(frozenset({"rouge1"})).holds("rouge1", "mean(dimension=quality)")
            True
            >>> Primary(frozenset({"rouge1"})).holds("rouge2", "mean(dimension=quality)")
            False
        """
        named = self.metrics is None or metric in self.metrics
        return named and (self.consensuses is None or consensus in self.consensuses)
