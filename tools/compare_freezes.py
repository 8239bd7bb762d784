"""Say what differs between two freezes; the exit code is 1 if anything does.

    python -m tools.compare_freezes A B [--renames MAP]

MAP is a TOML file of what paths of A are called in B (`tools.freezing.renames`).
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

from tools.freezing import compare_all, read_renames


def main() -> int:
    """Print each difference in a line, and how many there are of each kind."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("before", type=Path)
    words.add_argument("after", type=Path)
    words.add_argument("--renames", type=Path)
    told = words.parse_args()
    renamed = read_renames(told.renames) if told.renames else str
    found = list(compare_all(told.before, told.after, renamed))
    for one in found:
        print(one)
    kinds = Counter(
        "gone" if one.after is None else "new" if one.before is None else "changed" for one in found
    )
    counted = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"{counted}." if found else "Nothing differs.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
