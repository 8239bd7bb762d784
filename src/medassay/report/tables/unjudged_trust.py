"""Whether the rule for answers that nobody judged decides what a metric may be used for."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.analyses.results.unjudged import RuleTrustResult, UnjudgedTrustResult
from medassay.exhibits.cells import missing
from medassay.exhibits.numbers import PROPORTION, bounds, count_of
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["unjudged_trust"]

_TITLES: Final = {"dropped": "Dropped", "worst": "As wrong", "shared": "Shared cases"}


def unjudged_trust(
    found: Sequence[UnjudgedTrustResult], titles: Mapping[str, str], *, synthetic: bool
) -> Table:
    """Put the verdicts by each rule side by side, and mark every one that changes."""
    changed = sum(one.changes for one in found)
    verdict = (
        f"The rule decides {count_of(changed, 'verdict')}."
        if changed
        else "No verdict depends on the rule."
    )
    ruled = {one.ruled for one in found}
    own = ", ".join(_TITLES[one].casefold() for one in sorted(ruled))
    rules = [one.rule for one in found[0].rules] if found else []
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
                    Cell(one.title, (one.metric,)),
                    *(cell for rule in one.rules for cell in _cells(rule)),
                    Cell("changes" if one.changes else "–", (one.changes,)),
                ),
                titles.get(one.dimension, one.dimension),
            )
            for one in found
        ),
        group_field="dimension",
        empty="Every answer is judged.",
        synthetic=synthetic,
    )


def _cells(one: RuleTrustResult) -> tuple[Cell, Cell]:
    ends = (one.interval.low, one.interval.high) if one.interval else (None, None)
    use = Cell(",\u00a0".join(one.uses), (" ".join(one.uses), one.why), detail=as_sentence(one.why))
    if one.tau is None:
        return use, missing(one.why, 4)
    raw = (one.tau, *ends, one.n_answers)
    return use, Cell(PROPORTION(one.tau), raw, aside=bounds(one.interval))
