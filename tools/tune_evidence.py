"""Tune how evidence is weighed, on 50 questions that are named, and print the grid.

    python -m tools.tune_evidence

The questions are those whose ids have the smallest SHA-256: chosen by no result. The other 50 are
not looked at here; `python -m tools.make_systems_page` reports them.
"""

from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import as_file, files
from itertools import product
from math import log

import numpy as np

from medassay.cases import Case, Document, read_cases, read_documents
from medassay.models import ModelSetup, use_models
from medassay.systems import Retriever, cut_passages
from medassay.systems.dialogue import converse
from medassay.systems.reasoning import EvidenceWeigher, Weights

HALF = 50


def clinical_set() -> tuple[list[Case], list[Document]]:
    """Read the hundred questions and twenty guidelines that ship."""
    with as_file(files("medassay") / "data" / "studies" / "clinical") as folder:
        documents = list(read_documents(folder / "documents.jsonl").values())
        return list(read_cases(folder / "cases.jsonl")), documents


def tuned_on(cases: Sequence[Case]) -> frozenset[str]:
    """Name the questions that may be tuned on."""
    return frozenset(
        sorted((c.case for c in cases), key=lambda c: sha256(c.encode()).digest())[:HALF]
    )


def query_of(case: Case) -> str:
    """Give what a question with options is searched by."""
    return " ".join([case.question or "", *case.options.values()])


def main() -> None:
    """Print share right and log loss for every setting."""
    cases, documents = clinical_set()
    passages = cut_passages(documents)
    named = tuned_on(cases)
    print("tuned on", ", ".join(sorted(named)))
    with use_models(ModelSetup()):
        retriever = Retriever(passages, "multi-stage")
        read = {
            c.case: [
                p for p in passages if p.document == retriever.rank(query_of(c), 1)[0].document
            ]
            for c in cases
            if c.case in named
        }
        rows = []
        for alone, together in product((0, 0.5, 1, 2), repeat=2):
            for sureness in (0.2, 0.3, 0.4, 0.6, 0.8, 1.0):
                weigher = EvidenceWeigher(passages, Weights(alone, together, sureness))
                right, loss = [], []
                for case in cases:
                    if case.case not in named:
                        continue
                    weighing = converse(weigher.weigh(case, list(case.options), read[case.case]))
                    right.append(weighing.chosen == case.gold)
                    loss.append(-log(weighing.shares[str(case.gold)]))
                rows.append(
                    (float(np.mean(loss)), float(np.mean(right)), alone, together, sureness)
                )
    for loss_mean, share, *setting in sorted(rows)[:12]:
        print(f"log loss {loss_mean:.3f}  right {share:.2f}  alone, together, sureness = {setting}")


if __name__ == "__main__":
    main()
