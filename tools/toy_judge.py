"""A judge of support without weights: what tests hand in where a study would name a model."""

from collections.abc import Mapping, Sequence
from typing import Final

from medassay.models.nli import Question, SupportFinding, SupportVerdict
from medassay.text import content_words, main_script

_NOT: Final = frozenset({"no", "not", "without"})


class ToyJudge:
    """Finds what a single sentence says in the same words; a 'not' in one of them contradicts."""

    name = "toy"

    @property
    def settings(self) -> Mapping[str, str]:
        """Say that it is a toy."""
        return {"judge": "toy"}

    def reads(self, text: str) -> str:
        """Refuse what is not written as English is."""
        return "" if main_script(text) in {None, "Latin"} else "the toy judge reads English alone"

    def judge(self, questions: Sequence[Question]) -> list[SupportFinding]:
        """Judge statements, as many findings as questions and in their order."""
        return [self._judged(statement, evidence) for statement, evidence in questions]

    @staticmethod
    def _judged(statement: str, evidence: Sequence[str]) -> SupportFinding:
        words, denied = content_words(statement) - _NOT, _denies(statement)
        for place, sentence in enumerate(evidence):
            if words and words <= content_words(sentence):
                same = _denies(sentence) == denied
                verdict = SupportVerdict.SUPPORTED if same else SupportVerdict.CONTRADICTED
                return SupportFinding(verdict, place, 1.0, "the same words" if same else "a not")
        return SupportFinding(SupportVerdict.NOT_FOUND, None, 0.0, "no sentence has its words")


def _denies(text: str) -> bool:
    return not _NOT.isdisjoint(text.casefold().split())
