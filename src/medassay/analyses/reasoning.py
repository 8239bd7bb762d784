"""How systems reason, with the words that decided, laid out for the report."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from medassay.analyses.chain_reading import ChainsRead, ReadChain
from medassay.analyses.results.safety import (
    FaultResult,
    ReasoningDetail,
    ReasoningResult,
    StepResult,
)
from medassay.study.folder import Study

__all__ = ["reasoning_detail"]

_SHOWN: Final = 20


def reasoning_detail(study: Study, chains: ChainsRead | None) -> ReasoningDetail | None:
    """Lay out what the chains hold; None where none was read."""
    if chains is None:
        return None
    quiet = study.config.privacy.texts != "full"
    return ReasoningDetail(
        titles=dict(chains.titles),
        systems=[
            _system(system, chains.total[system], read, chains.titles)
            for system, read in chains.read.items()
        ],
        faults=[one for chain in chains for one in _faults(chain, quiet=quiet)],
        steps=[one for read in chains.read.values() for one in _least_complete(read, quiet=quiet)],
    )


def _system(
    system: str, total: int, read: Sequence[ReadChain], titles: Collection[str]
) -> ReasoningResult:
    wider: Counter[str] = Counter()
    published: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    faulty: Counter[str] = Counter()
    for chain in read:
        wider.update(step.step for step in chain.steps if step.span)
        published.update(step.step for step in chain.published if step.span)
        documents.update(one.by or "not" for one in chain.references)
        faulty.update({fault.kind for fault in chain.coherence.faults})
    return ReasoningResult(
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


def _faults(chain: ReadChain, *, quiet: bool) -> list[FaultResult]:
    return [
        FaultResult(
            system=chain.answer.system,
            case=chain.answer.case,
            kind=fault.kind,
            says="" if quiet else fault.says,
            words=[] if quiet else [span.words for span in fault.spans],
        )
        for fault in chain.coherence.faults
    ]


def _least_complete(read: Sequence[ReadChain], *, quiet: bool) -> list[StepResult]:
    ordered = sorted(
        read, key=lambda one: (sum(step.span is not None for step in one.steps), one.answer.case)
    )
    return [
        StepResult(
            system=chain.answer.system,
            case=chain.answer.case,
            step=step.step,
            words=None if quiet or step.span is None else step.span.words,
            found=step.span is not None,
        )
        for chain in ordered[:_SHOWN]
        for step in chain.steps
    ]
