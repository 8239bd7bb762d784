"""Split text into sentences by a rule that fits on one page."""

import re
from typing import Final

__all__ = ["split_sentences"]

# A full stop after one of these, or after a single capital letter, ends no sentence.
_ABBREVIATION: Final = re.compile(
    "approx|ca|cf|dr|e[.]g|eq|etc|fig|i[.]e|inc|mr|mrs|ms|no|nos|prof|resp|st|vs", re.IGNORECASE
)
# A row of stops is tried once, from its first: a text of nothing but stops takes no longer.
_END: Final = re.compile(r"((?<![.!?…])[.!?…]++[\"'”’)\]]*+)\s+(?=[\"'“‘(\[]*+[^\W_a-z])")
_FAR: Final = 16  # letters: more than any abbreviation has
_LAST_WORD: Final = re.compile(r"[^\s(\[\"'“‘]*$")


def split_sentences(text: str) -> list[str]:
    r"""Split at line breaks, and at . ! ? … before a blank and anything but a small letter.

    A full stop after a common abbreviation (e.g., vs., Dr.) or an initial does not count. The rule
    is for metrics and displays that need the same pieces everywhere; it is no linguistic model.
    ROUGE-Lsum does not use it: it splits at line breaks only.

    Example:
        >>> split_sentences("Dr. Wu saw her at 3.5 h. She was well!\nHe left.")
        ['Dr. Wu saw her at 3.5 h.', 'She was well!', 'He left.']
    """
    sentences = []
    for line in text.splitlines():
        start = 0
        for end in _END.finditer(line):
            near = max(start, end.start() - _FAR)
            if end[1] == "." and _is_abbreviation(line[near : end.start()]):
                continue
            sentences.append(line[start : end.end(1)].strip())
            start = end.end()
        sentences.append(line[start:].strip())
    return [sentence for sentence in sentences if sentence]


def _is_abbreviation(before: str) -> bool:
    match = _LAST_WORD.search(before)
    word = match[0] if match else ""
    return _ABBREVIATION.fullmatch(word) is not None or (len(word) == 1 and word.isupper())
