"""The tokeniser of BLEU."""

from collections.abc import Callable
from functools import cache, lru_cache

__all__ = ["tokenize_13a"]


def tokenize_13a(text: str) -> list[str]:
    """Split text as mteval-v13a does: punctuation apart, numbers whole, case kept.

    The rules are those of sacrebleu's tokeniser, token for token. They look at a character and its
    neighbours and never over white space, so each distinct word is split once and remembered.
    White space at the end is dropped first, as sacrebleu does.

    Source: Post 2018, A Call for Clarity in Reporting BLEU Scores, doi:10.18653/v1/W18-6319.

    Example:
        >>> tokenize_13a("Take 1,000 mg (twice).")
        ['Take', '1,000', 'mg', '(', 'twice', ')', '.']
    """
    tokens: list[str] = []
    for word in _prepared(text.rstrip()).split():
        # Letters and digits alone are one token by every rule.
        if word.isalnum():
            tokens.append(word)
        else:
            tokens += split_word(word)
    return tokens


def _prepared(text: str) -> str:
    """Take out what may join words: marks of skipped text, hyphens at line ends, entities."""
    text = text.replace("<skipped>", "").replace("-\n", "")
    if "&" in text:
        # In this order: what one step makes, a later one may take up, as in the original.
        for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(entity, character)
    return text


@lru_cache(maxsize=2**16)
def split_word(word: str) -> tuple[str, ...]:
    """Split a word, that is text without white space, into its tokens; the last are remembered."""
    return tuple(_rules()(f" {word} ").split())


@cache
def _rules() -> Callable[[str], str]:
    """Give sacrebleu's rules, loaded once; what they return is tokens with blanks between."""
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

    rules: Callable[[str], str] = TokenizerRegexp()
    return rules
