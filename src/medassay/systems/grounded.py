"""A model answers in free text from retrieved passages: retrieval-augmented generation, plain."""

from medassay.answers import Answer, Retrieved
from medassay.cases import Case
from medassay.systems.dialogue import Dialogue, PromptFile
from medassay.systems.retrieval import Retriever

__all__ = ["answer_grounded"]


def answer_grounded(
    case: Case, system: str, retriever: Retriever, prompts: PromptFile, k: int = 5
) -> Dialogue[Answer]:
    """Search by the question, show the model the best passage of each of k documents, and ask.

    This is how the med-gpt protocol's source has each of its models answer.
    """
    hits = retriever.rank(case.asked or "", k)
    shown = "\n\n".join(f"[{hit.document}] {hit.passage.searched}" for hit in hits)
    fields = {"passages": shown or "none", "question": case.asked or ""}
    reply = yield prompts.asked("answer", fields)
    return Answer(
        system=system,
        case=case.case,
        text=reply.strip(),
        retrieved=tuple(Retrieved(hit.document, hit.score) for hit in hits),
        raw=reply,
    )
