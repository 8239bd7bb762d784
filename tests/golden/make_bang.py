"""Bang's blinding index by exact fractions, straight from the paper, without our code.

python tests/golden/make_bang.py > tests/golden/bang.json

Two arms: the index is the share right less the share wrong (Bang, Ni & Davis 2004, equation 2), its
variance that of a multinomial: {P(1 - P) + Q(1 - Q) + 2 PQ} / n. The counts of CRISP are those of
the paper's example, for which it prints 0.21 and 0.01. For more arms the index is computed here as
the mean of what each guess counts, and its variance as the mean square about that mean.
"""

import json
import sys
from fractions import Fraction
from math import sqrt

CRISP = ((82, 25, 170, 2), (29, 27, 83, 2))
OTHERS = ((3, 2, 0, 2), (3, 2, 0, 5), (0, 5, 0, 3), (4, 0, 1, 3), (17, 90, 23, 28))


def main() -> None:
    """Print what the counts give."""
    found = []
    for right, wrong, no_idea, systems in (*CRISP, *OTHERS):
        n = right + wrong + no_idea
        counts = [Fraction(1)] * right + [Fraction(-1, systems - 1)] * wrong
        counts += [Fraction(0)] * no_idea
        mean = sum(counts) / n
        variance = sum((one - mean) ** 2 for one in counts) / n / n
        if systems == 2:
            p, q = Fraction(right, n), Fraction(wrong, n)
            assert mean == p - q
            assert variance == (p * (1 - p) + q * (1 - q) + 2 * p * q) / n
        found.append(
            {"right": right, "wrong": wrong, "no_idea": no_idea, "systems": systems,
             "value": float(mean), "standard_error": sqrt(variance)}
        )  # fmt: skip
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
