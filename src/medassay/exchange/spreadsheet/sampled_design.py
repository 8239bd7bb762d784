"""Whether systems were asked some cases each by design, as the pattern of their answers looks."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.text import count_of

_NEARLY_ALL: Final = 0.8
"""Of the cases, that have the same number of answers in a design of k a case."""
_BY_CHANCE: Final = 0.05
_HALF: Final = 0.5


@dataclass(frozen=True)
class SampledDesign:
    """Each case went to some systems only, as it looks.

    Attributes:
        kind: `constant`: as many systems a case; `sampled`: now more, now fewer.
        systems: How many systems there are (n).
        cases: How many cases.
        by_case: Number of systems that answered a case (k) to how many cases have it.
        by_system: System to how many cases it answered.
        short: Cases with fewer answers than the design gives them: which answer never came cannot
            be known. 0 where the design gives no number.
    """

    kind: Literal["constant", "sampled"]
    systems: int
    cases: int
    by_case: Mapping[int, int]
    by_system: Mapping[str, int]
    short: int = 0

    @property
    def k(self) -> tuple[int, int]:
        """Give the fewest and the most systems that a case was asked of."""
        if self.kind == "constant":
            usual = max(self.by_case, key=lambda k: (self.by_case[k], k))
            return usual, max(usual, *self.by_case)
        return min(self.by_case), max(self.by_case)

    def __str__(self) -> str:
        """Say it with its counts.

        Example:
            >>> print(sampled_design("123456", "ABC", zip("ABCABC", "123456")))
            Each of 6 cases has answers of 1 of 3 systems; each system answered 2 cases.
        """
        low, high = self.k
        few, many = min(self.by_system.values()), max(self.by_system.values())
        each = f"{low}" if low == high else f"{low} to {high}"
        own = count_of(many, "case") if few == many else f"{few:,} to {count_of(many, 'case')}"
        words = (
            f"Each of {count_of(self.cases - self.short, 'case')} has answers of {each} of "
            f"{count_of(self.systems, 'system')}; each system answered {own}."
        )
        if self.short:
            have = "has" if self.short == 1 else "have"
            words += f" {count_of(self.short, 'more case')} {have} fewer answers."
        return words


def sampled_design(
    cases: Sequence[str], systems: Sequence[str], answered: Iterable[tuple[str, str]]
) -> SampledDesign | None:
    """Does it look as if each case was asked of some of the systems only?

    A few answers that never came are no design. It is one of k a case where all cases have the same
    number of answers, fewer than there are systems; or where at least 80 % have it, and that is
    more often than in 5 % of tables in which each system lacks answers independently, as often as
    here. It is a sample where no system answered more than half of the cases. Only a person knows:
    this is for asking.

    Args:
        cases: All cases.
        systems: All systems.
        answered: System and case of each answer.

    Returns:
        The design with its counts; None where the answers look as if all systems were asked all.

    Example:
        >>> one_each = zip("ABABAB", "123456")
        >>> sampled_design("123456", "AB", one_each).k
        (1, 1)
        >>> holes = {(s, c) for s in "AB" for c in "123456"} - {("A", "2"), ("B", "5")}
        >>> sampled_design("123456", "AB", holes) is None
        True
    """
    there = _table(cases, systems, answered)
    if not there.size or there.all() or not there.any():
        return None
    of_case, of_system = there.sum(axis=0), there.sum(axis=1)
    counts = Counter(of_case.tolist())
    usual = max(counts, key=lambda k: (counts[k], k))
    nearly = counts[usual] >= _NEARLY_ALL * len(cases)
    about = (
        len(systems),
        len(cases),
        dict(sorted(counts.items())),
        dict(zip(systems, of_system.tolist(), strict=True)),
    )
    alike = counts[usual] == len(cases) or (nearly and _unlikely(there, usual, counts[usual]))
    if alike and 0 < usual < len(systems):
        short = sum(many for k, many in counts.items() if k < usual)
        return SampledDesign("constant", *about, short)
    if len(systems) > 1 and (of_system <= _HALF * len(cases)).all():
        return SampledDesign("sampled", *about)
    return None


def _table(
    cases: Sequence[str], systems: Sequence[str], answered: Iterable[tuple[str, str]]
) -> NDArray[np.bool_]:
    row = {system: i for i, system in enumerate(systems)}
    column = {case: j for j, case in enumerate(cases)}
    there = np.zeros((len(systems), len(cases)), dtype=np.bool_)
    for system, case in answered:
        if system in row and case in column:
            there[row[system], column[case]] = True
    return there


def _unlikely(there: NDArray[np.bool_], usual: int, times: int) -> bool:
    """Say whether so many cases have the usual number of answers hardly ever by chance.

    Each system lacks answers as often as it does here, whatever the others do: a system that broke
    off halfway is no design, though nearly every case may have the same number of answers.
    """
    from scipy.special import bdtrc

    chances = np.ones(1)
    for share in there.mean(axis=1).tolist():
        chances = np.convolve(chances, [1 - share, share])
    tail = bdtrc(times - 1, there.shape[1], min(1.0, float(chances[usual])))
    return bool(tail <= _BY_CHANCE)
