"""No model: the sentences of the note that are most like the question, quoted in their order."""

from typing import Final

from medassay.answers import Answer, Statement
from medassay.cases import Case
from medassay.systems.cited.read_citations import MOST_WORDS
from medassay.systems.dialogue import Dialogue
from medassay.systems.tfidf import TfidfIndex

__all__ = ["quote_note"]

_MOST: Final = 4


def quote_note(case: Case, system: str) -> Dialogue[Answer]:
    """Quote up to four sentences within 75 words, by the cosine of TF-IDF with question and letter.

    Example:
        >>> from medassay.systems.dialogue import converse
        >>> note = [{"id": 1, "text": "He had fever."}, {"id": 2, "text": "The weather was fine."}]
        >>> case = Case(case="1", question="Why was there fever?", evidence=note)
        >>> converse(quote_note(case, "quote")).statements
        (Statement(text='He had fever.', citations=('1',)),)
    """
    texts = {evidence.id: " ".join(evidence.text.split()) for evidence in case.evidence}
    asked = " ".join(filter(None, (case.asked, case.narrative)))
    chosen: set[str] = set()
    left = MOST_WORDS
    for name, _ in TfidfIndex(texts).rank(asked, len(texts)):
        length = len(texts[name].split())
        if length <= left and len(chosen) < _MOST:
            chosen.add(name)
            left -= length
    statements = tuple(
        Statement(text=text, citations=(name,)) for name, text in texts.items() if name in chosen
    )
    return Answer(system=system, case=case.case, statements=statements)
    yield  # a dialogue that asks nobody
