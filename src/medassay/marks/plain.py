"""What every part of the results is made of."""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from medassay.marks.declared import check_inference, check_marked
from medassay.marks.inference import Describing

__all__ = ["Plain"]


class Plain(BaseModel):
    """Plain data that nobody changes; every string says what it is of.

    Whoever makes a record says whether it infers: `class Leader(Plain, infers=True)`. One that does
    goes as a whole where a protocol describes only; one that describes may hold an inference only
    where it may be missing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    infers: ClassVar[bool]

    def __init_subclass__(cls, *, infers: bool, **kwargs: Any) -> None:  # noqa: ANN401 - pydantic's
        """Keep what is said of the record."""
        super().__init_subclass__(**kwargs)
        cls.infers = infers

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        """Refuse a record that does not say what its values are."""
        check_marked(cls)
        check_inference(cls, Describing.mark_of)
