"""What is asked of a study: each analysis computes its records, and a run holds them all.

What enters: a study and its scores. What leaves: `Results`, the one structure that a report
renders.
"""

from medassay.analyses.agreed import PARTS, Agreed, agreement_report
from medassay.analyses.all_cases import AllCases
from medassay.analyses.ask import check_analyses
from medassay.analyses.at_best import at_best_of, at_best_words
from medassay.analyses.builtin.plan.compute import PlanWishes
from medassay.analyses.builtin.plan.record import PlanReport
from medassay.analyses.builtin.quality.columns import quality_columns
from medassay.analyses.builtin.rater_flow.compute import flow_of
from medassay.analyses.builtin.rater_flow.record import RaterFlow
from medassay.analyses.chain_reading import ChainsRead
from medassay.analyses.choice import Choices
from medassay.analyses.consensus import consensus_report
from medassay.analyses.dangers import Dangers
from medassay.analyses.declaration import Analysis, Declaration, analysis
from medassay.analyses.descriptive import as_told, refuse_to_infer
from medassay.analyses.diagnosed import Diagnosed
from medassay.analyses.differences_at_best import (
    MARGIN,
    differences_at_best_of,
    differences_at_best_words,
    smallest_difference,
)
from medassay.analyses.guesses import Guesses, GuessOf
from medassay.analyses.harm_found import HarmFound
from medassay.analyses.held import Held, Measured
from medassay.analyses.inputs import (
    About,
    Columns,
    Design,
    DocumentLabels,
    Leading,
    OnFile,
    Randomness,
    Rules,
)
from medassay.analyses.joining import Fitted, Joining
from medassay.analyses.judge import judge_results
from medassay.analyses.judges_beside import beside_tables, judges_beside
from medassay.analyses.leaderboards import Leaderboards
from medassay.analyses.means import MeanScore, consensus_means, mean_scores
from medassay.analyses.plan import plan_reliability, plan_study
from medassay.analyses.raters_met import RatersMet
from medassay.analyses.results import Results
from medassay.analyses.results.joint import ConsensusReport
from medassay.analyses.run import run_study
from medassay.analyses.score_columns import consensus_of
from medassay.analyses.shortened import count_shortened
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
    "Agreed",
    "AllCases",
    "Analysis",
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
    "Joining",
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
