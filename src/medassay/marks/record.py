"""A record of plain data: nobody changes it, and each of its values says what it is of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar, dataclass_transform

from medassay.marks.declared import check_inference, check_marked
from medassay.marks.inference import Describing

__all__ = ["record"]

_Record = TypeVar("_Record")
_ONLY_ITS_FIELDS: Final = {"extra": "forbid"}


@dataclass_transform(frozen_default=True)
def record(*, infers: bool) -> Callable[[type[_Record]], type[_Record]]:
    """Make a class a frozen dataclass that a report may hold.

    What arithmetic returns is what report.json holds, so a record is declared once, where it is
    computed. Whoever declares one says whether it infers, without a default: one that does goes as
    a whole where a protocol describes only; one that describes may hold an inference only where it
    may be missing.

    Raises:
        UnmarkedText: A field may hold text, and its type does not say of what.
        WrongInference: It says that it describes, and must hold an inference.

    Example:
        >>> from medassay.marks import CaseId
        >>> @record(infers=False)
        ... class Hardest:
        ...     case: CaseId
        ...     mean: float
        >>> Hardest("asthma-7", 0.25)
        Hardest(case='asthma-7', mean=0.25)
    """

    def make(cls: type[_Record]) -> type[_Record]:
        made = dataclass(frozen=True, slots=True)(cls)
        made.infers = infers  # type: ignore[attr-defined]  # read by `Describing`
        # Read by pydantic, where a report is read back: a key that is no field is a mistake.
        made.__pydantic_config__ = _ONLY_ITS_FIELDS  # type: ignore[attr-defined]
        check_marked(made)
        check_inference(made, Describing.mark_of)
        return made

    return make
