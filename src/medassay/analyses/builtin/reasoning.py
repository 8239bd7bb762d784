"""How are the answers reasoned?"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_reasoning import ChainsRead, ReadChain
from medassay.annotations import CaseId, DesignName, SystemName, Text, Words, record
from medassay.exhibits import Names
from medassay.exhibits.claim import Finding
from medassay.exhibits.columns import (
    Shown,
    celled,
    counted,
    missing,
    named,
    shown,
    system_column,
    table_of,
    written,
)
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Table


@record(infers=False)
class ChainsOf:
    """One system's chains.

    Attributes:
        system: The system.
        chains: Its chains.
        read: Chains that were read again for their words; all if they are few.
        steps: Step to the share of chains that have it, by the wider patterns.
        steps_published: The same by the published pattern.
        complete: The mean share of the steps that a chain has, by the wider patterns.
        complete_published: The same by the published pattern.
        documents: How retrieved documents are referred to: id, rank, title, overlap, or not.
        faults: Kind of fault to the chains that have one.
        faulty: Chains with any fault.
    """

    system: SystemName
    chains: int
    read: int
    steps: dict[DesignName, float]
    steps_published: dict[DesignName, float]
    complete: float
    complete_published: float
    documents: dict[Words, int]
    faults: dict[DesignName, int]
    faulty: int


@record(infers=False)
class ChainStep:
    """One step of one chain.

    Attributes:
        system: The system.
        case: The case.
        step: The step's id.
        words: By which it was found; None where it is missing, or texts are private.
        found: Whether the chain has it.
    """

    system: SystemName
    case: CaseId
    step: DesignName
    words: Text | None
    found: bool


@record(infers=False)
class ChainFault:
    """One fault of one chain.

    Attributes:
        system: The system.
        case: The case.
        kind: The kind of fault.
        says: What is wrong; empty where texts are private.
        words: Of the chain; empty where texts are private.
    """

    system: SystemName
    case: CaseId
    kind: DesignName
    says: Text
    words: tuple[Text, ...]


@record(infers=False)
class Reasoning:
    """How systems reason.

    Attributes:
        titles: Step to what it is called.
        systems: One a system with chains.
        faults: Every fault of a chain that was read.
        steps: Those of the least complete chains.
    """

    titles: dict[DesignName, Words]
    systems: tuple[ChainsOf, ...]
    faults: tuple[ChainFault, ...]
    steps: tuple[ChainStep, ...]


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


_FAULTS: Final = {
    "order": "Steps out of order",
    "contradiction": "Steps contradict each other",
    "choice": "Chain contradicts the choice",
    "jump": "Conclusion out of nothing",
}
_WAYS: Final = {"id": "Id", "rank": "Place", "title": "Title", "overlap": "Words", "not": "Not"}
_PRIVATE: Final = "texts are private"


def reasoning_tables(reasoning: Reasoning, names: Names) -> list[Table]:
    """Show how complete the chains are, what they refer to, and where they do not hold."""
    documents = (
        [_documents(reasoning, names)] if any(own.documents for own in reasoning.systems) else []
    )
    return [
        _steps(reasoning, names),
        *documents,
        _fault_counts(reasoning, names),
        _fault_table(reasoning, names),
        _words(reasoning, names),
    ]


def _read(reasoning: Reasoning) -> str:
    some = [own.read for own in reasoning.systems if own.read < own.chains]
    return f" Read again for this: at most {max(some)} chains a system, evenly." if some else ""


class _Steps(NamedTuple):
    """One system's steps by one way to find them."""

    system: str
    patterns: str
    read: int
    shares: dict[str, float]
    complete: float


def _steps(reasoning: Reasoning, names: Names) -> Table:
    rows = [
        row
        for own in reasoning.systems
        for row in (
            _Steps(own.system, "Wider", own.read, own.steps, own.complete),
            _Steps(own.system, "Published", own.read, own.steps_published, own.complete_published),
        )
    ]

    def share_of(step: str) -> Callable[[_Steps], float]:
        return lambda row: row.shares[step]

    return table_of(
        rows,
        (
            system_column(names),
            shown("Patterns", "patterns"),
            counted("Chains", "read", file="chains"),
            *(
                shown(title, share_of(step), PROPORTION, file=step)
                for step, title in reasoning.titles.items()
            ),
            shown("Complete", "complete", PROPORTION, file="completeness"),
        ),
        id="reasoning-steps",
        title="Steps of the chains",
        caption="Share of the chains with each step. Published: the source's one pattern a step, "
        "found even inside other words. Wider: medassay's patterns, without denied "
        f"mentions; the last step needs a reason.{_read(reasoning)}",
    )


def _documents(reasoning: Reasoning, names: Names) -> Table:
    def retrieved(own: ChainsOf) -> int:
        return sum(own.documents.values())

    def times(way: str) -> Callable[[ChainsOf], int]:
        return lambda own: own.documents.get(way, 0)

    def share(way: str) -> Callable[[ChainsOf], str]:
        return lambda own: PROPORTION(times(way)(own) / retrieved(own)) if own.documents else ""

    return table_of(
        reasoning.systems,
        (
            system_column(names),
            counted("Retrieved", retrieved, file="retrieved"),
            *(
                shown(title, times(way), "{:,}".format, file=way, aside=share(way))
                for way, title in _WAYS.items()
            ),
        ),
        id="reasoning-documents",
        title="How retrieved documents are referred to",
        caption="Each retrieved document once: by id, place, title, or eight words in a "
        f"row.{_read(reasoning)}",
    )


def _fault_counts(reasoning: Reasoning, names: Names) -> Table:
    def times(kind: str) -> Callable[[ChainsOf], int]:
        return lambda own: own.faults.get(kind, 0)

    return table_of(
        reasoning.systems,
        (
            system_column(names),
            counted("Chains", "read", file="chains"),
            *(counted(title, times(kind), file=kind) for kind, title in _FAULTS.items()),
            counted("Any", "faulty", file="any"),
        ),
        id="reasoning-faults",
        title="Chains that do not hold together",
        caption="Chains with a fault found by rules. They see only contradictions in the same "
        f"words, so no fault is no proof.{_read(reasoning)}",
    )


def _fault_table(reasoning: Reasoning, names: Names) -> Table:
    return table_of(
        ((names.of_system(fault.system), fault) for fault in reasoning.faults),
        (
            shown("Case", "case"),
            Shown(Column("Fault", ("fault",)), lambda row: named(_FAULTS[row.kind], row.kind)),
            shown(
                "What", lambda fault: fault.says or None, file="says",
                why_not=lambda _: _PRIVATE, wide=True,
            ),
            Shown(
                Column("Words of the chain", ("words",), wide=True),
                _fault_words,
            ),
        ),
        id="reasoning-fault-words",
        title="Every fault, with the words that decided",
        caption="By the rules of the table before.",
        empty="No fault was found.",
        grouped_by="system",
    )  # fmt: skip


def _fault_words(fault: ChainFault) -> Cell:
    return written(" … ".join(fault.words)) if fault.words else missing(_PRIVATE)


def _words(reasoning: Reasoning, names: Names) -> Table:
    chains: dict[tuple[str, str], list[ChainStep]] = {}
    for step in reasoning.steps:
        chains.setdefault((step.system, step.case), []).append(step)

    def found(place: int) -> Callable[[_Chain], Cell]:
        return lambda row: _step(row.steps[place])

    return table_of(
        [
            (names.of_system(system), _Chain(case, steps))
            for (system, case), steps in chains.items()
        ],
        (
            shown("Case", "case"),
            *(
                celled(title, step, found(place))
                for place, (step, title) in enumerate(reasoning.titles.items())
            ),
        ),
        id="reasoning-step-words",
        title="The least complete chains, with the words that decided",
        caption="By the wider patterns; at most twenty chains a system.",
        grouped_by="system",
    )


class _Chain(NamedTuple):
    """One chain's steps, in their order."""

    case: str
    steps: Sequence[ChainStep]


def _step(step: ChainStep) -> Cell:
    if step.words is not None:
        return written(step.words)
    return Cell("found", (None,)) if step.found else missing("no such step was found")


def reasoning_finding(reasoning: Reasoning, names: Names) -> Finding:
    """Say whose chains have the fewest steps, and whose cohere least."""
    least = min(reasoning.systems, key=lambda own: own.complete)
    who, has = names.of_system(least.system), f"{100 * least.complete:.0f}% of the steps"
    published = f"published patterns: {100 * least.complete_published:.0f}%"
    if len(reasoning.systems) == 1:
        text = f"The chains of reasoning of {who} have {has} ({published})."
    else:
        text = f"The chains of reasoning of {who} are the least complete: {has} ({published})."
    worst = max(reasoning.systems, key=lambda own: own.faulty / own.read)
    if not worst.faulty:
        text += " The rules found no fault in the coherence of any chain."
    else:
        who, of = names.of_system(worst.system), f"{worst.faulty:,} of {worst.read:,}"
        text += f" {of} chains of {who} that were read have a fault in their coherence."
    return Finding("reasoning", text, ("reasoning-steps", "reasoning-faults"))


@analysis(
    Declaration(
        id="reasoning",
        title="How the answers are reasoned",
        question="Which steps do the chains of reasoning have, and do they hold together?",
        section="clinical",
        part="clinical-reasoning",
        infers=False,
        reader="developer",
        place=5,
        finding_place=70,
        tables=reasoning_tables,
        finding=reasoning_finding,
    )
)
def reasoning(chains: ChainsRead) -> Reasoning | None:
    """Lay out what rules find in the chains, with the words that decided."""
    return reasoning_of(chains) if chains.read else None
