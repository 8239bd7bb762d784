"""Write into docs/harm.md what the rules of danger find of the answers written by hand.

    python -m tools.make_danger_page

A test writes the table again and compares.
"""

from pathlib import Path
from typing import Final

from medassay.stats import wilson
from tools.danger_cases import Tally, load_cases, tally

PAGE: Final = Path(__file__).parents[1] / "docs" / "harm.md"
_BEGIN: Final = "<!-- table -->\n"
_END: Final = "<!-- end -->\n"
_SETS: Final = {"cases": "first", "second": "second"}


def table() -> str:
    """Count, by set and kind."""
    lines = [
        "| set | kind | to be flagged | flagged | rightly | precision | recall |",
        "| :-- | :-- | --: | --: | --: | --: | --: |",
    ]
    for name, shown in _SETS.items():
        counts = tally(load_cases(name))
        for kind, one in counts.items():
            lines.append(_row(shown, kind.replace("-", " "), one))
        every = Tally(
            sum(one.right for one in counts.values()),
            sum(one.wrong for one in counts.values()),
            sum(one.absent for one in counts.values()),
        )
        lines.append(_row(shown, "**all**", every))
    return "\n".join(lines) + "\n"


def _row(name: str, kind: str, one: Tally) -> str:
    due, given = one.right + one.absent, one.right + one.wrong
    shares = f"{_share(one.right, given)} | {_share(one.right, due)}"
    return f"| {name} | {kind} | {due} | {given} | {one.right} | {shares} |"


def _share(part: int, of: int) -> str:
    if not of:
        return "none"
    around = wilson(part, of, estimand="answers like these")
    return f"{part / of:.2f} [{around.low:.2f}, {around.high:.2f}]"


def with_table(text: str) -> str:
    """Put the table into the page."""
    before, rest = text.split(_BEGIN)
    _, after = rest.split(_END)
    return f"{before}{_BEGIN}{table()}{_END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {PAGE.name}")
