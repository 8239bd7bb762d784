"""Which option an answer in free text chooses, or why it chooses none."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from medassay.answers.record import Answer
from medassay.cases import Case

_NEAR: Final = 40
"""How many characters before an option may deny it."""
_DEEPEST: Final = 3
"""How deep LaTeX boxes are opened."""
_WALK: Final = 3
"""So many items that begin with one option each are a discussion."""
_ITEMS: Final = re.compile(r"[\n,;]")
_PIECES: Final = re.compile(r"\n+|(?<!\b[A-Za-z]\.)(?<=[.!?;:])\s+")
_SENTENCE_END: Final = re.compile(r"[.!?;](?=\s)|\n")
_DRESSED: Final = re.compile(r"[(\[]?\s*(\w+)\s*[)\].:]?")
"""`(A)`, `[A]`, `A.`, `A)`, `A:`; the letters of options differ by more than capitals."""
_KIND = (
    r"(?:final|correct|right|best|better|likely|likeliest|probable|appropriate|suitable|single"
    r"|selected|chosen|most|my|the)"
)
_NOUN = (
    r"(?:answer|option|choice|ans|diagnosis|selection|selected|treatment|step|drug|pick|guess|one"
    r"|response|conclusion|key|letter|decision|solution|cause)"
)
_ADVERB = (
    r"(?:therefore|thus|hence|then|most|likely|probably|clearly|definitely|actually|certainly"
    r"|indeed|still|undoubtedly|obviously|simply)"
)
_IS = (
    rf"(?:\s*(?:\s(?:is|was|remains)"
    rf"|\s(?:would|should|must|could|will|has\ to)\s+(?:{_ADVERB}\s+)?be"
    rf"|'s)\b(?:\s+{_ADVERB})*\s*:?|\s*[:=\-\u2013\u2014]|\.(?=\s*\())"
)
_OF_WHAT = (
    r"(?:\s+(?:choice|option|here)"
    r"|\s+(?:for|in|among|of|to)\s+(?:this|that|these|those|the|our|him|her|his)(?:\s+\w+){0,4}?"
    r"|,[^,.;:\n]{1,40},)?"
)
_BEFORE: Final = re.compile(
    rf"""(?x)
    \b(?:{_KIND}\s+){{0,5}}{_NOUN}{_OF_WHAT}["']?{_IS}\s*
    | \b(?:correct|right|best|likeliest|most[ ]likely|most[ ]appropriate){_OF_WHAT}{_IS}\s*
    | \b{_NOUN}\s*\n\s*
    | <answer>\s*
    | ["'](?:\w+[_ ])?(?:answer|choice|option|selection|prediction|letter)(?:[_ ]\w+)?["']\s*:\s*
    | \b(?:i|we)(?:[ ](?:would|will)|'d|'ll)?[ ](?:{_ADVERB}[ ])?
        (?:choose|select|pick|chose|go[ ](?:with|for)|opt[ ]for|settle[ ](?:on|for)|lean[ ]towards?
        |vote[ ]for)\s+
    | \bgoing[ ]with\s+ | (?:^|[.:;])\s*(?:choose|select|pick)\s+
    | ^\W*(?:probably|definitely|certainly|surely|most[ ]likely|likely)\b[,:]?\s+
    | \bit(?:[ ](?:is|must[ ]be|has[ ]to[ ]be|should[ ]be|can[ ]only[ ]be)|'s)\s+(?:{_ADVERB}\s+)*
    | \b(?:so|therefore|hence|thus)\b[,:]?\s+(?=\(|["']?[a-z0-9]\s*[.\n]|["']?[a-z0-9]\s*$)
    """
)
"""What stands before the option in a sentence that chooses; for text in lower case, which is
quicker to search."""
_SECOND: Final = re.compile(r"(?i)\b(?:second|third|alternative|other)[\s-]+$")
"""What ends where such a phrase speaks of another option than the chosen one."""
_IF: Final = re.compile(r"(?i)\b(?:if|unless|were)\b(?!.*\b(?:so|therefore|thus|hence)\b)")
"""What makes a sentence a condition: the choice would be another in another case."""
_LEAVES: Final = re.compile(
    r"\b(?:leaves|leaving|leaves us with|point(?:s|ing)? to|consistent with|in favou?r of"
    r"|supports?)\s+"
)
"""What stands before an option's letter where the rest is thought out; read after all of BEFORE,
in lower case too."""
_RIGHT: Final = re.compile(
    rf"(?i)(?:\s*,)?\s*(?:is|are|would be|should be|must be|has to be)"
    rf"\s+(?:{_ADVERB}\s+)?(?:both\s+)?"
    r"(?:the\s+|my\s+)?(?:most\s+|single\s+|final\s+)?"
    r"(?:correct|right|best|true|preferable|preferred"
    r"|more (?:likely|probable|appropriate|suitable)|answer\b|choice\b|pick\b"
    r"|likely answer|likely diagnosis|appropriate|likely\b"
    r"|better\s*(?:[.,;]|$|than\b))"
    r"|\s*makes\s+(?:the\s+)?most\s+sense"
)
"""What stands after an option that is chosen."""
_WRONG: Final = re.compile(
    r"(?i)\s*(?:is|are|was|were|(?:can|has|should|must|would|could|may)\s+be(?:en)?|does|do|would"
    r"|should|must|can)\s+(?:also\s+|both\s+|all\s+|therefore\s+|clearly\s+)?"
    r"(?:not\b(?!\s+(?:only|just|merely))|never\b|wrong|incorrect|false|unlikely"
    r"|excluded|ruled out|less likely|inappropriate|contraindicated"
    r"|avoided|harmful|dangerous|unsafe|stopped|eliminated)"
    r"|\s*(?:cannot|can't|isn't|aren't|wasn't|doesn't|don't|shouldn't|wouldn't)\b"
)
"""What stands after an option that is denied."""
_DENIED: Final = re.compile(
    r"(?i)(?:\bno|\bno sign of|\bno evidence of|\bneither|\bnor|\brather than|\binstead of"
    r"|\bwithout|\brul(?:e|es|ed|ing) out|\bexclud(?:e|es|ed|ing)|\beliminat(?:e|es|ed|ing)"
    r"|\bavoid(?:s|ed|ing)?|\bunlike|\bagainst"
    r"|\b(?:unlikely|wrong|incorrect|excluded|ruled out),?\s+and\s+so\s+(?:is|are)"
    r"|(?:\bnot|\bnever|\bcannot|n't)(?!\s+(?:only|just|merely|delay|withhold|stop|omit|forget))"
    r"(?:\s+(?:to|be|use|using|give|giving|start|starting|take|taking|choose|choosing|prescribe"
    r"|prescribing|recommend|recommended)){0,2})"
    r"(?:\s+(?:option|choice|a|an|the|be))*\s*[(\[]?$"
)
"""What ends where an option that is denied begins."""
_NOT: Final = re.compile(r"(?i)\bnot\s+")
"""What begins 'not this but that'."""
_BUT: Final = re.compile(r"(?i)[)\]\"']?\s*,?\s*but\s+(?:rather\s+)?")
"""What stands between the two."""
_REFUSAL: Final = re.compile(
    r"""(?xi)
    \b(?:can(?:not|[ ]not|'t)|unable[ ]to|not[ ]able[ ]to|won't|refuse[ ]to)[ ]
        (?:\w+[ ])?(?:answer|provide|give|recommend|determine|be[ ](?:determined|answered)|say
        |advise|choose|select|help|decide|tell)
    | \b(?:do|does)(?:[ ]not|n't)[ ]know\b
    | (?:\bnot|n't)[ ](?:have[ ])?(?:enough|sufficient)\b | \b(?:insufficient|inadequate)[ ]
        (?:information|data|evidence|context|details?)
    | \b(?:do|does|did)(?:[ ]not|n't)[ ](?:contain|provide|include|mention|address|specify|give)\b
        .{0,40}?\b(?:information|answer|details?|data)
    | \bneeds?[ ](?:more|further|additional)[ ](?:information|data|details?|context)\b
    | \bas[ ]an[ ]ai\b
    | \b(?:consult|see|ask)[ ](?:a|your)[ ](?:doctor|physician|clinician|healthcare)
    | \bnone[ ]of[ ](?:the|these|those)\b
    | \bno[ ](?:option|choice)\b.{0,15}\b(?:fits?|applies|correct|right|suitable)\b
    | ^\W*(?:none|n/?a|unknown|unsure|unclear|no[ ]answer)\W*$
    | \bI[ ]am[ ]unsure\b | \bI'm[ ]not[ ]sure\b | \bI[ ]am[ ]not[ ]sure\b
    """
)
"""What an answer says that declines to choose."""
_SHORTEST: Final = 4
"""Options shorter than this, such as 'no', stand in texts that mean something else."""
_DRESS: Final = 60
"""So many more characters than the longest option has may stand around one."""
_JOIN = r"[\"']?\s*(?:,\s*(?:and|or)?|/|\bor\b(?:\s+possibly\b)?|\band\b|&)\s*[\"']?"
_AGAIN: Final = re.compile(r"(?i)\b(\w+)\b.*?,\s*(?=\1$)")
_LEAD = r"(?:(?:either|both|all of|option|choice|answer)\s+)*"


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


def parse_choice(text: str, options: Mapping[str, str]) -> ParsedChoice:
    """Find which option an answer in free text chooses.

    Read in this order, and the first that speaks decides: the text is nothing but an option's
    letter or words; a sentence that chooses ('The answer is (B)', 'B is correct'; of several the
    last, for people and models correct themselves, but not what would hold 'if'); a last line or
    sentence that is nothing but an option; an
    option's letter at the start, unless the lines walk through the options; an option that the
    rest 'leaves' or 'points to'; a single option named by its letter, then by its words, and not
    denied. What a model thinks aloud before </think> is not its answer. 'A or B' is several, a
    letter that is no option is said to be none, and nothing is ever guessed. The phrases known are
    English.

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
    for read in (_whole, _chosen, _alone, _leading, _left, _named):
        parsed = read(plain, words)
        if parsed is not None:
            return parsed
    refused = _REFUSAL.search(plain)
    if refused is not None:
        return ParsedChoice(None, NoChoice.REFUSAL, refused[0])
    return ParsedChoice(None, NoChoice.NONE, "")


def _plain(text: str) -> str:
    """Take out what only dresses the text: thinking aloud, Markdown, LaTeX boxes, code fences."""
    text = re.sub(r"(?is)^.*</think(?:ing)?>(?=.*\w)", "", text)
    for _ in range(_DEEPEST if "\\" in text else 0):
        text = re.sub(r"\\(?:boxed|text\w*|math\w*)\s*\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"```\w*|[*`$#]+|\\[()\[\]]|\b_+|_+\b", " ", text).replace("’", "'")
    return text.strip()


@dataclass(frozen=True, slots=True)
class OptionWords:
    """The patterns that find the options of a case.

    Attributes:
        names: Letter as written in the case, by its lower-case form.
        phrases_of: Letters of the options that have these words, by the words.
        listed: One option's letter or several joined.
        phrase: Any option's words, the longest first; None if there are none to look for.
        longest: The characters of the longest option.
        alike: What looks like a letter of these options whether or not it is one.
    """

    names: dict[str, str]
    phrases_of: dict[str, tuple[str, ...]]
    listed: re.Pattern[str]
    phrase: re.Pattern[str] | None
    longest: int
    alike: re.Pattern[str]

    def whole(self, text: str) -> tuple[str, ...] | None:
        """Read a text that is nothing but an option; None if it is more."""
        if len(text) > self.longest + _DRESS:
            return None
        bare = re.sub(r"(?i)^\W*(?:(?:option|choice|answer|ans|selected)\b\W*)*|\W+$", "", text)
        if bare.lower() in self.names:
            return (self.names[bare.lower()],)
        return self.phrases_of.get(_words(text)) or self.phrases_of.get(_words(bare))

    def at_start(self, text: str, *, leading: bool = False) -> tuple[tuple[str, ...], int] | None:
        """Read the option, or options joined, that a text begins with, and how long that is.

        Args:
            text: What follows a phrase that chooses, or a whole answer.
            leading: It is a whole answer: then a letter must be set off from the words after it.

        Returns:
            Letters (none for a letter that is no option), and the length; None if neither a letter
            nor the words of an option stand there.
        """
        opened = re.match(r"(?i)[\s\"'\[{]*(?:the\s+)?", text)
        skip = opened.end() if opened else 0
        listed = self.listed.match(text, skip)
        if listed is not None and self._set_off(text, listed, leading=leading):
            return self._named(listed[0]), listed.end()
        if self.phrase is not None:
            phrase = self.phrase.match(text, skip)
            if phrase is not None:
                return self._phrases_joined(text, phrase)
        other = self.alike.match(text, skip)
        if other is not None and self._set_off(text, other, leading=leading):
            return None if self._named(other[0]) else ((), other.end())
        return None

    def lists(self, text: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
        """Find every letter or list of letters, with where it begins and ends."""
        for match in self.listed.finditer(text):
            if len(match[0]) == 1 and match[0].islower():  # 'a' is a word
                continue
            begin, end = match.span()
            again = _AGAIN.search(match[0]) if "," in match[0] else None
            if again is not None:  # 'of A and B, B is right' lists two and goes on
                yield self._named(match[0][: again.end()]), begin, begin + again.end()
                begin += again.end()
            yield self._named(text[begin:end]), begin, end

    def letters(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Find every letter that is marked as an option: in brackets, or after 'option'."""
        for match in self.listed.finditer(text):
            if re.match(r"(?i)[(\[]|(?:option|choice)\b", match[0]):
                for name in self._named(match[0]):
                    yield name, match.start(), match.end()

    def several(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Find the letters of every list of two or more, marked or not."""
        for names, begin, end in self.lists(text):
            if len(names) > 1:
                for name in names:
                    yield name, begin, end

    def phrases(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Find the words of every option in the text."""
        if self.phrase is None:
            return
        for match in self.phrase.finditer(text):
            for name in self.phrases_of[_words(match[0])]:
                yield name, match.start(), match.end()

    def _named(self, listed: str) -> tuple[str, ...]:
        pieces = re.split(r"[\s,/&()\[\]\"']+", listed)
        names = (self.names[piece.lower()] for piece in pieces if piece.lower() in self.names)
        return tuple(dict.fromkeys(names))

    def _set_off(self, text: str, match: re.Match[str], *, leading: bool) -> bool:
        """Say whether what looks like a letter is one, and not an article or an abbreviation."""
        bare, after = match[0].strip(), text[match.end() :]
        small = len(bare) == 1 and bare.islower()
        if small and not re.match(r"\s*(?:$|[.,;:)\]}\"'\n])", after):
            return False
        if not leading or not bare[-1:].isalnum():
            return not (leading and re.match(r"\s+(?:is|are)\b", after))
        if self.phrase is not None and self.phrase.match(after.lstrip(" .:)-,")):
            return True
        # 'E. coli' is no choice of E; 'E. Ceftriaxone' is one.
        return re.match(r"\s*(?:$|[)\]:\n]|[-,]\s|\.\s*(?:$|[^a-z\s]))", after) is not None

    def _phrases_joined(self, text: str, first: re.Match[str]) -> tuple[tuple[str, ...], int]:
        names, end = list(self.phrases_of[_words(first[0])]), first.end()
        while (join := re.compile(_JOIN).match(text, end)) and self.phrase is not None:
            more = self.phrase.match(text, join.end())
            if more is None:
                break
            names += self.phrases_of[_words(more[0])]
            end = more.end()
        return tuple(dict.fromkeys(names)), end


def _whole(text: str, words: OptionWords) -> ParsedChoice | None:
    names = words.whole(text)
    return None if names is None else _parsed(names, text)


def _chosen(text: str, words: OptionWords) -> ParsedChoice | None:
    """Read the last sentence that chooses."""
    readings = [*_after(_BEFORE, text, words), *_turned(text, words)]
    readings += _before(words.lists(text), text)
    if not readings:
        phrases = words.phrases(text)
        readings += _before((((name,), begin, end) for name, begin, end in phrases), text)
    own = _without_options(text, words)
    return _last([reading for reading in readings if not _conditional(own, reading[0])]) or _last(
        readings
    )


def _without_options(text: str, words: OptionWords) -> str:
    """Blank the options' words, each letter at its place: an 'if' of theirs is no condition."""
    letters = list(text)
    for _, begin, end in words.phrases(text):
        letters[begin:end] = " " * (end - begin)
    return "".join(letters)


def _before(
    named: Iterable[tuple[tuple[str, ...], int, int]], text: str
) -> Iterator[tuple[int, ParsedChoice]]:
    """Find each option that such a phrase stands after, and that is not denied before it."""
    for names, begin, end in named:
        right = _RIGHT.match(text, end)
        if right is not None and not _denied_before(text, begin):
            yield begin, _parsed(names, text[begin : right.end()])


def _conditional(text: str, at: int) -> bool:
    """Say whether the sentence around a place says what would hold in another case."""
    begin = max(text.rfind(mark, 0, at) for mark in ".!?;\n") + 1
    end = _SENTENCE_END.search(text, at)
    return _IF.search(text[begin : end.start() if end else None]) is not None


def _after(
    cue: re.Pattern[str], text: str, words: OptionWords
) -> Iterator[tuple[int, ParsedChoice]]:
    """Find each option that such a phrase stands before, and that is not denied after it."""
    for before in cue.finditer(_lower(text)):
        if _SECOND.search(text, max(0, before.start() - _NEAR), before.start()):
            continue
        target = words.at_start(text[before.end() :])
        if target is not None:
            names, length = target
            end = before.end() + length
            if not _WRONG.match(text, end):
                yield before.end(), _parsed(names, text[before.start() : end])


def _lower(text: str) -> str:
    """Give the text in lower case, every letter at its place."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


def _turned(text: str, words: OptionWords) -> Iterator[tuple[int, ParsedChoice]]:
    """Find each 'not A but B'."""
    for denial in _NOT.finditer(text):
        first = words.at_start(text[denial.end() :])
        turn = None if first is None else _BUT.match(text, denial.end() + first[1])
        second = None if turn is None else words.at_start(text[turn.end() :])
        if turn is not None and second is not None:
            names, length = second
            yield turn.end(), _parsed(names, text[denial.start() : turn.end() + length])


def _last(readings: list[tuple[int, ParsedChoice]]) -> ParsedChoice | None:
    return max(readings, key=lambda reading: reading[0])[1] if readings else None


def _left(text: str, words: OptionWords) -> ParsedChoice | None:
    """Read the last sentence that leaves an option, by its letter."""
    letters = replace(words, phrase=None)
    return _last(
        [reading for reading in _after(_LEAVES, text, letters) if reading[1].choice is not None]
    )


def _alone(text: str, words: OptionWords) -> ParsedChoice | None:
    """Read the last line or sentence, where it is nothing but an option and no other is one."""
    pieces = [piece for piece in _PIECES.split(text) if re.search(r"\w", piece)]
    choices_named = [words.whole(piece) for piece in pieces]
    if (
        choices_named[-1:] == [None]
        or len({names for names in choices_named if names is not None}) != 1
    ):
        return None
    return _parsed(choices_named[-1] or (), pieces[-1])


def _leading(text: str, words: OptionWords) -> ParsedChoice | None:
    start = words.at_start(text, leading=True)
    if start is None or _WRONG.match(text, start[1]) or _walks_through(text, words):
        return None
    return _parsed(start[0], text[: start[1]])


def _walks_through(text: str, words: OptionWords) -> bool:
    """Say whether it begins with one option after the other: a discussion, not a choice."""
    pieces = [piece for piece in _ITEMS.split(text, maxsplit=2 * _WALK) if piece.strip()]
    starts = [words.at_start(piece, leading=True) for piece in pieces]
    named = [start[0] if start else () for start in starts[:_WALK]]
    return len(named) == _WALK and all(named) and len(set(named)) == _WALK


def _named(text: str, words: OptionWords) -> ParsedChoice | None:
    """Read the only option that is named and not denied, by letter or else by words."""
    for mentions in (words.letters(text), words.phrases(text), words.several(text)):
        left = {name: at for name, *at in mentions if not _denied(text, *at)}
        if left:
            begin, end = next(iter(left.values()))
            return _parsed(tuple(left), text[begin:end])
    return None


def _denied(text: str, begin: int, end: int) -> bool:
    return _WRONG.match(text, end) is not None or _denied_before(text, begin)


def _denied_before(text: str, begin: int) -> bool:
    return _DENIED.search(text, max(0, begin - _NEAR), begin) is not None


def _parsed(names: tuple[str, ...], text: str) -> ParsedChoice:
    if not names:
        return ParsedChoice(None, NoChoice.NOT_AN_OPTION, text)
    if len(names) > 1:
        return ParsedChoice(None, NoChoice.SEVERAL, text)
    return ParsedChoice(names[0], None, text)


def chosen_option(case: Case, answer: Answer) -> str | None:
    """Give the option that an answer chooses: the one it states, or the one its text is read as.

    Example:
        >>> case = Case(case="1", options={"A": "Rest", "B": "Surgery"}, gold="A")
        >>> chosen_option(case, Answer(system="S", case="1", text="The answer is (A)."))
        'A'
    """
    if answer.choice is None:
        return parse_choice(answer.text or "", case.options).choice
    return answer.choice if answer.choice in case.options else None


def letter_meant(choice: str, options: Mapping[str, str]) -> str | None:
    """Find the option whose letter a stated choice is, but for capitals, brackets and a full stop.

    Args:
        choice: What stands under `choice`.
        options: The options of the case, letter to text.

    Returns:
        The letter as the case writes it; None where it is none, or might be two.

    Example:
        >>> options = {"A": "Rest", "B": "Ice"}
        >>> letter_meant("(a)", options), letter_meant("A or B", options)
        ('A', None)
    """
    if choice in options:
        return choice
    dressed = _DRESSED.fullmatch(choice)
    if dressed is None:
        return None
    alike = [letter for letter in options if letter.lower() == dressed[1].lower()]
    return alike[0] if len(alike) == 1 else None


@lru_cache(maxsize=4096)
def option_words(options: tuple[tuple[str, str], ...]) -> OptionWords:
    """Make the patterns for these options, pairs of letter and text."""
    names = {name.lower(): name for name, _ in options}
    single = all(len(name) == 1 for name in names.values())
    # A single letter counts when it is a capital or stands in brackets: 'a' is a word.
    forms = sorted(names.values(), key=len, reverse=True)
    each = "|".join(map(re.escape, forms))
    single_letter = rf"(?:[(\[]\s*(?i:{each})\s*[)\]]|(?<![\w\-])(?:{each})(?![\w\-'])\)?)"
    small = rf"(?:[(\[]\s*(?i:{each})\s*[)\]]|(?<![\w\-])(?i:{each})(?![\w\-'])\)?)"
    mark = rf"(?:(?i:{_LEAD}))"
    listed = re.compile(rf"{mark}(?:{single_letter}|{small})(?:(?i:{_JOIN}){mark}{single_letter})*")
    kind = r"[A-Za-z]" if any(name.isalpha() for name in names.values()) else r"\d"
    alike = rf"{mark}(?:\(\s*{kind}\s*\)|(?<![\w\-]){kind.replace('a-z', '')}(?![\w\-'])\)?)"
    texts: dict[str, list[str]] = {}
    for name, text in options:
        words = _words(text)
        if len(words) >= _SHORTEST and words not in names:
            texts.setdefault(words, []).append(name)
    phrase = "|".join(
        r"\W+".join(map(re.escape, words.split()))
        for words in sorted(texts, key=lambda words: (-len(words), words))
    )
    return OptionWords(
        names,
        {words: tuple(letters) for words, letters in texts.items()},
        listed,
        re.compile(rf"(?i)(?<!\w)(?:{phrase})(?!\w)") if phrase else None,
        max((len(name) + len(text) for name, text in options), default=0),
        re.compile(alike if single else r"(?!)"),
    )


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
