"""Tree of thought: branch by option, score each branch, prune, and weigh what is left."""

from typing import Final

from medassay.cases import Case
from medassay.systems.dialogue import Dialogue
from medassay.systems.reasoning.method import Concluded, method
from medassay.systems.reasoning.reading import Read, query_of, read_for
from medassay.systems.reasoning.weighing import Weigher
from medassay.systems.retrieval import Retriever

_KEPT: Final = 2


@method(
    "tree",
    says="Searches for each option by itself, keeps the two that their own passages speak for most,"
    " and weighs these two by the passages of both.",
)
def tree(case: Case, retriever: Retriever, weigher: Weigher) -> Dialogue[Concluded]:
    """Branch, score, prune to two, weigh these two."""
    letters = list(case.options)
    branches: dict[str, Read] = {}
    scores: dict[str, float] = {}
    chain = [f"Each of {len(letters)} options is followed by what its own words find."]
    for letter in letters:
        branches[letter] = read_for(query_of(case, [letter]), retriever, weigher.reads)
        scored = yield from weigher.weigh(case, letters, branches[letter].passages)
        scores[letter] = scored.shares.get(letter, float(scored.chosen == letter))
        chain.append(f"Branch ({letter}) {case.options[letter]}: {scores[letter]:.2f}.")
    best = sorted(sorted(letters, key=lambda letter: (-scores[letter], letter))[:_KEPT])
    chain.append(f"Kept: {', '.join(best)}; the others are less likely.")
    passages = list(dict.fromkeys(p for letter in best for p in branches[letter].passages))
    weighing = yield from weigher.weigh(case, best, passages)
    return Concluded(
        read_for(query_of(case), retriever, weigher.reads), [*chain, weighing.says], weighing
    )
