"""A protocol: a named way of evaluating, with its source, kept as a data file."""

import re
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.marks import Guarded
from medassay.plugins import offered_file, offered_names, taken_names
from medassay.study.boards import Board, SourceName
from medassay.tables import read_toml, wrong

__all__ = [
    "ConfidenceRule",
    "FigureRow",
    "LengthRule",
    "PaperRule",
    "Protocol",
    "load_protocol",
    "offered_by",
    "protocol_names",
    "protocol_of_system",
    "protocol_plugin_problems",
    "shipped_protocols",
]

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

    model_config = ConfigDict(frozen=True, extra="forbid")

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

    model_config = ConfigDict(frozen=True, extra="forbid")

    dimension: str
    bands: str


class FigureRow(BaseModel):
    """A row of the paper's Figure 1 that is there though a study has no such metric.

    Attributes:
        metric: The metric, with the one argument that tells its rows apart; a metric of a study
            that has the argument is this row's, whatever else its name holds.
        title: What the figure calls it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

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

    model_config = ConfigDict(frozen=True, extra="forbid")

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
        boards: Leaderboards in a shared task's own columns; none for most protocols.
        figure_rows: Rows that Figure 1 of the paper has in any study; none for most protocols.
        tells_safety: Whether the findings tell the safety score whatever was found, because its
            source has one.
        reference_system: The reference system that its source describes: `medassay answer` makes
            new studies by this protocol.
        starter: Which invented files `medassay new` begins with; the plainest if not given.
        analyses: An analysis to whether it is run; what is not named runs unless it takes long.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, AfterValidator(_as_name)]
    title: Annotated[str, Field(min_length=1)]
    source: str = ""
    description: str = ""
    rubric: Annotated[str, Field(min_length=1), Guarded("medassay.study.own_files.outside_problem")]
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
    boards: tuple[Board, ...] = ()
    figure_rows: tuple[FigureRow, ...] = ()
    tells_safety: bool = False
    reference_system: Literal["", "tfidf"] = ""
    starter: Annotated[str, Guarded("medassay.study.protocol_checks.own_protocol_problems")] = ""
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
    shipped = shipped_protocols()
    problems = [*taken_names(_GROUP, _WHAT, shipped)]
    for name in offered_names(_GROUP, _WHAT):
        if name not in shipped:
            try:
                load_protocol(name)
            except InvalidInput as error:
                problems += error.problems
    return tuple(problems)


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
