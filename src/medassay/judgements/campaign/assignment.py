"""One line of a plan: who rates what, when, under which code."""

from dataclasses import dataclass, field

__all__ = ["Assignment", "Item"]


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """What is rated: an answer or, with a second system, one answer against another.

    Attributes:
        case: The case.
        system: The system; of two, the one shown as A.
        system_b: The system shown as B; empty where single answers are rated.
        sample: Of repeated answers which one.
        parts: Of which of its criteria, statements or other parts it is asked, as the column
            `about` has them; empty: of all. The same answer is the same item whichever they are.
    """

    case: str
    system: str
    system_b: str = ""
    sample: int = 0
    parts: tuple[str, ...] = field(default=(), compare=False)

    @property
    def pair(self) -> tuple[str, ...]:
        """Give the systems whichever side they stand on."""
        return tuple(sorted(name for name in (self.system, self.system_b) if name))

    @property
    def upright(self) -> "Item":
        """Give the same with its systems in the order of their ids."""
        return self if self.pair[0] == self.system else self.turned

    @property
    def turned(self) -> "Item":
        """Give the same two answers with their sides changed."""
        return Item(self.case, self.system_b, self.system, self.sample)


@dataclass(frozen=True, slots=True)
class Assignment:
    """One rating that one rater is asked for.

    Attributes:
        code: What stands in the sheet instead of the item; each assignment has its own, so a
            repeat cannot be told from a first time.
        rater: The rater.
        phase: calibration, main or repeat.
        position: The place in the rater's order, from 1.
        batch: The batch, from 1; between two batches the rater takes a break.
        item: What is rated.
        shown: Hash of the texts that the rater judges.
        display: The arm in which they are shown, such as `citations hidden`; empty if none.
        wave: 0 for what was drawn up first, then 1, 2 ... for each change of raters midway.
        instead_of: The code of another rater's assignment that this one takes the place of.
        ended: The moment when it ended without having been done; empty if it holds.
    """

    code: str
    rater: str
    phase: str
    position: int
    batch: int
    item: Item
    shown: str = ""
    display: str = ""
    wave: int = 0
    instead_of: str = ""
    ended: str = ""
