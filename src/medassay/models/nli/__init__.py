"""Whether statements are supported by evidence: judges, which are entailment models.

What enters: statements and sentences of evidence. What leaves: findings - supported, contradicted
or not found - each with the sentence that decides and why.
"""

from medassay.models.nli.find_judge import NLI, find_judge, judge_facts
from medassay.models.nli.finding import Finding, Judge, Question, Verdict

__all__ = [
    "NLI",
    "Finding",
    "Judge",
    "Question",
    "Verdict",
    "find_judge",
    "judge_facts",
]
