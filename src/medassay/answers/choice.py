"""Which option an answer in free text chooses, or why it chooses none."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from medassay.answers.option_words import OptionWords, option_words

__all__ = ["NoChoice", "ParsedChoice", "parse_choice"]


class NoChoice(StrEnum):
    """Why an answer chooses no option."""

    EMPTY = "empty"
    REFUSAL = "refusal"
    SEVERAL = "several"
    NOT_AN_OPTION = "not-an-option"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ParsedChoice:
    """The option that a text chooses, or the reason why it chooses none.

    Attributes:
        choice: The option's letter; None if none is chosen.
        reason: Why there is no choice; None if there is one.
        said: The words that decided.
    """

    choice: str | None
    reason: NoChoice | None
    said: str


# What stands before the option in a sentence that chooses.
_KIND = r"(?:final|correct|best|right|likely|likeliest|appropriate|suitable|most|my|the)"
_NOUN = r"(?:answer|option|choice|ans|diagnosis|selection|selected|treatment|step)"
_IS = r"(?:\s*(?:is|was|(?:would|should|must|could|will)\s+be)\b\s*:?|\s*[:=\-]|\.(?=\s*\())"
_OF_WHAT = r"(?:\s+(?:choice|option|to\s+(?:this|the)\s+question|here))?"
_BEFORE: Final = re.compile(
    rf"""(?xi)
    \b(?:{_KIND}\s+)*{_NOUN}{_OF_WHAT}["']?{_IS}\s*
    | \b{_NOUN}\s*\n\s*
    | <answer>\s*
    | ["']answer(?:_choice|_idx|_letter)?["']\s*:\s*
    | \bI(?:[ ]would|'d|[ ]will)?[ ](?:choose|select|pick|chose|go[ ]with|opt[ ]for)\s+
    | \bit(?:[ ]is|'s)\s+
    | \b(?:so|therefore|hence|thus)\b[,:]?\s+(?=\(|["']?[A-Z0-9]\s*[.\n]|["']?[A-Z0-9]\s*$)
    """
)
# What stands after it.
_RIGHT: Final = re.compile(
    r"(?i)\s*(?:is|are|would be|should be|must be)\s+(?:both\s+)?(?:the\s+)?(?:most\s+|single\s+)?"
    r"(?:correct|right|best|true|answer\b|likely answer|likely diagnosis|appropriate|likely\b)"
)
_WRONG: Final = re.compile(
    r"(?i)\s*(?:is|are|was|were|can be|has been|does|do|would)\s+(?:also\s+|both\s+)?"
    r"(?:not\b|wrong|incorrect|false|unlikely|excluded|ruled out|less likely|inappropriate)"
)
_NEGATED: Final = re.compile(
    r"(?i)(?:\bnot|\bno|\bno sign of|\bno evidence of|\bneither|\bnor|\brather than|\binstead of"
    r"|\bwithout|\brul(?:e|es|ed|ing) out|\bexclud(?:e|es|ed|ing)|\bunlike)"
    r"(?:\s+(?:option|choice|a|an|the|be))*\s*[(\[]?$"
)
_REFUSAL: Final = re.compile(
    r"""(?xi)
    \b(?:can(?:not|[ ]not|'t)|unable[ ]to|not[ ]able[ ]to|won't|refuse[ ]to)[ ]
        (?:\w+[ ])?(?:answer|provide|give|recommend|determine|be[ ]determined|say|advise|choose
        |select|help)
    | \b(?:do|does)(?:[ ]not|n't)[ ]know\b
    | \b(?:not[ ]enough|insufficient|inadequate)[ ](?:information|data|evidence|context)
    | \bas[ ]an[ ]ai\b
    | \b(?:consult|see|ask)[ ](?:a|your)[ ](?:doctor|physician|clinician|healthcare)
    | \bnone[ ]of[ ](?:the|these|those)\b
    | ^\W*(?:n/?a|unknown|unsure|unclear|no[ ]answer)\W*$
    | \bI[ ]am[ ]unsure\b | \bI'm[ ]not[ ]sure\b | \bI[ ]am[ ]not[ ]sure\b
    """
)
_NEAR: Final = 40
"""How many characters before an option may deny it."""
_BUT: Final = re.compile(r"(?i)not\s+.{1,80}?,?\s+but\s+(?:rather\s+)?")


def parse_choice(text: str, options: Mapping[str, str]) -> ParsedChoice:
    """Find which option an answer in free text chooses.

    Read in this order, and the first that speaks decides: the text is nothing but an option's
    letter or words; a sentence that chooses ('The answer is (B)', 'B is correct'; of several the
    last, for people and models correct themselves); an option's letter at the start; a single
    option named by its letter, then by its words, and not denied. 'A or B' is several, a letter
    that is no option is said to be one, and nothing is ever guessed. The phrases known are English.

    Args:
        text: The answer.
        options: The options of the case, letter to text.

    Returns:
        The letter, or the reason why there is none, with the words that decided.

    Example:
        >>> options = {"A": "Amoxicillin", "B": "Azithromycin"}
        >>> parse_choice("It could be A, but the answer is (B).", options).choice
        'B'
        >>> parse_choice("A or B", options).reason
        <NoChoice.SEVERAL: 'several'>
    """
    plain = _plain(text)
    if not plain:
        return ParsedChoice(None, NoChoice.EMPTY, "")
    words = option_words(tuple(options.items()))
    for read in (_whole, _chosen, _leading, _named):
        parsed = read(plain, words)
        if parsed is not None:
            return parsed
    refused = _REFUSAL.search(plain)
    if refused is not None:
        return ParsedChoice(None, NoChoice.REFUSAL, refused[0])
    return ParsedChoice(None, NoChoice.NONE, "")


def _plain(text: str) -> str:
    """Take out what only dresses the text: Markdown, LaTeX boxes, code fences."""
    text = re.sub(r"\\(?:boxed|text|textbf|mathrm)\s*\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\\(?:boxed|text)\s*\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"```\w*|[*`$#_]{1,3}(?![a-z])", " ", text).replace("’", "'")
    return text.strip()


def _whole(text: str, words: OptionWords) -> ParsedChoice | None:
    names = words.whole(text)
    return None if names is None else _parsed(names, text)


def _chosen(text: str, words: OptionWords) -> ParsedChoice | None:
    """Read the last sentence that chooses."""
    found: list[tuple[int, ParsedChoice]] = []
    for cue in _BEFORE.finditer(text):
        begin = cue.end()
        turned = _BUT.match(text, begin)
        begin = begin if turned is None else turned.end()
        target = words.at_start(text[begin:])
        if target is not None:
            names, length = target
            said = text[cue.start() : begin + length]
            if not _WRONG.match(text, begin + length):
                found.append((begin, _parsed(names, said)))
    for names, begin, end in words.lists(text):
        right = _RIGHT.match(text, end)
        if right is not None and not _NEGATED.search(text, max(0, begin - _NEAR), begin):
            found.append((begin, _parsed(names, text[begin : right.end()])))
    return max(found, key=lambda one: one[0])[1] if found else None


def _leading(text: str, words: OptionWords) -> ParsedChoice | None:
    start = words.at_start(text, leading=True)
    if start is None or _WRONG.match(text, start[1]):
        return None
    return _parsed(start[0], text[: start[1]])


def _named(text: str, words: OptionWords) -> ParsedChoice | None:
    """Read the only option that is named and not denied, by letter or else by words."""
    for mentions in (words.letters(text), words.phrases(text)):
        left = {name: at for name, *at in mentions if not _denied(text, *at)}
        if left:
            begin, end = next(iter(left.values()))
            return _parsed(tuple(left), text[begin:end])
    return None


def _denied(text: str, begin: int, end: int) -> bool:
    return (
        _WRONG.match(text, end) is not None
        or _NEGATED.search(text, max(0, begin - _NEAR), begin) is not None
    )


def _parsed(names: tuple[str, ...], said: str) -> ParsedChoice:
    if not names:
        return ParsedChoice(None, NoChoice.NOT_AN_OPTION, said)
    if len(names) > 1:
        return ParsedChoice(None, NoChoice.SEVERAL, said)
    return ParsedChoice(names[0], None, said)
