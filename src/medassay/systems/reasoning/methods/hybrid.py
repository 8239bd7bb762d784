"""Hybrid: a chain where it is sure enough, else the tree."""

from typing import Final

from medassay.cases import Case
from medassay.systems.dialogue import Dialogue
from medassay.systems.reasoning.method import Concluded, method
from medassay.systems.reasoning.methods.chain import chain
from medassay.systems.reasoning.methods.tree import tree
from medassay.systems.reasoning.weighing import Weigher
from medassay.systems.retrieval import Retriever

_SURE: Final = 0.75


@method(
    "hybrid", says="Takes the chain's answer where its confidence is .75 or more, else a tree's."
)
def hybrid(case: Case, retriever: Retriever, weigher: Weigher) -> Dialogue[Concluded]:
    """Escalate where the chain is not sure; a choice without confidence is not sure."""
    first = yield from chain(case, retriever, weigher)
    confidence = first.weighing.confidence
    if confidence is not None and confidence >= _SURE:
        return first
    second = yield from tree(case, retriever, weigher)
    sureness = "no confidence" if confidence is None else f"confidence {confidence:.2f}"
    chain_of_both = [
        *first.chain,
        f"With {sureness}, under {_SURE:g}, options are followed one by one.",
    ]
    return Concluded(second.read, [*chain_of_both, *second.chain], second.weighing)
