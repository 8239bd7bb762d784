"""One study scored as several jobs: each scores its shard of the answers, whatever runs the jobs.

A shard is cut by the study's own order of answers, in blocks, never by who does the work: what is
scored together is the same however many jobs there are. What a shard keeps lies where a run keeps
it (`results/kept`), in files that nobody changes; beside it stands a record of what was scored.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from medassay.errors import InvalidInput, Problem

__all__ = ["BLOCK", "RunOptions", "Shard", "ShardRecord"]

BLOCK: Final = 512
"""How many answers, side by side in the study's order, are always scored together."""

_FORM: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class Shard:
    """Which answers one job scores.

    Attributes:
        number: Which of the shards, from 1.
        of: How many shards there are.

    Example:
        >>> shard = Shard.parse("2/3")
        >>> str(shard), [place for place in (0, 600, 1200, 2100) if shard.holds(place)]
        ('2/3', [600, 2100])
    """

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Read a shard as it is typed, `3/16`.

        Raises:
            InvalidInput: It is none.
        """
        match = _FORM.fullmatch(text)
        number, of = map(int, match.groups()) if match else (0, 0)
        if not 1 <= number <= of:
            must = "be I/N: which of how many shards, I from 1 to N"
            raise InvalidInput(Problem("--shard", must, text, "Try 1/4, 2/4, 3/4 and 4/4."))
        return cls(number, of)

    def holds(self, place: int) -> bool:
        """Tell whether the answer at a place in the study's order is in this shard."""
        return place // BLOCK % self.of == self.number - 1

    def __str__(self) -> str:
        """Write it as it is typed."""
        return f"{self.number}/{self.of}"


class RunOptions(BaseModel):
    """What a run was asked for beside study.toml, as `open_run` takes it.

    Attributes:
        seed: The seed, where it overrules study.toml's.
        texts: How much text is shown, where it overrules study.toml's.
        metrics: Metrics beside the study's own.
        only: Metrics instead of the study's own.
        offline: Whether no model was to be fetched.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int | None = None
    texts: Literal["full", "ids", "none"] | None = None
    metrics: tuple[str, ...] | None = None
    only: tuple[str, ...] | None = None
    offline: bool = False

    def words(self) -> str:
        """Give the options as they are typed."""
        given = [
            *([f"--seed {self.seed}"] if self.seed is not None else []),
            *([f"--texts {self.texts}"] if self.texts else []),
            *(f"--metrics {name}" for name in self.metrics or ()),
            *(f"--only {name}" for name in self.only or ()),
            *(["--offline"] if self.offline else []),
        ]
        return " ".join(given)


class ShardRecord(BaseModel):
    """What one job did.

    Attributes:
        run: The name of the run that it scored for: a hash of inputs, choices and versions.
        number: Which of the shards, from 1.
        of: How many shards there are.
        asked: What was asked for beside study.toml.
        computed: Scores computed.
        reused: Answers whose score was kept from before.
        failed: Scores that failed: they are tried again when the shards are joined.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str
    number: int
    of: int
    asked: RunOptions = RunOptions()
    computed: int
    reused: int
    failed: int
