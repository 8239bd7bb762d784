"""Have the systems that study.toml names answer a study's cases; and ask whoever else is asked.

What enters: a study's folder and the name of one of its systems. What leaves: `answers/NAME.jsonl`,
and beside it `calls/NAME.jsonl`, in which every reply stands the moment it came. Whatever asks is a
`Work`: systems here, model judges in their own room.
"""

from medassay.study.answering.ask import Answered, answer_study, estimate_study
from medassay.study.answering.opened import allowed_of, journal_of
from medassay.study.answering.work import Estimate, Replies, ask_all, estimate

__all__ = [
    "Answered",
    "Estimate",
    "Replies",
    "allowed_of",
    "answer_study",
    "ask_all",
    "estimate",
    "estimate_study",
    "journal_of",
]
