"""Chains of reasoning, read again for the words that decided."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.analyses.inputs.study_columns import StudyColumns
from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.reasoning import (
    Coherence,
    DocumentUse,
    FoundStep,
    ReasoningRules,
    read_coherence,
    read_references,
    read_steps,
    reasoning_rules,
)
from medassay.models import use_models
from medassay.study.folder import Study, models_of

_METRICS: Final = ("chain_completeness", "coherence", "evidence_utilisation")
_MOST: Final = 300
"""Chains a system that are read again; the scores are of all."""


@dataclass(frozen=True, slots=True)
class ReadChain:
    """One chain with all that rules find in it.

    Attributes:
        answer: The answer that it belongs to.
        steps: Each step by the wider patterns.
        published: Each step by the published pattern.
        references: Each retrieved document, and where it is referred to.
        coherence: Whether the chain holds together.
    """

    answer: Answer
    steps: Sequence[FoundStep]
    published: Sequence[FoundStep]
    references: Sequence[DocumentUse]
    coherence: Coherence


@dataclass(frozen=True, slots=True)
class ChainsRead:
    """The chains of a study that were read again.

    Attributes:
        titles: Step to what it is called.
        total: System to the number of its chains.
        read: System to the chains that were read, in the order of their cases.
    """

    titles: Mapping[str, str]
    total: Mapping[str, int]
    read: Mapping[str, Sequence[ReadChain]]

    def __iter__(self) -> Iterator[ReadChain]:
        """Give every chain that was read."""
        return (read_chain for system in self.read for read_chain in self.read[system])


def read_chains(study: Study, score_columns: StudyColumns) -> ChainsRead:
    """Read the chains again, evenly over the cases; none where no metric of chains was run."""
    run = any(column.name.split("(")[0] in _METRICS for column in score_columns.columns)
    if not (run and study.answers.tally.reasoning):
        return ChainsRead({}, {}, {})
    chains: dict[str, list[tuple[str, int]]] = {}
    for place, answer in enumerate(study.answers):
        if answer.reasoning:
            chains.setdefault(answer.system, []).append((answer.case, place))
    with use_models(models_of(study)):
        rules = reasoning_rules()
    read = {}
    for system in sorted(chains):
        own = sorted(chains[system])
        some = own[:: max(1, -(-len(own) // _MOST))]
        read[system] = [
            _read(study.cases[case], study.answers.records[place], rules) for case, place in some
        ]
    return ChainsRead(
        titles={step.id: step.title for step in rules.steps},
        total={system: len(chains[system]) for system in read},
        read=read,
    )


def _read(case: Case, answer: Answer, rules: ReasoningRules) -> ReadChain:
    chain = answer.reasoning or ""
    ids = [retrieved.document for retrieved in answer.retrieved or ()]
    known = {document.id: document for document in case.documents}
    return ReadChain(
        answer=answer,
        steps=read_steps(chain, rules, "wider"),
        published=read_steps(chain, rules, "published"),
        references=read_references(chain, ids, known, "any"),
        coherence=read_coherence(chain, case, answer.choice, rules),
    )
