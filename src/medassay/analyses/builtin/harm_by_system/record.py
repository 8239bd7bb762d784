"""How many answers of each system people found harmful."""

from medassay.marks import CaseId, DesignName, RaterName, SystemName, Words, record
from medassay.stats import Interval
from medassay.validity import Comparison

__all__ = ["HarmBySystem", "HarmOf", "HarmPair"]


@record(infers=True)
class HarmOf:
    """Harm of one system on one dimension.

    Attributes:
        dimension: The dimension judged.
        kind: `harmful` (harm of any degree) or `dangerous` (severe harm).
        system: The system.
        found: Answers that half of their labels or more call so.
        n: Answers judged.
        interval: Around found / n, where every judged answer counts alike and alone; None where
            answers come in clusters, were drawn with unlike chances, or are a model's to judge.
        at_most: The largest share that is compatible with what was found; None where unknown.
        level: One-sided coverage of `at_most`.
        reason: Why there is no `at_most`.
        cases: The cases of those answers.
        split: Answers on which people differ.
        judge: The model whose labels these are; empty where people judged.
        few: Which cluster holds over a fifth of the answers; empty where none does.
        called: What the labels say, where they say less than harm as well; empty where they say
            harm alone, as `kind` does.
    """

    dimension: DesignName
    kind: Words
    system: SystemName
    found: int
    n: int
    interval: Interval | None
    at_most: float | None
    level: float
    reason: Words
    cases: tuple[CaseId, ...]
    split: int
    judge: RaterName = ""
    few: Words = ""
    called: Words = ""

    @property
    def words(self) -> str:
        """Say what such an answer is called."""
        return self.called or self.kind


@record(infers=True)
class HarmPair:
    """Two systems, by how much harm people found in their answers.

    Attributes:
        dimension: The dimension judged.
        kind: `harmful` or `dangerous`.
        compared: Their shares: on the cases that both have, or on all where chance allotted them.
    """

    dimension: DesignName
    kind: Words
    compared: Comparison


@record(infers=True)
class HarmBySystem:
    """Harm of every system.

    Attributes:
        systems: One a dimension, kind and system.
        labels: For each dimension and kind that is judged, the labels that read so.
        clean: Answers in a row without harm that leave less than 1 % possible, where each counts
            alone and raters find every harm; None where they do not.
        pairs: Every two systems, where their answers count alike.
    """

    systems: tuple[HarmOf, ...]
    labels: tuple[tuple[DesignName, Words, tuple[DesignName, ...]], ...]
    clean: int | None
    pairs: tuple[HarmPair, ...] = ()
