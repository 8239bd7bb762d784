"""What the numbers are worth: rankings of systems, and how far each metric agrees with the raters.

What enters: sources (a name, a grid of scores, the direction that is better), whoever made them.
What leaves: leaderboards with the places that the cases bear out, and rank correlations with their
p, their intervals by estimand, and the reliability of what was correlated; the score that people
would give each system, and how much harm it may do at most.
"""

from medassay.validity.allotment import Allotment, allotment
from medassay.validity.alt_test import AltTest, AltTestRater, alt_test
from medassay.validity.answer_level import AnswerLevel, Grouped, Grouping, answer_level
from medassay.validity.at_best import AtBest, at_best
from medassay.validity.bad_answers import BadAnswers, Target, find_bad_answers
from medassay.validity.best_by_chance import BestByChance, ControlByChance, best_by_chance
from medassay.validity.budget import BudgetPoint, annotation_budget
from medassay.validity.composite import Composite, CompositeValue, Term, composite_values
from medassay.validity.correlation import Validity, correlate
from medassay.validity.d_study import Needed, ReliabilityPlan, ReliabilityPoint, d_study
from medassay.validity.diagnostics import KINDS, RaterDiagnostic, diagnose_raters
from medassay.validity.differences_at_best import (
    DifferencesAtBest,
    GateFloor,
    differences_at_best,
)
from medassay.validity.difficulty import CaseDifficulty, Difficulty, case_difficulty
from medassay.validity.drawn_scores import Chance, DrawnScore, drawn_scores
from medassay.validity.gate import false_alarms_of_100, gate, joint_verdict
from medassay.validity.gate_rows import Bound, Change, Flip, GateResult, SystemGate, Verdict
from medassay.validity.harm_bounds import SystemHarm, system_harm
from medassay.validity.human_scores import HumanScore, human_scores
from medassay.validity.judge_canaries import CanaryFlips, canary_flips, seen_from
from medassay.validity.judge_estimate import JudgeEstimate
from medassay.validity.judge_gaps import JudgeGaps, judge_gaps, judge_severity
from medassay.validity.judge_known import (
    JudgeKnown,
    SharedMisses,
    judge_known,
    shared_misses,
)
from medassay.validity.judge_label import JudgeLabel, judge_label
from medassay.validity.judge_length import LengthLean, judge_length
from medassay.validity.judge_order import JudgeOrder, judge_order
from medassay.validity.judge_rank import JudgeRank, RankAgainst, judge_rank
from medassay.validity.judge_rates import JudgeRate, judge_rate
from medassay.validity.judge_readings import even_cut
from medassay.validity.judge_repeats import judge_repeats
from medassay.validity.judge_self import judge_self_preference
from medassay.validity.judge_sentinels import SENTINEL_JUDGES, SentinelJudge, sentinel_judges
from medassay.validity.judge_verdicts import (
    JudgePair,
    JudgeWithout,
    judge_pair,
    judge_without,
    most_say,
)
from medassay.validity.judged_shares import Flag, JudgedShare, judged_shares
from medassay.validity.judging_order import JudgingOrder, judging_order
from medassay.validity.leaderboard import Comparison, Leaderboard, LeaderboardRow, unranked
from medassay.validity.means_table import ColumnPair, MeansOrder, order_of_means
from medassay.validity.metric_pairs import (
    MetricPair,
    MetricPairs,
    compare_metrics,
    with_letters,
)
from medassay.validity.more_judgements import MoreJudgements, more_judgements
from medassay.validity.noise_reference import NoiseReference, noise_reference
from medassay.validity.primary import Primary
from medassay.validity.ranking import rank_systems
from medassay.validity.rater_adjusted import (
    AdjustedMean,
    RaterAdjusted,
    RaterAdjustment,
    SeverityOf,
)
from medassay.validity.scheme_ranks import RankSpread, SchemeRanks, scheme_ranks
from medassay.validity.sentinels import constant_sentinel, noise_bar, noise_sentinel
from medassay.validity.separate import (
    cases_to_separate,
    detectable_difference,
    power_to_separate,
)
from medassay.validity.simulated_coverage import SimulatedCoverage, coverage_warning
from medassay.validity.source import Direction, Source
from medassay.validity.spread import Spread, spread_of_grid, spread_of_labels
from medassay.validity.surrogacy import GATE_SYSTEMS, Surrogacy
from medassay.validity.system_level import SystemLevel, system_level
from medassay.validity.tau_interval import ESTIMANDS, TauInterval
from medassay.validity.tau_width import (
    Pairing,
    cases_for_width,
    pair_spread,
    systems_for_width,
    tau_width,
)
from medassay.validity.tipping import Judged, fewest_to_turn
from medassay.validity.triage import (
    Lot,
    Triaged,
    TriageWeights,
    disagreement_of,
    seeded_lot,
    triage,
)
from medassay.validity.trust import FEW_SYSTEMS, trust
from medassay.validity.trust_table import Trust, TrustEntry
from medassay.validity.unjudged import UnjudgedRank, unjudged_ranks, with_worst
from medassay.validity.uses import (
    BETWEEN_SYSTEMS,
    BETWEEN_VERSIONS,
    Evidence,
    Permit,
    Scope,
    Use,
    permit,
)
from medassay.validity.version_pairs import VERSION_FAMILIES, VERSION_PAIRS, VersionSurrogacy
from medassay.validity.within_groups import GroupTau, tau_in_groups
from medassay.validity.without_rater import WithoutRater, leave_one_rater_out

__all__ = [
    "BETWEEN_SYSTEMS",
    "BETWEEN_VERSIONS",
    "ESTIMANDS",
    "FEW_SYSTEMS",
    "GATE_SYSTEMS",
    "KINDS",
    "SENTINEL_JUDGES",
    "VERSION_FAMILIES",
    "VERSION_PAIRS",
    "AdjustedMean",
    "Allotment",
    "AltTest",
    "AltTestRater",
    "AnswerLevel",
    "AtBest",
    "BadAnswers",
    "BestByChance",
    "Bound",
    "BudgetPoint",
    "CanaryFlips",
    "CaseDifficulty",
    "Chance",
    "Change",
    "ColumnPair",
    "Comparison",
    "Composite",
    "CompositeValue",
    "ControlByChance",
    "DifferencesAtBest",
    "Difficulty",
    "Direction",
    "DrawnScore",
    "Evidence",
    "Flag",
    "Flip",
    "GateFloor",
    "GateResult",
    "GroupTau",
    "Grouped",
    "Grouping",
    "HumanScore",
    "JudgeEstimate",
    "JudgeGaps",
    "JudgeKnown",
    "JudgeLabel",
    "JudgeOrder",
    "JudgePair",
    "JudgeRank",
    "JudgeRate",
    "JudgeWithout",
    "Judged",
    "JudgedShare",
    "JudgingOrder",
    "Leaderboard",
    "LeaderboardRow",
    "LengthLean",
    "Lot",
    "MeansOrder",
    "MetricPair",
    "MetricPairs",
    "MoreJudgements",
    "Needed",
    "NoiseReference",
    "Pairing",
    "Permit",
    "Primary",
    "RankAgainst",
    "RankSpread",
    "RaterAdjusted",
    "RaterAdjustment",
    "RaterDiagnostic",
    "ReliabilityPlan",
    "ReliabilityPoint",
    "SchemeRanks",
    "Scope",
    "SentinelJudge",
    "SeverityOf",
    "SharedMisses",
    "SimulatedCoverage",
    "Source",
    "Spread",
    "Surrogacy",
    "SystemGate",
    "SystemHarm",
    "SystemLevel",
    "Target",
    "TauInterval",
    "Term",
    "TriageWeights",
    "Triaged",
    "Trust",
    "TrustEntry",
    "UnjudgedRank",
    "Use",
    "Validity",
    "Verdict",
    "VersionSurrogacy",
    "WithoutRater",
    "allotment",
    "alt_test",
    "annotation_budget",
    "answer_level",
    "at_best",
    "best_by_chance",
    "canary_flips",
    "case_difficulty",
    "cases_for_width",
    "cases_to_separate",
    "compare_metrics",
    "composite_values",
    "constant_sentinel",
    "correlate",
    "coverage_warning",
    "d_study",
    "detectable_difference",
    "diagnose_raters",
    "differences_at_best",
    "disagreement_of",
    "drawn_scores",
    "even_cut",
    "false_alarms_of_100",
    "fewest_to_turn",
    "find_bad_answers",
    "gate",
    "human_scores",
    "joint_verdict",
    "judge_gaps",
    "judge_known",
    "judge_label",
    "judge_length",
    "judge_order",
    "judge_pair",
    "judge_rank",
    "judge_rate",
    "judge_repeats",
    "judge_self_preference",
    "judge_severity",
    "judge_without",
    "judged_shares",
    "judging_order",
    "leave_one_rater_out",
    "more_judgements",
    "most_say",
    "noise_bar",
    "noise_reference",
    "noise_sentinel",
    "order_of_means",
    "pair_spread",
    "permit",
    "power_to_separate",
    "rank_systems",
    "scheme_ranks",
    "seeded_lot",
    "seen_from",
    "sentinel_judges",
    "shared_misses",
    "spread_of_grid",
    "spread_of_labels",
    "system_harm",
    "system_level",
    "systems_for_width",
    "tau_in_groups",
    "tau_width",
    "triage",
    "trust",
    "unjudged_ranks",
    "unranked",
    "with_letters",
    "with_worst",
]
