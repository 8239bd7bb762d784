"""A judge made of rules: it reads words, numbers and negations, and no meaning."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice
from typing import Final

from medassay.models.language import looks_english
from medassay.models.nli.conflicts import Conflict, conflicts, opposites_of
from medassay.models.nli.finding import Finding, Question, Verdict
from medassay.models.nli.lexicon import lexicon
from medassay.models.nli.passage import Passage, read_passage
from medassay.models.nli.quantities import Quantity
from medassay.models.nli.reading import Reading, read_sentence

__all__ = ["Alignment", "RuleJudge", "align", "weigh"]

_SUPPORT: Final = 0.6
_CONTRADICTION: Final = 0.5
_EXCHANGED_DRUG: Final = 0.75
_ELSEWHERE: Final = 0.5
_Placed = tuple[int, Reading]


@dataclass(frozen=True, slots=True)
class Alignment:
    """How a claim stands to one sentence.

    Attributes:
        share: How much of what the claim says the sentence has.
        conflicts: On what they differ.
        unheld: Quantities of the claim that the sentence does not have.
    """

    share: float
    conflicts: list[Conflict]
    unheld: list[str]


class RuleJudge:
    """Says by rules whether statements in English are supported by sentences of evidence.

    The sentence that has the largest share of the statement's words and quantities decides; a
    conflict of numbers, negation, opposites, sides, times, routes or drugs makes a contradiction.
    The rules and their thresholds are in design/support-rules.md and were fixed before they were
    run on labelled data; docs/support.md shows what they are worth.

    Example:
        >>> judge = RuleJudge()
        >>> evidence = ["He has diabetes.", "Take one tablet of 500 mg twice a day with food."]
        >>> for statement in ("Take 1 g twice a day.", "Take 0.5 g every 12 hours.", "He smokes."):
        ...     finding = judge.judge([(statement, evidence)])[0]
        ...     print(finding.verdict, finding.decided_by, finding.why)
        contradicted 1 number: 1 g
        supported 1 100 % of its words and numbers
        not found None no word or number in common
    """

    @property
    def name(self) -> str:
        """Give the word that stands in a metric's name."""
        return "rules"

    @property
    def settings(self) -> Mapping[str, str]:
        """Give all that the verdicts depend on: the version of the rules, and their lists."""
        return {"rules": "1", "lexicon": lexicon().digest[:12]}

    def reads(self, text: str) -> str:
        """Say why the rules cannot read a text; empty if they can.

        Example:
            >>> RuleJudge().reads("一日两次")
            'the rules read English, and this looks like another language'
        """
        if looks_english(text):
            return ""
        return "the rules read English, and this looks like another language"

    def judge(self, questions: Sequence[Question]) -> list[Finding]:
        """Judge statements, as many findings as questions and in their order."""
        return [self.judge_by(statement, (tuple(evidence),)) for statement, evidence in questions]

    def judge_by(self, statement: str, passages: Sequence[tuple[str, ...]]) -> Finding:
        """Judge a statement by the sentences of passages, each of which is read only once.

        Args:
            statement: What is claimed.
            passages: The sentences of each document; the place of the one that decides counts over
                all of them.

        Example:
            >>> found = RuleJudge().judge_by("He smokes.", [("He is 50.",), ("He smokes a pipe.",)])
            >>> found.verdict.value, found.decided_by
            ('supported', 1)
        """
        claim = read_sentence(statement)
        if not claim.size:
            return Finding(Verdict.NOT_FOUND, None, 0.0, "says nothing that can be looked up")
        read = [read_passage(one) for one in passages]
        everywhere = frozenset(chain.from_iterable(claim.units & one.words for one in read))
        held = frozenset(
            one
            for one in claim.quantities
            if any(other.holds(one) for r in read for other in r.quantities.get(one.kind, ()))
        )
        aligned: dict[int, Alignment] = {}
        plain, special = _worth_aligning(claim, read, everywhere, held)
        for place, sentence in plain:
            aligned[place] = align(claim, sentence, everywhere, held)
            if not aligned[place].conflicts:
                break  # the others have the same share and come later
        for place, sentence in special:
            aligned[place] = align(claim, sentence, everywhere, held)
        if not any(one.share for one in aligned.values()):
            return Finding(Verdict.NOT_FOUND, None, 0.0, "no word or number in common")
        place = min(aligned, key=lambda i: (-aligned[i].share, bool(aligned[i].conflicts), i))
        verdict, why = weigh(aligned[place])
        return Finding(verdict, place, aligned[place].share, why)


def _worth_aligning(
    claim: Reading,
    passages: Sequence[Passage],
    everywhere: frozenset[str],
    held: frozenset[Quantity],
) -> tuple[list[_Placed], list[_Placed]]:
    """Give the sentences that may decide, each with its place over all passages.

    Returns:
        Of the sentences where no conflict but a negation can arise, in order, those with the most
        words in common: their share follows from that number. And of all others those whose share
        may be as large.
    """
    begins = [0, *accumulate(len(one.readings) for one in passages)]
    gains = _gains(claim, passages, everywhere, held)
    shared = [everywhere & one.words for one in passages]
    plain: list[_Placed] = []
    most = 1
    for which in sorted(range(len(passages)), key=lambda i: -len(shared[i])):
        one = passages[which]
        if len(shared[which]) < most:
            break
        common = Counter(chain.from_iterable(one.units[unit] for unit in shared[which]))
        for place, count in common.items():
            if count >= most and place not in gains[which]:
                if count > most:
                    most, plain = count, []
                plain.append((begins[which] + place, one.readings[place]))
    if not plain:
        most = 0
        placed = (
            (begin + place, sentence)
            for begin, one, special in zip(begins, passages, gains, strict=False)
            for place, sentence in enumerate(one.readings)
            if place not in special and not claim.units & sentence.units
        )
        plain = [*islice(placed, 1)]
    special = [
        (begin + place, one.readings[place])
        for begin, one, gained in zip(begins, passages, gains, strict=False)
        for place, gain in gained.items()
        if len(claim.units & one.readings[place].units) + gain >= most
    ]
    return sorted(plain, key=lambda placed: placed[0]), special


def _gains(
    claim: Reading,
    passages: Sequence[Passage],
    everywhere: frozenset[str],
    held: frozenset[Quantity],
) -> list[dict[int, int]]:
    """Give the sentences with which more than words in common may count, and how much at most.

    A gain is in words in common: each counts half more than a word that stands elsewhere.
    """
    kinds: dict[str, int] = {}
    for quantity in claim.quantities:
        kinds[quantity.kind] = kinds.get(quantity.kind, 0) + 2 - (quantity in held)
    choices = {group: 2 * sum(map(len, all_.values())) for group, all_ in claim.choices.items()}
    opposites = [other for word in claim.units for other in opposites_of(word)]
    drugs = 0 if claim.drugs & everywhere else 2 * len(claim.drugs)
    found = []
    for one in passages:
        places = [
            (place, gain) for kind, gain in kinds.items() for place in one.kinds.get(kind, ())
        ]
        places += [(p, gain) for group, gain in choices.items() for p in one.groups.get(group, ())]
        places += [(place, 2) for other in opposites for place in one.units.get(other, ())]
        places += [(place, drugs) for place in one.drugs if drugs]
        gains: dict[int, int] = {}
        for place, gain in places:
            gains[place] = gains.get(place, 0) + gain
        found.append(gains)
    return found


def weigh(best: Alignment) -> tuple[Verdict, str]:
    """Decide by the sentence that aligns best, and say why."""
    share = f"{100 * best.share:.0f} % of its words and numbers"
    if best.conflicts:
        exchanged_drug = all(conflict.kind == "drug" for conflict in best.conflicts)
        if best.share >= (_EXCHANGED_DRUG if exchanged_drug else _CONTRADICTION):
            return Verdict.CONTRADICTED, _say(best.conflicts)
        return Verdict.NOT_FOUND, f"{_say(best.conflicts)}, but only {share}"
    if best.share < _SUPPORT:
        return Verdict.NOT_FOUND, share
    if best.unheld:
        return Verdict.NOT_FOUND, f"no {', '.join(best.unheld)} there"
    return Verdict.SUPPORTED, share


def align(
    claim: Reading, sentence: Reading, everywhere: frozenset[str], held: frozenset[Quantity]
) -> Alignment:
    """Hold a claim against one sentence, knowing the words and the numbers held by any of them."""
    found = conflicts(claim, sentence, everywhere)
    units_in_conflict = frozenset().union(*(one.units for one in found))
    numbers_in_conflict = frozenset().union(*(one.quantities for one in found))
    here = claim.units & (sentence.units | units_in_conflict)
    total = len(here) + _ELSEWHERE * len((claim.units & everywhere) - here)
    unheld = []
    for one in claim.quantities:
        if one in numbers_in_conflict or any(other.holds(one) for other in sentence.quantities):
            total += 1
            continue
        unheld.append(one.words)
        total += _ELSEWHERE * (one in held)
    return Alignment(total / claim.size, found, unheld)


def _say(found: Sequence[Conflict]) -> str:
    said = []
    for one in found:
        words = sorted(one.units) + sorted(q.words for q in one.quantities)
        said.append(f"{one.kind}: {', '.join(words)}" if words else one.kind)
    return "; ".join(said)
