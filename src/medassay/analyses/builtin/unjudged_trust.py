"""Does the rule for answers that nobody judged decide what a metric may be used for?"""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_uses_unjudged import RuleTrust, UnjudgedTrust
from medassay.analyses.permit_words import uses_words
from medassay.exhibits import Names
from medassay.exhibits.columns import Shown, celled, missing, named, table_of
from medassay.exhibits.numbers import PROPORTION, bounds, count_of
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Table

_TITLES: Final = {"dropped": "Dropped", "worst": "As wrong", "shared": "Shared cases"}


def _table(unjudged_trusts: Sequence[UnjudgedTrust], names: Names) -> Table:
    """Put the verdicts by each rule side by side, and mark every one that changes."""
    changed = sum(unjudged_trust_result.changes for unjudged_trust_result in unjudged_trusts)
    verdict = (
        f"The rule decides {count_of(changed, 'verdict')}."
        if changed
        else "No verdict depends on the rule."
    )
    ruled = {unjudged_trust_result.ruled for unjudged_trust_result in unjudged_trusts}
    own = ", ".join(_TITLES[rule].casefold() for rule in sorted(ruled))
    rules = [rule_trust.rule for rule_trust in unjudged_trusts[0].rules] if unjudged_trusts else []
    columns = [column for place, rule in enumerate(rules) for column in _of_rule(place, rule)]
    return table_of(
        [(names.of_dimension(trust.dimension), trust) for trust in unjudged_trusts],
        (
            celled("Metric", "metric", lambda row: named(names.of_source(row.metric), row.metric)),
            *columns,
            celled(
                "Changes",
                "changes",
                lambda row: Cell("changes" if row.changes else "–", (row.changes,)),
            ),
        ),
        id="unjudged-trust",
        title="What each metric may be used for, by the rule for answers that nobody judged",
        caption="The trust table under each rule of the table above: use, and tau with its "
        "interval, made as there. The trust table itself follows the rule: "
        f"{own}. {verdict} {uses_words()}",
        grouped_by="dimension",
        empty="Every answer is judged.",
    )


def _of_rule(place: int, rule: str) -> tuple[Shown[UnjudgedTrust], Shown[UnjudgedTrust]]:
    """Declare both columns of the rule at a place."""
    tau = (f"{rule}_tau", f"{rule}_low", f"{rule}_high", f"{rule}_answers")
    group = _TITLES[rule]
    return (
        celled(
            "Use", (f"{rule}_uses", f"{rule}_why"), lambda row: _use(row.rules[place]), group=group
        ),
        celled("Tau", tau, lambda row: _tau(row.rules[place]), numeric=True, group=group),
    )


def _use(rule_trust: RuleTrust) -> Cell:
    return Cell(
        ",\u00a0".join(rule_trust.uses),
        (" ".join(rule_trust.uses), rule_trust.why),
        detail=as_sentence(rule_trust.why),
    )


def _tau(rule_trust: RuleTrust) -> Cell:
    if rule_trust.tau is None:
        return missing(rule_trust.why, 4)
    around = rule_trust.interval
    ends = (around.low, around.high) if around else (None, None)
    raw = (rule_trust.tau, *ends, rule_trust.n_answers)
    return Cell(PROPORTION(rule_trust.tau), raw, aside=bounds(around))


@analysis(
    Declaration(
        id="unjudged_trust",
        title="What each metric may be used for, by the rule for answers that nobody judged",
        question="Does what becomes of answers that nobody judged decide what a metric is for?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="methodologist",
        place=60,
        tables=lambda ruled, names: [_table(ruled, names)],
    )
)
def unjudged_trust(ruled: tuple[UnjudgedTrust, ...]) -> tuple[UnjudgedTrust, ...]:
    """Put the verdicts by each rule side by side."""
    return ruled
