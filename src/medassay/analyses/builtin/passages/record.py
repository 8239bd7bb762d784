"""How many passages of which kind raters marked."""

from medassay.marks import DesignName, SystemName, record

__all__ = ["KindCount", "Passages", "SystemPassages"]


@record(infers=False)
class KindCount:
    """How often a word was said of a passage.

    Attributes:
        name: The kind, or how bad.
        count: How many passages, each rater's counted.
    """

    name: DesignName
    count: int


@record(infers=False)
class SystemPassages:
    """What raters marked in one system's answers.

    Attributes:
        dimension: The dimension.
        system: The system.
        readings: How often an answer was read by a rater who marked passages or found none.
        clean: Readings that found none.
        unasked: Of these, readings in a room that recorded it without asking: whether anybody
            looked for passages is not known.
        marked: Passages marked, each rater's counted.
        kinds: Passages of each kind.
        severities: Passages by how bad they are; empty where raters are not asked.
        weight: Mean weight of a reading: the scores of its passages' severities, added up; None
            where severities have no scores.
    """

    dimension: DesignName
    system: SystemName
    readings: int
    clean: int
    unasked: int
    marked: int
    kinds: tuple[KindCount, ...]
    severities: tuple[KindCount, ...]
    weight: float | None


@record(infers=False)
class Passages:
    """What raters marked, by dimension and system."""

    systems: tuple[SystemPassages, ...]
