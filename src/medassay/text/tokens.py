"""The tokeniser of BLEU."""

from collections.abc import Callable
from functools import cache

__all__ = ["tokenize_13a", "tokenize_13a_lower", "tokenizer"]


def tokenize_13a(text: str) -> list[str]:
    """Split text as mteval-v13a does: punctuation apart, numbers whole, case kept.

    This is sacrebleu's own tokeniser, which remembers the texts it has seen; white space at the end
    is dropped first, as sacrebleu does.

    Source: Post 2018, A Call for Clarity in Reporting BLEU Scores, doi:10.18653/v1/W18-6319.

    Example:
        >>> tokenize_13a("Take 1,000 mg (twice).")
        ['Take', '1,000', 'mg', '(', 'twice', ')', '.']
    """
    return tokenizer()(text.rstrip()).split()


def tokenize_13a_lower(text: str) -> list[str]:
    """Split lower-cased text as mteval-v13a does: what `tokenize_13a(text.lower())` gives.

    Where lower-casing cannot change how the text is split, the remembered split of the text itself
    is lowered instead, so that metrics with and without case split each text once.

    Example:
        >>> tokenize_13a_lower("Take 1,000 mg (twice).")
        ['take', '1,000', 'mg', '(', 'twice', ')', '.']
    """
    # Entities and tags are known in lower case only; beyond ASCII lowering may look at neighbours.
    if text.isascii() and "&" not in text and "<" not in text:
        return [token.lower() for token in tokenize_13a(text)]
    return tokenize_13a(text.lower())


@cache
def tokenizer() -> Callable[[str], str]:
    """Give sacrebleu's tokeniser, loaded once; its result is tokens with blanks between."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    made: Callable[[str], str] = Tokenizer13a()
    return made
