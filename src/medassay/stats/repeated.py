"""What k answers to one case do together, from n answers to it: without bias."""

from math import comb

from medassay.errors import InvalidInput, Problem


def pass_all_k(passed: int, samples: int, k: int) -> float:
    """How often do all of k answers pass (pass^k)?

    C(c, k) / C(n, k), the share of the subsets of k of the n samples that all pass. Its expectation
    is p^k for every p; that of (c/n)^k is higher.

    Args:
        passed: c, how many of the samples passed.
        samples: n, how many there are.
        k: How many are drawn, 1 to n.

    Raises:
        InvalidInput: k is not from 1 to n, or more passed than there are.

    Source: Yao et al. (2024), tau-bench, arXiv:2406.12045.

    Example:
        >>> pass_all_k(4, 5, 2), pass_all_k(4, 5, 5), pass_all_k(5, 5, 5)
        (0.6, 0.0, 1.0)
    """
    _check(passed, samples, k)
    return comb(passed, k) / comb(samples, k)


def pass_any_k(passed: int, samples: int, k: int) -> float:
    """How often does at least one of k answers pass (pass@k)?

    1 − C(n − c, k) / C(n, k), one less the share of the subsets of k that all fail.

    Args:
        passed: c, how many of the samples passed.
        samples: n, how many there are.
        k: How many are drawn, 1 to n.

    Raises:
        InvalidInput: k is not from 1 to n, or more passed than there are.

    Source: Chen et al. (2021), HumanEval, arXiv:2107.03374.

    Example:
        >>> pass_any_k(1, 5, 2), pass_any_k(0, 5, 5), pass_any_k(1, 5, 5)
        (0.4, 0.0, 1.0)
    """
    _check(passed, samples, k)
    return 1 - comb(samples - passed, k) / comb(samples, k)


def _check(passed: int, samples: int, k: int) -> None:
    problems = []
    if not 1 <= k <= samples:
        problems.append(Problem("k", f"be from 1 to the {samples} samples", str(k)))
    if not 0 <= passed <= samples:
        problems.append(Problem("passed", f"be from 0 to the {samples} samples", str(passed)))
    if problems:
        raise InvalidInput(problems)
