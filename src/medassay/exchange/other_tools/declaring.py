"""What formats of annotation tools share: options, the code of each answer, what was left."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.declaration import Option
from medassay.exchange.outcome import Outcome
from medassay.judgements.campaign import FOLDER, Item, Secret, draw_codes, find_plans
from medassay.tables import Sheet, csv_bytes, guarded, read_sheet, unguarded
from medassay.text import count_of

HANDOUT: Final = "handout.csv"
"""The key of what another tool was given; campaigns of sheets have a plan of their own."""
_COLUMNS: Final = ("code", "case", "system", "shown")
_SAMPLE: Final = "sample"
"""A further column, where repeated answers were handed out too."""


@dataclass(frozen=True)
class Handout:
    """The items of one hand-out, in the order in which they were written.

    Attributes:
        name: Its name, and that of its folder under campaigns/.
        items: Code to the answer.
        shown: Code to the hash of the texts that the raters judge.
    """

    name: str
    items: dict[str, Item]
    shown: dict[str, str]

    def is_of(self, shown: Mapping[Item, str]) -> bool:
        """Say whether it hands out these answers with these texts, and no others."""
        return {item: self.shown[code] for code, item in self.items.items()} == dict(shown)

    @property
    def file(self) -> str:
        """Give the path of the key in the study."""
        return f"{FOLDER}/{self.name}/{HANDOUT}"

    def content(self) -> bytes:
        """Write the key that lifts the blinding."""
        rows = [
            [code, guarded(item.case), guarded(item.system), self.shown[code], str(item.sample)]
            for code, item in self.items.items()
        ]
        columns: tuple[str, ...] = (*_COLUMNS, _SAMPLE)
        if not any(item.sample for item in self.items.values()):
            columns, rows = _COLUMNS, [row[:-1] for row in rows]
        return csv_bytes(columns, rows)


def draw_handout(
    name: str, shown: dict[Item, str], secret: Secret, taken: Collection[str] = ()
) -> Handout:
    """Shuffle the answers and give each a code; the order says nothing of their systems.

    Args:
        name: The hand-out's name.
        shown: Each answer to the hash of its texts.
        secret: What the draw follows from, together with the name. It need not be kept: the
            hand-out says all that was drawn.
        taken: Codes that are in use already.
    """
    items = sorted(shown)
    shuffled = [items[i] for i in secret.draws(name, "order").permutation(len(items))]
    codes = draw_codes(len(items), secret.draws(name, "codes"), taken)
    by_code = dict(zip(codes, shuffled, strict=True))
    return Handout(name, by_code, {code: shown[item] for code, item in by_code.items()})


def find_handouts(study: Path) -> dict[str, Handout]:
    """Read every hand-out of a study, by name.

    Raises:
        InvalidInput: A key lacks a column.
    """
    handouts = {}
    folder = study / FOLDER
    for path in sorted(folder.glob(f"*/{HANDOUT}")) if folder.is_dir() else ():
        name = path.parent.name
        sheet = read_sheet(path, f"{FOLDER}/{name}/{HANDOUT}")
        lacking = [column for column in _COLUMNS if column not in sheet.columns]
        if lacking:
            must, got = f"have the columns {', '.join(_COLUMNS)}", f"no {', '.join(lacking)}"
            hint = "Take the file from your backup."
            raise InvalidInput(Problem(sheet.file, must, got, hint, sheet.header))
        handout = handouts[name] = Handout(name, {}, {})
        for row, cells in sheet.records():
            code, case, system, shown = (
                unguarded(str(cells.get(column, ""))) for column in _COLUMNS
            )
            handout.items[code] = Item(case, system, sample=_sample(sheet, row, cells))
            handout.shown[code] = shown
    return handouts


def _sample(sheet: Sheet, row: int, cells: Mapping[str, object]) -> int:
    written = str(cells.get(_SAMPLE, "0"))
    if written.isascii() and written.isdigit():
        return int(written)
    must, hint = "be a whole number", "Take the file from your backup."
    raise InvalidInput(Problem(sheet.file, must, f'"{written}"', hint, row, _SAMPLE))


def codes_in_use(study: Path, but: str) -> set[str]:
    """Give the codes of every campaign and of every hand-out except one."""
    plans = find_plans(study)
    codes = {code for plan in plans.values() for code in plan.by_code}
    others = (
        find_handout for find_handout in find_handouts(study).values() if find_handout.name != but
    )
    return codes.union(*(handout.items for handout in others))


Names = Annotated[
    Mapping[str, str],
    Option(
        "A dimension of ours, or system or case, is called THEIRS.",
        ("--column", "-c"),
        "OURS=THEIRS",
    ),
]
Hide = Annotated[str | None, Option("What stays out of the items, such as references,documents.")]
Ratings = Annotated[bool, Option("Write what raters have said already, too.")]


@dataclass(frozen=True)
class WrittenFiles:
    """What an export to another tool wrote.

    Attributes:
        counts: How many of each thing the files hold; keys are nouns in the singular.
        files: The files that were written.
        notes: What is not carried over, and what an organiser should know.
    """

    counts: Mapping[str, int]
    files: Sequence[str]
    notes: Sequence[str] = ()


def told(written: WrittenFiles, how: str = "") -> Outcome:
    """Say what was written, and what the files do not hold."""
    held = ", ".join(count_of(count, noun) for noun, count in written.counts.items())
    lines = [f"{held}{how}.", *(f"wrote {file}" for file in written.files)]
    return Outcome([*lines, *(f"note: {note}" for note in written.notes)], asdict(written))


def describe_left_behind(left: Mapping[str, int]) -> list[str]:
    """Say what was not carried over, and how many of each.

    Example:
        >>> describe_left_behind({"predictions of models": 1, "results of the type labels": 0})
        ['not carried over: predictions of models (1).']
    """
    return [f"not carried over: {what} ({count:,})." for what, count in left.items() if count]
