"""Is the answer, in its own words, one of those that count as right?"""

import re
import string
from collections.abc import Mapping, Sequence
from typing import Final

from medassay.cases import Case
from medassay.metrics.declaration import TEXT, Declaration, Direction, Need, references
from medassay.metrics.registry import Pair, metric
from medassay.scores import Reason, Score, Unscored

_ARTICLES: Final = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)


def _accepted(case: Case) -> tuple[str, ...] | None:
    return references(case, "human") or None


_DECLARATION: Final = Declaration(
    name="text_match",
    title="Exact match of short answers",
    question="Is the answer one of the accepted ones, but for case, punctuation and articles?",
    unit="1 for one of the accepted answers and 0 for any other, so that the mean is a share",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=(
        Need(words="reference of kind human", of_case=_accepted),
        TEXT,
    ),
    if_no_answer=0,
    if_empty=0,
    undefined_when="no reference has anything left without punctuation and articles",
    blind_spots=(
        "A right answer in a sentence, or in other words than those accepted, counts nothing.",
        "Articles and punctuation are English and ASCII; signs such as < and % go too.",
        "All wrong answers are equally wrong, the dangerous one too.",
    ),
    reference="the exact match of SQuAD, Rajpurkar et al. 2016, doi:10.18653/v1/D16-1264: any of"
    " several accepted answers counts",
)


def normalised_answer(text: str) -> str:
    """Put in lower case; leave out ASCII punctuation, then English articles and extra blanks.

    Example:
        >>> normalised_answer("The  beta-blocker."), normalised_answer("An MRI of a knee")
        ('betablocker', 'mri of knee')
    """
    bare = text.lower().translate(_NO_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


@metric(_DECLARATION)
def text_match(pairs: Sequence[Pair], arguments: Mapping[str, str]) -> list[Score | Unscored]:
    """Compare each answer with every accepted one, both normalised."""
    del arguments
    scores: list[Score | Unscored] = []
    for case, answer in pairs:
        accepted = {normalised_answer(text) for text in references(case, "human")} - {""}
        if not accepted:
            scores.append(Unscored(Reason.UNDEFINED, "no reference has a word to compare"))
        else:
            scores.append(Score(float(normalised_answer(answer.text or "") in accepted)))
    return scores
