"""Have the systems that study.toml names answer a study's cases.

What enters: a study's folder and the name of one of its systems. What leaves: `answers/NAME.jsonl`,
and beside it `calls/NAME.jsonl`, in which every reply stands the moment it came.
"""

from medassay.study.answering.ask import Answered, answer_study
from medassay.study.answering.estimate import Estimate, estimate_study
from medassay.study.answering.opened import allowed_of, journal_of

__all__ = ["Answered", "Estimate", "allowed_of", "answer_study", "estimate_study", "journal_of"]
