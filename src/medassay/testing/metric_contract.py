"""What every metric must keep to, whoever wrote it: each rule holds for one batch, pair or text."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import BoundMetric, Pair, resolve
from medassay.metrics.odd_texts import SCORED
from medassay.models import model_setup, use_models
from medassay.scores import Name, Reason, Score, Unscored
from medassay.testing.hold import hold
from medassay.testing.odd_texts import TEXTS
from medassay.testing.scripts import LATIN, OTHERS, SHORT

__all__ = [
    "declaration_tells_all",
    "empty_is_as_declared",
    "key_covers_all",
    "made_pair",
    "odd_texts_are_as_declared",
    "pooled_is_in_range",
    "scores_hold",
    "scripts_are_read_or_refused",
    "silence_is_as_declared",
    "swapped_is_the_same",
    "text_not_held_is_none",
    "variants_of",
]

_CLOSE: Final = 1e-12
_NEARLY: Final = 1e-6  # models round
_NO_SCORE: Final = {Reason.FAILED, Reason.CASE_LACKS, Reason.ANSWER_LACKS, Reason.BACKEND_MISSING}


def made_pair(answer: str, reference: str, evidence: str) -> Pair:
    """Make a case and an answer that have all that metrics of ours read."""
    case = Case.model_validate(
        {
            "case": "1",
            "question": reference,
            "narrative": evidence,
            "evidence": [{"id": 1, "text": evidence, "relevance": "essential"}],
            "references": [{"text": reference}, {"text": evidence}],
            "options": {"A": "a", "B": "b"},
            "gold": "A",
            "documents": [
                {"id": "d", "grade": 1, "text": evidence},
                {"id": "e", "grade": 0, "text": reference},
            ],
        }
    )
    return case, Answer.model_validate(
        {
            "system": "S",
            "case": "1",
            "statements": [{"text": answer, "citations": [1]}],
            "retrieved": [{"document": "e"}, {"document": "d"}],
            "reasoning": f"{answer} {evidence}",
            "choice": "A",
            "confidence": 0.5,
        }
    )


def variants_of(metric: BoundMetric) -> tuple[BoundMetric, ...]:
    """Give a metric with every value of every choice, one change at a time; itself first."""
    shown = dict(metric.name.arguments)
    changes = [{p.name: value} for p in metric.declaration.parameters for value in p.values]
    names = [
        str(Name.of(metric.name.base, metric.name.k, **{**shown, **changed}))
        for changed in [{}, *changes]
    ]
    return tuple(
        {str(bound_metric.name): bound_metric for bound_metric in map(resolve, names)}.values()
    )


def declaration_tells_all(metric: BoundMetric) -> None:
    """Does the declaration tell what a reader must know?"""
    declared, who = metric.declaration, str(metric.name)
    hold(declared.question.endswith("?"), who, "ask a question, with its mark", declared.question)
    hold(declared.blind_spots, who, "say what it cannot see (blind_spots)", "nothing")
    for blind_spot in declared.blind_spots:
        hold(
            blind_spot.endswith("."),
            who,
            "say each blind spot in a sentence, with its stop",
            blind_spot,
        )
    costs = (declared.backend is None) == (not declared.cost)
    hold(costs, who, "say what it costs where it runs on a model, and only there", declared.cost)
    for parameter in declared.parameters:
        hold(
            parameter.says.endswith("."),
            who,
            f"say in a sentence what {parameter.name} does",
            parameter.says,
        )
    reads_text = any("text" in need.words for need in metric.needs)
    hold(
        (declared.if_empty is None) != reads_text,
        who,
        "say what an empty answer is worth (if_empty) where it needs a text, and only there",
        declared.if_empty,
    )
    worst = declared.if_no_answer
    if isinstance(worst, float | int) and declared.direction == "higher":
        hold(worst == declared.low, who, "give no answer its lowest value, or a reason", worst)
    shown = dict(metric.name.arguments)
    tells = metric.signature.settings.keys() >= metric.arguments.keys() - {"k"} - set(shown)
    hold(tells, who, "have every default in its signature", metric.signature)


def scores_hold(metric: BoundMetric, batch: Sequence[Pair], order: Sequence[int]) -> None:
    """Are scores finite and in range, and the same in any order and without neighbours?"""
    who = str(metric.name)
    scores = metric.score_batch(batch)
    hold(len(scores) == len(batch), who, "give a score for each answer", len(scores))
    low, high = metric.range  # what is kept outside of it is not believed
    for score in scores:
        if isinstance(score, Unscored):
            hold(score.reason not in _NO_SCORE, who, "be able to score these answers", score)
            continue
        value = score.value
        hold(math.isfinite(value) and metric.declaration.holds(value), who, "stay in range", value)
        inside = (low is None or value >= low) and (high is None or value <= high)
        hold(inside, who, "stay in the range of its parameters", value)
        parts = len(score.parts) == len(metric.declaration.parts)
        hold(parts, who, "give the parts that it declares", score.parts)
    shuffled = metric.score_batch([batch[i] for i in order])
    same = shuffled == [scores[i] for i in order]
    hold(same, who, "give the same scores in another order", shuffled)
    alone = [metric.score_batch([pair])[0] for pair in batch]
    hold(alone == scores, who, "score an answer as it does without its neighbours", alone)


def key_covers_all(metric: BoundMetric, pair: Pair, text: str) -> None:
    """Change everything about a pair; where the key of its score stays, so must the score."""
    case, answer = pair
    first = metric.score_batch([pair])
    key = metric.content_key(case, answer)
    others: list[Pair] = []
    for field in Case.model_fields:
        other = Case(case="1").model_dump()[field]
        changed = "other" if Case.model_fields[field].is_required() else other
        others.append((case.model_copy(update={field: changed}), answer))
    lines: tuple[dict[str, object], ...] = (
        {"system": text, "case": text, "raw": text, "reasoning": text},
        {"text": text},
        {"statements": None, "retrieved": None},
        {"choice": None, "confidence": None, "seconds": 1.0},
    )
    others += [(case, answer.model_copy(update=changes)) for changes in lines]
    for changed_pair in others:
        if metric.content_key(*changed_pair) == key:
            scores = metric.score_batch([changed_pair])
            hold(scores == first, str(metric.name), "need (needs=) all that it reads", scores)


def empty_is_as_declared(metric: BoundMetric, case: Case, blank: str) -> None:
    """Is an answer given and empty worth what is declared?"""
    declared = metric.declaration.if_empty
    score = metric.score_batch([(case, Answer(system="S", case=case.case, text=blank))])[0]
    if isinstance(score, Unscored) and _has_nothing_to_compare(score):
        return
    got = score.reason if isinstance(score, Unscored) else score.value
    hold(declared is not None, str(metric.name), "read no text: it declares no if_empty", score)
    hold(got == declared, str(metric.name), f"give an empty answer {declared} (if_empty)", score)


def text_not_held_is_none(metric: BoundMetric, pair: Pair, text: str) -> None:
    """Has an answer whose text is not held the reason, or what it has with whatever text?"""
    case, answer = pair
    gone = {"text": None, "statements": None, "turns": None, "raw": None}
    known = answer.model_copy(update={**gone, "held": False})
    bare = Answer(system=answer.system, case=answer.case, held=False)
    for unread in (known, known.model_copy(update={"reasoning": None}), bare):
        got = metric.score_batch([(case, unread)])[0]
        must = "say why it has no value before it is computed as while (why_not)"
        why = metric.why_not(case, unread)
        hold(why is None or why == got, str(metric.name), must, why)
        if got == Unscored(Reason.NOT_HELD):
            continue
        for words in (text, "He should rest at home."):
            written = unread.model_copy(update={"held": True, "text": words})
            score = metric.score_batch([(case, written)])[0]
            must = "give an answer whose text is not held no value that hangs on its text"
            hold(score == got, str(metric.name), must, f"{got}, and {score} with a text")


def silence_is_as_declared(metric: BoundMetric, case: Case) -> None:
    """Is an answer never given worth what is declared?"""
    declared = metric.declaration.if_no_answer
    score = metric.score_no_answer(case)
    if isinstance(declared, Reason):
        same = score == Unscored(declared)
    elif isinstance(score, Score):
        same = score.value == declared
    else:
        same = _has_nothing_to_compare(score)
    hold(same, str(metric.name), f"give no answer {declared} (if_no_answer)", score)


def pooled_is_in_range(metric: BoundMetric, batch: Sequence[Pair]) -> None:
    """Is what is pooled from the parts of several answers in range too?"""
    pooled = metric.pooled(metric.score_batch(batch))
    if isinstance(pooled, Score):
        inside = metric.declaration.holds(pooled.value)
    else:
        inside = pooled.reason is Reason.UNDEFINED
    hold(inside, str(metric.name), "pool to a value in its range, or to none", pooled)


def swapped_is_the_same(metric: BoundMetric, first: str, second: str) -> None:
    """Is a metric that says so the same where answer and reference change places?"""

    def compare(answer: str, reference: str) -> Score | Unscored:
        case = Case.model_validate({"case": "1", "references": [{"text": reference}]})
        return metric.score_batch([(case, Answer(system="S", case="1", text=answer))])[0]

    there, back = compare(first, second), compare(second, first)
    if isinstance(there, Score) and isinstance(back, Score):
        same = abs(there.value - back.value) <= _CLOSE
        must = "be the same with answer and reference swapped, as `symmetric` says"
        hold(same, str(metric.name), must, f"{there.value:g} and {back.value:g}")


def odd_texts_are_as_declared(metric: BoundMetric, case: Case, answer: Answer) -> None:
    """Has each kind of odd text the outcome that is declared, not by accident?"""
    references = [reference.text for reference in case.references[:1]]
    corpora = dict.fromkeys(("human", "note"), (*references, "Take it.", "Call us."))
    with use_models(replace(model_setup(), corpora=corpora)):
        for kind, samples in TEXTS.items():
            outcome = metric.declaration.odd.get(kind, SCORED)
            for text in samples:
                fields = {**answer.model_dump(), "statements": [{"text": text, "citations": ["1"]}]}
                changed = Answer.model_validate({**fields, "text": None, "reasoning": text})
                score = metric.score_batch([(case, changed)])[0]
                must = f'have the outcome "{outcome}" for a text that is {kind}, as `odd` says'
                if isinstance(score, Unscored):
                    allowed = {outcome, Reason.NOT_READ.value if metric.declaration.reads else ""}
                    same, got = score.reason.value in allowed, score.reason.value
                else:
                    same = outcome == SCORED or score.value == float(outcome)
                    got = f"{score.value:g}"
                hold(same, str(metric.name), must, f'"{got}"')


def scripts_are_read_or_refused(metric: BoundMetric) -> None:
    """Does the metric judge texts of any script as it does those in Latin letters, or not at all?

    Where the reference's own text is the best answer and its opposite is not, both hold in every
    script, or there is no score: never 0 for the right answer, never the best value for the wrong
    one. Where a published rule gives a short reference's own text less, the metric says so.
    """
    who = str(metric.name)
    best = {"higher": metric.range[1], "lower": metric.range[0]}.get(metric.declaration.direction)
    if best is None:
        return
    right, wrong = (_is_best(metric, LATIN[0], text, best) for text in LATIN)
    for script, (advice, opposite) in OTHERS.items():
        if right:
            same = _is_best(metric, advice, advice, best)
            must = f"give equal {script} texts the best value, or none and the reason not_read"
            hold(same is not False, who, f"{must} (reads=)", "another value")
        if wrong is False:
            same = _is_best(metric, advice, opposite, best)
            must = f"never give opposite {script} texts the best value"
            hold(not same, who, f"{must}: declare what it reads (reads=)", f"{best:g}")
    compares = any("reference" in need.words for need in metric.needs)
    for text in SHORT if right and compares else ():
        case, _ = made_pair(text, text, text)
        same = _is_best(metric, text, text, best) is not False or not metric.tells(case)
        hold(same, who, "say that a short reference's own text is not best (reads.tells)", text)


def _is_best(metric: BoundMetric, reference: str, answer: str, best: float) -> bool | None:
    """Say whether an answer gets the best value; None where it gets none."""
    case, _ = made_pair(answer, reference, reference)
    documents = [{"id": "d", "grade": 1, "text": answer}]
    case = Case.model_validate({**case.model_dump(), "documents": documents})
    said = {"statements": [{"text": answer, "citations": [1]}], "reasoning": answer}
    asked = {"system": "S", "case": "1", "retrieved": [{"document": "d"}], **said}
    score = metric.score_batch([(case, Answer.model_validate(asked))])[0]
    return None if isinstance(score, Unscored) else abs(score.value - best) < _NEARLY


def _has_nothing_to_compare(score: Unscored) -> bool:
    """Say whether the score is missing for the case's sake, whatever the answer."""
    return score.reason in (Reason.UNDEFINED, Reason.NOT_READ)
