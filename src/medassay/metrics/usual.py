"""Under which names a metric is computed where nobody chooses."""

from itertools import product
from typing import Final

from medassay.metrics.declaration import Declaration, Level
from medassay.scores import Name

__all__ = ["usual_names"]

_CUTOFF: Final = 5


def usual_names(declared: Declaration) -> list[str]:
    """List a metric's names: every value of what must be chosen, or the choices it declares.

    None for a metric of whole systems, or where a value must be chosen and any word would do.

    Example:
        >>> from medassay.metrics import declarations
        >>> known = {one.name: one for one in declarations()}
        >>> usual_names(known["rouge1"]), usual_names(known["recall"])
        (['rouge1(ref=human)', 'rouge1(ref=note)'], ['recall@5'])
    """
    if declared.level is not Level.ANSWER:
        return []
    required = [p for p in declared.parameters if p.default is None]
    if declared.usual:
        required = [p for p in required if not any(p.name in usual for usual in declared.usual)]
    if not all(p.values for p in required):
        return []
    usual = declared.usual or ({},)
    cutoff = _CUTOFF if declared.takes_k else None
    keys = [p.name for p in required]
    return [
        str(Name.of(declared.name, cutoff, **more, **dict(zip(keys, values, strict=True))))
        for values in product(*(p.values for p in required))
        for more in usual
    ]
