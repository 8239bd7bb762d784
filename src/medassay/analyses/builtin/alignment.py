"""Is a system's confidence in words that of the experts?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from medassay.agreement import cohen_kappa
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design, Rules
from medassay.analyses.results.whole import Records
from medassay.annotations import CaseId, DesignName, SystemName, Words, record
from medassay.answers import Answer, Answers
from medassay.cases import Cases
from medassay.exhibits import Names
from medassay.exhibits.columns import Shown, counted, missing, shown, system_column, table_of
from medassay.exhibits.names import natural_order
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Table
from medassay.judgements import Judgements, Rubric
from medassay.stats import ConfidenceLevels, mean_min_max
from medassay.study.config.protocol import ConfidenceRule


@record(infers=False)
class AlignmentRow:
    """One query, side by side.

    Attributes:
        mean: The mean of normalised similarities that the rule cuts; None for a stated label.
        system: The level by this rule.
        experts: The level that most experts gave.
        experts_reason: Why there is none: a tie, or no expert.
        votes: How many experts gave each level, the highest first.
    """

    case: CaseId
    mean: float | None
    system: DesignName | None
    system_reason: Words
    experts: DesignName | None
    experts_reason: Words
    votes: dict[DesignName, int]


@record(infers=False)
class Alignment:
    """One system's confidence by one rule, held beside the experts' majority.

    Attributes:
        rule: `stated`, `min-max in the query` or `min-max in the run`.
        kappa: Weighted Cohen's kappa with linear weights. Alignment of words, not accuracy.
        n: Queries with both levels.
        levels: How many queries the rule puts in each level, the highest first.
        note: Says so where the rule cannot tell queries apart; else empty.
    """

    system: SystemName
    rule: Words
    kappa: float | None
    reason: Words
    n: int
    levels: dict[DesignName, int]
    note: Words
    rows: tuple[AlignmentRow, ...]


@record(infers=False)
class Alignments:
    """Each system by each rule.

    Attributes:
        systems: One for each of both.
        thresholds: Where Medium begins, and above what High does.
        fixed: The day on which the thresholds were fixed; empty where nobody says.
    """

    systems: tuple[Alignment, ...]
    thresholds: tuple[float, float]
    fixed: Words


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
        case_ids = [case for case in cases.ids if answers.asked.holds(system, case)]
        experts = _experts(judgements, cases, system, rule, order)
        alignments += [
            _alignment(system, name, levels, experts, rule, order)
            for name, levels in _rules(case_ids, answer_of, rule).items()
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


def alignment_tables(alignments: Sequence[Alignment], names: Names) -> list[Table]:
    """Show kappa of each rule, then each system's levels query by query."""
    systems = dict.fromkeys(alignment.system for alignment in alignments)
    return [
        _kappas(alignments, names),
        *(_side_by_side(alignments, system, names) for system in systems),
    ]


def _kappas(alignments: Sequence[Alignment], names: Names) -> Table:
    """Show kappa of each rule with the experts' majority."""
    levels = list(dict.fromkeys(level for row in alignments for level in row.levels))
    return table_of(
        alignments,
        (
            system_column(names),
            shown(
                "Rule", lambda row: _RULES.get(row.rule, row.rule), file="rule",
                detail=lambda row: row.note,
            ),
            *(
                counted(level, _queries_at(level), file=f"{level}_n", group="Queries at")
                for level in levels
            ),
            counted("n", "n"),
            shown("Kappa", "kappa", PROPORTION, why_not="reason"),
        ),
        id="alignment",
        title="System and expert confidence",
        caption="Cohen's kappa (linear weights) of the system's level with that of most experts, "
                "over queries that have both. It does not say whether answers are right.",
        empty="No system gave its confidence in words, and none can be recomputed.",
    )  # fmt: skip


def _queries_at(level: str) -> Callable[[Alignment], int]:
    return lambda alignment: alignment.levels.get(level, 0)


_RULES = {
    "stated": "as stated",
    "min-max in the query": "published rule, min-max within each query",
    "min-max in the run": "min-max over all queries of the run",
}


def _side_by_side(alignments: Sequence[Alignment], system: str, names: Names) -> Table:
    """Show the levels of one system by every rule beside the experts', query by query."""
    own = [row for row in alignments if row.system == system]
    rows = enumerate(own[0].rows if own else [])
    several = len({row.system for row in alignments}) > 1
    return table_of(
        sorted(rows, key=lambda place: natural_order(place[1].case)),
        (
            shown("Query", lambda row: row[1].case, file="case"),
            shown(
                "Most experts", lambda row: row[1].experts, file="experts",
                why_not=lambda row: row[1].experts_reason,
            ),
            *(Shown(_rule_column(by), _level_of(by)) for by in own),
            shown("Votes", lambda row: _votes(row[1]), file="votes"),
        ),
        id=f"side-by-side-{system}" if several else "side-by-side",
        title="Confidence side by side" + (f", {names.of_system(system)}" if several else ""),
        caption="By most experts, and by the system.",
        empty="There is nothing to compare.",
    )  # fmt: skip


def _votes(row: AlignmentRow) -> str:
    return ", ".join(f"{level} {n}" for level, n in row.votes.items() if n)


def _level_of(by: Alignment) -> Callable[[tuple[int, AlignmentRow]], Cell]:
    return lambda row: _level(by.rows[row[0]])


def _rule_column(row: Alignment) -> Column:
    field = row.rule.replace(" ", "_").replace("-", "_")
    title = {"stated": "Stated", "min-max in the query": "Published rule"}.get(row.rule, "Run rule")
    return Column(title, (field, f"{field}_mean"), group="The system's level")


def _level(row: AlignmentRow) -> Cell:
    if row.system is None:
        return missing(row.system_reason, 2)
    aside = "" if row.mean is None else PROPORTION(row.mean)
    return Cell(row.system, (row.system, row.mean), aside=aside)


@analysis(
    Declaration(
        id="alignment",
        title="System and expert confidence",
        question="Is a system's confidence in words that of the experts?",
        section="ratings",
        infers=False,
        reader="clinician",
        place=13,
        shown_in="described",
        tables=lambda record, names: alignment_tables(record.systems, names),
        notes=lambda record, _: list(
            dict.fromkeys(entry.note for entry in record.systems if entry.note)
        ),
    )
)
def alignment(
    rules: Rules,
    design: Design,
    cases: Cases,
    answers: Answers,
    judgements: Judgements,
    rubric: Rubric,
) -> Alignments | None:
    """Hold each system's levels beside the experts' majority, where the protocol has a rule."""
    rule = rules.confidence
    if rule is None or rule.dimension not in rubric.ids:
        return None
    return Alignments(
        tuple(align(rule, design.systems, cases, answers, judgements, rubric)),
        rule.thresholds,
        rule.fixed,
    )


def alignments_in(records: Records) -> tuple[Alignment, ...]:
    """Give each system by each rule; nothing where a run was not asked."""
    record = records.of(alignment)
    return record.systems if record else ()
