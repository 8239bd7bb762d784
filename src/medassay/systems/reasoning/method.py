"""What a method of reasoning is, where it is found, and the answer that it ends in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from medassay.answers import Answer, Retrieved, Statement
from medassay.cases import Case
from medassay.errors import UnknownName
from medassay.systems.dialogue import Dialogue
from medassay.systems.reasoning.reading import Read
from medassay.systems.reasoning.weighing import Weigher, Weighing
from medassay.systems.retrieval import Retriever

__all__ = ["Concluded", "Method", "answer_of", "find_method", "method", "methods"]


@dataclass(frozen=True, slots=True)
class Concluded:
    """What a method came to.

    Attributes:
        read: What was found and read.
        chain: The steps, in words.
        weighing: The last weighing of the options.
    """

    read: Read
    chain: Sequence[str]
    weighing: Weighing


Reasons = Callable[[Case, Retriever, Weigher], Dialogue[Concluded]]


@dataclass(frozen=True, slots=True)
class Method:
    """A way of reasoning over the options of a question.

    Attributes:
        name: What a study calls it by.
        says: What it does, in a sentence.
        reasons: From a case, a retriever and a weigher to what it concludes.
    """

    name: str
    says: str
    reasons: Reasons


_FOLDER: Final = "medassay.systems.reasoning.methods"
_KNOWN: Final[dict[str, Method]] = {}


def method(name: str, *, says: str) -> Callable[[Reasons], Reasons]:
    """Declare a method: its name, and what it does."""

    def declare(reasons: Reasons) -> Reasons:
        _KNOWN[name] = Method(name, says, reasons)
        return reasons

    return declare


def methods() -> tuple[Method, ...]:
    """List the methods by name: each is a file of the folder `methods`.

    Example:
        >>> [one.name for one in methods()]
        ['chain', 'hybrid', 'structured', 'tree']
    """
    folder = import_module(_FOLDER)
    for module in iter_modules(folder.__path__):
        import_module(f"{_FOLDER}.{module.name}")
    return tuple(_KNOWN[name] for name in sorted(_KNOWN))


def find_method(name: str) -> Method:
    """Find a method by its name.

    Raises:
        UnknownName: There is none.
    """
    known = {declared.name: declared for declared in methods()}
    if name not in known:
        raise UnknownName("method of reasoning", name, list(known))
    return known[name]


def answer_of(
    case: Case, system: str, chosen: Method, retriever: Retriever, weigher: Weigher
) -> Dialogue[Answer]:
    """Let a method answer a case: choice, confidence, chain, and the documents by rank.

    Example:
        >>> from medassay.cases import Document
        >>> from medassay.systems import cut_passages
        >>> from medassay.systems.dialogue import converse
        >>> passages = cut_passages([Document(id="g1", text="Rest and fluids help in a cold.")])
        >>> case = Case(case="1", question="What helps?", options={"A": "Rest", "B": "Surgery"})
        >>> retriever, weigher = Retriever(passages, "tfidf"), _Fixed()
        >>> answer = converse(answer_of(case, "s", find_method("chain"), retriever, weigher))
        >>> answer.choice, answer.confidence, answer.text
        ('A', 0.75, 'The answer is (A) Rest.')
    """
    concluded = yield from chosen.reasons(case, retriever, weigher)
    weighing = concluded.weighing
    text = "No option could be told from the others."
    if weighing.chosen is not None:
        text = f"The answer is ({weighing.chosen}) {case.options[weighing.chosen]}."
    return Answer(
        system=system,
        case=case.case,
        statements=(Statement(text=text, citations=weighing.documents[:1]),),
        retrieved=tuple(Retrieved(hit.document, hit.score) for hit in concluded.read.hits),
        reasoning="\n".join([*concluded.chain, f"Therefore: {text}"]),
        choice=weighing.chosen,
        confidence=None if weighing.confidence is None else round(weighing.confidence, 6),
    )


class _Fixed:
    """A weigher for examples: three quarters speak for the first option."""

    reads: int | None = None

    def weigh(self, case: Case, letters: Sequence[str], passages: object) -> Dialogue[Weighing]:
        del case, passages
        return Weighing(letters[0], {letters[0]: 0.75}, "It says so.", ("g1",))
        yield

    def step(self, case: Case, step: str, said: object, passages: object) -> Dialogue[str]:
        del case, said, passages
        return step
        yield
