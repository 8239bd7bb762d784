"""What is wrong with one place of a submission, and what the official scorer does about it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Final, Literal

__all__ = ["EFFECTS", "Effect", "Finding", "Tally", "blocks", "tally"]

Effect = Literal["refused", "misread", "costs", "harmless"]

EFFECTS: Final[dict[Effect, str]] = {
    "refused": "the official scorer stops, and scores no case at all",
    "misread": "the official scorer reads something else than what is meant",
    "costs": "the official scorer reads what is meant, and it lowers the score",
    "harmless": "worth knowing, and changes no score",
}
"""What the official scorer makes of it, worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to know about a submission.

    Attributes:
        effect: What the official scorer makes of it; see `EFFECTS`.
        kind: A short name that is the same wherever the same thing is wrong.
        file: The submission, as the user named it.
        case: The case, as the submission names it; None where the whole file is meant.
        line: The line within the answer, from 1; None where the whole answer is meant.
        must: What must be there, as the end of the sentence "must be ...".
        got: What was found.
        cost: What the scorer does about it, a sentence; empty where `effect` says all.
        try_: What to do, a sentence; empty where nothing can be said.

    Example:
        >>> print(Finding(effect="misread", kind="blank-in-citation", file="a.json", case="3",
        ...     line=2, must="separate ids by commas alone", got='"|2, 3|"',
        ...     cost='The scorer reads the ids "2", " 3".', try_='Write "|2,3|".'))
        a.json, case 3, line 2: must separate ids by commas alone; got "|2, 3|". The scorer reads \
the ids "2", " 3". Write "|2,3|".
    """

    effect: Effect
    kind: str
    file: str
    must: str
    got: str
    case: str | None = None
    line: int | None = None
    cost: str = ""
    try_: str = ""

    def __str__(self) -> str:
        """Say it in the one form that all of medassay uses."""
        place = [self.file]
        if self.case is not None:
            place.append(f"case {self.case}")
        if self.line is not None:
            place.append(f"line {self.line}")
        says = [f"{', '.join(place)}: must {self.must}; got {self.got}.", self.cost, self.try_]
        return " ".join(part for part in says if part)

    def as_dict(self) -> dict[str, str | int | None]:
        """Give the parts under the keys that `--json` prints."""
        facts = asdict(self)
        facts["try"] = facts.pop("try_")
        return facts


def blocks(findings: Iterable[Finding]) -> bool:
    """Say whether the official scorer would refuse the submission or misread it."""
    return any(finding.effect in {"refused", "misread"} for finding in findings)


@dataclass(frozen=True, slots=True)
class Tally:
    """How often one kind of thing was found.

    Attributes:
        effect: What the official scorer makes of it.
        kind: What it is.
        times: How often.
        cases: In how many cases; 0 where it is about the file.
    """

    effect: Effect
    kind: str
    times: int
    cases: int


def tally(findings: Iterable[Finding]) -> list[Tally]:
    """Count findings by effect, the worst first, then by kind, the most frequent first.

    Example:
        >>> one = Finding(effect="costs", kind="over-limit", file="a.json", case="1", must="end",
        ...               got="80")
        >>> tally([one, one])
        [Tally(effect='costs', kind='over-limit', times=2, cases=1)]
    """
    listed = list(findings)
    times = Counter((finding.effect, finding.kind) for finding in listed)
    order = list(EFFECTS)
    return [
        Tally(effect, kind, count, len({f.case for f in listed if f.kind == kind} - {None}))
        for (effect, kind), count in sorted(
            times.items(), key=lambda item: (order.index(item[0][0]), -item[1], item[0][1])
        )
    ]
