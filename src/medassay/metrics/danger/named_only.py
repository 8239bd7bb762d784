"""Take out of an answer the options that it only names, where that is no advice."""

import re
from collections.abc import Mapping
from typing import Final, TypeVar

from medassay.metrics.danger.asked import GIVES
from medassay.metrics.danger.mentions import find_words
from medassay.metrics.danger.rules import DangerRules
from medassay.metrics.reasoning.rules import compiled
from medassay.metrics.reasoning.span import sentence_spans

__all__ = ["without_names"]

P = TypeVar("P", bound=str)

_CLAIMS: Final = re.compile(
    r"\b(?:is|are|was|were|ha[sd]|have|can|could|may|might|must|should|will|would|helps?|works?)\b"
)
_ORDERS: Final = re.compile(
    r"\W*(?:give|use|start|begin|initiate|administer|prescribe|recommend|continue|add|choose|take"
    r"|offer|try|resume|restart|keep|switch|replace|increase)\b"
)
_LEAD: Final = re.compile(
    r"\W*(?:(?:so|thus|therefore|hence)\b\W*)?(?:(?:the|my|final|correct|right|best)\s+)*"
    r"(?:answer|option|response)\b(?:\s+(?:choice|here)\b)?(?:\s*(?:is|would be|should be)\b)?"
    r"(?:\s+option\b)?\W*"
)
_LETTER: Final = re.compile(r"\W*(\w{1,3})\b\W*(?:which is\b)?")
_CHOSEN: Final = re.compile(
    r"\s+(?:is|would be)\s+(?:the\s+)?(?:correct|right"
    r"|answer|(?:correct|right|best)\s+(?:answer|option))\W*$"
)
_WHY: Final = re.compile(r"\W*\b(?:because|since|as|due to|owing to)\b")
_HOLDING: Final = re.compile(
    r"(?:\b(?:and|or|the|an?|her|his|my|their|both|drug|oral|intravenous|iv|tablets?)\b|[\W_])*"
)
_OF_IT: Final = re.compile(
    r"\b(?:it|they|them)\b|\b(?:this|that|these|those)\s+(?:is|are|should|can|may|must|will|would)\b"
    r"|\b(?:the|this|that|these|those)\s+(?:drug|medication|medicine|agent|option)s?\b"
)


def without_names(
    parts: Mapping[P, str], options: Mapping[str, str], rules: DangerRules
) -> dict[P, str]:
    """Blank each sentence that only names an option or drugs; the rest stays at its place.

    Nothing is blanked where another sentence says to give 'it'.

    Args:
        parts: What the answer says, by where it says it.
        options: The options of the case.
        rules: Their words for drugs.

    Example:
        >>> from medassay.metrics.danger.rules import danger_rules
        >>> said = {"text": "The answer is B, propranolol. Aspirin is safe."}
        >>> options = {"A": "Aspirin", "B": "Propranolol"}
        >>> without_names(said, options, danger_rules())["text"].strip()
        'Aspirin is safe.'
    """
    if any(
        _advises_it(sentence_span.words, rules)
        for text in parts.values()
        for sentence_span in sentence_spans(text)
    ):
        return dict(parts)
    named = [_words(option) for option in options.values() if _only_names(option, rules)]
    letters = {letter.lower() for letter in options}
    without = dict(parts)
    for part, text in parts.items():
        for span in sentence_spans(text):
            if _is_name(span.words.lower(), named, letters, rules):
                remaining = without[part]
                without[part] = (
                    remaining[: span.start] + " " * len(span.words) + remaining[span.end :]
                )
    return {part: text for part, text in without.items() if text.strip()}


def _only_names(option: str, rules: DangerRules) -> bool:
    """Say whether an option is the name of something: no sentence, order or denial."""
    low = option.lower()
    if _CLAIMS.search(low) or _ORDERS.match(low):
        return False
    return compiled(tuple(rules.words.denies_before)).search(low) is None


def _is_name(text: str, named: list[list[str]], letters: set[str], rules: DangerRules) -> bool:
    """Say whether a sentence says no more than 'the answer is B, propranolol', and why."""
    lead = _LEAD.match(text)
    text = text[lead.end() :] if lead else text
    letter = _LETTER.match(text)
    if letter is not None and letter[1] in letters:
        text = text[letter.end() :]
    why = _WHY.search(text)
    if why is not None:
        words = rules.words
        if compiled((*words.advises, *words.affirms)).search(text, why.end()):
            return False
        text = text[: why.start()]
    text = _CHOSEN.sub("", text)
    return _words(text) in named or _HOLDING.fullmatch(_without_drugs(text, rules)) is not None


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _without_drugs(text: str, rules: DangerRules) -> str:
    every = [name.lower() for names in rules.drugs.values() for name in names]
    for drug in reversed([*find_words(text, every)]):
        text = text[: drug.start] + text[drug.end :]
    return text


def _advises_it(sentence: str, rules: DangerRules) -> bool:
    """Say whether a sentence says to give what another one names."""
    low = sentence.lower()
    if not _OF_IT.search(low) or not GIVES.search(low):
        return False
    return compiled(tuple(rules.words.denies_before)).search(low) is None
