"""Steps, references and faults of chains, counted."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from medassay.analyses.builtin.reasoning.record import (
    ChainFault,
    ChainsOf,
    ChainStep,
    Reasoning,
)
from medassay.analyses.inputs.answer_reasoning import ChainsRead, ReadChain

__all__ = ["reasoning_of"]

_SHOWN: Final = 20


def reasoning_of(chains: ChainsRead) -> Reasoning:
    """Count steps, references and faults, and keep the words that decided."""
    return Reasoning(
        titles=dict(chains.titles),
        systems=tuple(
            _system(system, chains.total[system], read, chains.titles)
            for system, read in chains.read.items()
        ),
        faults=tuple(fault for chain in chains for fault in _faults(chain)),
        steps=tuple(step for read in chains.read.values() for step in _least_complete(read)),
    )


def _system(
    system: str, total: int, read: Sequence[ReadChain], titles: Collection[str]
) -> ChainsOf:
    wider: Counter[str] = Counter()
    published: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    faulty: Counter[str] = Counter()
    for chain in read:
        wider.update(step.step for step in chain.steps if step.span)
        published.update(step.step for step in chain.published if step.span)
        documents.update(reference.by or "not" for reference in chain.references)
        faulty.update({fault.kind for fault in chain.coherence.faults})
    return ChainsOf(
        system=system,
        chains=total,
        read=len(read),
        steps={step: wider[step] / len(read) for step in titles},
        steps_published={step: published[step] / len(read) for step in titles},
        complete=wider.total() / (len(read) * len(titles)),
        complete_published=published.total() / (len(read) * len(titles)),
        documents=dict(sorted(documents.items())),
        faults=dict(sorted(faulty.items())),
        faulty=sum(bool(chain.coherence.faults) for chain in read),
    )


def _faults(chain: ReadChain) -> list[ChainFault]:
    return [
        ChainFault(
            system=chain.answer.system,
            case=chain.answer.case,
            kind=fault.kind,
            says=fault.says,
            words=tuple(span.words for span in fault.spans),
        )
        for fault in chain.coherence.faults
    ]


def _least_complete(read: Sequence[ReadChain]) -> list[ChainStep]:
    ordered = sorted(
        read,
        key=lambda read_chain: (
            sum(step.span is not None for step in read_chain.steps),
            read_chain.answer.case,
        ),
    )
    return [
        ChainStep(
            system=chain.answer.system,
            case=chain.answer.case,
            step=step.step,
            words=None if step.span is None else step.span.words,
            found=step.span is not None,
        )
        for chain in ordered[:_SHOWN]
        for step in chain.steps
    ]
