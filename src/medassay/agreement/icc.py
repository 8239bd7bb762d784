"""The intraclass correlation, of single ratings and of their mean: whose is the variance?"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.design import complete_answers
from medassay.agreement.draws import case_sums, ratio
from medassay.judgements import Units
from medassay.scores import Reason, Unscored

_ONE_WAY: Final = ("1", "1k")
_TWO_WAY: Final = {"2": "A", "3": "C"}
"""Absolute agreement, and consistency."""
_ROUNDING: Final = 1e-12
"""A share of the largest so small that nothing but rounding is left."""


def _printed(form: str) -> str:
    """Print a form as McGraw & Wong (1996) do, doi:10.1037/1082-989X.1.1.30.

    Example:
        >>> _printed("1"), _printed("2"), _printed("3k")
        ('ICC(1)', 'ICC(A,1)', 'ICC(C,k)')
    """
    if form in _ONE_WAY:
        return "ICC(1)" if form == "1" else "ICC(k)"
    return f"ICC({_TWO_WAY[form[0]]},{form[1:] or 1})"


def _same_raters(used: Units) -> bool:
    """Say whether every rater gave every answer a label."""
    return len(used.code) == len(used) * len(used.raters)


def _read(units: Units, form: str) -> tuple[Units, str] | Unscored:
    """Give the answers that a form reads and what to say of them, or why it has none.

    The two-way forms need the same raters on all answers. Where a rater has not finished, those
    that all of them labelled are read.
    """
    used = units.with_labels(2)
    if form in _ONE_WAY or _same_raters(used):
        return used, ""
    complete, note = complete_answers(used)
    if complete.sizes[0] == len(used.raters):
        return complete, note
    instead = "icc is ICC(1)" if len(form) == 1 else "icc(form=1k) is ICC(k)"
    return Unscored(
        Reason.UNDEFINED,
        f"raters differ from answer to answer, and {_printed(form)} needs the same raters on "
        f"all of them; {instead}, which does not",
    )


def _misfit(units: Units, parameters: dict[str, str]) -> str:
    if units.scale == "nominal" or units.scores is None:
        return f"the labels {', '.join(units.labels)} are no numbers whose variance has a meaning"
    read = _read(units, parameters.get("form", "1"))
    return read.detail if isinstance(read, Unscored) else ""


@coefficient(
    CoefficientDeclaration(
        name="icc",
        title="Intraclass correlation",
        question="What share of the variance of single ratings (or of the mean of an answer's "
        "ratings) is due to the answers?",
        one="raters of an answer give the same score, and answers differ",
        zero="scores differ within an answer as much as between answers",
        below_zero="scores differ within an answer more than between answers",
        undefined="all scores are the same, there is one answer only, or the variance that it is a "
        "share of is estimated as 0 or less",
        source="Shrout & Fleiss (1979), doi:10.1037/0033-2909.86.2.420; with unequal numbers of "
        "raters: Donner & Koval (1980), doi:10.2307/2530491",
        bounds=(-np.inf, 1.0),
        parameters={"form": ("1", "2", "3", "1k", "2k", "3k")},
        fits=_misfit,
        called=lambda parameters: _printed(parameters.get("form", "1")),
        numbers=True,
    )
)
def icc(units: Units, form: str = "1", **_: str) -> Prepared | Unscored:
    """Reduce to the sums that an analysis of variance needs.

    ICC(1) = (MSB − MSW) / (MSB + (k₀ − 1) MSW), from one-way variance: whoever rated what. k₀ is
    the number of raters an answer, (N − Σn²/N) / (answers − 1) where it varies. ICC(A,1), absolute
    agreement (form 2), and ICC(C,1), consistency (form 3), take the raters' own means out and are
    only for the same raters on all answers. Where one has not finished, the answers that all
    labelled are read (`complete_answers`), and a note says how many; where raters rotate, there is
    a reason instead.

    ICC(k), ICC(A,k) and ICC(C,k) are those of the mean of an answer's k ratings, by the same
    rule of design: k r / (1 + (k − 1) r) of the single form r, which for the first is
    (MSB − MSW) / MSB. Where answers have different numbers of ratings, k is k₀. Report them only
    where the mean of k raters is what is used; they are larger than those of single ratings.

    Example:
        >>> codes = [[0, 0], [0, 1], [1, 1]]
        >>> units = Units.from_codes(codes, ["a", "b"], scale="interval", scores=[0, 1])
        >>> round(float(icc(units).at(np.ones((1, 3)))[0]), 3)  # MSB 1/2, MSW 1/6
        0.5
    """
    read = _read(units, form)
    if isinstance(read, Unscored):
        return read
    used, note = read
    if len(used) < 2:  # noqa: PLR2004 - variance between answers needs two
        return Unscored(Reason.UNDEFINED, "fewer than two answers have labels of two raters")
    if used.scores is None or np.unique(used.scores[used.code]).size < 2:  # noqa: PLR2004 - variance
        return Unscored(Reason.UNDEFINED, "all scores are the same")
    pairs = int((used.sizes * (used.sizes - 1)).sum() // 2)
    sums = case_sums(used, _statistics(used, used.scores - used.scores.mean()))

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        summed = drawn @ sums
        single = _one_way(summed) if form in _ONE_WAY else _two_way(summed, form[0])
        return single if len(form) == 1 else _of_mean(single, summed)

    return Prepared(at, used, pairs, note, complete_only=bool(note))


def _statistics(units: Units, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give for each answer 1, n, n², Σx, Σx², (Σx)²/n, and what each rater adds to Σx."""
    values = scores[units.code]
    n = units.sizes.astype(np.float64)
    total = np.bincount(units.unit, weights=values, minlength=len(units))
    squares = np.bincount(units.unit, weights=values**2, minlength=len(units))
    columns = [np.ones(len(units)), n, n**2, total, squares, total**2 / n]
    if not _same_raters(units):  # only one-way forms come here with such answers
        return np.column_stack(columns)
    return np.column_stack([*columns, values.reshape(len(units), -1)])


def _one_way(summed: NDArray[np.float64]) -> NDArray[np.float64]:
    answers, n, n2, total, squares, between = summed.T[:6]
    mean = ratio(total**2, n)
    size = ratio(n - ratio(n2, n), answers - 1)
    msb = ratio(between - mean, answers - 1)
    msw = ratio(squares - between, n - answers)
    return ratio(msb - msw, _positive(msb + (size - 1) * msw, ratio(squares, n)))


def _two_way(summed: NDArray[np.float64], form: str) -> NDArray[np.float64]:
    answers, n, _, total, squares, between = summed.T[:6]
    raters = summed.shape[1] - 6
    mean = ratio(total**2, n)
    of_raters = ratio((summed[:, 6:] ** 2).sum(axis=1), answers)
    msr = ratio(between - mean, answers - 1)
    msc = (of_raters - mean) / (raters - 1)
    mse = ratio(squares - between - of_raters + mean, (answers - 1) * (raters - 1))
    apart = raters * ratio(msc - mse, answers) if form == "2" else 0.0
    return ratio(msr - mse, _positive(msr + (raters - 1) * mse + apart, ratio(squares, n)))


def _of_mean(single: NDArray[np.float64], summed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Step up from one rating to the mean of k."""
    answers, n, n2 = summed.T[:3]
    size = ratio(n - ratio(n2, n), answers - 1)
    # 0, but for rounding, where all answers have one mean; below 0 where the share of the variance
    # of single ratings is so far below 0 that the mean's would have a negative variance.
    left = 1 + (size - 1) * single
    return ratio(size * single, np.where(left > _ROUNDING, left, 0.0))


def _positive(variance: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give 0 where rounding is all that is left of a variance."""
    return np.where(np.abs(variance) > _ROUNDING * scale, variance, 0.0)
