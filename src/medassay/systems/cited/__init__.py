"""Answers with citations: each sentence says on which sentences of the case's note it rests.

What enters: a case with numbered evidence. What leaves: an answer whose statements cite evidence by
id, each id one that the note has. Three systems, one file each: a model that answers and cites
together, one that answers first and cites after, and one that quotes and needs no model.
"""

from medassay.systems.cited.answer_first import answer_first
from medassay.systems.cited.quote import quote_note
from medassay.systems.cited.read_citations import read_statements
from medassay.systems.cited.together import answer_together

__all__ = ["answer_first", "answer_together", "quote_note", "read_statements"]
