"""A finding in sentences, what they claim and how sure that is, and how often such verdicts err."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from medassay.stats import Graph, graph_levels
from medassay.stats.intervals import Interval

REGISTER: Final = "design/verdicts.md"
"""The register, in medassay's sources."""


class VerdictRow(StrEnum):
    """What a claim is called in the register: each claim of ours names one.

    A row has one line or more there: the verdict in its worst design, of each thing that makes it
    wrong.
    """

    ACCURACY = "accuracy"
    BLINDING = "blinding"
    CERTIFICATE = "certificate"
    CONFIDENCE = "confidence"
    CRITERIA = "criteria"
    DRIFT = "drift"
    FOLLOWS = "follows"
    GRADER = "grader"
    HARM_APART = "harm-apart"
    HARM_BOUND = "harm-bound"
    JURY = "jury"
    LEADS = "leads"
    LENGTH = "length"
    MONITOR = "monitor"
    NOT_WORSE = "not-worse"
    PERMIT = "permit"
    PREFERRED = "preferred"
    RELIABILITY = "reliability"
    REVERSED = "reversed"
    SHOWN = "shown"
    SIMILAR = "similar"
    STRICT = "strict"
    TARGET = "target"
    WORSE = "worse"


def measured_in(*rows: VerdictRow) -> str:
    """Say where a reader finds how often a verdict is wrong.

    Example:
        >>> measured_in(VerdictRow.WORSE, VerdictRow.NOT_WORSE)
        'How often this is wrong: worse, not-worse in design/verdicts.md'
    """
    return f"How often this is wrong: {', '.join(rows)} in {REGISTER}"


LEVEL: Final = 0.05
"""The share of reports with a wrong verdict of one kind, at most."""


class VerdictKind(StrEnum):
    """What may be wrong with a report at most in 5% of cases, each kind by itself.

    The primary question is what the protocol or study.toml ranks by, before anybody rates. All
    other claims share one rate. Of warnings, which ask a person to check, each kind has a rate.
    What has its own rate is tested elsewhere: permits, certificates, `compare`.
    """

    PRIMARY = "primary question"
    CLAIM = "other claim"
    WARNING = "warning"
    OWN_RATE = "own rate"


@dataclass(frozen=True, slots=True)
class Claim:
    """A question that a sentence may answer with a verdict.

    Attributes:
        finding: The id of the finding that answers it.
        about: What it is about, such as a dimension; of a warning, its kind.
        kind: Which rate holds it.
        p: The smallest p of its tests, each adjusted for the others; None where a test gives none.
        last: The largest; None likewise.
        tests: How many tests gave a p.
        level: At which it is tested; None before it is, and for what has its own rate.
        whose: The package whose analysis claims it, with a rate of its own; empty for ours.
        row: The row of the register that has how often it was wrong when simulated; None for what
            another package claims.
    """

    finding: str
    about: str
    kind: VerdictKind
    p: float | None = None
    last: float | None = None
    tests: int = 1
    level: float | None = None
    whose: str = ""
    row: VerdictRow | None = None

    @classmethod
    def of(
        cls,
        finding: str,
        about: str,
        kind: VerdictKind,
        adjusted: Iterable[float | None] = (),
        *,
        row: VerdictRow | None = None,
    ) -> "Claim":
        """Give the claim of several tests, by their p adjusted for each other.

        Example:
            >>> Claim.of("leaders", "tone", VerdictKind.CLAIM, [0.2, None, 0.01]).p
            0.01
        """
        p = [value for value in adjusted if value is not None]
        low, high = min(p, default=None), max(p, default=None)
        return cls(finding, about, kind, low, high, len(p), row=row)


def implied_p(value: float, around: Interval | None, null: float = 0.0) -> float | None:
    """Give the two-sided p that an interval implies, from the end that lies toward the null.

    Args:
        value: The estimate.
        around: Its interval; None gives no p.
        null: The value that is tested.

    Example:
        >>> around = Interval(0.0, 2.0, 0.95, "t", "an example")
        >>> round(implied_p(1.0, around), 2)
        0.05
    """
    if around is None:
        return None
    from scipy.special import ndtr, ndtri

    reach = value - around.low if value > null else around.high - value
    if reach <= 0:
        return 0.0 if value != null else 1.0
    return 2 * float(ndtr(-abs(value - null) / reach * ndtri((1 + around.level) / 2)))


def shared_out(claims: Mapping[str, Sequence[Claim]]) -> dict[str, tuple[Claim, ...]]:
    """Give every claim the level at which it is tested.

    The primary question has all of its rate. Other claims share theirs by a graph of equal parts
    (`stats.graph_levels`): a claim whose every test is rejected hands its part on. Each kind of
    warning has its own rate.

    Args:
        claims: Of each analysis.

    Example:
        >>> two = [Claim("a", "x", VerdictKind.CLAIM, 0.01, 0.01), Claim("a", "y",
        ...        VerdictKind.CLAIM, 0.04, 0.04)]
        >>> [claim.level for claim in shared_out({"mine": two})["mine"]]
        [0.025, 0.05]
    """
    levels: dict[tuple[str, int], float] = {}
    for kind in (VerdictKind.PRIMARY, VerdictKind.CLAIM):
        places = [
            (name, at)
            for name, own in claims.items()
            for at, claim in enumerate(own)
            if claim.kind is kind
        ]
        # What gives no p hands nothing on.
        last = [1.0 if (p := claims[name][at].last) is None else p for name, at in places]
        parts = graph_levels(last, Graph.alike(len(places)), LEVEL).tolist()
        levels |= dict(zip(places, parts, strict=True))
    return {
        name: tuple(
            replace(claim, level=levels.get((name, at), _own_level(claim)))
            for at, claim in enumerate(own)
        )
        for name, own in claims.items()
    }


def _own_level(claim: Claim) -> float | None:
    return LEVEL if claim.kind is VerdictKind.WARNING else None


_VERDICT: Final = re.compile(
    r"\bleads\b|\b(?:ahead of|behind|better than|worse than|stricter|milder|safer than)\b"
    r"|\b(?:outperforms?|beats?|overstates|understates|drift(?:s|ed))\b"
    r"|\b(?:more|less) than (?:they do|by chance)\b|\bmore than chance\b"
    r"|\b(?:more|less) often than\b|\b(?:fewer|less|more)(?: [\w-]+){1,6} than\b(?! \d)"
    r"|^(?:higher|lower)\W*$"
    r"|\bsignificant(?:ly)?\b"
    r"|\bdiffers? (?:from|between)\b|\bstands? at the\b"
    r"|\b(?:reached|missed) (?:by|the target)\b"
    r"|\b(?:may|can) (?:rank|screen|gate|choose which|tell a worse|block a worse)\b"
    r"|\bother way round\b|\bchanges what\b"
    r"|\bwas preferred\b|\bcertified\b|\b(?:is|are) similar to\b",
    re.IGNORECASE,
)
"""Words that say who is better, or that something is so, and not by chance."""
_OPEN: Final = re.compile(
    r"\b(?:undecided|whether|enough if|cannot be told|not (?:tested|settled)|by luck"
    r"|none (?:is|of))\b",
    re.IGNORECASE,
)
"""Words of a clause that leaves it open."""
_CLAUSES: Final = re.compile(r"(?<=[.;:])\s+")


def says_verdict(text: str, but: Collection[str] = ()) -> bool:
    """Say whether a sentence carries a verdict: some clause says so, and leaves nothing open.

    Args:
        text: The sentence, or several.
        but: Names that people gave, whose words say nothing.

    Example:
        >>> says_verdict("A leads alone."), says_verdict("Whether A is better than B is undecided.")
        (True, False)
        >>> says_verdict("Better Than Ever answered 3 cases.", but=["Better Than Ever"])
        False
    """
    for name in sorted(filter(None, but), key=len, reverse=True):
        text = text.replace(name, "…")
    return any(
        _VERDICT.search(clause) and not _OPEN.search(clause) for clause in _CLAUSES.split(text)
    )


WARNS: Final = "Still to confirm"
"""What a sentence opens with that only warns."""
_WITH_RATERS: Final = frozenset(
    {VerdictRow.STRICT, VerdictRow.DRIFT, VerdictRow.REVERSED, VerdictRow.BLINDING}
)


def to_check(text: str, row: VerdictRow | None = VerdictRow.HARM_APART) -> str:
    """Open what only warns with how to confirm it, so that nobody takes it for a finding.

    Args:
        text: The sentence.
        row: What is warned of; of what another package warns nothing is known.

    Example:
        >>> to_check("Anna is stricter.", VerdictRow.STRICT)
        'Still to confirm with the raters: Anna is stricter.'
        >>> to_check("B gave fewer harmful answers than A.")
        'Still to confirm by reading the answers: B gave fewer harmful answers than A.'
    """
    how = " with the raters" if row in _WITH_RATERS else " by reading the answers" if row else ""
    return f"{WARNS}{how}: {text}"


class ReaderQuestion(StrEnum):
    """What readers come for, in the order in which a report answers."""

    WHOSE = "whose"
    UNSAFE = "unsafe"
    BETTER = "better"
    DESCRIBED = "described"
    CONFIDENT = "confident"
    AGREEMENT = "agreement"
    METRICS = "metrics"
    MISSING = "missing"
    NEXT = "next"
    FURTHER = "further"

    @property
    def heading(self) -> str:
        """Name the question where its answer stands."""
        return _HEADINGS[self]


_HEADINGS: Final = {
    ReaderQuestion.WHOSE: "Whose labels",
    ReaderQuestion.UNSAFE: "Harm",
    ReaderQuestion.BETTER: "Which is better",
    ReaderQuestion.DESCRIBED: "Found",
    ReaderQuestion.CONFIDENT: "Confidence",
    ReaderQuestion.AGREEMENT: "Agreement",
    ReaderQuestion.METRICS: "Automatic metrics",
    ReaderQuestion.MISSING: "Missing",
    ReaderQuestion.NEXT: "What next",
    ReaderQuestion.FURTHER: "Also found",
}


_DO: Final = ("Draw", "Have", "Read")
"""What a sentence begins with that says what to do."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found.

    Attributes:
        id: What it is about.
        text: One to three sentences that can stand alone.
        basis: The tables that hold its numbers, by their id.
        answers: The reader's question that it answers; what answers none stands behind.
        claims: Which verdicts it may carry, each with its p and the level at which it is tested.
        alarms: Whether it reports harm that raters found.
    """

    id: str
    text: str
    basis: tuple[str, ...]
    answers: ReaderQuestion = ReaderQuestion.FURTHER
    claims: tuple[Claim, ...] = ()
    alarms: bool = False

    @property
    def acts(self) -> bool:
        """Say whether its first sentence says what to do.

        Example:
            >>> Finding("harm-next", "Read the harmful answers.", (), ReaderQuestion.NEXT).acts
            True
            >>> Finding("plan", "20 cases detect 0.4.", (), ReaderQuestion.NEXT).acts
            False
        """
        return self.answers is ReaderQuestion.NEXT and self.text.partition(" ")[0] in _DO

    @property
    def rows(self) -> tuple[str, ...]:
        """List the rows of the register that have how often its verdicts are wrong."""
        return tuple(dict.fromkeys(claim.row.value for claim in self.claims if claim.row))


def in_reading_order(findings: list[Finding]) -> list[Finding]:
    """Put findings in the order of the questions; those of one question stay as they come.

    Example:
        >>> late = Finding("plan", "Ask more.", (), ReaderQuestion.NEXT)
        >>> early = Finding("harm", "None seen.", (), ReaderQuestion.UNSAFE)
        >>> [finding.id for finding in in_reading_order([late, early])]
        ['harm', 'plan']
    """
    order = list(ReaderQuestion)
    return sorted(findings, key=lambda finding: order.index(finding.answers))
