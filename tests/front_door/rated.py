"""Compare labels: whose they are, what they say, on which scale, and which end is harm."""

from collections.abc import Iterator

from tests.front_door.drawn import Dimension
from tests.front_door.found import Found, FoundLabel
from tests.front_door.laid_out import Laid
from tests.front_door.matched import Matched, plain

__all__ = ["rating_differences"]


def rating_differences(laid: Laid, study: Found, pairs: Matched) -> Iterator[str]:
    """List every way in which the labels differ."""
    told = laid.shown.ratings
    lost, other, matched_labels = [], [], 0
    by_name = {dimension.name: dimension for dimension in laid.shown.dimensions}
    for (rater, name, key), value in told.items():
        at = (pairs.raters.get(rater, rater), pairs.dimensions.get(name, name), pairs.key(key))
        there = study.labels.get(at)
        if there is None:
            lost.append((rater, name, key))
            continue
        matched_labels += 1
        if not _same(by_name[name], value, there):
            other.append(f"{there.label!r} in place of {value:g} on {name}")
    if lost:
        yield f"lost labels: {len(lost)} of {len(told)}, such as {lost[0]}"
    if other:
        yield f"other labels: {len(other)}, such as {other[0]}"
    more = len(study.labels) - matched_labels
    if more > 0:
        yield f"invented labels: {more}"
    yield from _comments(laid, study, pairs)
    for name, dimension in by_name.items():
        there_name = pairs.dimensions.get(name)
        if there_name is not None:
            yield from _scale(laid, dimension, study, there_name)


def _same(dimension: Dimension, value: float, there: FoundLabel) -> bool:
    scale = dimension.scale
    if scale.yes_no:
        if dimension.harm and there.harmful is not None:
            return there.harmful == (value == 1)
        if there.number is not None:
            return there.number == value
        return _word(there) == bool(value) if _word(there) is not None else False
    if there.number is not None:
        return there.number == value
    if scale.words:
        return plain(there.label) == plain(scale.words[scale.values.index(value)])
    return False


_YES = {"yes", "ja", "oui", "sí", "sim", "sì", "是", "はい", "نعم", "true", "✓", "y", "1"}
_NO = {"no", "nein", "non", "não", "nee", "否", "いいえ", "لا", "false", "✗", "n", "0"}


def _word(there: FoundLabel) -> bool | None:
    word = there.label.strip().casefold()
    return True if word in _YES else False if word in _NO else None


def _comments(laid: Laid, study: Found, pairs: Matched) -> Iterator[str]:
    lost = []
    for (rater, key), text in laid.shown.comments.items():
        own = pairs.raters.get(rater, rater)
        there = {
            one.comment
            for (whose, _, at), one in study.labels.items()
            if whose == own and at == pairs.key(key)
        }
        if there and text not in there:
            lost.append(text)
    if lost:
        yield f"lost comments: {len(lost)}, such as {lost[0]!r}"


def _scale(laid: Laid, dimension: Dimension, study: Found, there_name: str) -> Iterator[str]:
    there = study.dimensions[there_name]
    if not dimension.scale.words and there.ends not in laid.ends[dimension.name]:
        ends = "no ends" if there.ends is None else "{:g} to {:g}".format(*there.ends)
        low, high = dimension.scale.ends
        yield f"wrong scale: {ends} in place of {low:g} to {high:g} of {dimension.name}"
    if dimension.scale.best_is_low and there.better != "lower":
        yield f"wrong end: 1 is the best of {dimension.name}"
    if not dimension.scale.best_is_low and there.better == "lower" and not dimension.harm:
        yield f"wrong end: the highest is the best of {dimension.name}"
    if dimension.harm:
        labels = [one for at, one in study.labels.items() if at[1] == there_name]
        unsaid = all(one.harmful is None for one in labels) and there.better != "lower"
        if labels and unsaid:
            yield f"wrong polarity of harm: nothing says that a yes to {dimension.name} is harm"
