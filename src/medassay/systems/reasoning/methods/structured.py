"""Five steps of clinical reasoning: presentation, findings, differential, guideline, answer."""

from typing import get_args

from medassay.cases import Case
from medassay.systems.dialogue import Dialogue
from medassay.systems.reasoning.method import Concluded, method
from medassay.systems.reasoning.reading import query_of, read_for
from medassay.systems.reasoning.weighing import Step, Weigher
from medassay.systems.retrieval import Retriever


@method(
    "structured",
    says="Says presentation, findings, differential and guideline one by one, searches again by the"
    " findings, and weighs the options last.",
)
def structured(case: Case, retriever: Retriever, weigher: Weigher) -> Dialogue[Concluded]:
    """Say four steps, the guideline by what was found in the second, then weigh."""
    read = read_for(query_of(case), retriever, weigher.reads)
    sayings: list[str] = []
    for step in get_args(Step):
        if step == "guideline":
            # The findings say more about the disease than the story around them does.
            read = read_for(f"{query_of(case)} {sayings[-2]}", retriever, weigher.reads)
        sayings.append((yield from weigher.step(case, step, sayings, read.passages)))
    weighing = yield from weigher.weigh(case, list(case.options), read.passages)
    return Concluded(read, [*sayings, weighing.says], weighing)
