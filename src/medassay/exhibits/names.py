"""What things are called where people read: titles instead of ids, and no title for two things."""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from copy import copy
from typing import Final, Protocol, Self

from medassay.exhibits.claim import LEVEL, Claim
from medassay.exhibits.numbers import Style

_NUMBER: Final = re.compile("([0-9]+)")


def natural_order(name: str) -> tuple[tuple[str | int, ...], str]:
    """Give the key that puts S2 before S10; names that differ in leading zeros keep one order.

    Example:
        >>> sorted(["S10", "S2", "S1-b", "S1"], key=natural_order)
        ['S1', 'S1-b', 'S2', 'S10']
    """
    parts = _NUMBER.split(name)
    # Text and numbers alternate, so that a place always compares two of a kind.
    return tuple(int(part) if i % 2 else part for i, part in enumerate(parts)), name


_LONGEST: Final = 80
"""Letters of a name in a file's name."""
_METHODS: Final = {"mace": "MACE", "dawid_skene": "Dawid-Skene"}


class ScoreColumn(Protocol):
    """What a report knows of a column of scores beside its numbers."""

    @property
    def name(self) -> str:
        """Its canonical name."""

    @property
    def title(self) -> str:
        """What people call it."""

    @property
    def kind(self) -> str:
        """Who made it: `metric`, `imported` or `consensus`."""

    @property
    def dimension(self) -> str | None:
        """The dimension of a consensus."""

    @property
    def method(self) -> str | None:
        """The consensus method."""

    @property
    def question(self) -> str:
        """What it asks."""

    @property
    def unit(self) -> str:
        """Its unit; empty where it has none."""

    @property
    def low(self) -> float | None:
        """The lower end of its scale."""

    @property
    def high(self) -> float | None:
        """The upper end of its scale."""

    @property
    def direction(self) -> str:
        """Which way is better: `higher`, `lower` or `none`."""

    @property
    def control(self) -> bool:
        """Whether it only controls the others."""


class Names:
    """Titles of systems, sources and dimensions by their id.

    A title that two of a kind share gets the id beside it. Whoever prints or draws a value also
    learns here how far its scale goes, whether the data are made up, what raters were asked, and
    whose wording that has (`wording`); also which columns only control the others (`controls`), and
    the dimension of each consensus (`judged`), what is known of every column of scores (`sources`),
    which of them orders the systems (`primary`), on how many cases (`cases`), and which file says
    who a pseudonym is (`key`; empty where people are named). `harm_words` is what answers are
    called on dimensions whose labels of harm say less than harm as well, `targets` what the study
    wants to reach, by source, and `asked` whether the study was made to rank by the primary source.

    Example:
        >>> names = Names(systems={"a": "Ours", "b": "Ours", "c": ""})
        >>> names.of_system("a"), names.of_system("c"), names.of_dimension("tone")
        ('Ours (a)', 'c', 'tone')
    """

    def __init__(
        self,
        systems: Mapping[str, str] | None = None,
        sources: Mapping[str, str] | None = None,
        dimensions: Mapping[str, str] | None = None,
        *,
        scales: Mapping[str, tuple[float | None, float | None]] | None = None,
        questions: Mapping[str, str] | None = None,
        meanings: Mapping[tuple[str, str], str] | None = None,
        wording: str = "",
        synthetic: bool = False,
    ) -> None:
        self.system = _titles(systems or {})
        self.source = _titles(sources or {})
        self.dimension = _titles(dimensions or {})
        self.synthetic = synthetic
        self._scales = dict(scales or {})
        self.wording = wording
        self._questions = dict(questions or {})
        self._meanings = dict(meanings or {})
        self.sources: Mapping[str, ScoreColumn] = {}
        self.primary = ""
        self.key = ""
        self.cases = 0
        self.judged: Mapping[str, str] = {}
        self.harm_words: Mapping[str, str] = {}
        self.targets: Mapping[str, float] = {}
        self.best_ends: Mapping[str, str] = {}
        self.controls: Collection[str] = ()
        self.asked = True
        self._levels: Mapping[tuple[str, str], float] = {}

    def tested(self, claims: Iterable[Claim]) -> Self:
        """Give the same names, with the levels at which claims are tested."""
        named = copy(self)
        named._levels = {  # noqa: SLF001 - its own copy
            (claim.finding, claim.about): claim.level for claim in claims if claim.level is not None
        }
        return named

    def level(self, finding: str, about: str) -> float:
        """Say at which level a claim is tested; 0.05 where nothing shares its rate."""
        return self._levels.get((finding, about), LEVEL)

    def undecided(self, finding: str, about: str, p: float | None) -> str:
        """Say that a test leaves a claim open; where only its share of the rate does, say that too.

        Example:
            >>> Names().undecided("leaders", "tone", 0.03)
            'undecided'
        """
        level = self.level(finding, about)
        if p is None or not level < p <= LEVEL:
            return "undecided"
        return f"undecided at {100 * level:.2g}%, its share of {100 * LEVEL:.0f}%"

    @property
    def given(self) -> frozenset[str]:
        """List every name that people gave: its words say nothing of what was found."""
        named = (self.system, self.source, self.dimension)
        return frozenset(name for titles in named for pair in titles.items() for name in pair)

    def of_system(self, system: str) -> str:
        """Give the system's title, or its id where the study has no such system."""
        return self.system.get(system, system)

    def of_source(self, source: str) -> str:
        """Give the source's title, or its name."""
        return self.source.get(source, source)

    def of_consensus(self, source: str) -> str:
        """Give the title of the dimension that a consensus is of, or the consensus's name."""
        return self.of_dimension(self.judged.get(source, source))

    def style_of(self, source: str) -> Style:
        """Say how the values of a source are printed, by the ends of its scale."""
        return Style.of_scale(*self._scales.get(source, (None, None)))

    def of_dimension(self, dimension: str) -> str:
        """Give the dimension's title, or its id."""
        return self.dimension.get(dimension, dimension)

    def on_dimension(self, dimension: str) -> str:
        """Give the title with the end of the scale that is best, where it would read reversed."""
        title, end = self.of_dimension(dimension), self.best_ends.get(dimension)
        return f"{title} ({end})" if end else title

    def question_of(self, dimension: str) -> str:
        """Give what raters were asked on a dimension; nothing where it is not known."""
        return self._questions.get(dimension, "")

    def meaning_of(self, dimension: str, label: str) -> str:
        """Give what a label means, in the words that raters saw; nothing where it has none."""
        return self._meanings.get((dimension, label), "")


def method_words(method: str) -> str:
    """Say a consensus method's canonical name in words.

    Example:
        >>> method_words("mace(restarts=2)"), method_words("mean"), method_words("dawid_skene")
        ('MACE (restarts 2)', 'mean', 'Dawid-Skene')
    """
    base, _, chosen = method.partition("(")
    text = _METHODS.get(base, base.replace("_", " "))
    return f"{text} ({chosen.rstrip(')').replace('=', ' ').replace(',', ', ')})" if chosen else text


def _titles(titles: Mapping[str, str]) -> dict[str, str]:
    known = [(name, title.strip() or name) for name, title in titles.items()]
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
