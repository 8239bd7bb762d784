"""The plan of a campaign, that export writes and import reads, and how far raters have come."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from medassay.annotations import Guarded
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign.secret import as_code
from medassay.tables import (
    csv_bytes,
    file_bytes,
    guarded,
    is_there,
    json_bytes,
    read_sheet,
    read_toml,
    unguarded,
    wrong,
)

FOLDER: Final = "campaigns"
PLAN: Final = "plan.toml"
KEY: Final = "key.csv"
_COLUMNS: Final = (
    "code", "rater", "phase", "position", "batch", "case", "system", "system_b", "shown",
)  # fmt: skip
_SELDOM: Final = ("sample", "display", "parts", "wave", "instead_of", "ended")
"""Columns that stand where any row fills them."""
Kind = Literal["answers", "preferences"]
Part = Literal["narrative", "evidence", "retrieved", "documents", "references", "reasoning"]
PARTS: tuple[Part, ...] = (
    "narrative", "evidence", "retrieved", "documents", "references", "reasoning",
)  # fmt: skip
"""What may stand beside an answer, apart from the question."""
Key = tuple[str, str, str, str, tuple[str, ...], int, str]
"""Rater, phase, dimension, case, the system or the two, sorted, sample, about."""
_ItemKey = tuple[str, str, str, str, tuple[str, ...], int, str | None]


class Settings(BaseModel):
    """The choices behind a campaign's plan.

    Attributes:
        name: The campaign's name, and its folder's.
        kind: Whether single answers are rated or one answer is preferred to another.
        raters: The raters.
        overlap: How many raters each answer gets.
        repeats: How many answers each rater meets twice.
        own_first: How many of each rater's own answers come first, as a calibration of that rater.
        batch: About how many answers lie between two breaks.
        order: Whether a rater meets answers in any order, or all systems' answers to one question
            one after another.
        dimensions: The dimensions that raters are asked about.
        parts: What stands beside an answer.
        form: The form of the sheets.
        texts: How much text the sheets hold; see `[privacy]`.
        synthetic: Whether the study is made up.
        phase: What the labels are: ratings, or the settling of ratings that differ.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    name: Annotated[str, Guarded("medassay.judgements.campaign.plan.CampaignPlan.read")]
    kind: Kind
    raters: Annotated[tuple[str, ...], Field(min_length=1)]
    overlap: Annotated[int, Field(ge=1)]
    repeats: Annotated[int, Field(ge=0)] = 0
    own_first: Annotated[int, Field(ge=0)] = 0
    batch: Annotated[int, Field(ge=1)] = 12
    order: Literal["any", "by_case"] = "any"
    dimensions: tuple[str, ...] = ()
    parts: tuple[Part, ...] = PARTS
    form: Literal["xlsx", "csv"] = "xlsx"
    texts: Literal["full", "ids", "none"] = "full"
    synthetic: bool = False
    phase: Literal["main", "adjudication"] = "main"

    @property
    def shared_out(self) -> tuple[str, ...]:
        """Give the phases of answers that pass to somebody else where a rater leaves."""
        # A calibration of each rater's own answers is no answer that everybody rates.
        return ("calibration", self.phase) if self.own_first else (self.phase,)

    @model_validator(mode="after")
    def _fit(self) -> Self:
        if len(set(self.raters)) < len(self.raters):
            raise wrong("name each rater once", ", ".join(self.raters))
        if self.overlap > len(self.raters):
            must = f"give an answer at most the {len(self.raters)} raters there are"
            raise wrong(must, f"an overlap of {self.overlap}")
        return self


class _Facts(Settings):
    rubric: str
    answers: str
    left: tuple[str, ...] = ()


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


@dataclass(frozen=True)
class CampaignPlan:
    """Who rates what, in which order, under which code; and what it was drawn up from.

    Attributes:
        settings: The choices.
        rubric: Hash of the rubric as the sheets show it.
        answers: Hash of all texts that are rated.
        assignments: By rater, then by position; those that ended are kept.
        left: Raters whose part has ended; what they judged stays theirs.
    """

    settings: Settings
    rubric: str
    answers: str
    assignments: tuple[Assignment, ...]
    left: tuple[str, ...] = ()

    @cached_property
    def by_code(self) -> dict[str, Assignment]:
        """Find an assignment by its code."""
        return {assignment.code: assignment for assignment in self.assignments}

    def of_rater(self, rater: str) -> tuple[Assignment, ...]:
        """List what a rater was ever asked for, in order."""
        return tuple(assignment for assignment in self.assignments if assignment.rater == rater)

    def holding(self, rater: str) -> tuple[Assignment, ...]:
        """List what a rater is asked for now, in order."""
        return tuple(assignment for assignment in self.of_rater(rater) if not assignment.ended)

    def files(self) -> dict[str, bytes]:
        """Give the plan as plain files: the choices, and the key that lifts the blinding."""
        facts = {
            **self.settings.model_dump(mode="json", exclude=_unsaid(self.settings)),
            "rubric": self.rubric,
            "answers": self.answers,
            **({"left": self.left} if self.left else {}),
        }
        # TOML and JSON agree on words, whole numbers, and lists of words.
        lines = [
            f"{key} = {json_bytes(value, compact=True).decode()}" for key, value in facts.items()
        ]
        rows = [
            [
                row.code, guarded(row.rater), row.phase, row.position, row.batch,
                guarded(row.item.case), guarded(row.item.system), guarded(row.item.system_b),
                row.shown, str(row.item.sample or ""), guarded(row.display),
                "\n".join(row.item.parts), str(row.wave or ""), row.instead_of, row.ended,
            ]
            for row in self.assignments
        ]  # fmt: skip
        header = [*_COLUMNS, *_SELDOM]
        used = [
            at for at, name in enumerate(header) if at < len(_COLUMNS) or any(r[at] for r in rows)
        ]
        key = csv_bytes([header[at] for at in used], [[row[at] for at in used] for row in rows])
        return {PLAN: "".join(lines).encode(), KEY: key}

    @classmethod
    def read(cls, folder: Path) -> "CampaignPlan":
        """Read a plan from its folder.

        Raises:
            InvalidInput: A file is not there, or was changed into something that is no plan.
        """
        shown_as = f"{FOLDER}/{folder.name}"
        file = f"{shown_as}/{PLAN}"
        facts = read_toml(_Facts, file_bytes(folder / PLAN, file), file)
        if facts.name != folder.name:
            must, got = "name the campaign as its folder is called", f'"{facts.name}"'
            raise InvalidInput(Problem(file, must, got, "Call both alike.", None, "name"))
        sheet = read_sheet(folder / KEY, f"{shown_as}/{KEY}")
        lacking = [name for name in _COLUMNS if name not in sheet.columns]
        if lacking:
            must = f"have the columns {', '.join(_COLUMNS)}"
            got = f"no {', '.join(lacking)}"
            raise InvalidInput(Problem(sheet.file, must, got, row=sheet.header))
        names = (*_COLUMNS, *_SELDOM)
        rows = [
            (number, {name: unguarded(str(record.get(name) or "")) for name in names})
            for number, record in sheet.records()
        ]
        strange = [
            number
            for number, row in rows
            if not (row["position"] + row["batch"] + row["sample"] + row["wave"]).isdecimal()
            or not row["position"]
            or not row["batch"]
        ]
        if strange:
            must, got = "hold whole numbers as position, batch, sample and wave", "something else"
            hint = "Take the file from your backup."
            raise InvalidInput(Problem(sheet.file, must, got, hint, strange[0]))
        _refuse_forged(sheet.file, rows, facts.raters)
        return cls(
            Settings(**facts.model_dump(exclude={"rubric", "answers", "left"})),
            facts.rubric,
            facts.answers,
            tuple(_assignment(row) for _, row in rows),
            facts.left,
        )


def _refuse_forged(
    file: str, rows: Sequence[tuple[int, Mapping[str, str]]], raters: Sequence[str]
) -> None:
    """Refuse a key that was changed: codes that are none or come twice, and raters of nowhere.

    Raises:
        InvalidInput: With every such row.
    """
    problems, seen = [], set[str]()
    hint = "Take the file from your backup."
    for number, row in rows:
        code, rater = row["code"], row["rater"]
        if as_code(code) != code or code in seen:
            must, got = "hold each code of the campaign once", f'"{code}"'
            again = f"{got} again" if code in seen else got
            problems.append(Problem(file, must, again, hint, number, "code"))
        if rater not in raters:
            must = f"name a rater of {PLAN}"
            problems.append(Problem(file, must, f'"{rater}"', hint, number, "rater"))
        seen.add(code)
    if problems:
        raise InvalidInput(problems)


def _assignment(row: Mapping[str, str]) -> Assignment:
    sample, parts = int(row["sample"] or 0), tuple(row["parts"].splitlines())
    return Assignment(
        row["code"],
        row["rater"],
        row["phase"],
        int(row["position"]),
        int(row["batch"]),
        Item(row["case"], row["system"], row["system_b"], sample, parts),
        row["shown"],
        row["display"],
        int(row["wave"] or 0),
        row["instead_of"],
        row["ended"],
    )


def find_plans(study: Path) -> dict[str, CampaignPlan]:
    """Read every campaign of a study, by name.

    Raises:
        InvalidInput: A plan cannot be read.
    """
    return {name: CampaignPlan.read(study / FOLDER / name) for name in campaign_names(study)}


def campaign_names(study: Path) -> Sequence[str]:
    """List the campaigns of a study."""
    folder = study / FOLDER
    entries = folder.iterdir() if folder.is_dir() else ()
    return sorted(path.name for path in entries if is_there(path / PLAN))


def _unsaid(settings: Settings) -> set[str]:
    """Name the choices that most campaigns do not make."""
    chosen = {"own_first": settings.own_first, "order": settings.order != "any"}
    return {name for name, says in chosen.items() if not says}


Abouts = Callable[[Item, str], Sequence[str] | None]
"""What a dimension is asked about of an item; None where raters find that themselves."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of a rater's sheet is done.

    Attributes:
        rater: The rater.
        asked: How many answers, or pairs of answers, the plan asks for.
        done: How many have every label, or a reason why there is none.
        begun: How many have some labels, but not all.
        next_position: The first place in the rater's order where something is missing; None where
            nothing is.
        missing: For each dimension how many labels are missing, those of criteria and other parts
            of an answer one by one.
    """

    rater: str
    asked: int
    done: int
    begun: int
    next_position: int | None
    missing: dict[str, int]


def progress_of(plan: CampaignPlan, done: Collection[Key], abouts: Abouts) -> list[Progress]:
    """Count what each rater has done of a plan.

    Args:
        plan: The plan.
        done: The keys of the judgements or preferences that hold now.
        abouts: What each dimension is asked about.
    """
    dimensions = plan.settings.dimensions
    somewhere = _anywhere(done)
    progresses = []
    for rater in plan.settings.raters:
        mine = plan.holding(rater)
        asked = [_item_keys(assignment, dimensions, abouts) for assignment in mine]
        gaps = [[key for key in keys if not _is_said(key, done, somewhere)] for keys in asked]
        waiting = [assignment.position for assignment, gap in zip(mine, gaps, strict=True) if gap]
        lacking = Counter(key[2] for gap in gaps for key in gap)
        progresses.append(
            Progress(
                rater=rater,
                asked=len(mine),
                done=len(mine) - len(waiting),
                begun=sum(0 < len(gap) < len(keys) for gap, keys in zip(gaps, asked, strict=True)),
                next_position=min(waiting, default=None),
                missing={name: lacking[name] for name in dimensions},
            )
        )
    return progresses


def done_codes(plan: CampaignPlan, done: Collection[Key], abouts: Abouts) -> frozenset[str]:
    """List the codes of which nothing is missing."""
    somewhere = _anywhere(done)
    return frozenset(
        assignment.code
        for assignment in plan.assignments
        if all(
            _is_said(key, done, somewhere)
            for key in _item_keys(assignment, plan.settings.dimensions, abouts)
        )
    )


def _anywhere(done: Collection[Key]) -> "set[_ItemKey]":
    return {(*key[:-1], None) for key in done}


def _is_said(key: "_ItemKey", done: Collection[Key], somewhere: "set[_ItemKey]") -> bool:
    return key in (somewhere if key[-1] is None else done)


def _item_keys(
    assignment: Assignment, dimensions: Collection[str], abouts: Abouts
) -> "list[_ItemKey]":
    """List the keys that an assignment asks for; of what raters find themselves any will do."""
    item = assignment.item
    return [
        (assignment.rater, assignment.phase, name, item.case, item.pair, item.sample, about)
        for name in dimensions
        for known_abouts in [abouts(item, name)]
        for about in ([None] if known_abouts is None else known_abouts)
    ]
