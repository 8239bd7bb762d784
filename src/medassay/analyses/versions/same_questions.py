"""Whether two versions ask the same question under each id of a case."""

from medassay.analyses.versions.version import Version
from medassay.errors import InvalidInput, Problem
from medassay.exhibits.natural_order import natural_order
from medassay.exhibits.numbers import count_of

__all__ = ["refuse_moved", "reworded_cases"]

_HINT = (
    "Ids that only count the rows of a file say something else where the rows stand in another "
    "order, or where one is missing. Give each question an id of its own (--column case=THEIRS), "
    "or import the new answers into a copy of {old} without its answers/ and results/: an import "
    "knows the questions of a study by their words."
)


def refuse_moved(old: Version, new: Version) -> None:
    """Refuse two studies of which one asks under an id what the other asks under another.

    Answers to different questions would be compared, and nothing of it would show.

    Raises:
        InvalidInput: Some do.
    """
    before, other = _questions(old), _other_words(old, new)
    of_old = set(before.values())
    moved = [case for case, words in other.items() if words in of_old]
    if moved:
        must = f"ask under each id of a case what {old.shown} asks under it"
        got = f"{count_of(len(moved), 'question')} under the id of another, {_first(moved)}"
        hint = _HINT.format(old=old.shown)
        raise InvalidInput(Problem(new.shown, must, got, hint))


def reworded_cases(old: Version, new: Version, *, named: bool) -> list[str]:
    """Say of how many cases the question has other words; their answers are compared all the same.

    Args:
        old: The old version.
        new: The new one.
        named: Whether ids of cases may be told.
    """
    cases = list(_other_words(old, new))
    if not cases:
        return []
    who = f"{count_of(len(cases), 'case')}{f' ({_first(cases)})' if named else ''}"
    return [f"{new.shown} asks {who} in other words than {old.shown}: compared all the same."]


def _other_words(old: Version, new: Version) -> dict[str, str]:
    """Give the cases of both whose questions differ, with the new one's words."""
    before = _questions(old)
    return {
        case: words
        for case, words in _questions(new).items()
        if case in before and before[case] != words
    }


def _questions(version: Version) -> dict[str, str]:
    if version.study is None:
        return {}
    asked = {case.case: case.asked for case in version.study.cases}
    return {case: " ".join(words.split()).casefold() for case, words in asked.items() if words}


def _first(cases: list[str]) -> str:
    first = min(cases, key=natural_order)
    return f'"{first}"' if len(cases) == 1 else f'"{first}" first'
