"""What an analysis may read of a study: each part by its type, and nothing it did not ask for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast, get_type_hints

import numpy as np

from medassay.analyses.declaration import Analysis
from medassay.analyses.gathered import Gathered, ranking_cases, sources_of, step_rng
from medassay.analyses.joining import Fitted, Joining, fitted_of, joining_of
from medassay.answers import Answers
from medassay.cases import Cases
from medassay.judgements import Judgements, Preferences, Rubric
from medassay.scores import ScoreTable
from medassay.study.folder import Study
from medassay.validity import Source

__all__ = [
    "About",
    "Columns",
    "Design",
    "Inputs",
    "Randomness",
    "about_of",
    "check_reads",
    "design_of",
    "randomness_of",
]


_Part = TypeVar("_Part")


@dataclass(frozen=True)
class About:
    """What the study says of itself.

    Attributes:
        title: Its title.
        synthetic: Whether its data are made up.
    """

    title: str
    synthetic: bool


@dataclass(frozen=True)
class Design:
    """How the study was laid out.

    Attributes:
        systems: Ids of the systems.
        ranking_cases: Ids of the cases that systems are ranked on.
        clusters: Case to cluster; empty where each case is independent.
        families: System to family; empty where each system is its own.
    """

    systems: tuple[str, ...]
    ranking_cases: tuple[str, ...]
    clusters: Mapping[str, str]
    families: Mapping[str, str]


@dataclass(frozen=True)
class Columns:
    """The columns of scores: metrics, imported ones, and what raters jointly say.

    Attributes:
        gathered: What is known about each.
        sources: Each laid out over the systems and the ranking cases, by name.
    """

    gathered: Gathered
    sources: Mapping[str, Source]


@dataclass(frozen=True)
class Randomness:
    """Random numbers that follow from the study's seed.

    Attributes:
        replicates: How many resamples to draw.
    """

    replicates: int
    _stream: Callable[..., np.random.Generator]

    def stream(self, code: str, *drawn_for: str) -> np.random.Generator:
        """Give the numbers of one step; see `stats.streams.stream`.

        Args:
            code: The step's frozen code. A stranger's begins with its package's name.
            drawn_for: What else tells this draw from others of the step.
        """
        return self._stream(code, *drawn_for)


@dataclass
class Inputs:
    """A study and its scores, of which each analysis is given what its parameters ask for.

    Attributes:
        study: The study.
        gathered: Its columns of scores.
    """

    study: Study
    gathered: Gathered
    _made: dict[type, object] = field(default_factory=dict, init=False)

    def of(self, one: Analysis[Any]) -> dict[str, object]:
        """Give an analysis what it reads, by parameter; each part is made once."""
        return {name: self.part(wanted) for name, wanted in one.reads.items()}

    def part(self, kind: type[_Part]) -> _Part:
        """Give one part, by its type."""
        if kind not in self._made:
            self._made[kind] = _PROVIDERS[kind](self)
        made: Any = self._made[kind]
        return cast("_Part", made)


def _judgements(inputs: Inputs) -> Judgements:
    return inputs.study.judgements


def _preferences(inputs: Inputs) -> Preferences:
    return inputs.study.preferences


def _rubric(inputs: Inputs) -> Rubric:
    return inputs.study.rubric


def _cases(inputs: Inputs) -> Cases:
    return inputs.study.cases


def _answers(inputs: Inputs) -> Answers:
    return inputs.study.answers


def _scores(inputs: Inputs) -> ScoreTable:
    return inputs.gathered.table


def _joining(inputs: Inputs) -> Joining:
    return joining_of(inputs.study)


def _fitted(inputs: Inputs) -> Fitted:
    return fitted_of(inputs.study)


def about_of(study: Study) -> About:
    """Give what a study says of itself."""
    return About(study.config.title, study.config.synthetic)


def design_of(study: Study) -> Design:
    """Say how a study was laid out."""
    return Design(study.systems, ranking_cases(study), study.clusters, study.families)


def _columns(inputs: Inputs) -> Columns:
    return Columns(inputs.gathered, sources_of(inputs.study, inputs.gathered))


def _about(inputs: Inputs) -> About:
    return about_of(inputs.study)


def _design(inputs: Inputs) -> Design:
    return design_of(inputs.study)


def randomness_of(study: Study) -> Randomness:
    """Give the random numbers of a study."""
    return Randomness(
        study.config.run.replicates, lambda code, *drawn_for: step_rng(study, code, *drawn_for)
    )


def _randomness(inputs: Inputs) -> Randomness:
    return randomness_of(inputs.study)


_PROVIDERS: Final[Mapping[type, Callable[[Inputs], object]]] = {
    get_type_hints(one)["return"]: one
    for one in (
        _judgements, _preferences, _rubric, _cases, _answers, _scores, _joining, _fitted,
        _about, _design, _columns, _randomness,
    )
}  # fmt: skip


def check_reads(one: Analysis[Any]) -> str:
    """Say what an analysis asks for that no study has; nothing where all of it can be given."""
    strange = [name for name, wanted in one.reads.items() if wanted not in _PROVIDERS]
    if not strange:
        return ""
    known = ", ".join(sorted(kind.__name__ for kind in _PROVIDERS))
    return f"{', '.join(strange)} must be one of {known}"
