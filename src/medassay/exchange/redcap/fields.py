"""What a rubric's questions are called in REDCap, and which number stands for each label."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from medassay.campaign.rating_sheet import HEADINGS, REASON_WORDS
from medassay.judgements import Dimension

__all__ = ["ANSWER", "RATER", "RATING", "RECORD", "RatingFields", "codes_of", "rating_fields",
           "shown_field"]  # fmt: skip

RECORD: Final = "record_id"
RATER: Final = "rater"
ANSWER: Final = "answer"
"""The form that holds what raters read: filled once for each record."""
RATING: Final = "rating"
"""The form that holds what a rater says: a repeating one, an instance a rater."""
_LONGEST: Final = 26
"""What REDCap recommends; it takes up to 100."""
_ENDINGS: Final = ("", "_why", "_sure", "_comment")
_STEM: Final = _LONGEST - len(max(_ENDINGS, key=len))


@dataclass(frozen=True, slots=True)
class RatingFields:
    """What the fields of one dimension are called.

    Attributes:
        dimension: The dimension.
        said: Takes the label or the number.
        reason: Takes why there is no number; labels have their reasons among the choices.
        confidence: Takes how sure the rater is.
        comment: Takes what the rater writes beside it.
    """

    dimension: Dimension
    said: str
    reason: str
    confidence: str
    comment: str


def shown_field(kind: str) -> str:
    """Give the name of the field that holds a kind of text."""
    return f"shown_{kind}"


def rating_fields(dimensions: Iterable[Dimension]) -> list[RatingFields]:
    """Name the fields of each dimension, as REDCap wants names.

    They are of small letters, digits and single underscores, begin with a letter, and have 2 to 26
    signs; no two are alike, and none is that of another field of the project.

    Example:
        >>> from medassay.judgements import Dimension
        >>> asked = [Dimension(id=name, question="How good?", number={}) for name in
        ...          ("answers-question", "Qualité (1)".replace("(1)", "1"), "質", "rater")]
        >>> [fields.said for fields in rating_fields(asked)]
        ['answers_question', 'qualite_1', 'dimension', 'rater_2']
        >>> rating_fields(asked)[0].comment
        'answers_question_comment'
    """
    taken = {RECORD, RATER, *map(shown_field, (*HEADINGS, "texts"))}
    taken |= {f"{form}_{what}" for form in (ANSWER, RATING) for what in ("complete", "timestamp")}
    named = []
    for dimension in dimensions:
        stem = _stem(dimension.id)
        tries = (_names(stem, number) for number in count(1))
        names = next(some for some in tries if taken.isdisjoint(some))
        taken.update(names)
        said, reason, confidence, comment = names
        named.append(RatingFields(dimension, said, reason, confidence, comment))
    return named


def codes_of(words: Sequence[str], scores: Sequence[float] | None = None) -> dict[str, str]:
    """Give each word a whole number: its own, else its score, else its place from 1.

    Reasons why there is no word follow under 98 and 99, as usual in clinical data, or under 998 and
    999 where a word has one of these.

    Returns:
        Word to code; the reasons last.

    Example:
        >>> codes_of(["1", "2", "3"])
        {'1': '1', '2': '2', '3': '3', 'cannot judge': '98', 'not applicable': '99'}
        >>> codes_of(["no", "yes"], [0, 1])["yes"], codes_of(["no", "yes"])["yes"]
        ('1', '2')
        >>> codes_of(["0", "98"])["cannot judge"]
        '998'
    """
    own = [str(int(word)) for word in words if re.fullmatch(r"[0-9]{1,9}", word)]
    by_score = [str(int(score)) for score in scores or () if score >= 0 and score == int(score)]
    places = [str(place) for place in range(1, len(words) + 1)]
    codes = next(some for some in (own, by_score, places) if len(set(some)) == len(words))
    last = next(
        number
        for number in (10**digits for digits in count(2))
        if not {str(number - 2), str(number - 1)} & {*codes}
    )
    reasons = {word: str(last - 2 + place) for place, word in enumerate(REASON_WORDS)}
    return {**dict(zip(words, codes, strict=True)), **reasons}


def _names(stem: str, number: int) -> list[str]:
    end = "" if number == 1 else f"_{number}"
    candidate = stem[: _STEM - len(end)].rstrip("_") + end
    return [candidate + ending for ending in _ENDINGS]


def _stem(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    if not stem:
        return "dimension"
    # "redcap_" begins names that REDCap has for itself.
    odd = not stem[0].isalpha() or len(stem) == 1 or stem.startswith("redcap")
    return f"d_{stem}" if odd else stem
