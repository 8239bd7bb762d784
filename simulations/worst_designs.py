"""Which design of a declared box breaks a verdict most? Searched, then run again.

    python simulations/worst_designs.py [STUDIES] [again] [VERDICT ...]

A box names what designs may be: a few values of each of some knobs (`boxes.py`, and `BOXES` there).
Designs are drawn at random from it; from the worst of them the search climbs, one knob one step at
a time, as long as some step is worse. A rate that was searched for is too high by luck. So the
worst design is run again on fresh seeds, and that rate is printed; `again` does that alone, for the
designs that the page has. A box that names the true design
is no proof that nothing outside it is worse.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from page_table import percent

STUDIES: Final = 4000
SEED: Final = 66743
PAGE: Final = Path(__file__).parents[1] / "simulations" / "worst-designs.md"
_BEGIN, _END = "<!-- table -->\n", "<!-- end -->"
_HEAD: Final = (
    "| verdict | design | designs tried | while searching | before | now | studies |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
)

Value = float | str
Design = Mapping[str, Value]
Count = Callable[[Design, np.random.Generator, int], int]
"""Gives in how many of so many studies of a design the verdict is wrong."""


@dataclass(frozen=True)
class Box:
    """Designs among which the worst is searched.

    Attributes:
        verdict: What is said, as in design/verdicts.md.
        knobs: Each knob's name to its values, in order: a step goes to the next.
        wrong: Counts wrong verdicts.
        before: Counts them by the rule of old; None where that was the same.
        probe: Studies a design while searching.
        first: Designs that are drawn before the search climbs.
        climbed: From so many of them, the worst, it climbs.
        steps: At most so many steps each.
    """

    verdict: str
    knobs: Mapping[str, tuple[Value, ...]]
    wrong: Count
    before: Count | None = None
    probe: int = 200
    first: int = 60
    climbed: int = 4
    steps: int = 8

    def drawn(self, rng: np.random.Generator) -> tuple[int, ...]:
        """Draw a design: a place on each knob."""
        return tuple(int(rng.integers(len(values))) for values in self.knobs.values())

    def design(self, places: tuple[int, ...]) -> Design:
        """Give the design at these places."""
        return {
            name: values[place]
            for (name, values), place in zip(self.knobs.items(), places, strict=True)
        }

    def around(self, places: tuple[int, ...]) -> list[tuple[int, ...]]:
        """List the designs that one step of one knob leads to."""
        sizes = [len(values) for values in self.knobs.values()]
        return [
            (*places[:knob], there, *places[knob + 1 :])
            for knob, (here, size) in enumerate(zip(places, sizes, strict=True))
            for there in (here - 1, here + 1)
            if 0 <= there < size
        ]


@dataclass
class Search:
    """What was seen of a box.

    Attributes:
        box: The box.
        rng: Draws designs and studies.
        seen: Design to wrong verdicts and studies.
    """

    box: Box
    rng: np.random.Generator
    seen: dict[tuple[int, ...], tuple[int, int]] = field(default_factory=dict)

    def rate(self, places: tuple[int, ...]) -> float:
        """Give the rate of a design so far."""
        wrong, studies = self.seen[places]
        return wrong / studies

    def look(self, places: tuple[int, ...], more: int = 1) -> float:
        """Run a design once more, unless it was run so often; give its rate of all its runs."""
        wrong, studies = self.seen.get(places, (0, 0))
        if studies < more * self.box.probe:
            wrong += self.box.wrong(self.box.design(places), self.rng, self.box.probe)
            self.seen[places] = wrong, studies + self.box.probe
        return self.rate(places)

    def worst(self) -> Design:
        """Draw designs, climb from the worst of them, and give the worst of all."""
        for _ in range(self.box.first):
            self.look(self.box.drawn(self.rng))
        starts = sorted(self.seen, key=self.rate, reverse=True)[: self.box.climbed]
        for start in starts:
            here = start
            for _ in range(self.box.steps):
                steps_up = {there: self.look(there) for there in self.box.around(here)}
                there = max(steps_up, key=lambda at: steps_up[at])
                # What looks worse by luck is looked at again before the search follows it.
                if self.look(there, 2) <= self.look(here, 2):
                    break
                here = there
        for places in sorted(self.seen, key=self.rate, reverse=True)[: 2 * self.box.climbed]:
            for more in (2, 3, 4):
                self.look(places, more)
        often = [at for at, (_, studies) in self.seen.items() if studies >= 4 * self.box.probe]
        return self.box.design(max(often, key=self.rate))


def row(box: Box, studies: int, seed: int = SEED) -> str:
    """Search a box, run its worst design again on fresh seeds, and give the row of the table."""
    search = Search(box, np.random.default_rng([seed, 0]))
    design = search.worst()
    searched = search.rate(next(at for at in search.seen if box.design(at) == design))
    found = f"| {box.verdict} | {worded(design)} | {len(search.seen)} | {100 * searched:.1f}"
    return run_again(found, box, design, studies, seed)


def run_again(found: str, box: Box, design: Design, studies: int, seed: int = SEED) -> str:
    """Run a design that was found on fresh seeds, and give the row of the table."""
    fresh, old = (
        percent(count(design, np.random.default_rng([seed, 1]), studies) / studies, studies)
        for count in (box.wrong, box.before or box.wrong)
    )
    return f"{found} | {old} | {fresh} | {studies} |"


def worded(design: Design) -> str:
    """Write a design into a cell of the table.

    Example:
        >>> worded({"cases": 40, "alike": 0.5})
        'cases 40, alike 0.5'
    """
    return ", ".join(
        f"{name} {value if isinstance(value, str) else format(value, 'g')}"
        for name, value in design.items()
    )


def rows_on_page() -> dict[str, str]:
    """Read the table's rows, by verdict."""
    table = PAGE.read_text(encoding="utf-8").partition(_BEGIN)[2].partition(_END)[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return {line.split(" | ")[0].removeprefix("| "): line for line in lines[2:]}


def design_on_page(box: Box) -> tuple[Design, float, float]:
    """Read a box's worst design from the page, with its rate and error in percent."""
    cells = rows_on_page()[box.verdict].strip("| ").split(" | ")
    shown = {worded({name: value}): value for name in box.knobs for value in box.knobs[name]}
    design = {
        name: next(shown[cell] for cell in cells[1].split(", ") if cell.startswith(f"{name} "))
        for name in box.knobs
    }
    rate, _, error = cells[5].partition(" (")
    return design, float(rate), float(error.rstrip(")"))


def main() -> None:
    """Search every box, or those that are named, and put their rows into the page."""
    from boxes import BOXES

    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    named = [text for text in sys.argv[2:] if text != "again"]
    rows = rows_on_page()
    for box in BOXES:
        if not named or box.verdict in named:
            if "again" in sys.argv[2:]:
                found = rows[box.verdict].rsplit(" | ", 3)[0]
                rows[box.verdict] = run_again(found, box, design_on_page(box)[0], studies)
            else:
                rows[box.verdict] = row(box, studies)
            print(rows[box.verdict], flush=True)
            before, _, rest = PAGE.read_text(encoding="utf-8").partition(_BEGIN)
            after = rest.partition(_END)[2]
            ordered = [rows[each.verdict] for each in BOXES if each.verdict in rows]
            table = "".join(f"{line}\n" for line in (*_HEAD, *ordered))
            PAGE.write_text(f"{before}{_BEGIN}{table}{_END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
