"""The words of a first screen: 80 beside the figure, and one line of facts."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.results import Results
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.numbers import count_of
from medassay.exhibits.overview import Overview
from medassay.exhibits.sentences import stopped
from medassay.report.names import Names
from medassay.report.whose import raters_said

MOST_WORDS: Final = 80
_LONG: Final = 40
"""A sentence of more words is read below; where nothing else is left it stands all the same."""
_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-ÖØ-Þ0-9(\"“≥≤])")
_SPACE: Final = "\N{WORD JOINER}"
"""Stands in a name for its space, where no sentence is parted."""
_BELOW: Final = frozenset({"harm-unjudged", "leaders-unjudged"})
"""Findings for a methodologist, of what missing ratings could change; not for the first screen."""
_LEANS: Final = ("All ", "The table has ", "These ", "Until then, ")
"""What a sentence begins with that says nothing without the one before it."""
_WHO: Final = 2
"""Kinds of expertise that the line of facts has room for."""
_CAME: Final = (ReaderQuestion.NEXT, ReaderQuestion.FURTHER)


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence beside the figure.

    Attributes:
        text: The sentence.
        finding: The finding that it is the first of.
        next: Whether it says what to do.
    """

    text: str
    finding: Finding
    next: bool = False


def sentences_of(text: str, names: Names) -> list[str]:
    """Part a text into its sentences; a stop inside a name that people gave ends none.

    Example:
        >>> names = Names.__new__(Names)
        >>> names.system, names.source, names.dimension = {"d": "Dr. Who"}, {}, {}
        >>> sentences_of("Dr. Who scored 3.2 of 5. It is undecided.", names)
        ['Dr. Who scored 3.2 of 5.', 'It is undecided.']
    """
    held = text
    for name in sorted(filter(None, names.given), key=len, reverse=True):
        if " " in name and "." in name:
            held = held.replace(name, name.replace(" ", _SPACE))
    parts = _END.split(held)
    whole, at = [], 0
    for part in parts:
        start = held.index(part, at)
        at = start + len(part)
        whole.append(text[start:at])
    return whole


def beside(
    results: Results, findings: Sequence[Finding], overview: Overview | None
) -> Iterator[Told]:
    """Choose what stands beside the figure, in the order of the questions, 80 words at most.

    What title and figure say already is left out. Of each finding the first sentence that is left
    is chosen; a second comes where words are left. All sentences stand below, folded.
    """
    names = Names(results)
    says = dict(overview.says) if overview else {}
    left: list[tuple[Finding, list[str]]] = []
    for finding in findings:
        skip = says.get(finding.id, 0)
        if finding.id in _BELOW or finding.answers is ReaderQuestion.FURTHER or skip < 0:
            continue
        left.append((finding, sentences_of(finding.text, names)[skip:]))
    chosen: list[tuple[int, int, Told]] = []
    room = MOST_WORDS - sum(len(text.split()) for text in (overview.cautions if overview else ()))
    taken: set[tuple[int, int]] = set()
    # What to do is said however much was found: of several the shortest has its words kept.
    acts = {place: len(of[0].split()) for place, (own, of) in enumerate(left) if own.acts and of}
    acting = min(acts, key=acts.__getitem__, default=None)
    kept = 0 if acting is None else acts[acting]
    for turn in range(2):
        for place, (finding, sentences) in enumerate(left):
            if place == acting:
                kept = 0
            # A second sentence may need the first to be understood.
            if turn >= len(sentences) or (turn and (place, turn - 1) not in taken):
                continue
            text = sentences[turn]
            words = len(text.split())
            if words > room - kept or words > _LONG or text.startswith(_LEANS):
                continue
            room -= words
            taken.add((place, turn))
            first = not turn and says.get(finding.id, 0) <= 0
            told = Told(text, finding, next=first and finding.acts)
            chosen.append((place, turn, told))
    for _, _, told in sorted(chosen, key=lambda item: item[:2]):
        yield told


def facts(results: Results, overview: Overview | None) -> Iterator[str]:
    """Say what was evaluated, who rated, when, by which version, and what the intervals are."""
    counts = results.study.counts
    yield count_of(counts.cases, "case")
    yield count_of(counts.systems, "system")
    yield f"{raters_said(results)}{_who(results)}" if counts.raters else "no raters"
    if results.study.date:
        yield results.study.date
    yield results.run.software
    if overview is None:
        return
    if overview.intervals:
        corrected = (
            f"; verdicts corrected over {count_of(overview.pairs, 'pair')}"
            if overview.pairs
            else ""
        )
        yield f"{overview.intervals}{corrected}"
    elif results.study.descriptive:
        yield "nothing is tested: the protocol only describes"


def _who(results: Results) -> str:
    """Say who the raters are by what raters.csv says of them: doctors, others, models."""
    flow = results.analyses.of(rater_flow)
    judged = [own.rater for own in (flow.raters if flow else ()) if own.judgements > own.apart]
    judged = [rater for rater in judged if not rater.excluded and rater.kind == "person"]
    said = Counter(rater.expertise.strip() for rater in judged if rater.expertise.strip())
    if not judged:
        return ""
    if not said:
        return ", expertise not given"
    if len(said) == 1 and said.total() == len(judged):
        return f" ({next(iter(said))})"
    # Words of the study stand before their numbers: nobody knows their plural.
    most = [f"{what}: {many}" for what, many in said.most_common(_WHO)]
    rest = len(judged) - sum(many for _, many in said.most_common(_WHO))
    return f" ({'; '.join([*most, *([f'others: {rest}'] if rest else [])])})"


def plain_title(results: Results, findings: Sequence[Finding]) -> str:
    """Give the first sentence that was found, where no figure has a title."""
    names = Names(results)
    for finding in findings:
        if finding.answers not in _CAME:
            return stopped(sentences_of(finding.text, names)[0]).removesuffix(".")
    return results.study.title
