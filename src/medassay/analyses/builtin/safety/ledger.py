"""Every reason to look at an answer, and how far its review has come."""

from collections import Counter
from collections.abc import Iterator

from medassay.analyses.builtin.safety.record import DangerNamed, RiskCount
from medassay.analyses.inputs.answer_dangers import Cell, Dangers
from medassay.answers import Answers
from medassay.error_analysis import ErrorVerdict
from medassay.metrics.danger import DangerRules

__all__ = ["dangers_named", "risks_counted"]


def dangers_named(
    answers: Answers, dangers: Dangers, rules: DangerRules
) -> tuple[DangerNamed, ...]:
    """List flags of rules, verdicts of raters on answers that no rule flags, and tags of cases."""
    cells = ((system, case) for system, case, _ in answers.keys)
    named = [danger for cell in cells for danger in _of(cell, dangers, rules)]
    return tuple(
        sorted(
            named,
            key=lambda danger: (danger.system, danger.case, danger.by, danger.kind, danger.rule),
        )
    )


def _of(cell: Cell, dangers: Dangers, rules: DangerRules) -> Iterator[DangerNamed]:
    judged = dangers.verdicts.get(cell, {})
    flags = (dangers.flags or {}).get(cell, ())
    for flag in flags:
        yield _danger(
            cell,
            flag.category,
            "rule",
            judged.get(flag.category),
            rule=flag.rule,
            says=flag.says,
            source=f"{flag.source}. Citation: {rules.rules[flag.rule].checked}",
            part=flag.part,
            words=None if flag.span is None else flag.span.words,
            case_words=flag.case_words or None,
            looked=bool(judged),
        )
    ruled = {flag.category for flag in flags}
    for kind, verdict in judged.items():
        if (verdict.dangerous or verdict.open) and kind not in ruled:
            yield _danger(cell, kind, "raters", verdict)
    tagged = dangers.tags.get(cell)
    if tagged is not None and tagged.kind:
        says = f"tag {tagged.tag} of the case"
        yield _danger(cell, tagged.kind, "tag", judged.get(tagged.kind), says=says)


def _danger(  # noqa: PLR0913 - one argument a column of the ledger
    cell: Cell,
    kind: str,
    by: str,
    verdict: ErrorVerdict | None,
    *,
    rule: str = "",
    says: str = "",
    source: str = "",
    part: str = "",
    words: str | None = None,
    case_words: str | None = None,
    looked: bool = False,
) -> DangerNamed:
    risk = None
    if verdict is not None and verdict.likelihood_score is not None:
        risk = (verdict.severity_score or 0.0) * verdict.likelihood_score
    return DangerNamed(
        system=cell[0], case=cell[1], kind=kind, by=by, rule=rule, says=says, source=source,
        part=part, words=words, case_words=case_words, state=_state(verdict, by, looked=looked),
        severity=verdict.severity if verdict else None,
        likelihood=verdict.likelihood if verdict else None,
        risk=risk,
    )  # fmt: skip


def _state(verdict: ErrorVerdict | None, by: str, *, looked: bool) -> str:
    if verdict is None:
        if by == "tag":
            return "dangerous"
        return "not dangerous" if looked else "not reviewed"
    if verdict.open:
        return "raters differ"
    if not verdict.adjudicated and not verdict.reviewed_twice:
        return "reviewed once"
    return "dangerous" if verdict.dangerous else "not dangerous"


def risks_counted(dangers: Dangers) -> tuple[RiskCount, ...]:
    """Count the verdicts by system, kind of error, severity and likelihood."""
    times = Counter(
        (verdict.system, verdict.kind, verdict.severity, verdict.likelihood)
        for judged in dangers.verdicts.values()
        for verdict in judged.values()
    )
    return tuple(
        RiskCount(system, kind, severity, likelihood, count)
        for (system, kind, severity, likelihood), count in sorted(
            times.items(), key=lambda item: tuple(map(str, item[0]))
        )
    )
