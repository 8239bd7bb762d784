"""Sentences that stand together, read once: a document is held against many statements."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from medassay.models.nli.marks import Numbers, marks_of, which_marks
from medassay.models.nli.reading import Reading, read_sentence

__all__ = ["Evidence", "Passage", "join_passages", "read_passage"]


@dataclass(frozen=True, slots=True)
class Passage:
    """What the sentences of a passage say, and which of them has which mark.

    Attributes:
        readings: What each sentence says.
        marks: The numbers of the marks of all sentences, one sentence after the other.
        counts: How many of them each sentence has.
    """

    readings: tuple[Reading, ...]
    marks: Numbers
    counts: Numbers


@lru_cache(maxsize=4096)
def read_passage(sentences: tuple[str, ...]) -> Passage:
    """Read the sentences of a passage.

    Example:
        >>> read_passage(("Take 5 mg.", "Rest.")).counts.tolist()
        [2, 1]
    """
    readings = tuple(map(read_sentence, sentences))
    marks = [marks_of(reading) for reading in readings]
    return Passage(
        readings=readings,
        marks=np.array([*chain.from_iterable(marks)], np.intp),
        counts=np.array([*map(len, marks)], np.intp),
    )


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentences of all passages that a claim is held against, in one row.

    Attributes:
        readings: What each sentence says.
        marks: The numbers of the marks of all sentences, one sentence after the other.
        ends: How many marks there are up to the end of each sentence.
    """

    readings: tuple[Reading, ...]
    marks: Numbers
    ends: Numbers

    def find(self, marks: Sequence[str]) -> tuple[NDArray[np.int32], Numbers]:
        """Give where any of some marks stands: which of them it is, and the sentence's place.

        Example:
            >>> evidence = join_passages((("Take 5 mg.",), ("Rest.",)))
            >>> which, places = evidence.find(["cough", "rest", "#mass"])
            >>> which.tolist(), places.tolist()
            ([2, 1], [0, 1])
        """
        which = which_marks(marks, self.marks)
        at = which.nonzero()[0]
        return which[at] - 1, self.ends.searchsorted(at, side="right")


@lru_cache(maxsize=64)  # all statements of an answer are held against the same
def join_passages(passages: tuple[tuple[str, ...], ...]) -> Evidence:
    """Read passages, and put their sentences in one row."""
    read = [*map(read_passage, passages)] or [read_passage(())]
    return Evidence(
        readings=tuple(chain.from_iterable(passage.readings for passage in read)),
        marks=np.concatenate([passage.marks for passage in read]),
        ends=np.concatenate([passage.counts for passage in read]).cumsum(),
    )
