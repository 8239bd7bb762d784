"""One small fault in the source, and how it is found again in another checkout."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What is done wrong."""

    SIGN = "sign"
    COMPARISON = "comparison"
    ROW = "dropped row"
    LABEL = "swapped label"
    TAG = "tag let through"


@dataclass(frozen=True, order=True)
class Mutant:
    """A fault, told so that it is one fault in every checkout that has the statement.

    Attributes:
        path: The file, from the folder of the checkout.
        function: The name of the function, with those around it.
        kind: What is done wrong.
        statement: The statement's text; of a compound one its head.
        nth: Which of equal statements in the function.
        start: Where in the statement the change begins, in bytes.
        old: What stands there.
        new: What stands there instead.
    """

    path: str
    function: str
    kind: Kind
    statement: str
    nth: int
    start: int
    old: str
    new: str

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON has it."""
        return asdict(self)

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> "Mutant":
        """Read what `as_json` gave."""
        return cls(**{**told, "kind": Kind(told["kind"])})


@dataclass(frozen=True)
class Place:
    """Where a fault goes in one checkout.

    Attributes:
        offset: The first byte of what is replaced.
        first_line: The first line of what is replaced, from 1.
        last_line: Its last line.
        head: The first and the last line of the statement, or of its head.
    """

    offset: int
    first_line: int
    last_line: int
    head: tuple[int, int]

    def changed(self, source: bytes, mutant: Mutant) -> bytes:
        """Give the source with the fault."""
        old = mutant.old.encode()
        if source[self.offset : self.offset + len(old)] != old:
            message = f"{mutant.path}: {mutant.old!r} is not at byte {self.offset}"
            raise ValueError(message)
        return source[: self.offset] + mutant.new.encode() + source[self.offset + len(old) :]
