"""A metric as data: everything a reader must know before trusting its number."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem
from medassay.metrics.needs import Need
from medassay.metrics.odd_texts import Odd
from medassay.metrics.parameter import Parameter
from medassay.metrics.reads import Reads
from medassay.metrics.statements import StatementCheck
from medassay.scores import Reason, is_word

__all__ = ["API", "Declaration", "Direction", "Level", "Pool"]

API: Final = 1
"""The version of what a metric declares and gets. One that was written for another is named."""

Pool = Callable[[NDArray[np.float64], Mapping[str, str]], NDArray[np.float64]]
"""Sums of parts, shape (..., parts), and the metric's arguments to pooled values, shape (...); NaN
where undefined."""


class Direction(StrEnum):
    """Which way is better."""

    HIGHER = "higher"
    LOWER = "lower"
    NONE = "none"


class Level(StrEnum):
    """What one value belongs to."""

    ANSWER = "answer"
    CORPUS = "corpus"


def _no_settings(_: Mapping[str, str]) -> Mapping[str, str]:
    return {}


def _never(_: Mapping[str, str]) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What a metric is; its arithmetic is elsewhere.

    Attributes:
        name: The word that names it; `@k` and parameters follow in the canonical name.
        title: What a table calls it; the name where nothing is said.
        question: The question that the number answers.
        unit: What one unit of the number is.
        low: The smallest value possible; None if there is none.
        high: The largest value possible; None if there is none.
        range_with: Gives low and high where the arguments narrow them.
        direction: Which way is better; NONE for a description.
        odd: What becomes of texts that are no ordinary answers, by kind (`odd_texts.KINDS`);
            those not named are scored as any other.
        level: Whether an answer has a value, or only all answers of a system together.
        needs: What it reads of the case and the answer.
        if_no_answer: Its value for an answer never given, or a reason if it has no worst value.
        if_empty: Its value for an answer given and empty, or the reason why it has none; None if it
            does not read the text.
        undefined_when: When there is no value though nothing is missing; "never" if so.
        reference: The source, with its DOI where one exists.
        parameters: What can be chosen.
        usual: What is chosen where nobody chooses, for parameters without a default beside `ref`: a
            form of the metric for each; every combination of values if not given.
        reads: Which letters it reads, and in which texts; None where it reads all, or no text.
        takes_k: Whether the name needs a cut-off, as in `recall@5`.
        parts: Names of the sufficient statistics that come with each score.
        pool: Makes the pooled (micro) value from sums of the parts.
        settings: What the value depends on beside the name, for the signature.
        libraries: Packages of others that compute it, as pip calls them: their versions are in the
            signature, and scores kept under other versions are computed again. What its model runs
            on is told by `backend`.
        backend: Finds the model or package that the metric runs on, without loading it, and gives
            its facts for the signature (name, hash); raises MissingBackend with the line that
            installs it. A metric without its backend is Unscored, and the run goes on.
        cost: What it takes to compute, in words; empty where it is next to nothing.
        blind_spots: What it cannot see, a sentence each.
        cautions: What a reader should know of these texts though they can be scored, a sentence
            each; the study's warnings take it up.
        statements: How it looks at statements, where a score is a count of them.
        harm: Whether a worse value means that somebody may come to harm. A gate then calls a new
            "metric not worse" only by a bound that holds however rare and heavy losses are.
        symmetric: Whether answer and reference can change places, every parameter at its default.
        parallel: Whether, with these arguments, several processes may share its work: plain Python
            that takes long and holds nothing that is slow to load, so never what runs a model.
        version: Raised whenever the same input gives another value.
        api: The version of this declaration that it was written for.
    """

    name: str
    question: str
    unit: str
    low: float | None
    high: float | None
    direction: Direction
    needs: tuple[Need, ...]
    if_no_answer: float | Reason
    undefined_when: str
    reference: str
    title: str = ""
    if_empty: float | Reason | None = None
    odd: Odd = field(default_factory=dict, hash=False)
    level: Level = Level.ANSWER
    parameters: tuple[Parameter, ...] = ()
    usual: tuple[Mapping[str, str], ...] = ()
    reads: Reads | None = None
    takes_k: bool = False
    parts: tuple[str, ...] = ()
    pool: Pool | None = None
    settings: Callable[[Mapping[str, str]], Mapping[str, str]] = _no_settings
    libraries: tuple[str, ...] = ()
    backend: Callable[[Mapping[str, str]], Mapping[str, str]] | None = None
    cost: str = ""
    blind_spots: tuple[str, ...] = ()
    cautions: Callable[[Sequence[tuple[Case, Answer]], Mapping[str, str]], list[str]] | None = None
    statements: StatementCheck | None = None
    harm: bool = False
    symmetric: bool = False
    parallel: Callable[[Mapping[str, str]], bool] = _never
    version: int = 1
    range_with: Callable[[Mapping[str, str]], tuple[float | None, float | None]] | None = None
    api: int = API

    def __post_init__(self) -> None:
        """Refuse a declaration that leaves a reader guessing.

        Raises:
            InvalidInput: Everything that is missing or does not fit together.
        """
        name = self.name or "a metric without a name"
        checks = [
            (is_word(self.name), "have a name of one word", f'"{self.name}"'),
            *(
                (bool(text.strip()), f"declare its {what}", "blanks")
                for what, text in (
                    ("question", self.question),
                    ("unit", self.unit),
                    ("undefined_when", self.undefined_when),
                    ("reference", self.reference),
                )
            ),
            (bool(self.needs), "declare what it needs", "nothing"),
            (
                all((n.of_case is None) != (n.of_answer is None) for n in self.needs),
                "read each need of the case or of the answer",
                "both or neither",
            ),
            (
                all(
                    p.default is None or p.canonical(p.default, metric=name) == p.default
                    for p in self.parameters
                ),
                "declare defaults in canonical form",
                "another form",
            ),
            (self.pool is None or bool(self.parts), "declare the parts it pools", "none"),
            *(
                (self.holds(value), f"declare {what} inside its range", f"{value}")
                for what, value in (
                    ("if_no_answer", self.if_no_answer),
                    ("if_empty", self.if_empty),
                )
                if isinstance(value, int | float)
            ),
        ]
        problems = [Problem(name, must, got) for passed, must, got in checks if not passed]
        if problems:
            raise InvalidInput(problems)

    def holds(self, value: float) -> bool:
        """Say whether a value lies in the declared range."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)
