"""What metrics of token states share: from a batch to matches, from matches to a score."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from medassay.metrics.needs import answer_text, references
from medassay.metrics.registry import Pair
from medassay.metrics.token_match import Match, TokenMatcher
from medassay.scores import Reason, Score, Unscored

__all__ = ["CUT", "NO_PIECE", "best_of", "match_batch"]

CUT: Final = ("answer_pieces_cut", "reference_pieces_cut")
"""Parts of a score: pieces that were not read, of the answer and of the reference that counts."""

NO_PIECE: Final = "no piece of text that the model reads"


def match_batch(
    matcher: TokenMatcher, pairs: Sequence[Pair], arguments: Mapping[str, str]
) -> list[list[Match]]:
    """Match every answer of a batch with the references of its case."""
    return matcher.match(
        [answer_text(answer, arguments) for _, answer in pairs],
        [references(case, arguments["ref"]) for case, _ in pairs],
    )


def best_of(
    matches: Sequence[Match],
    part: str,
    scale: Callable[[float], float] = float,
    otherwise: str = NO_PIECE,
) -> Score | Unscored:
    """Give precision, recall or F1 with the reference where it is highest, as bert-score does.

    Args:
        matches: The answer with each of its references.
        part: `precision`, `recall` or `f1`.
        scale: What is done to the value.
        otherwise: Why there is no value where nothing could be matched.
    """
    values = [(getattr(m.matched, part), m) for m in matches if m.matched is not None]
    if not values:
        return Unscored(Reason.UNDEFINED, otherwise)
    value, match = max(values, key=lambda pair: pair[0])
    return Score(scale(value), (float(match.answer_cut), float(match.reference_cut)))
