"""Checks for strangers: ours pass them, and each rule catches whoever breaks it."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pytest
from tests.plugins.installed import settle

from medassay import agreement, metrics
from medassay.agreement.coefficient import KNOWN as COEFFICIENTS
from medassay.answers import Answer
from medassay.cases import Case
from medassay.consensus import MethodDeclaration, consensus_method, consensus_methods
from medassay.consensus.method import KNOWN
from medassay.consensus.method import KNOWN as METHODS
from medassay.judgements import Units
from medassay.metrics import Declaration, Direction, Need, Pair
from medassay.metrics.declaration import KINDS, TEXT
from medassay.metrics.registry import REGISTRY as METRICS
from medassay.scores import Reason, Score, Unscored
from medassay.testing import check_coefficient, check_consensus_method, check_metric

# One of each kind of reading and choice: tests/contract holds every metric to the same rules.
OURS = (
    *("bleu(ref=human)", "citation_f1(gold=strict,rules=archehr2026)", "exact_match", "over_limit"),
    *("precision_returned@5", "rouge1(ref=human)"),
)


@pytest.fixture(autouse=True)
def gone_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics.resolve("length")  # built-in metrics are loaded once: before what is gone afterwards
    for known in (COEFFICIENTS, METHODS, METRICS):
        settle(monkeypatch, known)


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_our_metrics_pass(name: str) -> None:
    assert check_metric(name, batches=2).startswith(name.split("(", maxsplit=1)[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", [one.name for one in agreement.coefficients()])
def test_our_coefficients_pass(name: str) -> None:
    words = agreement.find_coefficient
    needs = {"specific": "specific(label=a)"}.get(name, name)
    assert words(needs)
    assert "have a value" in check_coefficient(needs)


@pytest.mark.slow
@pytest.mark.parametrize("name", [one.name for one in consensus_methods()])
def test_our_methods_pass(name: str) -> None:
    assert "have a value" in check_consensus_method(name, drawn=3)


SAID: dict[str, object] = {
    "name": "theirs", "title": "Theirs", "question": "How far?", "one": "all", "zero": "none",
    "below_zero": "cannot occur", "undefined": "never", "source": "a test", "bounds": (0.0, 1.0),
}  # fmt: skip
CALLS = iter(range(10**9))


def constant(value: float) -> object:
    def prepare(units: Units, **_: str) -> object:
        used = units.with_labels(2)
        if not len(used):
            return Unscored(Reason.UNDEFINED, "no pairs")
        return agreement.Prepared(lambda weights: np.full(len(weights), value), used, 1)

    return prepare


def wordless(*_: object, **__: str) -> object:
    return Unscored(Reason.UNDEFINED)


def never(*_: object, **__: str) -> object:
    return Unscored(Reason.UNDEFINED, "never")


def raising(*_: object, **__: str) -> object:
    raise ZeroDivisionError


def of_the_first(units: Units, **_: str) -> object:
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no pairs")
    first = float(used.code[0] == 0)
    return agreement.Prepared(lambda weights: np.full(len(weights), first), used, 1)


def of_other_draws(units: Units, **_: str) -> object:
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no pairs")
    return agreement.Prepared(lambda w: np.full(len(w), 1 / (1 + np.ptp(w[:, 0]))), used, 1)


def another_each_time(units: Units, **_: str) -> object:
    used = units.with_labels(2)
    value = (next(CALLS) % 7) / 10
    return agreement.Prepared(lambda weights: np.full(len(weights), value), used, 1)


def changing(units: Units, **_: str) -> object:
    units.code[:] = 0
    return Unscored(Reason.UNDEFINED, "never")


@pytest.mark.parametrize(
    ("prepare", "change", "must"),
    [
        (constant(0.5), {"question": "How far"}, "ask a question"),
        (constant(2.0), {}, "gave 2, outside its declared bounds"),
        (wordless, {}, "say why it has no value"),
        (never, {}, "have a value on some panel"),
        (raising, {}, "ZeroDivisionError"),
        (of_the_first, {}, "be the same for answers and raters in any order"),
        (of_other_draws, {}, "give a draw the value that it has alone"),
        (another_each_time, {}, "say the same twice"),
        (changing, {}, "leave the labels as they are"),
    ],
)
def test_a_coefficient_that_breaks_a_rule_is_told_which(
    prepare: object, change: dict[str, object], must: str
) -> None:
    declared = agreement.CoefficientDeclaration(**{**SAID, **change})  # type: ignore[arg-type]  # as told
    agreement.coefficient(declared)(prepare)  # type: ignore[arg-type]  # what is wrong is the point
    with pytest.raises(AssertionError, match=must):
        check_coefficient("theirs")


def of_rater_one(units: Units, **_: str) -> list[Score | Unscored]:
    lowest = 0.0 if units.scores is None else float(units.scores[0])
    first = (units.rater == 0).any() and units.code[units.rater == 0][0] == 0
    top = lowest if units.scores is None or first else float(units.scores[-1])
    return [Score(top)] * len(units)


def at_random(units: Units, **_: str) -> list[Score | Unscored]:
    return [Unscored(Reason.TIE, f"{next(CALLS)}")] * len(units)


def too_few(*_: object, **__: str) -> list[Score | Unscored]:
    return [Score(0.0)]


def unsaid(units: Units, **_: str) -> list[Score | Unscored]:
    return [Unscored(Reason.UNDEFINED)] * len(units)


def only_scored(units: Units, **_: str) -> list[Score | Unscored]:
    assert units.scores is not None
    return [Score(float(units.scores[0]))] * len(units)


def off_scale(units: Units, **_: str) -> list[Score | Unscored]:
    return [Score(99.0)] * len(units)


@pytest.mark.parametrize(
    ("join", "must"),
    [
        (of_rater_one, "say the same of an answer or a rater in any order"),
        (at_random, "say the same twice"),
        (too_few, "gave 1 scores"),
        (unsaid, "say why an answer has no value"),
        (only_scored, "AssertionError"),
        (off_scale, "outside the labels' scores"),
    ],
)
def test_a_method_that_breaks_a_rule_is_told_which(join: object, must: str) -> None:
    declared = MethodDeclaration(
        name="theirs", title="t", question="What?", unit="points", undefined="never", parts=()
    )
    consensus_method(declared)(join)  # type: ignore[arg-type]  # as above
    with pytest.raises(AssertionError, match=must):
        check_consensus_method("theirs")


MARKS: dict[str, object] = {
    "name": "theirs", "question": "How many?", "unit": "marks", "low": 0, "high": None,
    "direction": Direction.HIGHER, "needs": (TEXT,), "if_no_answer": 0, "if_empty": 0,
    "undefined_when": "never", "reference": "a test", "blind_spots": ("Everything else.",),
}  # fmt: skip
OWN = Need(words="text of ours", of_case=lambda case: case.tags.get("own"))


def marks(pairs: Sequence[Pair], _: Mapping[str, str]) -> list[Score | Unscored]:
    return [Score(float((answer.text or "").count("?"))) for _, answer in pairs]


def of_neighbours(pairs: Sequence[Pair], _: Mapping[str, str]) -> list[Score | Unscored]:
    return [Score(float(len(pairs)))] * len(pairs)


def of_what_is_not_declared(pairs: Sequence[Pair], _: Mapping[str, str]) -> list[Score | Unscored]:
    return [Score(float(len(case.question or ""))) for case, _ in pairs]


def by_numpy(pairs: Sequence[Pair], _: Mapping[str, str]) -> list[Score | Unscored]:
    return [Score(float(np.float64((answer.text or "").count("?")))) for _, answer in pairs]


def undefined(pairs: Sequence[Pair], _: Mapping[str, str]) -> list[Score | Unscored]:
    return [
        Score(1.0) if "2" in (answer.text or "") else Unscored(Reason.UNDEFINED, "no 2")
        for _, answer in pairs
    ]


def broken(*_: object) -> list[Score | Unscored]:
    raise ValueError


@pytest.mark.parametrize(
    ("compute", "change", "must"),
    [
        (marks, {"question": "How many"}, "ask a question"),
        (marks, {"blind_spots": ()}, r"say what it cannot see \(blind_spots\)"),
        (marks, {"if_empty": None}, "say what an empty answer is worth"),
        (marks, {"if_empty": 1}, r"give an empty answer 1 \(if_empty\)"),
        (marks, {"cost": "a minute"}, "say what it costs where it runs on a model"),
        (marks, {"libraries": ("numpy",)}, r"declare only packages that compute it .*numpy"),
        (by_numpy, {}, r"declare the packages that compute it \(libraries=\); got numpy"),
        (of_neighbours, {}, "score an answer as it does without its neighbours"),
        (of_what_is_not_declared, {}, r"need \(needs=\) all that it reads"),
        (undefined, {}, 'have the outcome "scored" for a text that is one word, as `odd` says'),
        (marks, {"odd": dict.fromkeys(KINDS, "undefined")}, "declared undefined, got a score: "),
        (marks, {"odd": {KINDS[0]: "undefind"}}, 'declare "scored", a number or a reason for a'),
        (broken, {}, "be able to score these answers; got failed: ValueError"),
        (marks, {"needs": (TEXT, OWN)}, "hand it pairs of yours"),
    ],
)  # fmt: skip
def test_a_metric_that_breaks_a_rule_is_told_which(
    compute: object, change: dict[str, object], must: str
) -> None:
    metrics.metric(Declaration(**{**MARKS, **change}))(compute)  # type: ignore[arg-type]  # as above
    with pytest.raises(AssertionError, match=must):
        check_metric("theirs")


def test_pairs_of_their_own_are_tried_where_a_metric_needs_what_is_not_made_up() -> None:
    metrics.metric(Declaration(**{**MARKS, "needs": (TEXT, OWN)}))(marks)  # type: ignore[arg-type]
    case = Case(case="1", tags={"own": "here"})
    answers = [Answer(system=s, case="1", text="?" * n) for n, s in enumerate("AB", start=1)]
    said = check_metric("theirs", *((case, answer) for answer in answers))
    assert said == "theirs: 2 of 2 answers have a score, 1 to 2."


def equal(pairs: Sequence[Pair], _: Mapping[str, str]) -> list[Score | Unscored]:
    return [Score(0.0)] * len(pairs)


def test_a_metric_whose_scores_are_all_equal_is_told_so() -> None:
    metrics.metric(Declaration(**MARKS))(equal)  # type: ignore[arg-type]  # as above
    said = check_metric("theirs")
    assert "answers have a score, and all have the same, 0: hand it pairs of yours that" in said


def test_a_metric_whose_texts_are_all_odd_passes_once_it_says_so() -> None:
    odd = dict.fromkeys(KINDS, "undefined")
    metrics.metric(Declaration(**{**MARKS, "odd": odd}))(undefined)  # type: ignore[arg-type]
    assert "undefined here: no 2" in check_metric("theirs")


def labels_all(code: int, units: Units, **_: str) -> list[int]:
    return [code] * len(units)


def test_a_method_that_chooses_another_label_than_it_scores_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(KNOWN, "known", dict(KNOWN.known))
    for name, code in (("always_first", 0), ("never_first", 1)):
        declaration = MethodDeclaration(
            name=name, question="Which?", unit="points", undefined="no scores", title="first"
        )

        @consensus_method(declaration, choose=partial(labels_all, code))
        def first(units: Units, **_: str) -> list[Score | Unscored]:
            if units.scores is None:
                return [Unscored(Reason.UNDEFINED, "no scores")] * len(units)
            return [Score(float(units.scores[0]))] * len(units)

    assert check_consensus_method("always_first")
    with pytest.raises(AssertionError, match="choose the label whose score it gives"):
        check_consensus_method("never_first")
