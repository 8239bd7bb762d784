"""A protocol: a named way of evaluating, with its source, kept as a data file."""

from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from medassay.errors import UnknownName
from medassay.study.boards import Board
from medassay.tables import read_toml, wrong

__all__ = ["ConfidenceRule", "PaperRule", "Protocol", "load_protocol", "protocol_names"]


Share = Annotated[float, Field(ge=0, le=1)]


class ConfidenceRule(BaseModel):
    """How a system's confidence in words follows from the documents that it found.

    Attributes:
        dimension: What experts say of the same thing, with the levels High, Medium and Low.
        k: How many documents count.
        thresholds: Where Medium begins, and above what High does.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    dimension: str
    k: Annotated[int, Field(ge=1)] = 3
    thresholds: tuple[Share, Share]

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
        consensus: Consensus methods, the first being the one that rankings read.
        rank_by: The source that orders the leaderboard.
        rank_cases: `all`, or `judged-everywhere`: the cases where every system was judged.
        descriptive: Whether it reports descriptively only, without intervals, tests and
            comparisons, because its source says so.
        confidence: How confidence in words is held beside the experts'; None for most protocols.
        paper: What its source wants told in a paper; None for most protocols.
        boards: Leaderboards in a shared task's own columns; none for most protocols.
        analyses: An analysis to whether it is run; what is not named runs unless it takes long.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    source: str
    description: str
    rubric: str
    metrics: list[str]
    agreement: list[str]
    consensus: list[str]
    rank_by: str
    rank_cases: Literal["all", "judged-everywhere"]
    descriptive: bool = False
    confidence: ConfidenceRule | None = None
    paper: PaperRule | None = None
    boards: tuple[Board, ...] = ()
    analyses: dict[str, bool] = {}


def protocol_names() -> list[str]:
    """List the protocols that ship with medassay.

    Example:
        >>> [name for name in protocol_names() if "2026" not in name]
        ['archehr', 'clinical-mcq', 'environmental-health', 'med-gpt', 'ratings', 'summaries']
    """
    folder = files("medassay") / "data" / "protocols"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir())


@cache
def load_protocol(name: str) -> Protocol:
    """Read a protocol by its name.

    Raises:
        UnknownName: There is no such protocol.

    Example:
        >>> load_protocol("archehr").consensus
        ['label_sum', 'mace', 'mean']
    """
    if name not in protocol_names():
        raise UnknownName("protocol", name, protocol_names())
    file = f"{name}.toml"
    return read_toml(Protocol, (files("medassay") / "data" / "protocols" / file).read_bytes(), file)
