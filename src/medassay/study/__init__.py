"""A study folder: open it, check it, plan what is stale, run it, write down what was done.

What enters: a folder with study.toml, cases, answers, judgements. What leaves: `Results`, the one
structure that the report renders.
"""

from medassay.study.analysis.agreement import PARTS, agreement_report
from medassay.study.analysis.consensus import consensus_report
from medassay.study.analysis.descriptive import refuse_to_infer, without_inference
from medassay.study.analysis.gathered import consensus_of
from medassay.study.analysis.judge import judge_results
from medassay.study.analysis.means import MeanScore, consensus_means, mean_scores
from medassay.study.analysis.plan import PlanWishes, plan_study
from medassay.study.analysis.shortened import count_shortened
from medassay.study.analysis.triage import TriageReport, queue_bytes, triage_study
from medassay.study.analysis.validity_report import ValidityReport, validity_report
from medassay.study.answering import Answered, answer_cases
from medassay.study.check import Summary, summarise
from medassay.study.compare import VersionComparison, compare_versions
from medassay.study.demo import write_demo
from medassay.study.environmental_health import TakenPanel, take_environmental_health
from medassay.study.folder import Study
from medassay.study.imported import Meaning, check_meaning
from medassay.study.intake.answers import take_answers
from medassay.study.intake.archehr import TakenArchehr, take_archehr
from medassay.study.intake.judgements import Taken, take_judgements, take_preferences, take_scores
from medassay.study.intake.trec import (
    give_trec_qrels,
    give_trec_run,
    take_trec_qrels,
    take_trec_runs,
)
from medassay.study.judges.certify import refuse_undeclared, take_certificate, write_certificate
from medassay.study.lock import only_writer
from medassay.study.med_gpt import TakenResults, take_med_gpt
from medassay.study.metric_choice import left_out_now
from medassay.study.new import new_study
from medassay.study.protocol import Protocol, load_protocol, protocol_names
from medassay.study.rerun import Checked, check_against, set_aside
from medassay.study.results import LeftOut, Results
from medassay.study.results.joint import ConsensusReport, QualityResult, quality_columns
from medassay.study.results.judge import JudgeResult
from medassay.study.results.plan import PlanReport
from medassay.study.run import Run, open_run, run_study
from medassay.study.run_log import RunLog
from medassay.study.scales import Said
from medassay.study.scoring import Progress, Scored, score_study
from medassay.study.whole_run import find_whole_run

__all__ = [
    "PARTS",
    "Answered",
    "Checked",
    "ConsensusReport",
    "JudgeResult",
    "LeftOut",
    "MeanScore",
    "Meaning",
    "PlanReport",
    "PlanWishes",
    "Progress",
    "Protocol",
    "QualityResult",
    "Results",
    "Run",
    "RunLog",
    "Said",
    "Scored",
    "Study",
    "Summary",
    "Taken",
    "TakenArchehr",
    "TakenPanel",
    "TakenResults",
    "TriageReport",
    "ValidityReport",
    "VersionComparison",
    "agreement_report",
    "answer_cases",
    "check_against",
    "check_meaning",
    "compare_versions",
    "consensus_means",
    "consensus_of",
    "consensus_report",
    "count_shortened",
    "find_whole_run",
    "give_trec_qrels",
    "give_trec_run",
    "judge_results",
    "left_out_now",
    "load_protocol",
    "mean_scores",
    "new_study",
    "only_writer",
    "open_run",
    "plan_study",
    "protocol_names",
    "quality_columns",
    "queue_bytes",
    "refuse_to_infer",
    "refuse_undeclared",
    "run_study",
    "score_study",
    "set_aside",
    "summarise",
    "take_answers",
    "take_archehr",
    "take_certificate",
    "take_environmental_health",
    "take_judgements",
    "take_med_gpt",
    "take_preferences",
    "take_scores",
    "take_trec_qrels",
    "take_trec_runs",
    "triage_study",
    "validity_report",
    "without_inference",
    "write_certificate",
    "write_demo",
]
