"""What every check shares: what is said of what does not hold, and made-up panels of raters."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from medassay.judgements import Units
from medassay.scores import Name

_SHOWN: Final = 5
_LABELS: Final = ("a", "b", "c")
_SCORES: Final = (0.0, 1.0, 3.0)
_CORNERS: Final[Sequence[list[list[int]]]] = (
    [[0, 0]],
    [[0, 1]],
    [[0, -1], [-1, 1]],
    [[0, 0], [1, 1], [2, 2]],
    [[2], [1]],
    [[-1, -1], [0, 0]],
    [[1, 1, 1], [1, 1, 1], [1, 1, 1]],
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]],
    [[0, 0, -1, 1], [1, -1, 1, 1], [-1, 2, 2, 2]],
)


def hold(holds: object, who: str, must: str, got: object) -> None:
    """Raise where something does not hold.

    Raises:
        AssertionError: Who must do what, and what was got instead.

    Example:
        >>> hold(1 + 1 == 2, "arithmetic", "hold", "nothing")
        >>> hold(False, "bleu", "stay within 0 to 1", 1.5)
        Traceback (most recent call last):
        AssertionError: bleu must stay within 0 to 1; got 1.5
    """
    if not holds:
        message = f"{who} must {must}; got {got}"
        raise AssertionError(message)


def variants_of(
    name: Name, parameters: Mapping[str, object], canonical: Callable[[str], Name]
) -> tuple[str, ...]:
    """Give a name with every value of every choice, one change at a time; itself first.

    Example:
        >>> variants_of(Name.parse("kappa"), {"weights": ("none", "linear")}, Name.parse)
        ('kappa', 'kappa(weights=none)', 'kappa(weights=linear)')
    """
    names = [
        name.with_arguments({**dict(name.arguments), key: value})
        for key, values in parameters.items()
        if isinstance(values, tuple)
        for value in values
    ]
    return tuple(dict.fromkeys(str(canonical(str(variant))) for variant in [name, *names]))


def tried_words(who: str, values: Sequence[float], reasons: Counter[str], tried: str) -> str:
    """Say how many of what was tried have a value, in which range, and why the others have none.

    Example:
        >>> tried_words("kappa", [0.0, 1.0], Counter(["no labels"]), "3 panels")
        'kappa: 2 of 3 panels have a value, 0 to 1; the others have none: 1 no labels.'
    """
    ends = f"{min(values):.3g} to {max(values):.3g}"
    text = f"{who}: {len(values)} of {tried} have a value, {ends}"
    why = "; ".join(f"{count} {reason}" for reason, count in reasons.most_common(_SHOWN))
    more = f"; and {len(reasons) - _SHOWN} more reasons" if len(reasons) > _SHOWN else ""
    return f"{text}; the others have none: {why}{more}." if why else f"{text}."


def made_panels(drawn: int = 24) -> Iterator[Units]:
    """Give panels of 1 to 4 raters on 1 to 9 answers: ordered labels, unordered ones, and two.

    Example:
        >>> len(list(made_panels(0))), len(list(made_panels(2)))
        (27, 33)
    """
    rng = np.random.default_rng(0)
    sizes = [(int(rng.integers(1, 10)), int(rng.integers(2, 5))) for _ in range(drawn)]
    for codes in (*map(np.array, _CORNERS), *(rng.integers(-1, 3, size=size) for size in sizes)):
        # Two answers are of one case, as those of two systems are.
        keys = [("AB"[i % 2], f"case-{i // 2}") for i in range(len(codes))]
        yield Units.from_codes(codes, _LABELS, keys=keys, scale="ordinal", scores=_SCORES)
        yield Units.from_codes(codes, _LABELS, keys=keys)
        two = np.minimum(codes, 1)
        yield Units.from_codes(two, _LABELS[:2], keys=keys, scale="ordinal", scores=_SCORES[:2])


def shuffled(units: Units, rows: Sequence[int], columns: Sequence[int]) -> Units:
    """Give the same labels with answers and raters in another order, under the names in their old.

    Example:
        >>> units = Units.from_codes([[0, 1], [1, -1]], ["no", "yes"])
        >>> shuffled(units, [1, 0], [1, 0]).codes.tolist()
        [[-1, 1], [1, 0]]
    """
    codes = units.codes[list(rows)][:, list(columns)]
    return Units.from_codes(
        codes, units.labels, keys=units.keys, scale=units.scale, scores=units.scores
    )


def unchanged(units: Units, copy: Units) -> bool:
    """Say whether what was handed over is still what it was."""
    arrays = ((units.code, copy.code), (units.unit, copy.unit), (units.rater, copy.rater))
    same = all(np.array_equal(array, other) for array, other in arrays)
    if units.scores is None or copy.scores is None:
        return same and units.scores is copy.scores
    return same and np.array_equal(units.scores, copy.scores)
