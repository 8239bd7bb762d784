"""Other people's scores as they lie in a study, and the scale of each metric that is compared."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.metrics import BoundMetric, Declaration, declarations, resolve
from medassay.scores import Name, ScoreTable, scores_from_sheet
from medassay.study.contents.known_ids import KnownIds, read_checked
from medassay.study.files.names import SCORES, tables_of, without_padding
from medassay.tables import Sheet, file_bytes, is_there, read_record, read_sheet, read_toml, wrong
from medassay.validity import Direction

_Finite = Annotated[float, Field(allow_inf_nan=False)]


class Meaning(BaseModel):
    """What an imported column of scores says.

    Attributes:
        question: The question that it answers.
        unit: Its unit.
        direction: Which way is better; `none` where neither is.
        low: Its least possible value, if it has one.
        high: Its greatest possible value, if it has one.
        harm: Whether a worse score means that somebody may come to harm; read by `compare`.
        origin: Who or what computed it, in the words of whoever imported it.
        title: What people call it; its name if empty.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    question: str = ""
    unit: str = ""
    direction: Literal["higher", "lower", "none"] = "higher"
    low: _Finite | None = None
    high: _Finite | None = None
    harm: bool = False
    origin: str = ""
    title: str = ""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise wrong("have low below high", f"{self.low:g} and {self.high:g}")
        return self

    def problems(self, table: ScoreTable, file: str) -> list[Problem]:
        """Name the values that lie outside of the range."""
        import polars as pl

        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        strange = table.frame.filter(pl.col("value").is_between(low, high).not_())
        must = f"be between {low:g} and {high:g}, the range given for these scores"
        return [
            Problem(file, must, f'{value:g} of "{system}" for "{case}"', "", None, "value")
            for system, case, value in strange.select("system", "case", "value").iter_rows()
        ]


@dataclass(frozen=True)
class Imported:
    """One file of imported scores.

    Attributes:
        file: Its name in the study.
        table: Its scores, of one or more sources.
        meaning: What they say.
        notes: What was odd about the file, and was read all the same.
    """

    file: str
    table: ScoreTable
    meaning: Meaning
    notes: tuple[Problem, ...] = ()


def title_of(every: Sequence[Imported], source: str) -> str:
    """Say what people call scores: by what the file beside them says, else by their name."""
    own = (each.meaning.title for each in every if source in each.table.sources)
    return next(own, "") or source


def check_meaning(values: Mapping[str, object], shown: str) -> Meaning:
    """Check what somebody says of their scores.

    Raises:
        InvalidInput: Every problem of it.
    """
    problems: list[Problem] = []
    meaning = read_record(Meaning, values, file=shown, row=None, problems=problems)
    if meaning is None:
        raise InvalidInput(problems)
    return meaning


def read_imported(folder: Path, known: KnownIds) -> tuple[Imported, ...]:
    """Read every table in a study's folder `scores`, and hold its ids against the study's.

    Raises:
        InvalidInput: Every problem of every file.
    """
    tables_read: list[Imported] = []
    problems: list[Problem] = []
    for path in tables_of(folder, SCORES):
        try:
            tables_read.append(_read(path, known))
        except InvalidInput as error:
            problems += error.problems
    twice: dict[str, str] = {}
    for imported in tables_read:
        for source in imported.table.sources:
            if source in twice:
                got = f'"{source}" in {twice[source]} too'
                problems.append(Problem(imported.file, "hold metrics of no other file", got))
            twice.setdefault(source, imported.file)
    if problems:
        raise InvalidInput(problems)
    return tuple(tables_read)


def _read(path: Path, known: KnownIds) -> Imported:
    shown = f"{SCORES}/{path.name}"

    def read(sheet: Sheet) -> ScoreTable:
        return scores_from_sheet(sheet, source=path.stem)

    sheet = without_padding(read_sheet(path, shown))
    table = read_checked(sheet, read, known)
    meaning = read_meaning(path.with_suffix(".toml"), f"{SCORES}/{path.stem}.toml")
    outside = meaning.problems(table, shown)
    if outside:
        raise InvalidInput(outside)
    return Imported(shown, table, meaning, sheet.notes)


def read_meaning(path: Path, shown: str) -> Meaning:
    """Read what the file beside a table of scores says of them; nothing if there is no such file.

    Raises:
        InvalidInput: It is no TOML, or says what cannot be.
    """
    return read_toml(Meaning, file_bytes(path, shown), shown) if is_there(path) else Meaning()


_DIRECTIONS: Final[dict[str, Direction]] = {"higher": "higher", "lower": "lower", "none": "none"}


@dataclass(frozen=True)
class Scale:
    """What is known of a metric's values.

    Attributes:
        direction: Which way is better; None if nobody has said.
        low: The least possible value, if there is one.
        high: The greatest possible value, if there is one.
        if_no_answer: What an answer never given counts as, where the metric declares it.
        declared: Whether the metric itself says so, and nobody may say otherwise.
        harm: Whether it measures harm.
    """

    direction: Direction | None = None
    low: float | None = None
    high: float | None = None
    if_no_answer: float | None = None
    declared: bool = False
    harm: bool = False

    @property
    def worst(self) -> float | None:
        """Give what a lost score counts as: an answer never given, else the worse end."""
        if self.if_no_answer is not None:
            return self.if_no_answer
        return self.high if self.direction == "lower" else self.low

    def problems(self, name: str, values: Sequence[float]) -> list[Problem]:
        """Name a value outside of the range; scores times 100 are the usual reason."""
        low = -float("inf") if self.low is None else self.low
        high = float("inf") if self.high is None else self.high
        for value in (min(values), max(values)) if values else ():
            if not low <= value <= high:
                must = f"lie between {low:g} and {high:g}, the range of {name}"
                try_ = f"Say the range of yours, as in --range {name}=0..100."
                return [Problem(name, must, f"{value:g}", try_, None, "value")]
        return []

    def seen(self, values: Sequence[float]) -> "Scale":
        """Take 0 to 1 for the range if all values lie in it, else only what was seen.

        Beyond what was seen there may be worse values, so a lost score has none to count as.
        """
        if self.low is not None or self.high is not None or not values:
            return self
        if min(values) >= 0 and max(values) <= 1:
            return replace(self, low=0.0, high=1.0)
        return self


@dataclass(frozen=True)
class MetricScaleOptions:
    """What the user says of metrics; the name "" stands for every metric not named.

    Attributes:
        directions: Which way is better.
        lows: Their least possible values.
        highs: Their greatest possible values.
        harms: Metrics that measure harm, whatever they declare.
    """

    directions: Mapping[str, str]
    lows: Mapping[str, float]
    highs: Mapping[str, float]
    harms: frozenset[str] = frozenset()

    @property
    def named(self) -> set[str]:
        """List every metric that something is said of."""
        return ({*self.directions, *self.lows, *self.highs, *self.harms}) - {""}

    def over(self, scale: Scale, name: str) -> Scale:
        """Lay what was said over what is known.

        Raises:
            InvalidInput: It contradicts what the metric declares, or is no range.
        """
        direction = self.directions.get(name)
        if direction is None and scale.direction is None:
            direction = self.directions.get("")
        if direction is not None and scale.declared and direction != scale.direction:
            must = f"be {scale.direction} for {name}, as the metric declares"
            raise InvalidInput(Problem("--direction", must, direction))
        bare = "" if not scale.declared else name
        low = self.lows.get(name, self.lows.get(bare, scale.low))
        high = self.highs.get(name, self.highs.get(bare, scale.high))
        if low is not None and high is not None and low >= high:
            must = f"have low below high for {name}"
            raise InvalidInput(Problem("--range", must, f"{low:g} and {high:g}"))
        known = scale.direction if direction is None else _DIRECTIONS[direction]
        moved = (low, high) != (scale.low, scale.high)
        return replace(
            scale, direction=known, low=low, high=high,
            if_no_answer=None if moved else scale.if_no_answer,
            harm=scale.harm or name in self.harms,
        )  # fmt: skip


def read_range(said: str, option: str) -> tuple[float | None, float | None]:
    """Read the ends of a range as it is typed; an end that is left out is None.

    Raises:
        InvalidInput: It is no range.

    Example:
        >>> read_range("0..100", "--range"), read_range("-1..", "--range")
        ((0.0, 100.0), (-1.0, None))
    """
    low, dots, high = said.partition("..")
    try:
        ends = [float(end) if end.strip() else None for end in (low, high)]
    except ValueError:
        ends = []
    known = [end for end in ends if end is not None]
    if not (dots and known and all(map(math.isfinite, known))):
        hint = "For example 0..100, or 0.. where only the lower end is known."
        raise InvalidInput(Problem(option, "have the form LOW..HIGH", f'"{said}"', hint))
    return ends[0], ends[1]


def metric_scale(metric: BoundMetric) -> Scale:
    """Give the scale of a metric of medassay's."""
    return _declared(metric.declaration, *metric.range)


def imported_scale(meaning: Meaning) -> Scale:
    """Give the scale of imported scores, as their owner described them."""
    return Scale(meaning.direction, meaning.low, meaning.high, harm=meaning.harm)


def registered_scale(name: str) -> Scale:
    """Give the scale of the metric of a name, parameters given or not; an empty one if none has it.

    Example:
        >>> registered_scale("over_limit").direction, registered_scale("over_limit").high
        ('lower', 1)
        >>> registered_scale("rouge1").direction, registered_scale("acc").direction
        ('higher', None)
    """
    try:
        return metric_scale(resolve(name))
    except UnknownName:
        return Scale()
    except InvalidInput:
        base = Name.parse(name).base
        for declaration in declarations():
            if declaration.name == base:
                return _declared(declaration, declaration.low, declaration.high)
    return Scale()


def _declared(declaration: Declaration, low: float | None, high: float | None) -> Scale:
    no_answer = (
        float(declaration.if_no_answer)
        if isinstance(declaration.if_no_answer, int | float)
        else None
    )
    direction = _DIRECTIONS[declaration.direction.value]
    return Scale(direction, low, high, no_answer, declared=True, harm=declaration.harm)
