"""What a reader should know of a study though nothing is wrong, said as far as each may hear it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from medassay.errors import Problem
from medassay.judgements import Raters
from medassay.study.document_labels import counted_labels
from medassay.study.panel import print_left_out
from medassay.study.private import raters_without_words
from medassay.study.pseudonyms import Pseudonyms
from medassay.study.relevance import DocumentLabel

__all__ = ["OpeningWords"]

_RATER = "rater"


@dataclass(frozen=True)
class OpeningWords:
    """What opening a study found odd.

    Attributes:
        odd: Notes about files; they quote what stands there.
        said: Sentences that neither quote nor name a rater.
        labels: What experts say of documents, whoever they are.
        raters: Who the raters are, excluded ones among them.
        models: Raters whose labels do not count like a person's.
        left_out: Each excluded rater to how much they said.
        pseudonyms: What people are called outside of the study's own files.
    """

    odd: Sequence[Problem]
    said: Sequence[str]
    labels: Sequence[DocumentLabel]
    raters: Raters
    models: Collection[str]
    left_out: dict[str, int]
    pseudonyms: Pseudonyms

    def whole(self) -> tuple[str, ...]:
        """Say all of it, to whoever has the files."""
        return _told(self, str)

    def with_pseudonyms(self) -> tuple[str, ...]:
        """Say it with pseudonyms; of names that are odd, how many there are."""
        if not self.pseudonyms.of:
            return self.whole()
        return _told(self._renamed(), _unnamed)

    def without_quotes(self) -> tuple[str, ...]:
        """Say it with pseudonyms and without any word of the files."""
        words = self._renamed()
        return _told(replace(words, raters=raters_without_words(words.raters)), _unquoted)

    def _renamed(self) -> "OpeningWords":
        left_out = {self.pseudonyms.called(name): n for name, n in self.left_out.items()}
        labels = self.pseudonyms.of_labels(self.labels)
        raters = self.pseudonyms.of_raters(self.raters)
        ordered = dict(sorted(left_out.items()))
        return replace(self, labels=labels, raters=raters, left_out=ordered)


def _told(words: OpeningWords, say: Callable[[Problem], str]) -> tuple[str, ...]:
    _, lost = counted_labels(words.labels, words.raters, words.models)
    odd = map(say, words.odd)
    return (*odd, *words.said, *lost, *print_left_out(words.raters, words.left_out))


def _unquoted(odd: Problem) -> str:
    return str(odd.without_quotes())


def _unnamed(odd: Problem) -> str:
    return _unquoted(odd) if odd.column == _RATER else str(odd)
