"""A judge made of rules: it reads words, numbers and negations, and no meaning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.models.language import looks_english
from medassay.models.nli.conflicts import Conflict, conflicts
from medassay.models.nli.finding import Finding, Question, Verdict
from medassay.models.nli.lexicon import lexicon
from medassay.models.nli.quantities import Quantity
from medassay.models.nli.reading import Reading, read_sentence

__all__ = ["RuleJudge"]

_SUPPORT: Final = 0.6
_CONTRADICTION: Final = 0.5
_EXCHANGED_DRUG: Final = 0.75
_ELSEWHERE: Final = 0.5


@dataclass(frozen=True, slots=True)
class _Alignment:
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
        return [_judge(statement, evidence) for statement, evidence in questions]


def _judge(statement: str, evidence: Sequence[str]) -> Finding:
    claim = read_sentence(statement)
    if not claim.size:
        return Finding(Verdict.NOT_FOUND, None, 0.0, "says nothing that can be looked up")
    readings = [read_sentence(sentence) for sentence in evidence]
    everywhere = frozenset().union(*(one.units for one in readings))
    said = {quantity for one in readings for quantity in one.quantities}
    held = frozenset(one for one in claim.quantities if any(other.holds(one) for other in said))
    aligned = [_align(claim, sentence, everywhere, held) for sentence in readings]
    if not aligned or not max(one.share for one in aligned):
        return Finding(Verdict.NOT_FOUND, None, 0.0, "no word or number in common")
    place = min(
        range(len(aligned)),
        key=lambda i: (-aligned[i].share, bool(aligned[i].conflicts), i),
    )
    verdict, why = _weigh(aligned[place])
    return Finding(verdict, place, aligned[place].share, why)


def _weigh(best: _Alignment) -> tuple[Verdict, str]:
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


def _align(
    claim: Reading, sentence: Reading, everywhere: frozenset[str], held: frozenset[Quantity]
) -> _Alignment:
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
    return _Alignment(total / claim.size, found, unheld)


def _say(found: Sequence[Conflict]) -> str:
    said = []
    for one in found:
        words = sorted(one.units) + sorted(q.words for q in one.quantities)
        said.append(f"{one.kind}: {', '.join(words)}" if words else one.kind)
    return "; ".join(said)
