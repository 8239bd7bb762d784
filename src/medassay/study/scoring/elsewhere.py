"""What scores model metrics elsewhere than in this process must offer, whatever runs it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from medassay.metrics import Pair
from medassay.metrics.statements import Tallies
from medassay.models import ModelSetup
from medassay.scores import ScoreColumns

__all__ = ["Elsewhere", "Job", "Scores"]


@dataclass(frozen=True, slots=True)
class Job:
    """Some answers for one metric; cut by the study, never by who does the work.

    Attributes:
        metric: The metric's canonical name: it is looked up where the work is done.
        made_by: The hash of all that a value depends on, as this process has it.
        pairs: Cases and answers.
    """

    metric: str
    made_by: str
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """What a job found.

    Attributes:
        columns: A score a pair, in the order of the pairs.
        tallies: What was said of statements on the way.
    """

    columns: ScoreColumns
    tallies: Tallies


class Elsewhere(Protocol):
    """Where jobs are done."""

    def score(self, jobs: Sequence[Job], setup: ModelSetup) -> Iterator[tuple[int, Scores]]:
        """Do jobs; give the place of each with what it found, as they are done, in any order.

        A job whose worker dies is done again, by another.

        Args:
            jobs: The jobs.
            setup: Where models are; what is kept stays in this process.

        Raises:
            InvalidInput: The work cannot be done there, such as by workers of another version.
        """
