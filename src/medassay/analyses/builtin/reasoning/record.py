"""What rules find in chains of reasoning."""

from medassay.marks import CaseId, DesignName, SystemName, Text, Words, record

__all__ = ["ChainFault", "ChainStep", "ChainsOf", "Reasoning"]


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
