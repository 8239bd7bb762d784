"""What a metric's tokeniser reads, and what becomes of texts that it mostly passes over."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.needs import answer_text, references
from medassay.text import ASCII_LETTER, SPACED_LETTER

__all__ = [
    "ENGLISH_LETTERS",
    "SPACED",
    "SPACED_LETTERS",
    "Reads",
    "Share",
    "reads_references",
    "share_of",
]

Share = Callable[[str, Mapping[str, str]], float]
"""A text and the metric's arguments to the share of the text's letters that the metric reads."""

_HALF: Final = 0.5
_TEXTS_AT_HAND: Final = 1024
"""A study's metrics ask of the same texts, and each system's answers of the same references."""

_ASCII: Final = re.compile(r"[\x00-\x7f]+")
_NO_LETTERS: Final = bytes(code for code in range(128) if not chr(code).isalpha())


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """Which letters a metric reads, and in which texts.

    Where it reads less than half of the letters of every text that it compares with, the answer has
    no score, and the reason is `not_read`. An answer of which it reads less takes the value of an
    answer never given, which is the worst one.

    Attributes:
        what: The letters that it reads, after "reads": "a–z".
        share: The share of a text's letters that it reads; 1 for a text without letters.
        of_case: The texts that the answer is compared with; None if there are none.
        of_answer: What is read of the answer; None if answers of any script can be read.
        tells: Whether an answer equal to the reference gets the best value. A published rule may
            give it the worst: where it does on half of the cases or more, no rank and no sentence
            rests on the metric. None if equal texts are always the best.
    """

    what: str
    share: Share
    of_case: Callable[[Case, Answer, Mapping[str, str]], Sequence[str]] | None = None
    of_answer: Callable[[Answer, Mapping[str, str]], str] | None = None
    tells: Callable[[Case, Mapping[str, str]], bool] | None = None

    def can_read(self, text: str, arguments: Mapping[str, str]) -> bool:
        """Say whether it reads at least half of a text's letters."""
        return self.share(text, arguments) >= _HALF

    def case_is_read(self, case: Case, answer: Answer, arguments: Mapping[str, str]) -> bool:
        """Say whether it can read any text that the answer is compared with."""
        texts = () if self.of_case is None else self.of_case(case, answer, arguments)
        return not texts or any(self.can_read(text, arguments) for text in texts)

    def answer_is_read(self, answer: Answer, arguments: Mapping[str, str]) -> bool:
        """Say whether it can read the answer."""
        return self.of_answer is None or self.can_read(self.of_answer(answer, arguments), arguments)

    def readable(self, case: Case, arguments: Mapping[str, str]) -> Case:
        """Leave out experts' answers that it cannot read, where it can read others."""
        if self.of_case is None or arguments.get("ref") != "human" or len(case.references) < 2:  # noqa: PLR2004 - one is read or nothing is
            return case
        kept = [r for r in case.references if self.can_read(r.text, arguments)]
        if not kept or len(kept) == len(case.references):
            return case
        return case.model_copy(update={"references": tuple(kept)})


def share_of(letters: re.Pattern[str]) -> Share:
    """Make the share of a text's letters that match a pattern of one letter.

    ASCII letters must all match it: of a text, only the others are looked at one by one.

    Example:
        >>> share = share_of(ASCII_LETTER)
        >>> share("für 3 d", {}), share("COPD 400: راحة", {}), share("12", {})
        (0.75, 0.5, 1.0)
    """

    @lru_cache(_TEXTS_AT_HAND)
    def counted(text: str) -> float:
        others = _ASCII.sub("", text)
        ascii_letters = len(text.encode("ascii", "ignore").translate(None, _NO_LETTERS))
        count = ascii_letters + sum(map(str.isalpha, others))
        # To a pattern of words ² and ½ are letters too.
        read = ascii_letters + sum(map(str.isalpha, letters.findall(others)))
        return read / count if count else 1.0

    def share(text: str, _: Mapping[str, str]) -> float:
        return 1.0 if text.isascii() else counted(text)

    return share


def reads_references(
    what: str, share: Share, tells: Callable[[Case, Mapping[str, str]], bool] | None = None
) -> Reads:
    """Declare what is read of an answer and of the references that `ref` names."""
    return Reads(
        what=what,
        share=share,
        of_case=lambda case, _, arguments: references(case, arguments["ref"]),
        of_answer=answer_text,
        tells=tells,
    )


ENGLISH_LETTERS: Final = share_of(ASCII_LETTER)
SPACED_LETTERS: Final = share_of(SPACED_LETTER)
SPACED: Final = "scripts with blanks between words"
