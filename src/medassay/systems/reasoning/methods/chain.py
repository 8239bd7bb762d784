"""Chain of thought: read once, go through it once, choose."""

from medassay.cases import Case
from medassay.systems.dialogue import Dialogue
from medassay.systems.reasoning.method import Concluded, method
from medassay.systems.reasoning.reading import query_of, read_for
from medassay.systems.reasoning.weighing import Weigher
from medassay.systems.retrieval import Retriever


@method("chain", says="Searches once by question and options, and weighs all options in one go.")
def chain(case: Case, retriever: Retriever, weigher: Weigher) -> Dialogue[Concluded]:
    """Search, weigh all options together, choose."""
    read = read_for(query_of(case), retriever, weigher.reads)
    weighing = yield from weigher.weigh(case, list(case.options), read.passages)
    return Concluded(read, [weighing.says], weighing)
