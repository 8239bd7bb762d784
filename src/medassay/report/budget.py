"""How many of a report's verdicts may be wrong: each claim's level, and the line that says it."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from medassay.analyses.declaration import Analysis, UndeclaredVerdict
from medassay.analyses.registry import is_ours, provided_by
from medassay.analyses.results import Results
from medassay.errors import Problem
from medassay.exhibits import Names
from medassay.exhibits.claim import (
    LEVEL,
    REGISTER,
    WARNS,
    Claim,
    Finding,
    VerdictKind,
    VerdictRow,
    says_verdict,
    shared_out,
)
from medassay.exhibits.numbers import count_of, listed


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


def of_certificates(results: Results) -> tuple[Claim, ...]:
    """Claim what certificates say, where a judge that is counted has one."""
    if not any(judged_by.certified for judged_by in results.judged_by):
        return ()
    kind, row = VerdictKind.OWN_RATE, VerdictRow.CERTIFICATE
    return (Claim.of("models", "certificates of judges", kind, row=row),)


def of_earlier(results: Results) -> tuple[Claim, ...]:
    """Claim what changed since an earlier run, where questions of both were compared."""
    if results.earlier is None or not results.earlier.changes:
        return ()
    kind, row = VerdictKind.OWN_RATE, VerdictRow.ACCURACY
    return (Claim.of("opening", "changes since the earlier run", kind, row=row),)


def refuse_undeclared(findings: Iterable[Finding], names: Names) -> None:
    """Refuse a sentence of the report's own that carries a verdict which nothing claims.

    Raises:
        UndeclaredVerdict: With the sentence.
    """
    for finding in findings:
        if not finding.claims and says_verdict(finding.text, names.given):
            must = "claim the verdicts of its sentences"
            raise UndeclaredVerdict(Problem("the report", must, f'"{finding.text}"'))


def budget_line(
    levels: Mapping[str, Sequence[Claim]], findings: Iterable[Finding], names: Names
) -> str:
    """Say in a few sentences how often a report like this is wrong, and in what.

    Args:
        levels: What each analysis claims, said or not.
        findings: The sentences: those that open as `to_check` has it warn.
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
        both = [f"At most {200 * LEVEL:.0f}% do either."] if lines else []
        lines += [f"At most {rate} of reports make any wrong claim on {among}.", *both]
    findings = list(findings)
    if kinds := dict.fromkeys(_warned_of(claim, names) for claim in of[VerdictKind.WARNING]):
        lines.append(_warnings(list(kinds), findings, names))
    told = [claim for finding in findings for claim in finding.claims if not claim.whose]
    own_rates = (claim.about for claim in told if claim.kind is VerdictKind.OWN_RATE)
    if apart := dict.fromkeys(own_rates):
        lines.append(f"Not counted here, with rates of their own: {listed(list(apart))}.")
    if packages := dict.fromkeys(claim.whose for claim in claims if claim.whose):
        whose = listed(list(packages))
        lines.append(f"At most {rate} of reports make any wrong claim in an analysis of {whose}.")
    return " ".join(lines)


def _warnings(kinds: Sequence[str], findings: Iterable[Finding], names: Names) -> str:
    """Count the warnings that are said and name them; of those that are not, count the kinds."""
    said = [
        _warned_of(claim, names)
        for finding in findings
        for claim in finding.claims
        if claim.kind is VerdictKind.WARNING and WARNS.casefold() in finding.text.casefold()
    ]
    looked = f"{count_of(len(kinds), 'kind')} tested"
    needless = f"each kind is needless in at most {100 * LEVEL:.0f}% of reports"
    if not said:
        return f'No warning opens with "{WARNS}" ({looked}; {needless}).'
    open_ = f"{count_of(len(said), 'warning')} {'opens' if len(said) == 1 else 'open'}"
    which = ", ".join(dict.fromkeys(said))
    return f'{open_} with "{WARNS}": {which} ({looked}; {needless}).'


def _warned_of(claim: Claim, names: Names) -> str:
    """Call harm what the labels say, where they say less as well."""
    if claim.about != "harm" or not names.harm_words:
        return claim.about
    first, *more = dict.fromkeys(names.harm_words.values())
    return "grave labels" if more else first or claim.about


def _by(names: Names) -> str:
    dimension = names.judged.get(names.primary)
    return f"on {names.of_dimension(dimension)}" if dimension else "by the score that ranks"
