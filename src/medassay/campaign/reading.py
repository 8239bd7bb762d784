"""What a sheet that came back says: one label a code and dimension, each with its address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from medassay.campaign.labels import Said, read_label
from medassay.campaign.rating_sheet import (
    CODE,
    NOTES,
    RATIONALE,
    ReturnedFile,
    ReturnedTable,
    dimension_headings,
)
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Rubric
from medassay.judgements.campaign import CampaignPlan, as_code
from medassay.tables import folded
from medassay.text import count_of

__all__ = ["Given", "campaign_of", "describe_few", "read_given"]

_FEW = 5


@dataclass(frozen=True)
class Given:
    """What one row says.

    Attributes:
        code: The row's code.
        labels: Each dimension that was answered, to the label or the reason.
        addresses: Where each of them stands.
        empty: Each dimension that was left empty, to its cell.
        comment: Rationale and notes.
        file: The file, for messages.
        address: Where the code stands.
    """

    code: str
    labels: Mapping[str, Said]
    addresses: Mapping[str, str]
    empty: Mapping[str, str]
    comment: str
    file: str
    address: str


def campaign_of(
    returned: ReturnedFile, plans: Mapping[str, CampaignPlan], name: str | None
) -> CampaignPlan:
    """Find the campaign that a file belongs to, by its codes.

    Raises:
        InvalidInput: None of its codes is one of the study's.
    """
    codes = [
        code
        for table in returned.tables
        for row in table.rows()
        if (code := as_code(table.text(row, _place(table, CODE)))) is not None
    ]
    counts = {one: sum(code in plan.by_code for code in codes) for one, plan in plans.items()}
    wanted = {name: counts.get(name, 0)} if name is not None else counts
    best = max(wanted, key=lambda one: (wanted[one], one))
    if wanted[best]:
        return plans[best]
    must = f"have codes of the campaign {name}" if name else "have codes of a campaign of the study"
    others = sorted(one for one, count in counts.items() if count)
    got = f'codes of the campaign "{others[0]}"' if others else "none"
    if not others and codes:
        got = f"{count_of(len(codes), 'code')} of another study, such as {codes[0]}"
    hint = "" if others else f"Known: {', '.join(sorted(plans))}. Was it exported from this study?"
    raise InvalidInput(Problem(returned.file, must, got, hint))


def read_given(
    returned: ReturnedFile,
    plan: CampaignPlan,
    plans: Mapping[str, CampaignPlan],
    parts: Sequence[Rubric],
    notes: list[str],
) -> list[Given]:
    """Read every row of every table of a file.

    Args:
        returned: The file.
        plan: The campaign that it belongs to.
        plans: All campaigns of the study.
        parts: What was asked, part by part; each table holds one part or several.
        notes: Where it is added what was odd, and was read all the same.

    Raises:
        InvalidInput: With every problem of the file.
    """
    problems: list[Problem] = []
    given: list[Given] = []
    for table in returned.tables:
        given += _Reader(returned.file, table, plan, plans, parts, problems, notes).rows()
    if problems:
        raise InvalidInput(problems)
    return given


class _Reader:
    """Reads one table; problems and notes are added to the lists given."""

    def __init__(
        self,
        file: str,
        table: ReturnedTable,
        plan: CampaignPlan,
        plans: Mapping[str, CampaignPlan],
        parts: Sequence[Rubric],
        problems: list[Problem],
        notes: list[str],
    ) -> None:
        self.file, self.table, self.plan, self.plans = file, table, plan, plans
        self.parts, self.problems, self.notes = parts, problems, notes
        self.asked = [dimension for part in parts for dimension in part.dimensions]
        self.code = _place(table, CODE)
        self.places = self._places()

    def rows(self) -> list[Given]:
        """Read the rows that have a code, and name those that have labels and none."""
        givens = []
        for row in self.table.rows():
            filled = self._filled(row)
            code = self._code(row, filled=filled)
            if code is None:
                continue
            labels, addresses, empty = self._labels(row)
            comment = self._comment(row)
            address = self.table.address(row, self.code)
            givens.append(Given(code, labels, addresses, empty, comment, self.file, address))
        return givens

    def _places(self) -> dict[str, int]:
        """Find the column of each dimension, of the rationale and of the notes."""
        headings: dict[str, str] = {}
        for part in self.parts:
            headings |= dimension_headings(part)
        theirs = {_plain(heading): place for heading, place in self.table.columns.items()}
        places: dict[str, int] = {}
        for dimension in self.asked:
            names = (headings[dimension.id], dimension.id, dimension.question)
            place = next((theirs[_plain(n)] for n in names if _plain(n) in theirs), None)
            if place is not None:
                places[dimension.id] = place
        for heading in (RATIONALE, NOTES):
            if _plain(heading) in theirs:
                places[heading] = theirs[_plain(heading)]
        begun = [part for part in self.parts if set(part.ids) & set(places)] or self.parts[:1]
        for dimension in (this_dimension for part in begun for this_dimension in part.dimensions):
            if dimension.id not in places:
                unknown = [name for name in self.table.columns if name not in headings.values()]
                near = nearest(headings[dimension.id], unknown)
                hint = near and f"{near} Give it its heading again."
                must = f'have the column "{headings[dimension.id]}"'
                at = self.table.address(self.table.header, self.code)
                self.problems.append(
                    Problem(self.file, must, "none", hint, self.table.header + 1, None, at)
                )
        return places

    def _filled(self, row: int) -> bool:
        return any(self.table.text(row, place) for place in self.places.values())

    def _code(self, row: int, *, filled: bool) -> str | None:
        written = self.table.text(row, self.code)
        code = as_code(written)
        if code is not None and self.table.oddity(row, self.code)[0] == "a formula":
            self._note(row, self.code, "a formula", f'"{written}" was read.')
        if code in self.plan.by_code:
            return code
        if code is None and not filled:
            return None
        hint = nearest(code or written.upper(), self.plan.by_code) if written else ""
        got = f'"{written}"' if written else "an empty cell"
        other = [name for name, plan in self.plans.items() if code in plan.by_code]
        if other:
            got, hint = f'{got}, a code of the campaign "{other[0]}"', "Import that row on its own."
        elif not hint:
            hint = "Put back the code that stood in this row, or empty the row's labels."
        must = f"be a code of the campaign {self.plan.settings.name}"
        self._refuse(row, self.code, must, got, hint)
        return None

    def _labels(self, row: int) -> tuple[dict[str, Said], dict[str, str], dict[str, str]]:
        labels: dict[str, Said] = {}
        addresses: dict[str, str] = {}
        empty: dict[str, str] = {}
        for dimension in self.asked:
            place = self.places.get(dimension.id)
            if place is None:
                continue
            text = self.table.text(row, place)
            must = f"be one of {', '.join(dimension.names)}"
            got, hint = self.table.oddity(row, place)
            if got:
                self._refuse(row, place, must, got, hint)
                continue
            if not text:
                empty[dimension.id] = self.table.address(row, place)
                continue
            said = read_label(text, dimension)
            if isinstance(said, str):
                self._refuse(row, place, must, f'"{text}"', said)
                continue
            labels[dimension.id] = said
            addresses[dimension.id] = self.table.address(row, place)
        return labels, addresses, empty

    def _comment(self, row: int) -> str:
        parts = []
        for heading in (RATIONALE, NOTES):
            place = self.places.get(heading)
            if place is None:
                continue
            text = self.table.text(row, place)
            got, hint = self.table.oddity(row, place)
            if got.startswith("the error"):
                self._refuse(row, place, "be text", got, hint)
            elif got:
                kept = f'"{text}" was read.' if text else f"Nothing was read. {hint}"
                self._note(row, place, got, kept)
            if text:
                parts.append(f"{NOTES}: {text}" if heading == NOTES else text)
        return "\n".join(parts)

    def _note(self, row: int, column: int, got: str, kept: str) -> None:
        heading = next(n for n, place in self.table.columns.items() if place == column)
        at = self.table.address(row, column)
        self.notes.append(str(Problem(self.file, "be text", got, kept, None, heading, at)))

    def _refuse(self, row: int, column: int, must: str, got: str, hint: str) -> None:
        heading = next((n for n, place in self.table.columns.items() if place == column), None)
        at = self.table.address(row, column)
        self.problems.append(Problem(self.file, must, got, hint, row + 1, heading, at))


def _place(table: ReturnedTable, heading: str) -> int:
    return next(place for name, place in table.columns.items() if _plain(name) == _plain(heading))


def _plain(heading: str) -> str:
    return folded(heading).casefold()


def describe_few(things: Sequence[str]) -> str:
    """List some things and count the others."""
    more = f" and {len(things) - _FEW} more" if len(things) > _FEW else ""
    return ", ".join(things[:_FEW]) + more
