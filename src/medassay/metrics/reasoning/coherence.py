"""Whether the steps of a chain follow each other, and none takes back what another says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from medassay.answers import parse_choice
from medassay.cases import Case
from medassay.metrics.reasoning.chain import mentions
from medassay.metrics.reasoning.rules import ReasoningRules, claiming, compiled
from medassay.metrics.reasoning.span import Span, sentence_spans
from medassay.text import content_words

__all__ = ["Coherence", "Fault", "read_coherence"]

_FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that does not hold together.

    Attributes:
        kind: `order`, `contradiction`, `choice` (a contradiction with the choice) or `jump`.
        says: What is wrong, in words of ours.
        spans: The words of the chain.
    """

    kind: str
    says: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Coherence:
    """How far a chain holds together; each part 0 to 1, None where there is nothing to judge.

    Attributes:
        order: 1 − steps that are over before one that comes first begins / pairs of steps.
        consistency: 1 / (1 + contradictions).
        support: 1 − conclusions that nothing before them names / conclusions.
        faults: What was found.
    """

    order: float | None
    consistency: float | None
    support: float | None
    faults: tuple[Fault, ...]

    @property
    def value(self) -> float | None:
        """Multiply the parts that can be judged: a fault anywhere lowers it."""
        if self.consistency is None:
            return None
        product = self.consistency
        for part in (self.order, self.support):
            product *= 1.0 if part is None else part
        return product


class _Reach(NamedTuple):
    place: int
    title: str
    first: Span
    last: Span
    begins: int
    over: int


class _Claim(NamedTuple):
    sentence: int
    words: frozenset[str]
    denied: bool
    span: Span


def read_coherence(chain: str, case: Case, choice: str | None, rules: ReasoningRules) -> Coherence:
    """Read order, contradictions and jumps.

    Order: of two steps with different places, the later one is over before the earlier one begins.
    Contradiction: one sentence affirms what another denies, in the same words of content. With the
    choice: the chain says that it chooses another option, or denies the option chosen and never
    affirms it after. Jump: a sentence concludes, and not one word of content of what it concludes
    stands in the question, the narrative or an earlier sentence; an option's letter stands for its
    text.

    Example:
        >>> from medassay.metrics.reasoning import reasoning_rules
        >>> chain = "Pneumonia is ruled out by the film. Therefore the diagnosis is pneumonia."
        >>> found = read_coherence(chain, Case(case="1"), None, reasoning_rules())
        >>> found.consistency, [fault.kind for fault in found.faults]
        (0.5, ['contradiction'])
    """
    sentences = sentence_spans(chain)
    if len(sentences) < _FEWEST:
        return Coherence(None, None, None, ())
    order, misplaced = _order(chain, sentences, rules)
    claims = _claims(sentences, rules)
    against = [*_contradictions(claims), *_with_choice(chain, case, choice, claims)]
    support, jumps = _jumps(sentences, case, rules)
    return Coherence(order, 1 / (1 + len(against)), support, (*misplaced, *against, *jumps))


def _order(
    chain: str, sentences: list[Span], rules: ReasoningRules
) -> tuple[float | None, list[Fault]]:
    starts = [span.start for span in sentences]
    reach: list[_Reach] = []
    for step in rules.steps:
        spans = list(mentions(chain, step, rules, "wider"))
        if spans:
            first, last = spans[0], spans[-1]
            begins, over = (sum(start <= span.start for start in starts) for span in (first, last))
            reach.append(_Reach(step.place, step.title, first, last, begins, over))
    pairs, faults = 0, []
    for reached, other in combinations(reach, 2):
        if reached.place == other.place:
            continue
        early, late = sorted((reached, other))
        pairs += 1
        if late.over < early.begins:
            says = f"{late.title} is over before {early.title[0].lower()}{early.title[1:]} begins"
            faults.append(Fault("order", says, (late.last, early.first)))
    return (1 - len(faults) / pairs if pairs else None), faults


def _claims(sentences: list[Span], rules: ReasoningRules) -> list[_Claim]:
    """Find what is denied, and where anything is, what is affirmed."""
    claims = rules.coherence
    denied = [
        c for i, span in enumerate(sentences) for c in _claimed(i, span, rules, claims.denies)
    ]
    if not denied:
        return []  # nothing can contradict
    affirmed = [
        c for i, span in enumerate(sentences) for c in _claimed(i, span, rules, claims.affirms)
    ]
    # What is denied is not affirmed by the same words.
    return [
        *(claim._replace(denied=True) for claim in denied),
        *(
            claim
            for claim in affirmed
            if not any(
                claim.span.start < d.span.end and d.span.start < claim.span.end for d in denied
            )
        ),
    ]


def _claimed(
    at: int, sentence: Span, rules: ReasoningRules, patterns: Sequence[str]
) -> Iterator[_Claim]:
    general = frozenset(rules.coherence.general)
    for pattern in patterns:
        for match in claiming(pattern).finditer(sentence.words):
            words = content_words(match["x"]) - general
            if words:
                start, end = (sentence.start + place for place in match.span())
                yield _Claim(at, words, denied=False, span=Span(start, end, match[0]))


def _contradictions(claims: list[_Claim]) -> list[Fault]:
    faults: dict[tuple[frozenset[str], bool], Fault] = {}
    for claim, other in combinations(claims, 2):
        if (
            claim.sentence == other.sentence
            or claim.denied == other.denied
            or claim.words != other.words
        ):
            continue
        what = " ".join(sorted(claim.words))
        spans = tuple(sorted((claim.span, other.span)))
        faults.setdefault(
            (claim.words, True), Fault("contradiction", f"affirms and denies: {what}", spans)
        )
    return list(faults.values())


def _with_choice(
    chain: str, case: Case, choice: str | None, claims: list[_Claim]
) -> Iterator[Fault]:
    if choice is None or choice not in case.options:
        return
    parsed = parse_choice(chain, case.options)
    if parsed.choice is not None and parsed.choice != choice and _concludes(parsed.said):
        start = chain.rfind(parsed.said)
        span = (Span(start, start + len(parsed.said), parsed.said),) if start >= 0 else ()
        yield Fault("choice", f"the chain chooses {parsed.choice}, the answer {choice}", span)
        return
    if parsed.choice == choice and _concludes(parsed.said):
        return
    chosen = content_words(case.options[choice])
    denied = [claim for claim in claims if claim.words == chosen and claim.denied]
    if denied and not any(
        claim.words == chosen and claim > denied[-1] for claim in claims if not claim.denied
    ):
        yield Fault("choice", f"the chain denies {choice}, which is chosen", (denied[-1].span,))


def _concludes(text: str) -> bool:
    return bool(
        re.search(r"(?i)answer|choice|option|diagnosis|correct|right|therefore|\bso\b", text)
    )


def _jumps(
    sentences: list[Span], case: Case, rules: ReasoningRules
) -> tuple[float | None, list[Fault]]:
    before = content_words(f"{case.asked or ''} {case.narrative or ''}")
    concludes = compiled(tuple(rules.coherence.concludes))
    conclusions, faults = 0, []
    for sentence in sentences:
        spoken = content_words(sentence.words)
        cue = concludes.search(sentence.words)
        if cue is not None:
            concluded = _concluded(sentence, cue.end(), case, rules)
            if concluded:
                conclusions += 1
                if not concluded & before:
                    what = " ".join(sorted(concluded))
                    faults.append(Fault("jump", f"nothing before names: {what}", (sentence,)))
        before |= spoken
    return (1 - len(faults) / conclusions if conclusions else None), faults


def _concluded(sentence: Span, after: int, case: Case, rules: ReasoningRules) -> frozenset[str]:
    rest = sentence.words[after:]
    general = frozenset(rules.coherence.general)
    if case.options:
        parsed = parse_choice(sentence.words, case.options)
        if parsed.choice is not None:
            return content_words(case.options[parsed.choice]) - general
    letters = {name.casefold() for name in case.options}
    return content_words(rest) - general - letters
