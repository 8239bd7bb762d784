"""The references of all cases together, for statistics such as idf."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from medassay.cases import Case
from medassay.metrics.needs import references

__all__ = ["reference_corpora"]

_KINDS = ("human", "note")


def reference_corpora(cases: Iterable[Case]) -> Mapping[str, Sequence[str]]:
    """Give every reference once a case, in the order of the cases, by what `ref=` calls it.

    Example:
        >>> cases = [Case(case="1", references=[{"text": "Rest."}, {"text": "Sleep."}])]
        >>> reference_corpora(cases)["human"]
        ('Rest.', 'Sleep.')
    """
    return _Corpora(cases)


class _Corpora(Mapping[str, Sequence[str]]):
    """Collected when asked for: few metrics do."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._cases = cases

    def __getitem__(self, kind: str) -> Sequence[str]:
        if kind not in _KINDS:
            raise KeyError(kind)
        return self._texts[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(_KINDS)

    def __len__(self) -> int:
        return len(_KINDS)

    @cached_property
    def _texts(self) -> dict[str, Sequence[str]]:
        return {
            kind: tuple(text for case in self._cases for text in references(case, kind))
            for kind in _KINDS
        }
