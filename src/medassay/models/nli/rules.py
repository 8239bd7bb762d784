"""A judge made of rules: it reads words, numbers and negations, and no meaning."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.models.language import looks_english
from medassay.models.nli.alignment import Alignment, find_best
from medassay.models.nli.conflicts import Conflict
from medassay.models.nli.finding import Finding, Question, Verdict
from medassay.models.nli.lexicon import lexicon
from medassay.models.nli.passage import join_passages
from medassay.models.nli.reading import read_sentence

__all__ = ["RuleJudge", "weigh"]

_SUPPORT: Final = 0.6
_CONTRADICTION: Final = 0.5
_EXCHANGED_DRUG: Final = 0.75


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
        best = find_best(claim, join_passages(tuple(passages)))
        if best is None:
            return Finding(Verdict.NOT_FOUND, None, 0.0, "no word or number in common")
        verdict, why = weigh(best.alignment)
        return Finding(verdict, best.place, best.alignment.share, why)


def weigh(best: Alignment) -> tuple[Verdict, str]:
    """Decide by the sentence that aligns best, and say why."""
    share = f"{100 * best.share:.0f} % of its words and numbers"
    if best.conflicts:
        exchanged_drug = all(conflict.kind == "drug" for conflict in best.conflicts)
        if best.share >= (_EXCHANGED_DRUG if exchanged_drug else _CONTRADICTION):
            return Verdict.CONTRADICTED, _in_words(best.conflicts)
        return Verdict.NOT_FOUND, f"{_in_words(best.conflicts)}, but only {share}"
    if best.share < _SUPPORT:
        return Verdict.NOT_FOUND, share
    if best.unheld:
        return Verdict.NOT_FOUND, f"no {', '.join(best.unheld)} there"
    return Verdict.SUPPORTED, share


def _in_words(conflicts: Sequence[Conflict]) -> str:
    lines = []
    for conflict in conflicts:
        words = sorted(conflict.units) + sorted(q.words for q in conflict.quantities)
        lines.append(f"{conflict.kind}: {', '.join(words)}" if words else conflict.kind)
    return "; ".join(lines)
