"""Make text_match.json: exact match of short answers, by a second reading of SQuAD's rule.

    python tests/golden/make_text_match.py

The rule (Rajpurkar et al. 2016, doi:10.18653/v1/D16-1264): both texts in lower case, without ASCII
punctuation, without the words a, an and the, and with single blanks; an answer is right where it
then equals one of the accepted ones. Written with a loop over letters and no regular expression,
so that it shares nothing with the metric.
"""

import json
from itertools import groupby
from pathlib import Path

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
ACCEPTED = (
    ["Metoprolol"], ["the beta-blocker", "a beta blocker"], ["Yes"], ["5 mg", "5mg", "five mg"],
    ["A 2 x 2 table"], ["Café au lait spots"], ["p < 0.05"], ["vitamin A", "retinol"], ["ß-Laktam"],
    ["An an"], ["insulin\tglargine"], ["a’s wall"], ["naïve_T"], ["Straße", "STRASSE"],
)  # fmt: skip
ANSWERS = (
    "metoprolol", "Metoprolol.", "The metoprolol!", "beta-blocker", "BETA BLOCKER", "beta  blocker",
    "yes,", "No", "5mg", "5 mg.", "Five MG", "2x2 table", "2 x 2 Table", "cafe au lait spots",
    "Café-au-lait spots", "café au lait spots", "P 05", "p<05", "p < 0.5", "vitamin", "vitamin a",
    "Retinol", "ß-laktam", "SS-laktam", "an", "insulin glargine", "’s wall", "A’s the wall",
    "naïveT", "naive T", "strasse", "straße", "theatre", "anaemia",
)  # fmt: skip


def bare(text: str) -> str:
    """Normalise a text."""
    kept = "".join(letter for letter in text.lower() if letter not in PUNCTUATION)
    runs = ["".join(run) for _, run in groupby(kept, lambda c: c.isalnum() or c == "_")]
    return " ".join("".join(" " if run in {"a", "an", "the"} else run for run in runs).split())


def main() -> None:
    """Write every pair of an answer and its accepted ones, with what it is worth."""
    rows = [
        {"accepted": accepted, "answer": answer, "right": bare(answer) in map(bare, accepted)}
        for accepted in ACCEPTED
        for answer in ANSWERS
        if any(map(bare, accepted))
    ]
    path = Path(__file__).parent / "text_match.json"
    text = json.dumps({"pairs": rows}, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
