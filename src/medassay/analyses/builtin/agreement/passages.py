"""How far raters mark the same passages, as a table and a sentence."""

from collections.abc import Sequence
from typing import Final

from medassay.agreement import PassageAgreement
from medassay.exhibits import PROPORTION, Names, Table, shown, table_of
from medassay.exhibits.cells import how
from medassay.exhibits.columns import counted, estimated
from medassay.exhibits.numbers import bounds, listed

__all__ = ["passage_table", "same_passages"]

_ANY: Final = "any"


def passage_table(passages: Sequence[PassageAgreement], names: Names) -> Table:
    """Show the pairwise F1 of characters, of passages of any kind and of each."""
    return table_of(
        ((names.of_dimension(row.dimension), row) for row in passages),
        (
            shown("Passages", lambda row: row.kind or _ANY, file="kind"),
            estimated("Characters, F1", "value", file="f1", axis=(0, 1)),
            counted("Both mark", "both"),
            counted("One marks", "one"),
            counted("Neither", "neither"),
            counted("Answers", "n_answers", file="answers"),
            counted("Cases", "n_cases", file="cases"),
        ),
        id="passage-agreement",
        title="Agreement on passages",
        caption="Characters of an answer that both of two raters marked, twice, by those that each "
        "marked, over all pairs of raters of an answer (both, one or neither of whom marked any). "
        "1: they mark the same characters; 0: none in common. Not corrected for chance. "
        + how(row.interval for row in passages),
        grouped_by="dimension",
    )


def same_passages(passages: Sequence[PassageAgreement], names: Names) -> str:
    """Say how far two raters mark the same characters, by dimension."""
    shares = [
        f"F1 {PROPORTION(agreed.value)} {bounds(agreed.interval)}".strip()
        + f" on {names.of_dimension(agreed.dimension)}"
        for agreed in passages
        if not agreed.kind and agreed.value is not None
    ]
    if not shares:
        return ""
    return f"Of the characters that two raters of an answer mark, they share: {listed(shares)}."
