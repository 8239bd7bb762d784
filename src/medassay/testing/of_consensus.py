"""Try a consensus method on made-up panels, as our tests try ours: what it must keep to."""

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from typing import Final

import numpy as np

from medassay.consensus import Joined, find_method, join_units
from medassay.judgements import Units
from medassay.scores import Reason, Score, Unscored
from medassay.testing.hold import hold, made_panels, shuffled, tried_words, unchanged, variants_of

_CLOSE: Final = 1e-9
_SEED: Final = 0


def check_consensus_method(name: str, *panels: Units, drawn: int = 24) -> str:
    """Does a consensus method hold to what every method of medassay holds to?

    Its declaration tells all; it gives one score or reason an answer, on the labels' scale unless
    it says otherwise, the same twice, and in any order of answers and raters unless it draws; it
    raises nothing where labels have no scores, one rater is alone, or nobody agrees. Every value of
    every choice is tried.

    Args:
        name: Its canonical name, once its module is imported or its package installed.
        panels: Labels of yours, where it needs what the made-up ones do not have. They are tried
            beside those.
        drawn: How many panels are drawn at random, beside small ones where every corner turns up.

    Returns:
        How many answers had a value, in which range, and why the others had none.

    Raises:
        AssertionError: What does not hold, in a sentence.
        UnknownName: There is no such method.

    Example:
        >>> print(check_consensus_method("mean"))
        mean: 240 of 360 answers have a value, 0 to 3; the others have none: 120 undefined here: \
the labels of labels have no scores.
    """
    rng = np.random.default_rng(0)
    tried: list[Score | Unscored] = []
    method, parsed = find_method(name)
    parameters = method.declared.parameters
    for variant in variants_of(parsed, parameters, lambda text: find_method(text)[1]):
        _declaration_tells_all(variant)
        for units in (*made_panels(drawn), *panels):
            tried += _joined_on(variant, units).scores
            if not method.declared.random:
                rows = rng.permutation(len(units)).tolist()
                columns = rng.permutation(len(units.raters)).tolist()
                order_changes_nothing(variant, units, rows, columns)
    who = str(parsed)
    values = [score.value for score in tried if isinstance(score, Score)]
    reasons = Counter(str(score) for score in tried if isinstance(score, Unscored))
    must = "give some answer a value: hand it labels of yours that have one"
    hold(values, who, must, next(iter(reasons), "none"))
    return tried_words(who, values, reasons, f"{len(tried)} answers")


def _declaration_tells_all(name: str) -> None:
    """Does the declaration tell what a reader must know? Blanks are refused when it is declared."""
    declared = find_method(name)[0].declared
    hold(declared.question.endswith("?"), name, "ask a question, with its mark", declared.question)


def _joined_on(name: str, units: Units) -> Joined:
    """Join a panel twice: the same, with a reason in words where an answer has no value.

    What it gives against its declaration shows as a reason that says so.
    """
    before = deepcopy(units)
    (_, joined), (_, again) = (_join(name, units) for _ in range(2))
    hold(unchanged(units, before), name, "leave the labels as they are", "others")
    for score in joined.scores:
        if isinstance(score, Unscored):
            failed = score.reason in {Reason.FAILED, Reason.BACKEND_MISSING}
            codes = units.codes.tolist()
            hold(not failed, name, f"hold on codes {codes} ({units.scale})", score)
            explained = score.detail.strip() or score.reason is not Reason.UNDEFINED
            hold(explained, name, "say why an answer has no value", score)
    chooses = find_method(name)[0].chooses
    if chooses and joined.codes is not None and units.scores is not None:
        for score, code in zip(joined.scores, joined.codes, strict=True):
            if isinstance(score, Score) and code >= 0:
                chosen = float(units.scores[code])
                must = "choose the label whose score it gives (choose=)"
                hold(abs(chosen - score.value) <= _CLOSE, name, must, f"{chosen} and {score.value}")
    same = (joined.scores, joined.codes, joined.quality, joined.uncertainty) == (
        (again.scores, again.codes, again.quality, again.uncertainty)
    )
    hold(same, name, "say the same twice: draw from rng alone", again.scores)
    doubts = min(joined.uncertainty, default=0.0)
    hold(doubts >= 0, name, "have no doubt below 0", doubts)
    return joined


def order_changes_nothing(
    name: str, units: Units, rows: Sequence[int], columns: Sequence[int], within: float = _CLOSE
) -> None:
    """Has each answer the same value, doubt and label whatever the order of answers and raters?"""
    joined = _join(name, units)[1]
    moved = _join(name, shuffled(units, rows, columns))[1]
    # Only answers that have a label, and raters who gave one, are joined.
    has_label = units.codes >= 0
    places = _moved([bool(flags.any()) for flags in has_label], rows)
    raters = _moved([bool(flags.any()) for flags in has_label.T], columns)
    must = f"say the same of an answer or a rater in any order (codes {units.codes.tolist()})"
    for place, score in zip(places, moved.scores, strict=True):
        same = _same(joined.scores[place], score, within)
        hold(same, name, must, f"{joined.scores[place]} and {score}")
    doubts = np.allclose([joined.uncertainty[i] for i in places], moved.uncertainty, atol=_CLOSE)
    hold(doubts, name, must, moved.uncertainty)
    qualities = [joined.quality[j] for j in raters]
    alike = all(
        quality is two or (quality is not None and two is not None and abs(quality - two) <= _CLOSE)
        for quality, two in zip(qualities, moved.quality, strict=True)
    )
    hold(alike, name, must, moved.quality)
    labels = None if joined.codes is None else tuple(joined.codes[i] for i in places)
    hold(labels == moved.codes, name, must, f"{labels} and {moved.codes}")


def _moved(there: Sequence[bool], order: Sequence[int]) -> list[int]:
    """Give the old place, among those that are there, of each that is there in the new order."""
    places = {old: place for place, old in enumerate(i for i, held in enumerate(there) if held)}
    return [places[old] for old in order if there[old]]


def _join(name: str, units: Units) -> tuple[Units, Joined]:
    return join_units(units, name, rng=np.random.default_rng(_SEED))


def _same(score: Score | Unscored, other: Score | Unscored, within: float) -> bool:
    if isinstance(score, Score) and isinstance(other, Score):
        values = ((score.value, *score.parts), (other.value, *other.parts))
        return len(values[0]) == len(values[1]) and all(
            abs(a - b) <= within for a, b in zip(*values, strict=True)
        )
    return score == other
