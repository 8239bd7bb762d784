"""How often does the interval of agreement on passages hold?

    python simulations/coverage_passages.py

Three raters find each faulty passage of a case with a probability of that case's own, mark its ends
a little otherwise, and now and then mark a sound one. The truth is the pooled F1 of 20,000 cases.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats import ratio_mean

_CHARACTERS: Final = 400
_RATERS: Final = 3
_PASSAGES: Final = (5, 40)
_STUDIES: Final = 1000
_CASES: Final = (12, 40, 150)
_RATES: Final = (0.5, 2.0)


def _marked(rng: np.random.Generator, rate: float) -> NDArray[np.bool_]:
    """Mark the characters of one case, shape (raters, characters)."""
    seen = 0.4 + 0.5 * rng.beta(2, 2)
    marked = np.zeros((_RATERS, _CHARACTERS), dtype=np.bool_)
    for _ in range(rng.poisson(rate)):
        start, length = rng.integers(0, _CHARACTERS - _PASSAGES[1]), rng.integers(*_PASSAGES)
        for own in marked:
            if rng.random() < seen:
                early = max(0, start - rng.integers(0, 4))
                own[early : start + length + rng.integers(-4, 5)] = True
    for own in marked:
        if rng.random() < 0.1:  # noqa: PLR2004 - a rater marks what is sound in one case of ten
            start = rng.integers(0, _CHARACTERS - _PASSAGES[1])
            own[start : start + rng.integers(*_PASSAGES)] = True
    return marked


def _sums(rng: np.random.Generator, cases: int, rate: float) -> NDArray[np.float64]:
    sums = np.zeros((cases, 2))
    for case in range(cases):
        marked = _marked(rng, rate)
        for one in range(_RATERS):
            for other in range(one):
                both = (marked[one] & marked[other]).sum()
                sums[case] += 2 * both, marked[one].sum() + marked[other].sum()
    return sums


def main() -> None:
    """Print how often it held, by passages a case and cases a study."""
    rng = np.random.default_rng(5)
    for rate in _RATES:
        every = _sums(rng, 20_000, rate)
        truth = every[:, 0].sum() / every[:, 1].sum()
        for cases in _CASES:
            found = [
                ratio_mean(every[rng.integers(0, len(every), cases)]).interval
                for _ in range(_STUDIES)
            ]
            known = [one for one in found if one is not None]
            held = sum(one.low <= truth <= one.high for one in known) / len(known)
            print(f"{rate} passages, {cases} cases: F1 {truth:.2f}, held {held:.3f}")


if __name__ == "__main__":
    main()
