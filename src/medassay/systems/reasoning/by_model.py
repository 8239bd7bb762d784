"""Weighing options by asking a model; what it is asked stands in a file of prompts."""

import re
from collections.abc import Mapping, Sequence
from math import fsum
from typing import Final

from medassay.answers import parse_choice
from medassay.cases import Case
from medassay.systems.dialogue import Dialogue, Prompt
from medassay.systems.passages import Passage
from medassay.systems.prompts import PromptFile
from medassay.systems.reasoning.weighing import Step, Weighing

__all__ = ["ModelWeigher", "shares_in"]

_SHARE: Final = r"^\W*\(?{letter}\)?\W{{0,4}}[:=]\W*(\d+(?:\.\d+)?)\s*%"
_LEAST, _MOST = 90, 110


class ModelWeigher:
    """Asks a model for each option's probability, and for the steps of a chain.

    Args:
        prompts: What is asked: `weigh` and one prompt a step.
        reads: How many passages a prompt shows.
    """

    def __init__(self, prompts: PromptFile, reads: int = 5) -> None:
        self._prompts = prompts
        self.reads: int | None = reads

    def weigh(
        self, case: Case, letters: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[Weighing]:
        """Ask for the probability of each option; what cannot be read is no confidence."""
        options = {letter: case.options[letter] for letter in letters}
        reply = yield self._prompt("weigh", case, options, (), passages)
        shares = shares_in(reply, letters)
        chosen = parse_choice(reply, options).choice
        if shares:
            chosen = min(letters, key=lambda letter: (-shares[letter], letter))
        documents = tuple(dict.fromkeys(passage.document for passage in passages))
        return Weighing(chosen, shares, reply.strip() or "The model said nothing.", documents)

    def step(
        self, case: Case, step: Step, said: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[str]:
        """Ask for one step, with what was said before it."""
        reply = yield self._prompt(step, case, case.options, said, passages)
        return f"{step.capitalize()}: {reply.strip() or 'the model said nothing.'}"

    def _prompt(
        self,
        name: str,
        case: Case,
        options: Mapping[str, str],
        said: Sequence[str],
        passages: Sequence[Passage],
    ) -> Prompt:
        fields = {
            "passages": "\n\n".join(f"[{p.document}] {p.searched}" for p in passages) or "none",
            "question": case.question or "",
            "options": "\n".join(f"{letter}. {text}" for letter, text in options.items()),
            "said": "\n".join(said) or "nothing yet",
        }
        return self._prompts.asked(name, fields)


def shares_in(text: str, letters: Sequence[str]) -> dict[str, float]:
    r"""Read a probability for each option, such as `A: 70%`; none unless all are there and sum up.

    Example:
        >>> shares_in("A: 75%\nB: 25%", ["A", "B"])
        {'A': 0.75, 'B': 0.25}
        >>> shares_in("A: 75%\nB: 75%", ["A", "B"])
        {}
    """
    by_letter = {
        letter: re.findall(_SHARE.format(letter=re.escape(letter)), text, re.MULTILINE)
        for letter in letters
    }
    if not all(by_letter.values()):
        return {}
    # A model that corrects itself means what it says last.
    percents = {letter: float(values[-1]) for letter, values in by_letter.items()}
    whole = fsum(percents.values())
    if not _LEAST <= whole <= _MOST:
        return {}
    return {letter: percent / whole for letter, percent in percents.items()}
