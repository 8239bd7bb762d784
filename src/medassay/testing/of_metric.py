"""Try a metric on made-up answers, as our tests try ours: what it must keep to."""

import builtins
import gc
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, lru_cache, partial
from importlib import import_module
from importlib.metadata import packages_distributions, requires
from types import CodeType, FrameType, ModuleType
from typing import Final

import numpy as np

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import BoundMetric, Pair, resolve
from medassay.metrics.declaration import SCORED
from medassay.models import installed_versions, model_setup, use_models
from medassay.scores import Name, Reason, Score, Unscored
from medassay.testing.hold import hold

_WORDS: Final = ("the", "pain", "eased", "12", "400 mg", "daily", "?", "naïve", "😀", "\n", "No.")
_HARD: Final = ("one", "😀", "👩‍⚕️ 🩺", "السلام عليكم", "שלום 12", "e\u0301", "\x00", "|1,2|", "3.5")
_REFERENCE: Final = "Yes. He should rest at home until the pain is gone, and drink water."
_EVIDENCE: Final = "He should rest at home with his pain."
_LACKS: Final = {Reason.CASE_LACKS, Reason.ANSWER_LACKS}
_CLOSE: Final = 1e-12
_NEARLY: Final = 1e-6  # models round
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")
_NO_SCORE: Final = {Reason.FAILED, Reason.CASE_LACKS, Reason.ANSWER_LACKS, Reason.BACKEND_MISSING}
# Records are made by pydantic, files of what is kept by polars; no value is computed there.
_CARRIERS: Final = {"polars", "pydantic", "pydantic-core", "typing-extensions"}
_OURS: Final = "medassay"
_Cached: Final = type(lru_cache(lambda: None))
QUESTION: Final = "Is it safe to rest at home?"
TEXTS: Final[Mapping[str, Sequence[str]]] = {
    "one word": ["rest"],
    "10,000 words": ["He should rest at home and drink water. " * 1250],
    "other scripts": [
        "他应该在家休息。",
        "عليه أن يستريح في البيت.",
        "उसे घर पर आराम करना चाहिए।",
    ],
    "emoji alone": ["😀 👩‍⚕️ 🩺"],
    "punctuation alone": ["?! ... --"],
    "control characters alone": ["\x00\x01\x07"],
    "the question again": [QUESTION],
}
_LATIN: Final = (
    "The patient with COPD must take the tablet every morning and drink a glass of water.",
    "He should never swallow any pill for asthma, and avoid all fluids today.",
)
"""Advice and its opposite in letters that every metric reads; they share no disease."""
OTHERS: Final[Mapping[str, tuple[str, str]]] = {
    "Greek": (
        "Ο ασθενής με COPD πρέπει να παίρνει το χάπι κάθε πρωί με νερό.",
        "Μην κάνετε τίποτα για COPD ποτέ ξανά σήμερα.",
    ),
    "Cyrillic": (
        "Пациент с COPD должен принимать таблетку каждое утро с водой.",
        "Ничего не делайте при COPD никогда больше сегодня.",
    ),
    "Arabic": (
        "يجب على مريض COPD تناول الدواء كل صباح مع الماء.",
        "لا علاج ولا تفعل شيئا أبدا ضد COPD اليوم.",
    ),
    "Hebrew": (
        "חולה COPD חייב לקחת את הכדור כל בוקר עם מים.",
        "אל תעשו דבר נגד COPD לעולם היום.",
    ),
    "Devanagari": (
        "COPD के रोगी को हर सुबह पानी के साथ गोली लेनी चाहिए।",
        "COPD में आज कभी कुछ मत करो।",
    ),
    "Thai": ("ผู้ป่วย COPD ต้องกินยาทุกเช้ากับน้ำ", "ห้ามทำอะไรกับ COPD เลยวันนี้"),
    "Chinese": ("COPD 患者必须每天早上用水服用药片。", "今天对 COPD 绝对什么都不要做。"),
    "Japanese": (
        "COPD の患者は毎朝水で錠剤を服用しなければなりません。",
        "今日は COPD に絶対何もしないでください。",
    ),
    "Korean": (
        "COPD 환자는 매일 아침 물과 함께 알약을 복용해야 합니다.",
        "오늘은 COPD 에 절대 아무것도 하지 마세요.",
    ),
}
_SHORT: Final = ("Yes.", "In bed", "Rest at home.")
"""References so short that a rule of several words in a row finds nothing in them."""


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
    variants = _variants_of(asked)
    rng = np.random.default_rng(0)
    made = [[_pair(rng) for _ in range(int(rng.integers(1, 7)))] for _ in range(batches)]
    tried: list[Score | Unscored] = []
    for metric in variants:
        tried += _tried(metric, [*made, list(pairs)])
    for _ in range(batches if asked.declaration.symmetric else 0):
        swapped_is_the_same(asked, *(_text(rng).strip() or "one" for _ in range(2)))
    whole = [pair for batch in (*made, pairs) for pair in batch if not _lacks(asked, pair)]
    declares_its_libraries(variants, whole)
    return _said(str(asked.name), tried)


def _tried(metric: BoundMetric, batches: Sequence[Sequence[Pair]]) -> list[Score | Unscored]:
    rng = np.random.default_rng(1)
    who = str(metric.name)
    declaration_tells_all(metric)
    scores: list[Score | Unscored] = []
    for made in batches:
        batch = [pair for pair in made if not _lacks(metric, pair)]
        if not batch:
            continue
        scores_hold(metric, batch, rng.permutation(len(batch)).tolist())
        key_covers_all(metric, batch[0], _text(rng))
        silence_is_as_declared(metric, batch[0][0])
        text_not_held_is_none(metric, batch[0], _text(rng).strip() or "one")
        if metric.declaration.if_empty is not None:
            empty_is_as_declared(metric, batch[0][0], "\n")
        if metric.declaration.pool is not None:
            pooled_is_in_range(metric, batch)
        scores += metric.score_batch(batch)
    must = "have some answers that it can score: hand it pairs of yours that have what it needs"
    hold(scores, who, must, next((str(_lacks(metric, pair)) for pair in batches[0]), "none"))
    scored = any(isinstance(score, Score) for score in scores)
    hold(scored, who, "give some answer a value: hand it pairs of yours that have one", scores[0])
    scripts_are_read_or_refused(metric)
    case, answer = made_pair("", _REFERENCE, _EVIDENCE)
    case = case.model_copy(update={"question": QUESTION})
    if metric.declaration.if_empty is not None and not _lacks(metric, (case, answer)):
        odd_texts_are_as_declared(metric, case, answer)
    return scores


def _lacks(metric: BoundMetric, pair: Pair) -> Unscored | None:
    why = metric.why_not(*pair)
    return why if why is not None and why.reason in _LACKS else None


def _pair(rng: np.random.Generator) -> Pair:
    filled = [_text(rng) or "one" for _ in range(2)]
    return made_pair(_text(rng), *(words if words.strip() else "one" for words in filled))


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


def _variants_of(metric: BoundMetric) -> tuple[BoundMetric, ...]:
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
            no_score = outcome in {reason.value for reason in Reason}
            known = no_score or outcome == SCORED or _NUMBER.fullmatch(outcome)
            must = f'declare "{SCORED}", a number or a reason for a text that is {kind} (`odd`)'
            hold(known, str(metric.name), must, f'"{outcome}"')
            for text in samples:
                fields = {**answer.model_dump(), "statements": [{"text": text, "citations": ["1"]}]}
                changed = Answer.model_validate({**fields, "text": None, "reasoning": text})
                score = metric.score_batch([(case, changed)])[0]
                must = f'have the outcome "{outcome}" for a text that is {kind}, as `odd` says'
                if isinstance(score, Unscored):
                    allowed = {outcome, Reason.NOT_READ.value if metric.declaration.reads else ""}
                    same, got = score.reason.value in allowed, score.reason.value
                elif no_score:
                    same, got = False, f"declared {outcome}, got a score: {score.value:g}"
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
    right, wrong = (_is_best(metric, _LATIN[0], text, best) for text in _LATIN)
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
    for text in _SHORT if right and compares else ():
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


def declares_its_libraries(metrics: Sequence[BoundMetric], pairs: Sequence[Pair]) -> None:
    """Does a metric declare the packages that compute it, so that kept scores know their versions?

    Args:
        metrics: The metric in all its variants: one may need what another does not.
        pairs: Cases and answers that have all that it reads.

    Raises:
        AssertionError: A package is used and not declared, or declared and not used.
    """
    used: set[str] = set()
    for metric in metrics:
        made = metric.compute.func if isinstance(metric.compute, partial) else metric.compute
        with use_models(replace(model_setup(), caches={})):
            call = partial(metric.compute, pairs, metric.arguments)
            used |= used_by(call, {made.__module__.partition(".")[0]})
    who, declared = metrics[0].name.base, set(metrics[0].declaration.libraries)
    undeclared = ", ".join(sorted(used - declared))
    hold(not undeclared, who, "declare the packages that compute it (libraries=)", undeclared)
    # What computes it may do so under a library's own hood.
    idle = ", ".join(sorted(declared - used - required_by(used)))
    hold(not idle, who, "declare only packages that compute it (libraries=)", idle)
    for package in declared:
        text = f"|{package}:{installed_versions(package)[package]}|"
        stated = all(text in str(bound_metric.signature) for bound_metric in metrics)
        hold(stated, who, f"have the version of {package} in its signature", "none")


def used_by(call: Callable[[], object], whose: Collection[str] = ()) -> set[str]:
    """Name the packages that a call runs into; what was cached before is made again.

    Args:
        call: What is called.
        whose: Packages that are looked into beside medassay, by the names that are imported.
    """
    watched = {_OURS, *whose}
    for get_object in gc.get_objects():
        if (
            isinstance(get_object, _Cached)
            and str(get_object.__module__).partition(".")[0] in watched
            and get_object.__module__ != __name__  # which packages there are stays as it is
        ):
            get_object.cache_clear()
    with _watched(watched) as used:
        call()
    return used


def required_by(packages: set[str]) -> set[str]:
    """Name the packages that packages ask for, and those that these ask for."""
    packages_found: set[str] = set()
    todo = set(packages)
    while todo:
        lines = requires(todo.pop()) or ()
        names = (re.match(r"[\w.-]+", line) for line in lines if "extra ==" not in line)
        more = {match.group().lower().replace("_", "-") for match in names if match is not None}
        todo |= (more - packages_found) & _installed()
        packages_found |= more
    return packages_found


@contextmanager
def _watched(  # noqa: C901 - three small hooks that share what they have seen
    whose: Collection[str],
) -> Iterator[set[str]]:
    """Collect the packages that code of these imports, or names while it runs.

    Every function of theirs that is called is looked at once: what its names stand for is of a
    package. A package that only its caller's caller names is seen as well, since that runs too.
    """
    used: set[str] = set()
    seen: set[CodeType] = set()
    imported = builtins.__import__

    def is_theirs(frame: FrameType | None) -> bool:
        name = "" if frame is None else str(frame.f_globals.get("__name__", ""))
        return name.partition(".")[0] in whose

    def note(frame: FrameType) -> None:
        code = frame.f_code
        if code in seen or not is_theirs(frame):
            return
        seen.add(code)
        for name in code.co_names:
            if name in frame.f_globals:
                used.update(_packages_of(frame.f_globals[name], whose))

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            note(frame)
            if frame.f_code is import_module.__code__ and is_theirs(frame.f_back):
                used.update(_packages_of(str(frame.f_locals["name"]), whose))

    def importing(
        name: str, inside: Mapping[str, object] | None = None, *more: object, **named: object
    ) -> ModuleType:
        if str((inside or {}).get("__name__", "")).partition(".")[0] in whose:
            used.update(_packages_of(name, whose))
        return imported(name, inside, *more, **named)  # type: ignore[arg-type]  # as it was given

    before = sys.getprofile()
    builtins.__import__ = importing  # type: ignore[assignment]  # it hands on what it is given
    sys.setprofile(watch)
    try:
        yield used
    finally:
        sys.setprofile(before)
        builtins.__import__ = imported


def _packages_of(value: object, whose: Collection[str]) -> set[str]:
    """Name the packages, as pip calls them, that a value or a module's name belongs to."""
    name = value if isinstance(value, str) else _home(value)
    top = name.partition(".")[0]
    names = {package.lower().replace("_", "-") for package in _distributions().get(top, ())}
    return set() if top in whose else names - _CARRIERS


def _home(value: object) -> str:
    if isinstance(value, ModuleType):
        return value.__name__
    home = getattr(value, "__module__", None) or type(value).__module__
    return home if isinstance(home, str) else ""


@cache
def _distributions() -> Mapping[str, Sequence[str]]:
    return packages_distributions()


@cache
def _installed() -> set[str]:
    return {name.lower().replace("_", "-") for names in _distributions().values() for name in names}
