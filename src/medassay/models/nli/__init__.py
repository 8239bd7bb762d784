"""Whether statements are supported by evidence: judges, which are entailment models.

What enters: statements and sentences of evidence. What leaves: findings - supported, contradicted
or not found - each with the sentence that decides and why.
"""

from medassay.models.nli.finding import Judge, Question, SupportFinding, SupportVerdict
from medassay.models.nli.model_judge import NLI, find_judge, judge_facts

__all__ = [
    "NLI",
    "Judge",
    "Question",
    "SupportFinding",
    "SupportVerdict",
    "find_judge",
    "judge_facts",
]
