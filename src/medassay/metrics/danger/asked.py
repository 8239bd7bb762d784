"""Whether an English question asks what to withhold: stop, avoid, not give, or is contraindicated.

Read so that a doubt leaves it a question like any other: only the first verb after the word that
asks counts ('which drug helps a man who should avoid aspirin' asks for no drug to avoid), and a
question that asks for something to give as well is none of these.
"""

import re
from typing import Final

from medassay.text import split_sentences

__all__ = ["GIVES", "asks_to_withhold"]

_ADVERB: Final = (
    r"(?:(?:(?!(?:rarely|hardly|scarcely|barely)\b)\w+ly"
    r"|now|first|next|also|best|most|therefore|then|still)\s+){0,3}"
)
_LIKELY: Final = r"(?:(?:most\s+)?likely\s+(?:to\s+be\s+)?)?"
_PERSON: Final = (
    r"(?:you|we|i|he|she|they|one|someone|anyone|people|patients|children|women"
    r"|(?:the|this|that|an?|her|his|my)\s+(?:[\w-]+\s+)?(?:patient|person|woman|man|child|boy|girl"
    r"|nurse|physician|doctor|clinician|mother|father))"
    r"(?:\s+(?:with|on|taking)(?:\s+(?!to\b)[\w-]+){1,4}?)?"
)
_MODAL: Final = (
    r"(?:should|must|would|could|can|may|might|will|do|does|(?:ought|has|have|needs?)\s+to)"
)
_IS: Final = rf"(?:is|are|{_MODAL}\s+{_ADVERB}be)"
_GIVE: Final = (
    r"(?:give|(?<!the\s)use|start|begin|initiate|administer|prescribe|recommend|continue|add|choose"
    r"|take|receive|offer|prefer|try|resume|restart|suggest)"
)
_FIT: Final = (
    r"(?:used|given|recommended|indicated|preferred|appropriate|suitable|safe|advisable|permitted"
    r"|allowed|acceptable|good)"
)
_GIVEN: Final = (
    rf"(?:{_FIT}|started|begun|initiated|administered|prescribed|continued|added|chosen|taken"
    r"|received|offered|tried|resumed|restarted|done)"
)
_STOP: Final = r"(?:avoid|stop|discontinue|withhold|hold|cease|withdraw|suspend|omit|pause)"
_STOPPED: Final = (
    r"(?:avoided|stopped|discontinued|withheld|held|withdrawn|ceased|suspended|omitted|paused)"
)
_HARMFUL: Final = (
    r"(?:contraindicat(?:ed|ions?)|inappropriate|unsafe|harmful|dangerous|hazardous|inadvisable"
    r"|unsuitable|risky|bad)"
)
_NO_OBJECT: Final = (
    r"(?=\W*$|\s*\(|\s+(?:in|for|at|with|to|before|during|today|immediately|taking|using|giving)\b)"
)
_NOT_TO_GIVE: Final = (
    rf"{_MODAL}(?:n't|not|(?:\s+{_PERSON})?\s+(?:not|never|no\s+longer))\s+(?:{_PERSON}\s+)?"
    rf"{_ADVERB}(?:be\s+{_ADVERB}{_GIVEN}\b|{_GIVE}\b{_NO_OBJECT})"
)
_NOT_FIT: Final = (
    rf"(?:is|are)(?:n't|\s+(?:not|never|no\s+longer|(?:the\s+)?least))\s+{_ADVERB}{_FIT}\b"
)
_HARMS: Final = (
    rf"{_IS}\s+{_ADVERB}(?:(?:an?|the)\s+)?{_ADVERB}{_LIKELY}(?:(?:absolute|relative|known)\s+)?"
    rf"(?:to\s+be\s+)?(?:{_HARMFUL}|{_STOPPED})\b"
)
_TO_STOP: Final = (
    rf"(?:{_MODAL}\s+|(?:is|are)\s+(?={_PERSON}))(?:{_PERSON}\s+)?{_ADVERB}"
    r"(?:(?:like|want|need|have|advised?|told|tell|asked?)\s+"
    rf"(?:{_PERSON}\s+|him\s+|her\s+)?to\s+)?{_STOP}\b{_NO_OBJECT}"
)
_ONE_TO_STOP: Final = (
    r"(?:is|are)\s+(?:the\s+|an?\s+)?(?:[\w-]+\s+){0,3}?"
    r"(?:drug|medication|medicine|agent|class|treatment|one)s?\s+"
    rf"(?:(?:that|which)\s+{_IS}\s+{_ADVERB}(?:{_HARMFUL}|{_STOPPED})\b"
    rf"|to\s+{_STOP}\b{_NO_OBJECT}|(?:to\s+be\s+{_ADVERB})?(?:contraindicated|{_STOPPED})\b)"
)
_WITHHOLDS: Final = f"{_NOT_TO_GIVE}|{_NOT_FIT}|{_HARMS}|{_TO_STOP}|{_ONE_TO_STOP}"
_VERB: Final = rf"\b(?:is|are|was|were|has|have|had|did|{_MODAL})(?:n't|not)?\b"
_UP_TO_VERB: Final = rf"(?:(?!{_VERB})[^,;:?])*?"
_ASKS: Final = r"\b(?:which|what|name|identify|list|mention)\b"
_ASK: Final = re.compile(_ASKS)
_ASKED: Final = re.compile(
    rf"{_ASKS}(?:{_UP_TO_VERB}\b(?:{_WITHHOLDS})"
    rf"|{_UP_TO_VERB}\s(?:contraindicated\s+(?:in|for|with|during)\b|to\s+{_STOP}\b{_NO_OBJECT}"
    rf"|to\s+be\s+{_ADVERB}{_STOPPED}\b))"
)
_STEM: Final = re.compile(
    rf"\W*(?:(?!{_VERB})[\w-]+\s+){{0,4}}(?:contraindicated|to\s+be\s+{_STOPPED}|not\s+to\s+be\s+{_GIVEN})\b"
    r".*\b(?:is|are)\s*(?::.*|\W*)$"
)
GIVES: Final = re.compile(
    rf"(?<!not\s)(?<!never\s)(?<!n't\s)\b(?:{_GIVE}\b|be\s+{_ADVERB}{_GIVEN}\b|(?:is|are|which|what)\s+{_ADVERB}{_GIVEN}\b"
    r"|instead\b|alternative|replac\w+|substitut\w+|first[- ]line\b|of\s+choice\b)"
)
"""Words, in small letters, that ask for something to give, or say that it is to be given."""

_EXCEPT: Final = re.compile(r"\b(?:except|but\s+not)\b\W*(?:for\W*)?$")
_HARM: Final = re.compile(rf"\b(?:{_HARMFUL}|{_STOPPED})\b")
_WITH: Final = re.compile(r"\bwho\s+ha(?:s|ve)\b")
_RELATIVE: Final = re.compile(rf",\s+which\s+{_VERB}.*")
# What is said on the side: another verb than the one that asks.
_TAKEN: Final = re.compile(
    rf"\b(?:that\s+)?{_PERSON}\s+(?:takes|(?:is|are|was|has\s+been|have\s+been)\s+(?:\w+ly\s+)?"
    r"(?:taking|on|using|receiving))\b"
)
_ASIDE: Final = re.compile(
    r"\b(?:if|since|because|as|when|whenever|where|who|whom|whose|although|though|while|after|once"
    r"|until|unless|given\s+that)\b[^,?]*"
)


def asks_to_withhold(question: str) -> bool:
    """Say whether a question asks what to withhold, and nothing to give.

    Example:
        >>> asks_to_withhold("He has asthma. Which of these drugs should be avoided?")
        True
        >>> asks_to_withhold("Aspirin should be avoided. Which drug should be given?")
        False
    """
    lines = [part.lower() for part in split_sentences(question.replace("’", "'"))]
    asking = [part for part in lines if part.endswith("?")] or lines[-1:]
    kinds = [_kind(part) for part in asking]
    return "withholds" in kinds and "gives" not in kinds


def _kind(asking: str) -> str:
    if _EXCEPT.search(asking):
        return "withholds" if GIVES.search(asking) and not _HARM.search(asking) else "gives"
    if not asking.endswith("?"):
        asking = _RELATIVE.sub("", asking)
    plain = _ASIDE.sub(" ", _TAKEN.sub(" ", _WITH.sub("with", asking)))
    rest, withheld = _ASKED.subn(" ", plain[_start(plain) :])
    if GIVES.search(rest):
        return "gives"
    return "withholds" if withheld or _STEM.match(plain) else ""


def _start(asking: str) -> int:
    """Give where the question begins: what stands before only tells."""
    match = _ASK.search(asking)
    return match.start() if match else len(asking)
