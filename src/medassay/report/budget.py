"""How many of a report's verdicts may be wrong: each claim's level, and the line that says it."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from medassay.analyses.declaration import Analysis, UndeclaredVerdict
from medassay.analyses.registry import is_ours, provided_by
from medassay.errors import Problem
from medassay.exhibits import Names
from medassay.exhibits.claim import (
    LEVEL,
    REGISTER,
    Claim,
    Finding,
    VerdictKind,
    says_verdict,
    shared_out,
)
from medassay.exhibits.numbers import count_of, listed

__all__ = ["budget_line", "levels_of", "refuse_undeclared"]


def levels_of(
    answered: Iterable[tuple[Analysis[Any], Any]], names: Names
) -> Mapping[str, Sequence[Claim]]:
    """Give each claim of a report the level at which it is tested.

    Analyses of other packages have a rate of their own each: which of them are installed changes
    nothing of what ours say, and none of them has the primary question.

    Args:
        answered: Every analysis with its record.
        names: What things are called.

    Raises:
        UndeclaredVerdict: A claim of ours names no row of the register.
    """
    ours: dict[str, Sequence[Claim]] = {}
    levels: dict[str, Sequence[Claim]] = {}
    for analysis, record in answered:
        if is_ours(analysis):
            ours[analysis.id] = _in_the_register(analysis.declared.claimed(record, names))
            continue
        with suppress(UndeclaredVerdict):  # nothing is claimed: no sentence may carry a verdict
            claims = _strangers(analysis.declared.claimed(record, names), provided_by(analysis))
            levels |= shared_out({analysis.id: claims})
    return levels | shared_out(ours)


def _in_the_register(claims: Sequence[Claim]) -> Sequence[Claim]:
    for claim in claims:
        if claim.row is None:
            must = f"name the row of {REGISTER} that has how often it is wrong (Claim.row)"
            raise UndeclaredVerdict(Problem(f'the claim of "{claim.finding}"', must, "none"))
    return claims


def _strangers(claims: Sequence[Claim], package: str) -> list[Claim]:
    return [
        replace(
            claim,
            whose=package,
            kind=VerdictKind.CLAIM if claim.kind is VerdictKind.PRIMARY else claim.kind,
        )
        for claim in claims
    ]


def refuse_undeclared(findings: Iterable[Finding], names: Names) -> None:
    """Refuse a sentence of the report's own that carries a verdict which nothing claims.

    Raises:
        UndeclaredVerdict: With the sentence.
    """
    for finding in findings:
        if not finding.claims and says_verdict(finding.text, names.given):
            must = "claim the verdicts of its sentences"
            raise UndeclaredVerdict(Problem("the report", must, f'"{finding.text}"'))


def budget_line(levels: Mapping[str, Sequence[Claim]], names: Names) -> str:
    """Say in a few sentences how often a report like this is wrong, and in what.

    Args:
        levels: What each analysis claims, said or not.
        names: What things are called.
    """
    claims = [claim for own in levels.values() for claim in own]
    ours = [claim for claim in claims if not claim.whose]
    of = {kind: [claim for claim in ours if claim.kind is kind] for kind in VerdictKind}
    rate = f"{100 * LEVEL:.0f}%"
    lines = []
    if of[VerdictKind.PRIMARY]:
        lines.append(f"By design, at most {rate} of reports name a wrong leader {_by(names)}.")
    if others := of[VerdictKind.CLAIM]:
        among = count_of(len(others), "other question" if lines else "question")
        lines.append(f"At most {rate} of reports make any wrong claim on {among}.")
    if kinds := dict.fromkeys(_warned_of(claim, names) for claim in of[VerdictKind.WARNING]):
        each = "Each kind of warning" if len(kinds) > 1 else "The warning"
        lines.append(f"{each} is needless in at most {rate} of reports ({', '.join(kinds)}).")
    if packages := dict.fromkeys(claim.whose for claim in claims if claim.whose):
        whose = listed(list(packages))
        lines.append(f"At most {rate} of reports make any wrong claim in an analysis of {whose}.")
    return " ".join(lines)


def _warned_of(claim: Claim, names: Names) -> str:
    """Call harm what the labels say, where they say less as well."""
    if claim.about != "harm" or not names.harm_words:
        return claim.about
    first, *more = dict.fromkeys(names.harm_words.values())
    return "grave labels" if more else first or claim.about


def _by(names: Names) -> str:
    dimension = names.judged.get(names.primary)
    return f"on {names.of_dimension(dimension)}" if dimension else "by the score that ranks"
