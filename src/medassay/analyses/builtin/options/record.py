"""Which options systems take for others."""

from medassay.error_analysis import OptionConfusion
from medassay.marks import SystemName, record

__all__ = ["OptionsChosen", "OptionsOf"]


@record(infers=False)
class OptionsOf:
    """What one system chose.

    Attributes:
        system: The system.
        confusion: How often it chose each option where each was right.
    """

    system: SystemName
    confusion: OptionConfusion


@record(infers=False)
class OptionsChosen:
    """What systems chose."""

    systems: tuple[OptionsOf, ...]
