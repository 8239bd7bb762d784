"""How systems reason, with the words that decided, laid out for the report."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.reasoning import (
    ReasoningRules,
    read_coherence,
    read_references,
    read_steps,
    reasoning_rules,
)
from medassay.models import use_models
from medassay.study.analysis import Gathered
from medassay.study.folder import Study
from medassay.study.models import models_of
from medassay.study.safety_models import (
    FaultResult,
    ReasoningDetail,
    ReasoningResult,
    StepResult,
)

__all__ = ["reasoning_detail"]

_METRICS: Final = ("chain_completeness", "coherence", "evidence_utilisation")
_MOST: Final = 300
"""Chains a system that are read again; the scores are of all."""
_SHOWN: Final = 20


def reasoning_detail(study: Study, gathered: Gathered) -> ReasoningDetail | None:
    """Read the chains again for the words that decided; None where no metric of chains was run."""
    if not any(column.name.split("(")[0] in _METRICS for column in gathered.columns):
        return None
    cases = {one.case: one for one in study.cases}
    chains: dict[str, list[tuple[Case, Answer]]] = {}
    for answer in study.answers:
        if answer.reasoning:
            chains.setdefault(answer.system, []).append((cases[answer.case], answer))
    if not chains:
        return None
    quiet = study.config.privacy.texts != "full"
    with use_models(models_of(study)):
        rules = reasoning_rules()
    systems, faults, steps = [], [], []
    for system in sorted(chains):
        own = sorted(chains[system], key=lambda pair: pair[0].case)
        read = own[:: max(1, -(-len(own) // _MOST))]
        systems.append(_system(system, len(own), read, rules))
        faults += [one for pair in read for one in _faults(*pair, rules, quiet=quiet)]
        steps += _least_complete(read, rules, quiet=quiet)
    return ReasoningDetail(
        titles={step.id: step.title for step in rules.steps},
        systems=systems,
        faults=faults,
        steps=steps,
    )


def _system(
    system: str, total: int, read: Sequence[tuple[Case, Answer]], rules: ReasoningRules
) -> ReasoningResult:
    wider: Counter[str] = Counter()
    published: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    faulty: Counter[str] = Counter()
    for case, answer in read:
        chain = answer.reasoning or ""
        wider.update(s.step for s in read_steps(chain, rules, "wider") if s.span)
        published.update(s.step for s in read_steps(chain, rules, "published") if s.span)
        ids = [one.document for one in answer.retrieved or ()]
        known = {one.id: one for one in case.documents}
        documents.update(r.by or "not" for r in read_references(chain, ids, known, "any"))
        found = read_coherence(chain, case, answer.choice, rules)
        faulty.update({fault.kind for fault in found.faults})
    return ReasoningResult(
        system=system,
        chains=total,
        read=len(read),
        steps={step.id: wider[step.id] / len(read) for step in rules.steps},
        steps_published={step.id: published[step.id] / len(read) for step in rules.steps},
        documents=dict(sorted(documents.items())),
        faults=dict(sorted(faulty.items())),
    )


def _faults(case: Case, answer: Answer, rules: ReasoningRules, *, quiet: bool) -> list[FaultResult]:
    found = read_coherence(answer.reasoning or "", case, answer.choice, rules)
    return [
        FaultResult(
            system=answer.system,
            case=case.case,
            kind=fault.kind,
            says="" if quiet else fault.says,
            words=[] if quiet else [span.words for span in fault.spans],
        )
        for fault in found.faults
    ]


def _least_complete(
    read: Sequence[tuple[Case, Answer]], rules: ReasoningRules, *, quiet: bool
) -> list[StepResult]:
    found = [(a, read_steps(a.reasoning or "", rules, "wider")) for _, a in read]
    found.sort(key=lambda one: (sum(step.span is not None for step in one[1]), one[0].case))
    return [
        StepResult(
            system=answer.system,
            case=answer.case,
            step=step.step,
            words=None if quiet or step.span is None else step.span.words,
            found=step.span is not None,
        )
        for answer, steps in found[:_SHOWN]
        for step in steps
    ]
