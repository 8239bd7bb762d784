"""How many answers have which three labels: the published margins, turned into counts.

Made by tools/solve_synthetic_patterns.py, which says how. A pattern such as (2, 1, 0) means that
two of three raters chose the first label and one the second.

Source of the margins: Soni & Demner-Fushman, Automated evaluation can distinguish the good and bad
AI responses to patient questions about hospitalization, Tables 2 and 3.
"""

from typing import Final

__all__ = ["LABELS", "PATTERNS"]

LABELS: Final = {
    "answers-question": ("Yes", "Partially", "No"),
    "uses-evidence": ("Yes", "No", "Refutes"),
    "uses-knowledge": ("Yes", "No", "Conflicting"),
}

PATTERNS: Final[dict[str, dict[tuple[int, int, int], int]]] = {
    "answers-question": {
        (0, 0, 3): 341, (0, 1, 2): 147, (0, 2, 1): 162, (0, 3, 0): 198, (1, 0, 2): 92,
        (1, 1, 1): 167, (1, 2, 0): 407, (2, 0, 1): 112, (2, 1, 0): 588, (3, 0, 0): 586,
    },
    "uses-evidence": {
        (0, 0, 3): 24, (0, 1, 2): 11, (0, 2, 1): 19, (0, 3, 0): 51, (1, 0, 2): 66,
        (1, 1, 1): 68, (1, 2, 0): 89, (2, 0, 1): 302, (2, 1, 0): 396, (3, 0, 0): 1774,
    },
    "uses-knowledge": {
        (0, 0, 3): 12, (0, 1, 2): 16, (0, 2, 1): 103, (0, 3, 0): 1104, (1, 0, 2): 12,
        (1, 1, 1): 90, (1, 2, 0): 880, (2, 0, 1): 34, (2, 1, 0): 406, (3, 0, 0): 143,
    },
}  # fmt: skip
