"""Numbers in place of names, so that what is sorted by name stands as it stood."""

from collections.abc import Iterable

__all__ = ["case_numbers", "numbered"]


def numbered(names: Iterable[str], what: str = "") -> dict[str, str]:
    """Give each name its place in the order of all names, padded so that it sorts there.

    Example:
        >>> numbered(["b", "a"]), numbered(["asthma", "burn"], "tag ")["burn"]
        ({'a': '1', 'b': '2'}, 'tag 2')
        >>> once = numbered(map(str, range(12)))
        >>> numbered(once.values()) == {number: number for number in once.values()}
        True
    """
    ordered = sorted(set(names))
    width = len(str(len(ordered)))
    return {name: f"{what}{place:0{width}}" for place, name in enumerate(ordered, start=1)}


def case_numbers(cases: Iterable[str]) -> dict[str, str]:
    """Give each case what it is called where its id stays in the study: no id looks like that.

    Example:
        >>> case_numbers(["stroke-12", "asthma-3"])["stroke-12"]
        'case-2'
    """
    return numbered(cases, "case-")
