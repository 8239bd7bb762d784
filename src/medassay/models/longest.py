"""How many word pieces a model reads at once."""

from typing import Final

__all__ = ["longest_of"]

# Tokenizers without a limit say so by a number that no model can mean.
_NO_LIMIT: Final = 1_000_000
_WHERE_UNKNOWN: Final = 512
# Families that count positions from behind the padding mark.
_SHIFTED: Final = frozenset({"camembert", "longformer", "mpnet", "roberta", "xlm-roberta"})


def longest_of(tokenizer_limit: int, config: object) -> int:
    """Give how many pieces a model reads: what its tokenizer and its positions both allow.

    Many tokenizers come without a limit, and then say 10³⁰, which overflows wherever it is used.

    Example:
        >>> from types import SimpleNamespace
        >>> longest_of(10**30, SimpleNamespace(model_type="bert", max_position_embeddings=512))
        512
    """
    limits = [tokenizer_limit] if 0 < tokenizer_limit < _NO_LIMIT else []
    positions = getattr(config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        padding = getattr(config, "pad_token_id", None) or 0
        shifted = getattr(config, "model_type", "") in _SHIFTED
        limits.append(positions - padding - 1 if shifted else positions)
    return min(limits, default=_WHERE_UNKNOWN)
