"""Which of two systems is right more often on the same questions?"""

from medassay.errors import InvalidInput, Problem
from medassay.marks import PValue, record

__all__ = ["McNemar", "mcnemar_exact"]


@record(infers=True)
class McNemar:
    """The exact test of two paired shares.

    Attributes:
        only_a: Questions that only the first has right.
        only_b: Questions that only the second has right.
        p: Two-sided; 1 where they differ on no question.
    """

    only_a: int
    only_b: int
    p: PValue


def mcnemar_exact(only_a: int, only_b: int) -> McNemar:
    """Could as lopsided a split of the questions they differ on come by chance?

    If both are right equally often, each of the n = b + c questions that exactly one has right goes
    to either with probability 1/2: p = min(1, 2 P(X ≤ min(b, c))), X ~ Binomial(n, 1/2). Holds for
    any n; the questions must be independent of each other.

    Args:
        only_a: Questions that only the first has right, b.
        only_b: Questions that only the second has right, c.

    Raises:
        InvalidInput: A count is below 0.

    Source: McNemar (1947), doi:10.1007/BF02295996; the exact form in Fay (2010),
        doi:10.1093/biostatistics/kxp050.

    Example:
        >>> mcnemar_exact(1, 9).p
        0.021484375
        >>> mcnemar_exact(0, 0).p
        1.0
    """
    from scipy.special import bdtr

    least, n = min(only_a, only_b), only_a + only_b
    if least < 0:
        raise InvalidInput(Problem("only_a and only_b", "be 0 or more", f"{least}"))
    p = min(1.0, 2 * float(bdtr(least, n, 0.5))) if n else 1.0
    return McNemar(only_a, only_b, p)
