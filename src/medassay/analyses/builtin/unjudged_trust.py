"""Does the rule for answers that nobody judged decide what a metric may be used for?"""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_uses_unjudged import RuleTrust, UnjudgedTrust
from medassay.exhibits import Names
from medassay.exhibits.cells import missing
from medassay.exhibits.numbers import PROPORTION, bounds, count_of
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["unjudged_trust"]

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
    return Table(
        "unjudged-trust",
        "What each metric may be used for, by the rule for answers that nobody judged",
        "The trust table under each rule of the table above: use, and tau with its interval, made "
        f"as there. The trust table itself follows the rule: {own}. {verdict}",
        (
            Column("Metric", ("metric",)),
            *(
                column
                for rule in rules
                for column in (
                    Column("Use", (f"{rule}_uses", f"{rule}_why"), group=_TITLES[rule]),
                    Column(
                        "Tau",
                        (f"{rule}_tau", f"{rule}_low", f"{rule}_high", f"{rule}_answers"),
                        numeric=True,
                        group=_TITLES[rule],
                    ),
                )
            ),
            Column("Changes", ("changes",)),
        ),
        tuple(
            Row(
                (
                    Cell(names.of_source(trust.metric), (trust.metric,)),
                    *(cell for rule in trust.rules for cell in _cells(rule)),
                    Cell("changes" if trust.changes else "–", (trust.changes,)),
                ),
                names.of_dimension(trust.dimension),
            )
            for trust in unjudged_trusts
        ),
        group_field="dimension",
        empty="Every answer is judged.",
    )


def _cells(rule_trust: RuleTrust) -> tuple[Cell, Cell]:
    ends = (
        (rule_trust.interval.low, rule_trust.interval.high) if rule_trust.interval else (None, None)
    )
    use = Cell(
        ",\u00a0".join(rule_trust.uses),
        (" ".join(rule_trust.uses), rule_trust.why),
        detail=as_sentence(rule_trust.why),
    )
    if rule_trust.tau is None:
        return use, missing(rule_trust.why, 4)
    raw = (rule_trust.tau, *ends, rule_trust.n_answers)
    return use, Cell(PROPORTION(rule_trust.tau), raw, aside=bounds(rule_trust.interval))


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
