"""What a metric reads of a case and an answer, as data.

A need says in words what must be there, finds it, and hands it to the content key: a score is kept
under exactly what its metric reads, so a change elsewhere rescores nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from medassay.answers import Answer, Statement
from medassay.cases import Case
from medassay.metrics.parameter import Parameter
from medassay.text import Between, first_words

__all__ = [
    "LIMIT",
    "NOT_HELD",
    "REF",
    "REFERENCES",
    "TEXT",
    "WORDS",
    "Need",
    "answer_text",
    "beside_chain",
    "between",
    "essential_text",
    "note_reference",
    "of_chain",
    "references",
]

Content = str | tuple[object, ...] | Mapping[str, float]
"""What a need finds: text, a tuple of what JSON can hold, or numbers by id."""
NOT_HELD: Final[Content] = ("medassay", "text not held")
"""What a need finds where it would read a text that the study does not hold."""
_STAND_IN: Final = {
    "held": True,
    "text": "Held.",
    "statements": (Statement("Held.", ("1",)),),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing that a metric reads; exactly one of `of_case` and `of_answer` is set.

    Attributes:
        words: What it is, after "no": "reference of kind human".
        of_case: Finds it in a case; None if the case lacks it.
        of_answer: Finds it in an answer; None if the answer lacks it.
        when: Parameter and value under which it is needed; None if it always is.
    """

    words: str
    of_case: Callable[[Case], Content | None] | None = None
    of_answer: Callable[[Answer], Content | None] | None = None
    when: tuple[str, str] | None = None

    def applies(self, arguments: Mapping[str, str]) -> bool:
        """Say whether a metric with these arguments has this need."""
        return self.when is None or arguments.get(self.when[0]) == self.when[1]

    def in_answer(self, answer: Answer) -> Content | None:
        """Give what it finds in an answer; `NOT_HELD` where that hangs on a text that is not held.

        Nobody declares whether a need reads texts. It reads one if it finds something else as soon
        as the answer has a text, and a chain of reasoning where it had none.

        Example:
            >>> bare = Answer(system="A", case="1", choice="B", held=False)
            >>> TEXT.in_answer(bare) is NOT_HELD
            True
            >>> Need(words="choice", of_answer=lambda answer: answer.choice).in_answer(bare)
            'B'
        """
        if self.of_answer is None:
            return None
        content = self.of_answer(answer)
        if answer.held:
            return content
        chain = _STAND_IN["text"] if answer.reasoning is None else answer.reasoning
        written = answer.model_copy(update={**_STAND_IN, "reasoning": chain})
        return content if self.of_answer(written) == content else NOT_HELD

    def is_met_by(self, answer: Answer) -> bool:
        """Say whether an answer has what this reads of it; what it reads of a case is not asked."""
        return self.of_answer is None or self.in_answer(answer) not in (None, NOT_HELD)


def beside_chain(answer: Answer) -> Answer:
    """Take an empty text from beside a chain of reasoning, for metrics that read the chain.

    Example:
        >>> beside_chain(Answer(system="A", case="1", text="", reasoning="Rest.")).is_blank
        False
    """
    if answer.is_blank and (answer.reasoning or "").strip():
        return answer.model_copy(update={"text": None, "statements": None})
    return answer


@lru_cache(maxsize=256)
def of_chain(need: Need) -> Need:
    """Give a need as a metric of the chain has it: an empty text beside the chain is none."""
    find = need.of_answer
    if find is None:
        return need
    return replace(need, of_answer=lambda answer: find(beside_chain(answer)))


def references(case: Case, ref: str) -> tuple[str, ...]:
    """Give the texts that `ref` names: every human reference, or the one made from the note.

    Example:
        >>> case = Case(case="1", references=[{"text": "Rest."}, {"text": "x", "kind": "draft"}])
        >>> references(case, "human"), references(case, "note")
        (('Rest.',), ())
    """
    if ref == "note":
        note = note_reference(case)
        return () if note is None else (note,)
    return tuple(r.text for r in case.references if r.kind == ref)


def note_reference(case: Case) -> str | None:
    r"""Make the reference out of the note: the question, then the essential evidence.

    It is the narrative (where there is one), an empty line, the question, an empty line, and the
    essential sentences a line each, **in document order**. The shared task's 2025 scorer iterates a
    set of ids instead, so that its order depends on the process.

    Example:
        >>> note_reference(Case(case="1", question="Why?", narrative="I fell.", evidence=[
        ...     {"id": 1, "text": "B.", "relevance": "essential"},
        ...     {"id": 2, "text": "C.", "relevance": "supplementary"},
        ...     {"id": 3, "text": "A.", "relevance": "essential"}]))
        'I fell.\n\nWhy?\n\nB.\nA.'
    """
    essential = essential_text(case)
    if essential is None or case.asked is None:
        return None
    opening = [] if case.narrative is None else [case.narrative]
    return "\n\n".join([*opening, case.asked, essential])


def essential_text(case: Case) -> str | None:
    """Give the essential evidence, a sentence a line, in document order; None without any."""
    return "\n".join(e.text for e in case.evidence if e.relevance == "essential") or None


def answer_text(answer: Answer, arguments: Mapping[str, str]) -> str:
    """Give the text to be scored: all of the answer's, or as many words as `limit` says.

    Example:
        >>> answer_text(Answer(system="A", case="1", text="Rest  at home."), {"limit": "2"})
        'Rest at'
    """
    text, limit = answer.text or "", arguments["limit"]
    return text if limit == "none" else first_words(text, int(limit), between(arguments))


def between(arguments: Mapping[str, str]) -> Between:
    """Give what parts the words that a limit counts."""
    return "blanks" if arguments.get("words") == "blanks" else "whitespace"


REF: Final = Parameter(
    name="ref",
    says="What the answer is compared with: experts' answers (human; the best one counts), or the"
    " question and the essential evidence in document order (note).",
    values=("human", "note"),
)

REFERENCES: Final = (
    Need(
        words="reference of kind human",
        of_case=lambda case: references(case, "human") or None,
        when=("ref", "human"),
    ),
    Need(
        words="question with essential evidence",
        of_case=note_reference,
        when=("ref", "note"),
    ),
)

LIMIT: Final = Parameter(
    name="limit",
    says="How many words of the answer are read: all (none), or the first so many, as the shared"
    " tasks' scorers read 75.",
    kind="integer",
    low=1,
    values=("none",),
    default="none",
)

WORDS: Final = Parameter(
    name="words",
    says="What parts the words that the limit counts: any white space, as the shared tasks' scorers"
    " of 2026 have it, or plain blanks alone (blanks), as that of 2025.",
    values=("whitespace", "blanks"),
    default="whitespace",
)

TEXT: Final = Need(words="text", of_answer=lambda answer: answer.text)
