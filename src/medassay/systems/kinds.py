"""The kinds of systems that a study can name."""

from typing import Final

from medassay.errors import UnknownName
from medassay.systems.endpoint import EndpointSystem
from medassay.systems.function import FunctionSystem
from medassay.systems.given import RecordedSystem, TfidfSystem
from medassay.systems.opening import SystemSettings
from medassay.systems.reference import (
    CitedSystem,
    GroundedSystem,
    OptionsSystem,
    RetrievalSystem,
)
from medassay.systems.service import ServiceSystem

__all__ = ["KINDS", "find_kind"]

KINDS: Final[dict[str, type[SystemSettings]]] = {
    settings.kind: settings
    for settings in (
        EndpointSystem,
        ServiceSystem,
        RecordedSystem,
        FunctionSystem,
        TfidfSystem,
        RetrievalSystem,
        OptionsSystem,
        CitedSystem,
        GroundedSystem,
    )
}


def find_kind(name: str) -> type[SystemSettings]:
    """Give the settings of a kind.

    Raises:
        UnknownName: There is no such kind.
    """
    if name not in KINDS:
        raise UnknownName("kind of system", name, list(KINDS))
    return KINDS[name]
