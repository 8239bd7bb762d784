"""Which cases ask nearly the same, and which of them are no cases apart."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from medassay.cases.collection import Cases
from medassay.cases.record import Case
from medassay.text import MOST_PAIRS, NearEqual, near_equal

MOST_CASES: Final = 10_000
"""Of more cases no two are compared: all pairs are then too many."""
_MOST_JOINED: Final = 100_000
_LITTLE: Final = 0.9
"""Where near-equal cases are worth so many of their number, no verdict turns on them."""
_TEMPLATE: Final = 20
"""Of more cases than this, what they share is a form that was filled in, and no question."""


def near_pairs(cases: Cases, most: int = MOST_PAIRS) -> tuple[list[NearEqual], bool]:
    """Find cases of nearly one question on nearly one text, and say whether there may be more.

    Example:
        >>> asked = ["Is my knee pain serious?", "Is my knee pain serious", "May I run?"]
        >>> cases = Cases.of(Case(case=str(k), question=text) for k, text in enumerate(asked))
        >>> [(pair.first, pair.second) for pair in near_pairs(cases)[0]]
        [('0', '1')]
    """
    # Before a text is looked at: together they are a guideline, or several, for each case.
    if len(cases) > MOST_CASES:
        return [], True
    questions = {case.case: _question(case) for case in cases}
    texts = {case.case: _texts(case) for case in cases}
    # Many cases may ask one question of different texts, or different questions of one text.
    by_question = len(set(questions.values())) >= len(set(texts.values()))
    first, second = (questions, texts) if by_question else (texts, questions)
    found = near_equal({case: text for case, text in first.items() if text}, most=most)
    alike = cache(_alike)  # many of these pairs may be of the same two guidelines
    pairs = []
    for pair in found:
        ours, theirs = second[pair.first], second[pair.second]
        if alike(min(ours, theirs), max(ours, theirs)):
            pairs.append(pair._replace(same=pair.same and ours == theirs))
    return pairs, len(found) >= most


def near_clusters(cases: Cases) -> dict[str, str]:
    """Give near-equal cases the cluster of the first of them, where verdicts could turn on it.

    C cases in groups of m are worth C²/Σm² where a group's answers are all alike: tests of cases
    apart are wrong far more often than they say (simulations/adverse-designs.md). Nothing is joined
    where that is nine tenths of the cases or more, and where one group has over half of the cases:
    what is asked is then not in their questions. Of a group of over 20 only those with the same
    words are: the rest fill in one form, and each drug or age asks another question.

    Example:
        >>> asked = ["Is my knee pain serious?", "Is my knee pain serious", "May I run?", "Why?"]
        >>> near_clusters(Cases.of(Case(case=str(k), question=q) for k, q in enumerate(asked)))
        {'0': '0', '1': '0'}
    """
    pairs, more = near_pairs(cases, _MOST_JOINED)
    if not pairs or more:
        return {}
    place = {case.case: at for at, case in enumerate(cases)}
    same = [pair for pair in pairs if pair.same]
    joined = [
        part
        for group in _groups(place, pairs)
        for part in (_groups(group, same) if len(group) > _TEMPLATE else [group])
    ]
    worth = len(cases) ** 2 / sum(len(group) ** 2 for group in joined)
    if worth >= _LITTLE * len(cases) or 2 * max(map(len, joined)) > len(cases):
        return {}
    first = [min(group, key=place.__getitem__) for group in joined]
    of = {
        case: name
        for name, group in zip(first, joined, strict=True)
        if len(group) > 1
        for case in group
    }
    return {case: of[case] for case in place if case in of}


def _groups(cases: Iterable[str], pairs: Sequence[NearEqual]) -> list[list[str]]:
    """Part cases into those that chains of pairs link."""
    groups = {case: [case] for case in cases}
    for pair in pairs:
        ours, theirs = groups.get(pair.first), groups.get(pair.second)
        if ours is not theirs and ours is not None and theirs is not None:
            ours += theirs
            groups.update(dict.fromkeys(theirs, ours))
    return list({id(group): group for group in groups.values()}.values())


def _alike(ours: str, theirs: str) -> bool:
    return ours == theirs or bool(near_equal({"a": ours, "b": theirs}))


def _question(case: Case) -> str:
    return _joined([case.prompt or "", *case.options.values()])


def _texts(case: Case) -> str:
    parts = [case.narrative or "", *(evidence.text for evidence in case.evidence)]
    return _joined(parts + [document.text for document in case.documents if document.text])


def _joined(parts: Sequence[str]) -> str:
    return " ".join(parts).strip()
