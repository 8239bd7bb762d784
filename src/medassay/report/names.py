"""What things are called on the page: titles instead of ids, and no title for two things."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Final

from medassay.study.results import Results, SourceResult
from medassay.validity import RaterDiagnostic

__all__ = ["Names", "effect_words", "method_words", "slug"]

_LONGEST: Final = 80
"""Letters of a name in a file's name."""
_METHODS: Final = {"mace": "MACE", "dawid_skene": "Dawid-Skene"}


class Names:
    """Titles of systems, sources and dimensions by their id.

    A title that two of a kind share gets the id beside it.
    """

    def __init__(self, results: Results) -> None:
        self.system = _titles((s.id, s.title) for s in results.systems)
        self.source = _titles((s.name, s.title) for s in results.sources)
        self.dimension = _titles((d.id, d.title) for d in results.dimensions)
        self.sources: dict[str, SourceResult] = {s.name: s for s in results.sources}

    def of_system(self, system: str) -> str:
        """Give the system's title, or its id where the study has no such system."""
        return self.system.get(system, system)

    def of_source(self, source: str) -> str:
        """Give the source's title, or its name."""
        return self.source.get(source, source)

    def of_dimension(self, dimension: str) -> str:
        """Give the dimension's title, or its id."""
        return self.dimension.get(dimension, dimension)


def method_words(method: str) -> str:
    """Say a consensus method's canonical name in words.

    Example:
        >>> method_words("mace(restarts=2)"), method_words("mean"), method_words("dawid_skene")
        ('MACE (restarts 2)', 'mean', 'Dawid-Skene')
    """
    base, _, chosen = method.partition("(")
    said = _METHODS.get(base, base.replace("_", " "))
    return f"{said} ({chosen.rstrip(')').replace('=', ' ').replace(',', ', ')})" if chosen else said


def effect_words(one: RaterDiagnostic) -> str:
    """Say which effect of a rater it is; of a competence, by which MACE."""
    return f"competence, {method_words(one.about)}" if one.kind == "competence" else one.kind


def _titles(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    known = [(name, title.strip() or name) for name, title in pairs]
    times = Counter(title for _, title in known)
    return {n: title if times[title] == 1 or title == n else f"{title} ({n})" for n, title in known}


def slug(name: str) -> str:
    """Make a name fit for a file and an anchor.

    Of a name that is long, or that has letters of other scripts, a hash keeps it apart from others.

    Example:
        >>> slug("rouge1(ref=human)"), slug("mean(dimension=fluency)"), slug("质量")
        ('rouge1-ref-human', 'mean-dimension-fluency', '55847d2e')
    """
    plain = "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in name).split())
    if len(plain) <= _LONGEST and not any(c.isalnum() and not c.isascii() for c in name):
        return plain
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{plain[:_LONGEST]}-{digest}".lstrip("-")
