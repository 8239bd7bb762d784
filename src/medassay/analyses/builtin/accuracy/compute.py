"""Right options counted by group of questions, and systems compared on the same questions."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, get_args

from medassay.analyses.builtin.accuracy.record import AccuracyOf, OnSameQuestions
from medassay.analyses.inputs.answer_choices import Asked, Choices, Policy
from medassay.stats import holm, mcnemar_exact, wilson

__all__ = ["accuracies_of", "pairs_of"]

_POLICIES: Final[tuple[Policy, ...]] = get_args(Policy)
_ESTIMAND: Final = "this system, new questions of the same kind"


def accuracies_of(choices: Choices) -> tuple[AccuracyOf, ...]:
    """Give the accuracy of each system on all questions and on those of each tag, by policy."""
    groups: dict[tuple[str, str], dict[str, list[Asked]]] = {}
    for system, questions in choices.by_system.items():
        for asked in questions:
            tags = asked.tags
            for key in [("", ""), *((tag, tags[tag]) for tag in choices.tags if tag in tags)]:
                groups.setdefault(key, {}).setdefault(system, []).append(asked)
    return tuple(
        _accuracy(tag, value, system, policy, questions)
        for (tag, value), by_system in sorted(groups.items(), key=lambda item: item[0])
        for system, questions in by_system.items()
        for policy in _POLICIES
    )


def _accuracy(
    tag: str, value: str, system: str, policy: Policy, questions: Sequence[Asked]
) -> AccuracyOf:
    right, n = sum(asked.is_right(policy) for asked in questions), len(questions)
    return AccuracyOf(
        tag=tag,
        value=value,
        system=system,
        policy=policy,
        right=right,
        n=n,
        no_choice=sum(asked.choice is None for asked in questions),
        never_answered=sum(not asked.answered for asked in questions),
        share=right / n,
        interval=wilson(right, n, estimand=_ESTIMAND),
    )


def pairs_of(choices: Choices) -> tuple[OnSameQuestions, ...]:
    """Compare every two systems on the questions that exactly one of them has right.

    Both were asked these; two systems without such a question are not compared.
    """
    return tuple(pair for policy in _POLICIES for pair in _under(policy, choices))


def _under(policy: Policy, choices: Choices) -> list[OnSameQuestions]:
    right = {
        system: {asked.case: asked.is_right(policy) for asked in questions}
        for system, questions in choices.by_system.items()
    }
    tests = []
    for a, b in combinations(right, 2):
        both = [(right[a][case], right[b][case]) for case in right[a] if case in right[b]]
        if not both:
            continue  # nobody asked both the same question
        test = mcnemar_exact(both.count((True, False)), both.count((False, True)))
        tests.append((a, b, len(both), test))
    adjusted = holm([test.p for *_, test in tests]).tolist()
    return [
        OnSameQuestions(policy, a, b, n, test, (test.only_a - test.only_b) / n, p_adjusted)
        for (a, b, n, test), p_adjusted in zip(tests, adjusted, strict=True)
    ]
