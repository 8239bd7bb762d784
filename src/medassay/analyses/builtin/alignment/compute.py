"""Whether a system's confidence in words is that of the experts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from medassay.agreement import cohen_kappa
from medassay.analyses.builtin.alignment.record import Alignment, AlignmentRow
from medassay.answers import Answer, Answers
from medassay.cases import Cases
from medassay.judgements import Judgements, Rubric
from medassay.stats import ConfidenceLevels, mean_min_max
from medassay.study.config.protocol import ConfidenceRule

__all__ = ["STATED", "align"]

STATED: Final = "stated"
IN_QUERY: Final = "min-max in the query"
IN_RUN: Final = "min-max in the run"
_FEWEST: Final = 2


@dataclass(frozen=True)
class _Said:
    """What experts say of one query."""

    level: str | None
    reason: str
    votes: Mapping[str, int]


@dataclass(frozen=True)
class _Level:
    """What a rule says of one query."""

    level: str | None
    reason: str
    mean: float | None = None


def align(
    rule: ConfidenceRule,
    systems: Sequence[str],
    cases: Cases,
    answers: Answers,
    judgements: Judgements,
    rubric: Rubric,
) -> list[Alignment]:
    """Hold each system's levels beside the experts' majority, by every rule.

    The stated level is what the system showed. The published rule is recomputed from the
    similarities of the first k documents; beside it the same rule with the least and greatest
    similarity of the whole run, by which queries can be told apart.
    """
    order = rubric.dimension(rule.dimension).names
    alignments = []
    for system in systems:
        answer_of = {answer.case: answer for answer in answers if answer.system == system}
        if not any(
            answer.confidence_label or _scores(answer, rule.k) for answer in answer_of.values()
        ):
            continue
        asked = [case for case in cases.ids if answers.asked.holds(system, case)]
        experts = _experts(judgements, cases, system, rule, order)
        alignments += [
            _alignment(system, name, levels, experts, rule, order)
            for name, levels in _rules(asked, answer_of, rule).items()
        ]
    return alignments


def _rules(
    cases: Sequence[str], answers: Mapping[str, Answer], rule: ConfidenceRule
) -> dict[str, dict[str, _Level]]:
    """Give each rule's level of each case that the system was asked."""
    cut = ConfidenceLevels(*rule.thresholds)
    scores = {case: _scores(answer, rule.k) for case, answer in answers.items()}
    every = [score for some in scores.values() for score in some]
    run = (min(every), max(every)) if every else (None, None)
    ends = {IN_QUERY: (None, None), IN_RUN: run}
    stated, by_rule = {}, dict[str, dict[str, _Level]]({name: {} for name in ends})
    for case in cases:
        answer = answers.get(case)
        if answer is None:
            stated[case] = _Level(None, "never answered")
        else:
            label = answer.confidence_label
            stated[case] = _Level(label, "" if label else "the system stated none")
        for name, (low, high) in ends.items():
            some = scores.get(case, [])
            if not some:
                by_rule[name][case] = _Level(None, "no similarities of the documents")
                continue
            mean = mean_min_max(some, low, high)
            by_rule[name][case] = _Level(cut.of(mean), "", mean)
    return {STATED: stated, **by_rule}


def _scores(answer: Answer, k: int) -> list[float]:
    """Give the similarities of the first k documents; none where one of them has none."""
    top = [retrieved.score for retrieved in (answer.retrieved or ())[:k]]
    known = [score for score in top if score is not None]
    return known if len(known) == len(top) else []


def _experts(
    judgements: Judgements, cases: Cases, system: str, rule: ConfidenceRule, order: Sequence[str]
) -> dict[str, _Said]:
    """Count the experts' levels of each query; most votes win, and a tie is none."""
    levels_of = {}
    counts: dict[str, dict[str, int]] = {}
    frame = judgements.counted
    for row in frame.iter_rows(named=True):
        if (row["dimension"], row["system"]) == (rule.dimension, system):
            tally = counts.setdefault(row["case"], dict.fromkeys(order, 0))
            if row["label"] is not None:
                tally[row["label"]] += 1
    for case in cases.ids:
        votes = counts.get(case, {})
        most = max(votes.values(), default=0)
        leading = [level for level, n in votes.items() if n == most and n]
        if len(leading) == 1:
            levels_of[case] = _Said(leading[0], "", votes)
        elif leading:
            levels_of[case] = _Said(None, f"a tie of {' and '.join(leading)}", votes)
        else:
            levels_of[case] = _Said(None, "no expert gave a level", votes)
    return levels_of


def _alignment(
    system: str,
    name: str,
    levels: Mapping[str, _Level],
    experts: Mapping[str, _Said],
    rule: ConfidenceRule,
    order: Sequence[str],
) -> Alignment:
    rows = tuple(
        AlignmentRow(
            case=case,
            mean=levels[case].mean,
            system=levels[case].level,
            system_reason=levels[case].reason,
            experts=experts[case].level,
            experts_reason=experts[case].reason,
            votes=dict(experts[case].votes),
        )
        for case in levels
    )
    kappa, reason, n = _kappa(rows, order)
    levels_given = [row.system for row in rows if row.system is not None]
    return Alignment(
        system=system,
        rule=name,
        kappa=kappa,
        reason=reason,
        n=n,
        levels={level: levels_given.count(level) for level in order},
        note=_note(name, levels_given, rule),
        rows=rows,
    )


def _kappa(rows: Sequence[AlignmentRow], order: Sequence[str]) -> tuple[float | None, str, int]:
    """Weigh disagreements by their distance; the labels stand in the order of the scale."""
    both = [(row.system, row.experts) for row in rows if row.system and row.experts]
    if not both:
        return None, "no query has a level of the system and one of the experts", 0
    if len(both) < _FEWEST:
        return None, "one query only has both levels: kappa needs two", len(both)
    table = np.zeros((len(order), len(order)))
    for rated, other in both:
        table[order.index(rated), order.index(other)] += 1
    value = float(cohen_kappa(table, "linear"))
    if np.isnan(value):
        return None, f"system and experts say {both[0][0]} of every query", len(both)
    return value, "", len(both)


def _note(name: str, levels: Sequence[str], rule: ConfidenceRule) -> str:
    """Say so where a rule cannot tell queries apart."""
    if name == IN_QUERY and rule.k > 1:
        reachable = ConfidenceLevels(*rule.thresholds).reachable(rule.k)
        usual = [level for level in reachable if level != "Low"]
        if usual == ["Medium"]:
            return (
                f"This rule cannot tell queries apart: the mean of {rule.k} scores that are "
                f"normalised within one query lies from {1 / rule.k:.2f} to {1 - 1 / rule.k:.2f}, "
                "so with these thresholds every query is Medium unless its scores are all equal. "
                "Kappa with it is 0 or has no value, whatever the system does."
            )
    if len(levels) > 1 and len(set(levels)) == 1:
        return f"It puts all {len(levels)} queries at {levels[0]}: it tells none of them apart."
    return ""
