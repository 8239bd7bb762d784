"""What is asked of a study: each analysis computes its records, and a run holds them all.

What enters: a study and its scores. What leaves: `Results`, the one structure that a report
renders.
"""

from medassay.analyses.ask import check_analyses
from medassay.analyses.at_best import (
    MARGIN,
    at_best_of,
    at_best_words,
    differences_at_best_of,
    differences_at_best_words,
    smallest_difference,
)
from medassay.analyses.builtin.plan import PlanReport, PlanWishes
from medassay.analyses.builtin.quality import quality_columns
from medassay.analyses.builtin.rater_flow import RaterFlow, flow_of
from medassay.analyses.consensus import consensus_report
from medassay.analyses.declaration import Analysis, Declaration, analysis
from medassay.analyses.descriptive import as_told, refuse_to_infer
from medassay.analyses.inputs.answer_choices import Choices
from medassay.analyses.inputs.answer_dangers import Dangers
from medassay.analyses.inputs.answer_order import AnswerPairs
from medassay.analyses.inputs.answer_reasoning import ChainsRead
from medassay.analyses.inputs.consensus_fits import Aggregation, Fitted
from medassay.analyses.inputs.judge_accuracy import beside_tables, judge_results, judges_beside
from medassay.analyses.inputs.metric_all_cases import AllCases
from medassay.analyses.inputs.metric_validity import Held, Measured
from medassay.analyses.inputs.rater_agreement import PARTS, Agreed, agreement_report
from medassay.analyses.inputs.rater_traits import Diagnosed, Guesses, GuessOf, RatersMet
from medassay.analyses.inputs.readable import (
    About,
    Columns,
    Design,
    DocumentLabels,
    Leading,
    OnFile,
    Randomness,
    Rules,
)
from medassay.analyses.inputs.study_columns import consensus_of
from medassay.analyses.inputs.system_boards import (
    Leaderboards,
    MeanScore,
    consensus_means,
    mean_scores,
)
from medassay.analyses.inputs.system_harm import HarmFound
from medassay.analyses.plan import plan_reliability, plan_study
from medassay.analyses.results import Results
from medassay.analyses.results.whole import ConsensusReport
from medassay.analyses.run import count_shortened, run_study
from medassay.analyses.triage import TriageReport, queue_bytes, triage_study
from medassay.analyses.validity_report import ValidityReport, validity_report
from medassay.analyses.versions import (
    MOST_CHANGED,
    ChangedAnswers,
    VersionComparison,
    are_studies,
    compare_versions,
    draw_changed,
)

__all__ = [
    "MARGIN",
    "MOST_CHANGED",
    "PARTS",
    "About",
    "Aggregation",
    "Agreed",
    "AllCases",
    "Analysis",
    "AnswerPairs",
    "ChainsRead",
    "ChangedAnswers",
    "Choices",
    "Columns",
    "ConsensusReport",
    "Dangers",
    "Declaration",
    "Design",
    "Diagnosed",
    "DocumentLabels",
    "Fitted",
    "GuessOf",
    "Guesses",
    "HarmFound",
    "Held",
    "Leaderboards",
    "Leading",
    "MeanScore",
    "Measured",
    "OnFile",
    "PlanReport",
    "PlanWishes",
    "Randomness",
    "RaterFlow",
    "RatersMet",
    "Results",
    "Rules",
    "TriageReport",
    "ValidityReport",
    "VersionComparison",
    "agreement_report",
    "analysis",
    "are_studies",
    "as_told",
    "at_best_of",
    "at_best_words",
    "beside_tables",
    "check_analyses",
    "compare_versions",
    "consensus_means",
    "consensus_of",
    "consensus_report",
    "count_shortened",
    "differences_at_best_of",
    "differences_at_best_words",
    "draw_changed",
    "flow_of",
    "judge_results",
    "judges_beside",
    "mean_scores",
    "plan_reliability",
    "plan_study",
    "quality_columns",
    "queue_bytes",
    "refuse_to_infer",
    "run_study",
    "smallest_difference",
    "triage_study",
    "validity_report",
]
