"""What an encoder reads of a text: the pieces that its vocabulary has."""

from collections import Counter
from collections.abc import Callable, Mapping

from medassay.metrics.needs import answer_text, references
from medassay.metrics.reads import Reads
from medassay.models.encoders import Pieces, load_encoder

__all__ = ["pieces_known"]


def pieces_known(
    model_of: Callable[[Mapping[str, str]], tuple[str, int | None]], purpose: str
) -> Reads:
    """Declare that an encoder reads what it has pieces for: unknown ones are all alike to it.

    Args:
        model_of: Gives the encoder's name and layer.
        purpose: What needs the encoder, for the message where it is missing.
    """

    def share(text: str, arguments: Mapping[str, str]) -> float:
        if text.isascii():
            return 1.0
        encoder = load_encoder(*model_of(arguments), purpose=purpose)
        count, known = 0, 0.0
        for word, times in Counter(text.split()).items():
            letters = times * sum(map(str.isalpha, word))
            # A word of a script without blanks is a whole sentence, and may be one unknown piece.
            known += letters * _known(encoder.pieces(word)) if letters else 0
            count += letters
        return known / count if count else 1.0

    return Reads(
        what="letters that its model knows",
        share=share,
        of_case=lambda case, _, arguments: (
            (case.asked or "",)
            if arguments["ref"] == "question"
            else references(case, arguments["ref"])
        ),
        of_answer=answer_text,
    )


def _known(pieces: Pieces) -> float:
    return 1 - pieces.unknown / pieces.length if pieces.length else 0.0
