"""What is known of tau between metrics and raters, as report.json holds it."""

from typing import Final, Literal

from medassay.marks import DesignName, record
from medassay.validity import BestByChance, Validity

__all__ = ["FEWEST_TOLD", "Correlations", "Lacks"]

FEWEST_TOLD: Final = 6
"""Systems under which no tau is told: of four one metric in twelve orders them as raters do."""

Lacks = Literal[
    "", "metrics", "ratings", "ratings of people", "ratings, gold decides", "systems", "texts"
]


@record(infers=True)
class Correlations:
    """Whether each metric ranks the systems as the raters do.

    Attributes:
        tried: Every metric and control with every consensus.
        method: The consensus method that is told: the leaderboard's, else the first.
        dimension: The dimension that orders the leaderboard; empty where none does.
        lacks: What the study lacks, so that no metric could be held against raters; empty where it
            lacks nothing. It lacks texts where it has none of any answer, and no metric a value.
        by_chance: What the best of the metrics reaches by chance, by the method that is told; None
            with fewer than six systems, of which no tau tells anything.
    """

    tried: tuple[Validity, ...]
    method: DesignName = ""
    dimension: DesignName = ""
    lacks: Lacks = ""
    by_chance: BestByChance | None = None

    @property
    def methods(self) -> list[str]:
        """List the consensus methods, the one that is told first."""
        there = dict.fromkeys(validity.method for validity in self.tried)
        return sorted(there, key=lambda method: method != self.method)

    @property
    def metrics(self) -> list[Validity]:
        """Give the metrics, by the consensus method that is told."""
        return [v for v in self.tried if v.method == self.method and not v.control]

    @property
    def controls(self) -> list[Validity]:
        """Give the controls, by the consensus method that is told."""
        return [v for v in self.tried if v.method == self.method and v.control]
