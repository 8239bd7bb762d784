"""The words that decided, where they stand in each answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from medassay.analyses.chain_reading import ChainsRead, ReadChain
from medassay.analyses.results.mark import AnswerPart, MarkResult, PlaceResult
from medassay.analyses.results.metric import StatementResult, StatementsResult
from medassay.analyses.statement import Statements
from medassay.metrics.danger import DangerFlag
from medassay.metrics.reasoning import Span
from medassay.models.nli import SupportVerdict
from medassay.study.folder import Study

__all__ = ["Marks", "answer_marks"]

Marks = Mapping[tuple[str, str], Sequence[MarkResult]]
"""System and case to the findings of that answer."""

_PARTS: Final = ("choice", "text", "reasoning")
_BY: Final = {
    "id": "by its id",
    "rank": "by its place in the list",
    "title": "by its title",
    "overlap": "by eight of its words in a row",
}


def answer_marks(
    study: Study,
    chains: ChainsRead,
    flags: Mapping[tuple[str, str], Sequence[DangerFlag]] | None,
    statements: Statements,
) -> Marks:
    """Place every step, document, fault, flag and unsupported claim in its answer.

    Empty unless the study lets its texts out.

    Args:
        study: The study.
        chains: The chains that were read.
        flags: Answer to the flags of rules; None where the rules were not run.
        statements: Answer to its statements with their verdicts.
    """
    if study.config.privacy.texts != "full":
        return {}
    markses: dict[tuple[str, str], list[MarkResult]] = {}
    for chain in chains:
        cell = (chain.answer.system, chain.answer.case)
        markses.setdefault(cell, []).extend(_of_chain(chain))
    for cell, own in (flags or {}).items():
        markses.setdefault(cell, []).extend(map(_danger, own))
    for cell, groups in statements.items():
        answer = study.answers.get(*cell)
        if answer is None:
            continue
        for statements_result in groups:
            part = _judged_part(statements_result)
            whole = (answer.reasoning if part == "reasoning" else answer.text) or ""
            markses.setdefault(cell, []).extend(_claims(statements_result.statements, part, whole))
    return {cell: sorted(marks, key=_first) for cell, marks in markses.items() if marks}


def _first(mark: MarkResult) -> tuple[int, int]:
    """Order findings as their words are read, what is missing last."""
    places = [(_PARTS.index(place.part), place.start) for place in mark.places]
    return min(places, default=(len(_PARTS), 0))


def _places(part: AnswerPart, *spans: Span | None) -> list[PlaceResult]:
    return [PlaceResult(part=part, start=s.start, end=s.end) for s in spans if s is not None]


def _of_chain(chain: ReadChain) -> Iterator[MarkResult]:
    for step in chain.steps:
        places = _places("reasoning", step.span)
        yield MarkResult(kind="step", of=step.step, says=step.title, places=places)
    for reference in chain.references:
        if reference.span is not None:
            says, places = (
                f"{reference.document}, {_BY[reference.by]}",
                _places("reasoning", reference.span),
            )
            yield MarkResult(kind="document", of=reference.document, says=says, places=places)
    unused = [
        read_reference.document
        for read_reference in chain.references
        if read_reference.span is None
    ]
    if unused:
        yield MarkResult(kind="document", of="", says=", ".join(unused), places=[])
    for fault in chain.coherence.faults:
        places = _places("reasoning", *fault.spans)
        yield MarkResult(kind="fault", of=fault.kind, says=fault.says, places=places)


def _danger(flag: DangerFlag) -> MarkResult:
    return MarkResult(
        kind="danger",
        of=flag.rule,
        says=f"{flag.says}; the case says: {flag.case_words}" if flag.case_words else flag.says,
        places=_places(flag.part, flag.span),
    )


def _judged_part(statements: StatementsResult) -> AnswerPart:
    return "reasoning" if any("of=reasoning" in name for name in statements.metrics) else "text"


def _claims(
    statements: Sequence[StatementResult], part: AnswerPart, whole: str
) -> Iterator[MarkResult]:
    """Give the claims without support together, and each contradicted one with what does so."""
    unsupported = []
    reached = 0
    for statement in statements:
        start = whole.find(statement.text or "", reached)
        if start < 0:
            continue
        reached = start + len(statement.text or "")
        place = PlaceResult(part=part, start=start, end=reached)
        verdict = SupportVerdict(statement.verdict)
        if verdict is SupportVerdict.NOT_FOUND:
            unsupported.append(place)
        elif verdict is SupportVerdict.CONTRADICTED:
            says = f"contradicted by {statement.evidence}" if statement.evidence else "contradicted"
            yield MarkResult(kind="claim", of=verdict.value, says=says, places=[place])
    if unsupported:
        says = "no support found in what they were held against"
        yield MarkResult(
            kind="claim", of=SupportVerdict.NOT_FOUND.value, says=says, places=unsupported
        )
