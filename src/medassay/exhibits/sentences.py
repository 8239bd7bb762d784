"""Words made into sentences: captions, and groups of systems whose order is undecided."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final


def stopped(text: str) -> str:
    """End with a full stop, once.

    Example:
        >>> stopped("the 50 cases"), stopped("Done."), stopped("")
        ('the 50 cases.', 'Done.', '')
    """
    text = text.strip()
    return text.rstrip(". ") + "." if text else ""


_BEYOND: Final = re.compile(
    r"\bnew (cases|questions)(?: of the same kind)?\b|\b(cases|answers|questions) like these\b"
)
"""Words of cases beyond a study's own."""


def of_cases(text: str, *, drawn: str | None, again: str = " drawn again") -> str:
    """Speak of a study's own cases, where nothing says how they were drawn.

    Args:
        text: Any text of ours.
        drawn: What study.toml says of how cases were drawn.
        again: Stands after "these cases"; empty where the cases are held fixed.

    Example:
        >>> of_cases("These bounds are for new cases.", drawn=None, again="")
        'These bounds are for these cases.'
        >>> of_cases("for these systems, new cases", drawn="by lot")
        'for these systems, new cases'
    """
    if drawn:
        return text
    return _BEYOND.sub(lambda said: f"these {said[1] or said[2]}{again}", text)


def as_sentence(text: str) -> str:
    """Begin with a capital and end with a full stop.

    Example:
        >>> as_sentence("no answer has two labels")
        'No answer has two labels.'
    """
    return upper_first(stopped(text))


def upper_first(text: str) -> str:
    """Begin with a capital, and leave the rest.

    Example:
        >>> upper_first("MACE"), upper_first("majority")
        ('MACE', 'Majority')
    """
    return text[:1].upper() + text[1:]


def adjusted_words(adjusted: Iterable[bool]) -> str:
    """Say of how many values means are adjusted by case; empty where of none.

    Example:
        >>> adjusted_words([False, False])
        ''
        >>> adjusted_words([True, False])
        'In 1 of 2 not every system has a value on every case: there means are adjusted by case \
(least squares, system + case), so that nobody is ahead for having had the easy ones.'
    """
    each = list(adjusted)
    many = sum(each)
    if not many:
        return ""
    where = "Not every system has a value on every case: means"
    if many < len(each):
        where = f"In {many} of {len(each)} not every system has a value on every case: there means"
    return (
        f"{where} are adjusted by case (least squares, system + case), so that nobody is ahead for "
        "having had the easy ones."
    )


_SENTENCE: Final = re.compile(r"(?<=[.?!]) (?=[A-Z†*0-9≤])")
_LONGEST: Final = 40
"""Words that stand above; what is more is a note below."""


class Captioned:
    """What has a caption: its first sentences stand above, the rest below."""

    __slots__ = ()
    caption: str

    @property
    def lead(self) -> str:
        """The caption's first sentences, of 40 words at most together."""
        return caption_and_note(self.caption)[0]

    @property
    def note(self) -> str:
        """What else there is to know, said below."""
        return caption_and_note(self.caption)[1]


def caption_and_note(text: str) -> tuple[str, str]:
    """Part a caption into what stands above a table and what stands below it.

    The first sentence always stands above; others do as long as all are 40 words at most.

    Example:
        >>> caption_and_note("Means over 20 cases. " + "Much more. " * 30)[0].split()[:4]
        ['Means', 'over', '20', 'cases.']
        >>> caption_and_note("Means over 20 cases.")
        ('Means over 20 cases.', '')
    """
    sentences = caption_sentences(text)
    taken = 1
    while taken < len(sentences) and _words(sentences[: taken + 1]) <= _LONGEST:
        taken += 1
    return " ".join(sentences[:taken]), " ".join(sentences[taken:])


def caption_sentences(text: str) -> list[str]:
    """Part a caption at its full stops.

    Example:
        >>> caption_sentences("Means. 95% CI: t, e.g. over cases.")
        ['Means.', '95% CI: t, e.g. over cases.']
    """
    return _SENTENCE.split(text)


def _words(sentences: list[str]) -> int:
    return sum(len(sentence.split()) for sentence in sentences)


_NUMBER: Final = r"((?:over )?[−-]?\d[\d.,%]*)"
BOUNDS: Final = re.compile(rf"\[{_NUMBER}(?:, |–){_NUMBER}\]")
_BOTH: Final = re.compile(rf"\[{_NUMBER}\]")
"""An interval whose ends are the same."""


def spoken(text: str, what: str = "") -> str:
    """Print the intervals of tables as sentences do, and say what they are.

    Example:
        >>> spoken("0.37 [0.28, 0.47]", "95% CI ")
        '0.37 (95% CI 0.28 to 0.47)'
    """
    return _BOTH.sub(rf"({what}\1)", BOUNDS.sub(rf"({what}\1 to \2)", text))


_LETTER: Final = re.compile(r"[A-Za-z]\d*")
MANY: Final = (
    "A group counts the systems above and below whose order with the system is undecided (in the "
    "file it is letters, which these share)"
)
_MOST_LETTERS: Final = 16
"""So many letters fit beside each other on a page; 28 systems have had eleven."""


def letters_of(letters: str) -> list[str]:
    """Part a system's letters; beyond the alphabet one has a number.

    Example:
        >>> letters_of("abZa1b12")
        ['a', 'b', 'Z', 'a1', 'b12']
    """
    return _LETTER.findall(letters)


def ordered_letters(every: Sequence[str]) -> list[str]:
    """List the letters of all systems once, in the order in which they are given out.

    Example:
        >>> ordered_letters(["Ba1", "ab", "a"])
        ['a', 'b', 'B', 'a1']
    """
    every_letter = {letter for letters in every for letter in letters_of(letters)}
    return sorted(every_letter, key=lambda own: (int(own[1:] or 0), own[0].isupper(), own[0]))


def spanned(letters: str) -> str:
    """Print a system's letters, three or more in a row by the first and the last.

    Example:
        >>> spanned("abcdf"), spanned("ab"), spanned("Za1")
        ('a–d f', 'a b', 'Z a1')
    """
    runs: list[list[str]] = []
    for letter in letters_of(letters):
        last = runs[-1][-1] if runs else ""
        if len(last) == len(letter) == 1 and ord(letter) == ord(last) + 1:
            runs[-1].append(letter)
        else:
            runs.append([letter])
    few = 2
    return " ".join(" ".join(own) if len(own) <= few else f"{own[0]}–{own[-1]}" for own in runs)


def alike(first: str, second: str) -> bool:
    """Say whether two systems share a letter, so that their order is undecided.

    Example:
        >>> alike("ab", "bc"), alike("a", "a1")
        (True, False)
    """
    return not set(letters_of(first)).isdisjoint(letters_of(second))


def in_letters(letters: Iterable[tuple[str, str]]) -> bool:
    """Say whether tables print letters: no column has more than fit beside each other.

    Args:
        letters: A column and the letters of one system in it, for every one of both.

    Example:
        >>> in_letters([("tone", "ab"), ("tone", "bc")])
        True
    """
    of_column: dict[str, list[str]] = {}
    for column, own in letters:
        of_column.setdefault(column, []).append(own)
    return all(len(ordered_letters(every)) <= _MOST_LETTERS for every in of_column.values())


def alike_words(letters: Mapping[str, str]) -> dict[str, str]:
    """Say in words of how many systems the order with each is undecided.

    Args:
        letters: System to its letters, best first; those without letters were not compared.

    Example:
        >>> alike_words({"A": "a", "B": "ab", "C": "b", "D": "c"})
        {'A': '1 below', 'B': '1 above, 1 below', 'C': '1 above', 'D': 'none'}
    """
    compared = [(system, set(letters_of(own))) for system, own in letters.items() if own]
    words = {}
    for place, (system, own) in enumerate(compared):
        above = sum(not own.isdisjoint(other) for _, other in compared[:place])
        below = sum(not own.isdisjoint(other) for _, other in compared[place + 1 :])
        parts = [f"{n} {where}" for n, where in ((above, "above"), (below, "below")) if n]
        words[system] = ", ".join(parts) or "none"
    return words
