"""Where the answers of a system to a case stand among all answers."""

from bisect import insort
from collections.abc import Iterable, Iterator

from medassay.cases import one_object

__all__ = ["Places"]


class Places:
    """Where the answers of a system to a case stand.

    Attributes:
        first: System to case to the place of its answer, or of the first sample.
        several: System and case to all samples and their places, in order, where there are several.
    """

    def __init__(self, keys: Iterable[tuple[str, str, int]]) -> None:
        """Find the places of answers by system, case and sample, in the order of the answers."""
        self._samples: dict[int, int] = {}
        self._systems: list[str] = []
        self._cases: list[str] = []
        self.first: dict[str, dict[str, int]] = {}
        self.several: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for place, (system, case, sample) in enumerate(keys):
            if sample:
                self._samples[place] = sample
            case = one_object(case)  # noqa: PLW2901 - the same name
            self._systems.append(one_object(system))
            self._cases.append(case)
            own = self.first.setdefault(system, {})
            earlier = own.setdefault(case, place)
            if earlier != place:
                first = (self._samples.get(earlier, 0), earlier)
                listed = self.several.setdefault((system, case), [first])
                insort(listed, (sample, place))
                own[case] = listed[0][1]

    def keys(self) -> Iterator[tuple[str, str, int]]:
        """Give system, case and sample of each answer, in the order of the answers."""
        for place, (system, case) in enumerate(zip(self._systems, self._cases, strict=True)):
            yield system, case, self._samples.get(place, 0)

    def of_pair(self, system: str, case: str) -> tuple[int, ...]:
        """List the places of a system's answers to a case, by sample."""
        if (system, case) in self.several:
            return tuple(place for _, place in self.several[system, case])
        place = self.first.get(system, {}).get(case)
        return () if place is None else (place,)
