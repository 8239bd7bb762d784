"""Accuracy by tag, options taken for each other, and systems compared on the same questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, get_args

from medassay.analyses.results.choice import (
    AccuracyResult,
    ChoiceDetail,
    ConfusionResult,
    McNemarResult,
    OptionResult,
    OptionSummary,
    Policy,
)
from medassay.answers import chosen_option
from medassay.cases import Case, Cases
from medassay.error_analysis import OptionConfusion
from medassay.stats import holm, mcnemar_exact, wilson
from medassay.study.folder import Study

__all__ = ["choice_detail", "has_choices", "questions_of", "tags_to_group_by"]

_MOST_VALUES: Final = 40
_POLICIES: Final[tuple[Policy, ...]] = get_args(Policy)
_ESTIMAND: Final = "this system, new questions of the same kind"


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What one system did with one question."""

    case: Case
    gold: str
    choice: str | None
    answered: bool

    def is_right(self, policy: Policy) -> bool:
        """Compare with the right option; an answer that was never given is wrong always."""
        if self.choice is None and self.answered and policy == "first":
            return next(iter(self.case.options)) == self.gold
        return self.choice == self.gold


def questions_of(cases: Cases) -> list[Case]:
    """Give the cases with options of which one is known to be right, sorted by id."""
    known = (cases[name] for name in cases.ids)
    return [case for case in known if case.options and case.gold is not None]


def has_choices(study: Study) -> bool:
    """Say whether systems answered any multiple-choice question."""
    return bool(len(study.answers)) and bool(questions_of(study.cases))


def choice_detail(study: Study) -> ChoiceDetail | None:
    """Count what was chosen; None where the study has no multiple-choice questions or answers."""
    if not has_choices(study):
        return None
    chosen = {system: _chosen_by(study, system) for system in study.systems}
    tags, left_out = tags_to_group_by(study)
    confusions = {
        system: OptionConfusion.of(
            ((one.gold, one.choice) for one in rows),
            [option for one in rows for option in one.case.options],
        )
        for system, rows in chosen.items()
    }
    return ChoiceDetail(
        accuracy=_accuracies(chosen, tags),
        mcnemar=[row for policy in _POLICIES for row in _pairs(chosen, policy)],
        options=[row for name, found in confusions.items() for row in _options(name, found)],
        summaries=[_summary(name, found) for name, found in confusions.items()],
        confusion=[row for name, found in confusions.items() for row in _rows(name, found)],
        tags_left_out=left_out,
    )


def _chosen_by(study: Study, system: str) -> list[_Chosen]:
    made = []
    for case in questions_of(study.cases):
        answer = study.answers.get(system, case.case)
        choice = None if answer is None else chosen_option(case, answer)
        made.append(_Chosen(case, str(case.gold), choice, answer is not None))
    return made


def tags_to_group_by(study: Study) -> tuple[list[str], list[str]]:
    """Give the tags to group by, and those with too many values for it."""
    if study.config.privacy.texts != "full":
        return [], []
    values: dict[str, set[str]] = {}
    for case in questions_of(study.cases):
        for tag, value in case.tags.items():
            values.setdefault(tag, set()).add(value)
    few = sorted(tag for tag, found in values.items() if len(found) <= _MOST_VALUES)
    return few, sorted(set(values) - set(few))


def _accuracies(chosen: Mapping[str, list[_Chosen]], tags: Sequence[str]) -> list[AccuracyResult]:
    groups: dict[tuple[str, str], dict[str, list[_Chosen]]] = {}
    for system, rows in chosen.items():
        for one in rows:
            keys = [("", ""), *((tag, one.case.tags[tag]) for tag in tags if tag in one.case.tags)]
            for key in keys:
                groups.setdefault(key, {}).setdefault(system, []).append(one)
    return [
        _accuracy(tag, value, system, policy, rows)
        for (tag, value), by_system in sorted(groups.items(), key=lambda item: item[0])
        for system, rows in by_system.items()
        for policy in _POLICIES
    ]


def _accuracy(
    tag: str, value: str, system: str, policy: Policy, rows: Sequence[_Chosen]
) -> AccuracyResult:
    right = sum(one.is_right(policy) for one in rows)
    return AccuracyResult(
        tag=tag,
        value=value,
        system=system,
        policy=policy,
        right=right,
        n=len(rows),
        no_choice=sum(one.choice is None for one in rows),
        never_answered=sum(not one.answered for one in rows),
        share=right / len(rows),
        interval=wilson(right, len(rows), estimand=_ESTIMAND),
    )


def _pairs(chosen: Mapping[str, list[_Chosen]], policy: Policy) -> list[McNemarResult]:
    right = {name: [one.is_right(policy) for one in rows] for name, rows in chosen.items()}
    found = []
    for a, b in combinations(chosen, 2):
        both = list(zip(right[a], right[b], strict=True))
        test = mcnemar_exact(both.count((True, False)), both.count((False, True)))
        found.append((a, b, len(both), test))
    adjusted = holm([test.p for *_, test in found]).tolist()
    return [
        McNemarResult(
            policy=policy,
            system_a=a,
            system_b=b,
            n=n,
            only_a=test.only_a,
            only_b=test.only_b,
            difference=(test.only_a - test.only_b) / n,
            p=test.p,
            p_adjusted=p_adjusted,
        )
        for (a, b, n, test), p_adjusted in zip(found, adjusted, strict=True)
    ]


def _options(system: str, found: OptionConfusion) -> list[OptionResult]:
    return [
        OptionResult(
            system=system,
            option=one.option,
            support=one.support,
            chosen=one.chosen,
            right=one.right,
            precision=one.precision,
            recall=one.recall,
            f1=one.f1,
        )
        for one in found.figures
    ]


def _summary(system: str, found: OptionConfusion) -> OptionSummary:
    return OptionSummary(
        system=system,
        n=found.n,
        accuracy=found.accuracy,
        balanced_accuracy=found.balanced_accuracy,
        macro_precision=found.macro_precision,
        macro_recall=found.macro_recall,
        macro_f1=found.macro_f1,
        weighted_f1=found.weighted_f1,
    )


def _rows(system: str, found: OptionConfusion) -> list[ConfusionResult]:
    return [
        ConfusionResult(
            system=system,
            right=right,
            chosen=dict(zip(found.options, counts, strict=True)),
            no_choice=none,
        )
        for right, counts, none in zip(found.options, found.counts, found.no_choice, strict=True)
    ]
