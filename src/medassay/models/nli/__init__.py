"""Whether statements are supported by evidence: judges, made of rules or of models.

What enters: statements and sentences of evidence. What leaves: findings - supported, contradicted
or not found - each with the sentence that decides and why.
"""

from medassay.models.nli.find_judge import NLI, RULES, find_judge, judge_facts
from medassay.models.nli.finding import Finding, Judge, Question, Verdict
from medassay.models.nli.rules import RuleJudge

__all__ = [
    "NLI",
    "RULES",
    "Finding",
    "Judge",
    "Question",
    "RuleJudge",
    "Verdict",
    "find_judge",
    "judge_facts",
]
