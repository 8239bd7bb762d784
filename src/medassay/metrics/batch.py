"""A batch of answers that many metrics score one after the other."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import overload

from medassay.metrics.declaration import NOT_HELD, Content, Need
from medassay.metrics.registry import Pair


class Batch(Sequence[Pair]):
    """Pairs of case and answer; two are equal where they hold the very same records.

    Metrics that are given the same batch read it once: what is found is kept under the batch. Hand
    on the batch itself rather than a list where several metrics score it.

    Example:
        >>> from medassay.answers import Answer
        >>> from medassay.cases import Case
        >>> pair = (Case(case="1"), Answer(system="S", case="1", text="Rest."))
        >>> Batch.of([pair]) == Batch.of([pair])
        True
    """

    def __init__(
        self, pairs: Sequence[Pair], lacking: Mapping[Need, Sequence[int]] | None = None
    ) -> None:
        self.pairs = tuple(pairs)
        self._known_lacking = lacking or {}
        self._ids = tuple((id(case), id(answer)) for case, answer in self.pairs)
        self._hash = hash(self._ids)

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> "Batch":
        """Give the pairs as a batch; a batch stays itself."""
        return pairs if isinstance(pairs, cls) else cls(pairs)

    @overload
    def __getitem__(self, place: int) -> Pair: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Pair, ...]: ...
    def __getitem__(self, place: int | slice) -> Pair | tuple[Pair, ...]:
        """Give one pair, or some."""
        return self.pairs[place]

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        """Go over the pairs."""
        return iter(self.pairs)

    def __hash__(self) -> int:
        """Hash which records these are."""
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Say whether another batch holds the very same records."""
        return self is other or (isinstance(other, Batch) and self._ids == other._ids)

    def found(self, need: Need) -> Sequence[Content | None]:
        """Give what a need finds in each pair."""
        return _found(self, need)

    def lacking(self, need: Need) -> Sequence[int]:
        """List the places where a need is not met."""
        known = self._known_lacking.get(need)
        return _lacking(self, need) if known is None else known

    def not_held(self, need: Need) -> Sequence[int]:
        """List the places of answers whose text a need would read, and that is not held."""
        return _not_held(self, need)

    def blank(self) -> Sequence[int]:
        """List the places of answers that were given empty."""
        return _blank(self)


@lru_cache(maxsize=64)
def _found(batch: Batch, need: Need) -> Sequence[Content | None]:
    of_case, of_answer = need.of_case, need.of_answer
    if of_case is not None:
        return [of_case(case) for case, _ in batch.pairs]
    if of_answer is not None:
        return [need.in_answer(answer) for _, answer in batch.pairs]
    return [()] * len(batch)


@lru_cache(maxsize=64)
def _lacking(batch: Batch, need: Need) -> Sequence[int]:
    return [place for place, part in enumerate(_found(batch, need)) if part is None]


@lru_cache(maxsize=64)
def _not_held(batch: Batch, need: Need) -> Sequence[int]:
    unknown = [(place, answer) for place, (_, answer) in enumerate(batch.pairs) if not answer.held]
    return [place for place, answer in unknown if need.in_answer(answer) is NOT_HELD]


@lru_cache(maxsize=4)
def _blank(batch: Batch) -> Sequence[int]:
    return [place for place, (_, answer) in enumerate(batch.pairs) if answer.is_blank]
