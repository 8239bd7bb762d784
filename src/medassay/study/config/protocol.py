"""A protocol, a named way of evaluating with its source; and files that study.toml may name."""

import re
from datetime import date
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from medassay.annotations import Guarded
from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.plugins import misfits, offered_file, offered_names
from medassay.scores import Name
from medassay.study.files.lock import leads_elsewhere
from medassay.study.files.names import STUDY_FILE
from medassay.tables import file_bytes, read_toml, wrong


def outside_problem(folder: Path, name: str, column: str, file: str = STUDY_FILE) -> Problem | None:
    """Say why a name leads out of the study; None where it does not.

    The file itself may be a link, as git-annex and DataLad keep large ones; a folder on the way to
    it may not. What leads out on Windows is refused everywhere: a study travels.

    Args:
        folder: The study's folder.
        name: What is named, from the study's folder.
        column: Where it is named.
        file: In which file.

    Example:
        >>> print(outside_problem(Path(), "../x.toml", "protocol.name"))
        study.toml, column protocol.name: must name a file of the study; got "../x.toml". Copy it \
beside study.toml, so that the study is whole by itself.
        >>> outside_problem(Path(), "rules/x.toml", "protocol.name")
    """
    inside, on_windows = PurePosixPath(name), PureWindowsPath(name)
    folders = [parent for parent in inside.parents if parent.name]
    over = next((part for part in folders if leads_elsewhere(folder / part)), None)
    out = not inside.name or inside.is_absolute() or on_windows.anchor or ".." in on_windows.parts
    if not out and over is None:
        return None
    got = f'"{name}"' if out else f'"{name}", and {over} is a link'
    hint = "Copy it beside study.toml, so that the study is whole by itself."
    return Problem(file, "name a file of the study", got, hint, None, column)


def _parsed(name: str) -> str:
    try:
        Name.parse(name)
    except InvalidInput as error:
        [problem] = error.problems
        raise wrong(problem.must, f'"{name}"', problem.try_) from error
    return name


SourceName = Annotated[str, AfterValidator(_parsed)]
"""The name of a column of scores, whether a study has it or not."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class BoardColumn(_Part):
    """One column: the scores of one source averaged over cases, or the mean of other columns.

    Attributes:
        name: What other columns and results call it.
        title: The heading.
        group: A heading over several columns; empty for none.
        sources: The source, by canonical name; where there are several, the first that the study
            has. Empty where `mean` is given.
        average: `macro` is the mean over cases, `micro` the score of all cases pooled.
        mean: Names of columns, whose mean it is.
        may_lack: Whether the mean is also made of those that are there, under another name.
        rank: The letter of its ranks; empty where systems are not ranked by it.
    """

    name: str
    title: str
    group: str = ""
    sources: tuple[SourceName, ...] = ()
    average: Literal["macro", "micro"] = "macro"
    mean: tuple[str, ...] = ()
    may_lack: bool = False
    rank: str = ""

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if bool(self.sources) == bool(self.mean):
            got = "both" if self.mean else "neither"
            raise wrong("have either sources or a mean of columns", got)
        return self


class Board(_Part):
    """One table of a shared task.

    Attributes:
        name: Its short name, such as the reference that it is about.
        title: The table's title.
        says: Sentences for its caption.
        order: The column that orders the systems.
        columns: Left to right; a mean stands behind the columns that it is of.
    """

    name: str
    title: str
    says: str
    order: str
    columns: tuple[BoardColumn, ...]

    @model_validator(mode="after")
    def _known(self) -> Self:
        seen: set[str] = set()
        for column in self.columns:
            if column.name in seen or not seen.issuperset(column.mean):
                lacks = ", ".join(name for name in column.mean if name not in seen)
                how = "twice" if column.name in seen else f"before {lacks}"
                got = f'"{column.name}" {how}'
                raise wrong("have each column once, and a mean behind what it is the mean of", got)
            seen.add(column.name)
        if self.order not in seen:
            hint = nearest(self.order, seen)
            raise wrong("be ordered by one of its columns", f'"{self.order}"', hint)
        return self


_GROUP: Final = "medassay.protocols"
"""The entry point group under which a package offers protocols: TOML files, each by its name."""
_WHAT: Final = "protocol"
_NAME: Final = re.compile(r"\w[\w.-]*")


def _as_name(value: str) -> str:
    """Keep out what could be taken for a file."""
    if not _NAME.fullmatch(value) or value.endswith(".toml"):
        must = "be one word of letters, digits, dots and hyphens that does not end in .toml"
        raise wrong(must, f'"{value}"')
    return value


Share = Annotated[float, Field(ge=0, le=1)]
Margin = Annotated[float, Field(gt=0, allow_inf_nan=False)]
"""The largest difference between two systems that counts as none, in the scores' own unit."""


def _as_day(value: object) -> str:
    try:
        return date.fromisoformat(str(value)).isoformat() if value != "" else ""
    except ValueError:
        raise wrong("be a day", f'"{value}"', "Write it as 2026-03-01.") from None


_Day = Annotated[str, BeforeValidator(_as_day)]


class ConfidenceRule(BaseModel):
    """How a system's confidence in words follows from the documents that it found.

    Attributes:
        dimension: What experts say of the same thing, with the levels High, Medium and Low.
        k: How many documents count.
        thresholds: Where Medium begins, and above what High does.
        fixed: The day on which the thresholds were fixed; empty where nobody says.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    dimension: str
    k: Annotated[int, Field(ge=1)] = 3
    thresholds: tuple[Share, Share]
    fixed: _Day = ""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        first, second = self.thresholds
        if first > second:
            raise wrong("name the lower threshold first", f"{first:g} and {second:g}")
        return self


class PaperRule(BaseModel):
    """What a protocol's source wants told in a paper.

    Attributes:
        dimension: The dimension whose scores the table and the sentence are about.
        bands: The publication whose words agreement is called by.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    dimension: str
    bands: str


class FigureRow(BaseModel):
    """A row of the paper's Figure 1 that is there though a study has no such metric.

    Attributes:
        metric: The metric, with the one argument that tells its rows apart; a metric of a study
            that has the argument is this row's, whatever else its name holds.
        title: What the figure calls it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    metric: SourceName
    title: str


class LengthRule(BaseModel):
    """How a score by criteria is adjusted for the length of the answer.

    Score - penalty x (characters - center) / per. It is linear and has no bounds: an answer shorter
    than the center gains, and the empty one gains most.

    Attributes:
        center: The length that changes nothing, in characters.
        per: Characters that the penalty is for.
        penalties: A name to what so many more characters cost.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    center: Annotated[float, Field(ge=0)]
    per: Annotated[float, Field(gt=0)]
    penalties: Annotated[dict[str, Annotated[float, Field(gt=0)]], Field(min_length=1)]


class Protocol(BaseModel):
    """What a study does unless its study.toml says otherwise.

    Attributes:
        name: The word that study.toml uses.
        title: What a page calls it.
        source: The publication that defines it; empty where there is none.
        description: One or two sentences.
        rubric: The rubric whose dimensions raters judge.
        metrics: Canonical names of the metrics to compute.
        agreement: Coefficients of agreement that the report shows, by canonical name.
        headline: Coefficients of `agreement` whose first with a value heads each dimension, because
            the source reports it; none where the scale is to choose.
        consensus: Consensus methods, the first being the one that rankings read.
        rank_by: The source that orders the leaderboard.
        rank_cases: `all`, or `judged-everywhere`: the cases where every system was judged.
        count_calibration: Whether labels of the calibration count like any others.
        calibration_of: Whether everybody's calibration is the same answers (shared), or each
            rater's own first ones (own).
        descriptive: Whether it reports descriptively only, without intervals, tests and
            comparisons, because its source says so.
        confidence: How confidence in words is held beside the experts'; None for most protocols.
        paper: What its source wants told in a paper; None for most protocols.
        length: How scores by criteria are adjusted for length, beside those that are not; None for
            most protocols.
        margins: A dimension, or a column of scores, to the largest difference between two systems
            that counts as none; none for most protocols.
        boards: Leaderboards in a shared task's own columns; none for most protocols.
        figure_rows: Rows that Figure 1 of the paper has in any study; none for most protocols.
        tells_safety: Whether the findings tell the safety score whatever was found, because its
            source has one.
        reference_system: The reference system that its source describes: `medassay answer` makes
            new studies by this protocol.
        starter: Which invented files `medassay new` begins with; the plainest if not given.
        analyses: An analysis to whether it is run; what is not named runs unless it takes long.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: Annotated[str, AfterValidator(_as_name)]
    title: Annotated[str, Field(min_length=1)]
    source: str = ""
    description: str = ""
    rubric: Annotated[
        str, Field(min_length=1), Guarded("medassay.study.config.protocol.outside_problem")
    ]
    metrics: list[str]
    agreement: Annotated[list[str], Field(min_length=1)]
    headline: list[str] = []
    consensus: Annotated[list[str], Field(min_length=1)]
    rank_by: SourceName
    rank_cases: Literal["all", "judged-everywhere"] = "all"
    count_calibration: bool = False
    calibration_of: Literal["shared", "own"] = "shared"
    descriptive: bool = False
    confidence: ConfidenceRule | None = None
    paper: PaperRule | None = None
    length: LengthRule | None = None
    margins: dict[str, Margin] = {}
    boards: tuple[Board, ...] = ()
    figure_rows: tuple[FigureRow, ...] = ()
    tells_safety: bool = False
    reference_system: Literal["", "tfidf"] = ""
    starter: Annotated[str, Guarded("medassay.study.opening.choices.own_protocol_problems")] = ""
    analyses: dict[str, bool] = {}


@cache
def shipped_protocols() -> tuple[str, ...]:
    """List the protocols that ship with medassay.

    Example:
        >>> [name for name in shipped_protocols() if "2026" not in name]
        ['archehr', 'blinded-pairs', 'clinical-mcq', 'environmental-health', 'healthbench', \
'jury', 'med-gpt', 'ratings', 'summaries']
    """
    folder = files("medassay") / "data" / "protocols"
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir()))


def protocol_names() -> list[str]:
    """List the protocols that can be asked for by name: ours, and those that packages offer."""
    return sorted({*shipped_protocols(), *offered_names(_GROUP, _WHAT)})


def protocol_plugin_problems() -> tuple[Problem, ...]:
    """Load what packages offer, and say of each misfit what is wrong with it."""
    return misfits(_GROUP, _WHAT, shipped_protocols(), load_protocol)


def load_protocol(name: str) -> Protocol:
    """Read a protocol by its name: ours, or one that a package offers.

    Raises:
        UnknownName: There is no such protocol.
        InvalidInput: A package offers it, and it cannot be read or does not hold together.

    Example:
        >>> load_protocol("archehr").consensus
        ['label_sum', 'mace', 'mean']
    """
    return _shipped(name) if name in shipped_protocols() else _offered(name)[0]


def protocol_of_system(system: str) -> Protocol:
    """Give the protocol that ships whose source describes a reference system.

    Example:
        >>> protocol_of_system("tfidf").confidence is not None
        True
    """
    shipped = map(load_protocol, shipped_protocols())
    return next(protocol for protocol in shipped if protocol.reference_system == system)


def offered_by(name: str) -> str:
    """Say of a package's protocol what messages call it; empty where it ships with medassay."""
    return "" if name in shipped_protocols() else _offered(name)[1]


@cache
def _shipped(name: str) -> Protocol:
    file = f"{name}.toml"
    return read_toml(Protocol, (files("medassay") / "data" / "protocols" / file).read_bytes(), file)


def _offered(name: str) -> tuple[Protocol, str]:
    file = offered_file(_GROUP, _WHAT, name)
    if file is None:
        raise UnknownName(_WHAT, name, protocol_names())
    protocol, problems = read_toml(Protocol, file.content, file.about), []
    if protocol.name != name:
        must, hint = f'be called "{name}", as it is offered', "Update or uninstall that package."
        problems = [Problem(file.about, must, f'"{protocol.name}"', hint, None, "name")]
    if protocol.rubric.endswith(".toml"):
        must, hint = "name a rubric", "A package offers its own as one of medassay.rubrics."
        problems += [Problem(file.about, must, f'"{protocol.rubric}"', hint, None, "rubric")]
    if problems:
        raise InvalidInput(problems)
    return protocol, file.about


_COLUMN: Final = "protocol.name"


def own_protocol(folder: Path, name: str) -> Protocol:
    """Read a protocol from a file of a study; the rubric that it names as a file lies beside it.

    Args:
        folder: The study's folder.
        name: The file, from there.

    Returns:
        The protocol, with its rubric's place from the study's folder where that is a file.

    Raises:
        InvalidInput: It leads out of the study, is not there, is no TOML, or has keys or values
            that cannot be; each is named.
    """
    outside = outside_problem(folder, name, _COLUMN)
    if outside is not None:
        raise InvalidInput(outside)
    protocol = read_toml(Protocol, file_bytes(folder / name, name), name)
    if protocol.name in shipped_protocols():
        must = "have another name: a changed copy of a protocol is another protocol"
        raise InvalidInput(Problem(name, must, f'"{protocol.name}"', "", None, "name"))
    if not protocol.rubric.endswith(".toml"):
        return protocol
    beside = PurePosixPath(name).parent / protocol.rubric
    outside = outside_problem(folder, str(beside), "rubric", name)
    if outside is not None:
        raise InvalidInput(outside)
    return protocol.model_copy(update={"rubric": str(beside)})
