"""Try a metric on made-up answers, as the tests of medassay try its own."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from medassay.metrics import BoundMetric, Pair, resolve
from medassay.scores import Reason, Score, Unscored
from medassay.testing import metric_contract as contract
from medassay.testing.hold import hold
from medassay.testing.libraries import declares_its_libraries
from medassay.testing.odd_texts import QUESTION

__all__ = ["check_metric"]

_WORDS: Final = ("the", "pain", "eased", "12", "400 mg", "daily", "?", "naïve", "😀", "\n", "No.")
_HARD: Final = ("one", "😀", "👩‍⚕️ 🩺", "السلام عليكم", "שלום 12", "e\u0301", "\x00", "|1,2|", "3.5")
_REFERENCE: Final = "Yes. He should rest at home until the pain is gone, and drink water."
_EVIDENCE: Final = "He should rest at home with his pain."
_LACKS: Final = {Reason.CASE_LACKS, Reason.ANSWER_LACKS}


def check_metric(name: str, *pairs: Pair, batches: int = 12) -> str:
    """Does a metric hold to what every metric of medassay holds to?

    Its declaration tells all, and so do the libraries that it declares; scores are finite, in
    range, and the same in any order, alone and twice; all that it reads is among its needs; empty
    answers, answers never given and texts that are no ordinary answers come out as declared; what
    hangs on a text has no value where the study does not hold it; texts
    of ten scripts are judged as Latin ones are, or not at all. Every value of every choice is
    tried.

    Args:
        name: Its canonical name, once its module is imported or its package installed.
        pairs: Cases and answers of yours, where it needs what the made-up ones do not have: own
            tags, say. They are tried beside those.
        batches: How many batches of made-up answers.

    Returns:
        How many answers had a score, in which range or that all had the same, and why the others
        had none.

    Raises:
        AssertionError: What does not hold, in a sentence.
        UnknownName: There is no such metric.

    Example:
        >>> check_metric("length", batches=3)
        'length: 30 of 30 answers have a score, 0 to 37.'
    """
    asked = resolve(name)
    missing = asked.missing
    hold(missing is None, str(asked.name), "find what it runs on on this machine", missing)
    variants = contract.variants_of(asked)
    rng = np.random.default_rng(0)
    made = [[_pair(rng) for _ in range(int(rng.integers(1, 7)))] for _ in range(batches)]
    tried: list[Score | Unscored] = []
    for metric in variants:
        tried += _tried(metric, [*made, list(pairs)])
    for _ in range(batches if asked.declaration.symmetric else 0):
        contract.swapped_is_the_same(asked, *(_text(rng).strip() or "one" for _ in range(2)))
    whole = [pair for batch in (*made, pairs) for pair in batch if not _lacks(asked, pair)]
    declares_its_libraries(variants, whole)
    return _said(str(asked.name), tried)


def _tried(metric: BoundMetric, batches: Sequence[Sequence[Pair]]) -> list[Score | Unscored]:
    rng = np.random.default_rng(1)
    who = str(metric.name)
    contract.declaration_tells_all(metric)
    scores: list[Score | Unscored] = []
    for made in batches:
        batch = [pair for pair in made if not _lacks(metric, pair)]
        if not batch:
            continue
        contract.scores_hold(metric, batch, rng.permutation(len(batch)).tolist())
        contract.key_covers_all(metric, batch[0], _text(rng))
        contract.silence_is_as_declared(metric, batch[0][0])
        contract.text_not_held_is_none(metric, batch[0], _text(rng).strip() or "one")
        if metric.declaration.if_empty is not None:
            contract.empty_is_as_declared(metric, batch[0][0], "\n")
        if metric.declaration.pool is not None:
            contract.pooled_is_in_range(metric, batch)
        scores += metric.score_batch(batch)
    must = "have some answers that it can score: hand it pairs of yours that have what it needs"
    hold(scores, who, must, next((str(_lacks(metric, pair)) for pair in batches[0]), "none"))
    scored = any(isinstance(score, Score) for score in scores)
    hold(scored, who, "give some answer a value: hand it pairs of yours that have one", scores[0])
    contract.scripts_are_read_or_refused(metric)
    case, answer = contract.made_pair("", _REFERENCE, _EVIDENCE)
    case = case.model_copy(update={"question": QUESTION})
    if metric.declaration.if_empty is not None and not _lacks(metric, (case, answer)):
        contract.odd_texts_are_as_declared(metric, case, answer)
    return scores


def _lacks(metric: BoundMetric, pair: Pair) -> Unscored | None:
    why = metric.why_not(*pair)
    return why if why is not None and why.reason in _LACKS else None


def _pair(rng: np.random.Generator) -> Pair:
    filled = [_text(rng) or "one" for _ in range(2)]
    return contract.made_pair(_text(rng), *(words if words.strip() else "one" for words in filled))


def _text(rng: np.random.Generator) -> str:
    if rng.random() < 1 / 4:
        return str(rng.choice(_HARD))
    return " ".join(rng.choice(_WORDS, size=int(rng.integers(0, 13))).tolist())


def _said(who: str, scores: Sequence[Score | Unscored]) -> str:
    values = [score.value for score in scores if isinstance(score, Score)]
    reasons = Counter(str(score) for score in scores if isinstance(score, Unscored))
    ends = f"{min(values):g} to {max(values):g}"
    text = f"{who}: {len(values)} of {len(scores)} answers have a score, {ends}"
    if len(set(values)) == 1:
        # Some are: a flag that no made-up answer raises, say. Their author has to know.
        text = f"{who}: {len(values)} of {len(scores)} answers have a score, and all have the same"
        text += f", {values[0]:g}: hand it pairs of yours that differ in what it measures"
    why = "; ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    return f"{text}; the others have none: {why}." if why else f"{text}."
