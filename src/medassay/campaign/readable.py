"""Which answers can be put before a rater: those whose texts the study has."""

from collections.abc import Sequence

from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import Item
from medassay.study.contents.not_held import ADD_TEXTS
from medassay.study.folder import Study
from medassay.text import count_of

__all__ = ["readable"]


def readable(study: Study, items: Sequence[Item]) -> tuple[list[Item], list[str]]:
    """Leave out what nobody can read, since the text of one of its answers is not held.

    Args:
        study: The study.
        items: Answers, or pairs of them, that are to be rated.

    Returns:
        The others, and a sentence on those that are left out.

    Raises:
        InvalidInput: None is left.
    """
    whole = [item for item in items if _is_held(study, item)]
    left_out = len(items) - len(whole)
    if not left_out:
        return whole, []
    count = count_of(left_out, "pair" if items[0].system_b else "answer")
    unread = f"{count} with a text that is not held"
    if not whole:
        must = "have texts for raters to read"
        raise InvalidInput(Problem("answers", must, f"{unread}, and no other", ADD_TEXTS))
    return whole, [f"Left out: {unread}. {ADD_TEXTS}"]


def _is_held(study: Study, item: Item) -> bool:
    sample = None if item.system_b else item.sample
    answers = [study.answers.get(system, item.case, sample) for system in item.pair]
    return all(answer is None or answer.held for answer in answers)
