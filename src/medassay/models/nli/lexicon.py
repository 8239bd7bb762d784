"""What the rules know of English and of medicine, read once from its file."""

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final

from medassay.models.nli.phrases import Phrases
from medassay.models.nli.stems import stem
from medassay.models.nli.tokens import tokens

__all__ = ["Lexicon", "lexicon"]

_SHORTEST_DRUG: Final = 6


@dataclass(frozen=True)
class Lexicon:
    """The word lists, ready for use.

    Attributes:
        digest: A hash of the file, for the signature.
        function: Words without content of their own.
        connectors: Words that end the scope of a negation.
        cues: Negations, with whether their scope runs over commas.
        after: Negations of what stands before them.
        harmless: Phrases with a cue's letters that negate nothing.
        irregular: Forms that no rule reaches, each with its common one.
        numbers: Numbers written as words.
        units: Phrases of units, each with its kind and size.
        comparators: Phrases before a number, each `least` or `most`.
        frequency: Phrases that say how many times a day.
        choices: Phrases, each with its group and the number of the alternative.
        synonyms: Phrases of stems, each with the one that stands for all.
        opposites: Each word with its opposites.
        prefixes: Pairs of prefixes that turn a word into its opposite.
        endings: What names of drugs end in.
        not_drugs: Words that end so and are none.
        drugs: Names of drugs that have no such ending.
        brands: Brands and other names, each with the drug.
    """

    digest: str
    function: frozenset[str]
    connectors: frozenset[str]
    cues: Phrases[bool]
    after: Phrases[bool]
    harmless: Phrases[bool]
    irregular: Mapping[str, str]
    numbers: Mapping[str, float]
    units: Phrases[tuple[str, float]]
    comparators: Phrases[str]
    frequency: Phrases[float]
    choices: Phrases[tuple[str, int]]
    synonyms: Phrases[str]
    opposites: Mapping[str, frozenset[str]]
    prefixes: tuple[tuple[str, str], ...]
    endings: tuple[str, ...]
    not_drugs: frozenset[str]
    drugs: frozenset[str]
    brands: Mapping[str, str]

    @cached_property
    def opens_negation(self) -> frozenset[str]:
        """Give the words that negations begin with, and what looks like one."""
        return self.cues.first | self.after.first | self.harmless.first

    @cached_property
    def opens_quantity(self) -> frozenset[str]:
        """Give the words that quantities begin with; digits begin others."""
        return self.frequency.first | self.numbers.keys()

    def is_drug(self, word: str) -> bool:
        """Say whether a lower-case word names a drug, by list or by ending."""
        if word in self.drugs or word in self.brands:
            return True
        long_enough = len(word) >= _SHORTEST_DRUG
        return long_enough and word.endswith(self.endings) and word not in self.not_drugs

    def unit(self, word: str) -> str:
        """Give the content word that a lower-case word stands for; empty where it has none."""
        if word in self.function or not word[0].isalpha():
            return ""
        return stem(self.brands[word]) if word in self.brands else self.stem(word)

    def stem(self, word: str) -> str:
        """Cut a lower-case word to what its forms share, those too that no rule reaches."""
        return stem(self.irregular.get(word, word))


@cache
def lexicon() -> Lexicon:
    """Read the lists that come with medassay."""
    raw = files("medassay").joinpath("data/support/lexicon.toml").read_bytes()
    lists: dict[str, Any] = tomllib.loads(raw.decode())
    negation, drugs = lists["negation"], lists["drugs"]
    synonyms = _synonyms(lists["synonyms"]["groups"])
    return Lexicon(
        digest=hashlib.sha256(raw).hexdigest(),
        function=frozenset(lists["words"]["function"].split()),
        connectors=frozenset(lists["words"]["connectors"].split()),
        cues=Phrases(
            [(cue, False) for cue in negation["cues"]] + [(cue, True) for cue in negation["lists"]]
        ),
        after=Phrases(dict.fromkeys(negation["after"], True)),
        harmless=Phrases(dict.fromkeys(negation["harmless"], True)),
        irregular=lists["irregular"],
        numbers=lists["numbers"],
        units=Phrases(
            [
                (word, (kind, size))
                for kind, all_ in lists["units"].items()
                for word, size in all_.items()
            ]
        ),
        comparators=Phrases(
            [(p, side) for side, all_ in lists["comparators"].items() for p in all_]
        ),
        frequency=Phrases(lists["frequency"]),
        choices=Phrases(
            [
                (word, (group, number))
                for group, alternatives in lists["choices"].items()
                for number, words in enumerate(alternatives)
                for word in words
            ]
        ),
        synonyms=Phrases(synonyms),
        opposites=_opposites(lists["opposites"]["pairs"], synonyms),
        prefixes=tuple((prefix, other) for prefix, other in lists["opposites"]["prefixes"]),
        endings=tuple(drugs["endings"]),
        not_drugs=frozenset(drugs["not_drugs"]),
        drugs=frozenset(drugs["names"].split()),
        brands=drugs["brands"],
    )


def _stemmed(phrase: str) -> str:
    return " ".join(stem(word) for word in tokens(phrase))


def _synonyms(groups: list[list[str]]) -> dict[str, str]:
    """Give each phrase of stems the first of its group; the first group that has it counts."""
    firsts: dict[str, str] = {}
    for group in groups:
        first = _stemmed(group[0])
        for phrase in group:
            firsts.setdefault(_stemmed(phrase), first)
    return firsts


def _opposites(pairs: list[list[str]], synonyms: Mapping[str, str]) -> dict[str, frozenset[str]]:
    opposed: dict[str, set[str]] = {}

    def both_ways() -> Iterator[tuple[str, str]]:
        for pair in pairs:
            first_stem, other = (synonyms.get(_stemmed(word), _stemmed(word)) for word in pair)
            yield first_stem, other
            yield other, first_stem

    for word_stem, other in both_ways():
        if word_stem != other:
            opposed.setdefault(word_stem, set()).add(other)
    return {word: frozenset(others) for word, others in opposed.items()}
