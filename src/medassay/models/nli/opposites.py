"""Which content words mean the opposite of each other."""

from functools import cache

from medassay.models.nli.lexicon import lexicon

__all__ = ["opposites_of"]


@cache
def opposites_of(word: str) -> frozenset[str]:
    """Give a word's opposites: those listed, and itself with a prefix that turns it around.

    Example:
        >>> sorted(opposites_of("hypotension"))
        ['hypertension']
    """
    known = lexicon()
    turned = {
        b + word[len(a) :]
        for pair in known.prefixes
        for a, b in (pair, pair[::-1])
        if word.startswith(a) and len(word) > len(a)
    }
    return frozenset(turned | set(known.opposites.get(word, ())))
