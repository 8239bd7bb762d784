"""Which cases a report shows in full, where there are more than a page can hold."""

from collections.abc import Set as AbstractSet
from typing import Final

from medassay.analyses.dangers import Dangers
from medassay.answers import Answer, chosen_option
from medassay.cases import Case
from medassay.study.folder import Study

__all__ = ["MOST_SHOWN", "describe_shown", "shown_cases"]

MOST_SHOWN: Final = 1_000
"""More make a page of tens of megabytes that no one pages through."""


def shown_cases(study: Study, dangers: Dangers) -> frozenset[str]:
    """Choose the cases that are shown in full: all of them, up to 1,000.

    Of more, half are for review: the cases of answers that a rule of danger flags, then those of
    wrong choices from the most confident on; ties take the first id. The others stand evenly
    spaced in the order of ids.
    """
    ids = study.cases.ids
    if len(ids) <= MOST_SHOWN:
        return frozenset(ids)
    wrong = sorted(
        (-(answer.confidence or 0.0), answer.case)
        for answer in study.answers
        if _is_wrong(study.cases[answer.case], answer)
    )
    flagged = sorted({case for _, case in dangers.flags or ()})
    review = list(dict.fromkeys([*flagged, *(case for _, case in wrong)]))[: MOST_SHOWN // 2]
    chosen = set(review)
    others = [case for case in ids if case not in chosen]
    rest = MOST_SHOWN - len(review)
    return frozenset([*review, *(others[place * len(others) // rest] for place in range(rest))])


def describe_shown(study: Study, shown: AbstractSet[str]) -> list[str]:
    """Say which cases are shown in full, where not all are."""
    total, half = len(study.cases), MOST_SHOWN // 2
    if len(shown) == total or study.config.privacy.texts == "none":
        return []
    text = (
        f"Details of {len(shown):,} of {total:,} cases are shown: up to {half:,} with an answer "
        "that a rule flags or with a wrong choice, the most confident first, and others evenly "
        "spaced. Every number is computed over all cases; all scores are in scores.parquet."
    )
    return [text]


def _is_wrong(case: Case, answer: Answer) -> bool:
    return case.gold is not None and chosen_option(case, answer) not in {None, case.gold}
