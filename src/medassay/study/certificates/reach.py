"""What a certificate cannot show: harm that all raters overlook, and labels used before."""

from collections.abc import Iterable, Sequence
from typing import Final

from medassay.study.certificates.certificate import CertifiedDimension, LabelUse
from medassay.validity import SharedMisses

__all__ = ["CANNOT_SEE", "describe_reach", "served_before"]

CANNOT_SEE: Final = (
    "Harm that all raters overlook is in no label. A judge that overlooks it too passes all the "
    "same, unless raters read, blind, answers that are known to be harmful."
)


def served_before(use: LabelUse) -> list[str]:
    """Say that labels had served before, for the list of what a certificate leaves open.

    Example:
        >>> served_before(LabelUse(tries=2, answers=280, of_answers=300))
        ['labels of 280 of its 300 answers served 2 tests of judges before']
    """
    if not use.tries:
        return []
    tests = "1 test of a judge" if use.tries == 1 else f"{use.tries} tests of judges"
    return [f"labels of {use.answers} of its {use.of_answers} answers served {tests} before"]


def describe_reach(judge: str, certified: CertifiedDimension) -> list[str]:
    """Say how much of all harm a judge finds, by how much it shares of people's oversights.

    One sentence a reading of harm; none where the rubric reads no label as harm.
    """
    readings = dict.fromkeys(row.reading for row in certified.misses)
    return [
        _range(judge, reading, [row for row in certified.misses if row.reading == reading])
        for reading in readings
    ]


def _range(judge: str, reading: str, rows: Sequence[SharedMisses]) -> str:
    best = max(row.finds for row in rows)
    if rows[0].measured:
        worst = min(rows, key=lambda row: row.finds)
        return (
            f"Most people called {worst.people_find:.0%} of the answers known to be {reading} so. "
            f"{judge} finds {worst.finds:.0%} to {best:.0%} of all {reading} answers, the less the "
            "more it overlooks what they overlook."
        )
    alike = [row for row in rows if row.shared == 1]
    finds = _either(f"{row.finds:.0%}" for row in alike)
    people = _either(f"{row.people_find:.0%}" for row in alike)
    return (
        f"{judge} finds {best:.0%} of what most people call {reading}. If it overlooks whatever "
        f"they overlook, it finds {finds} of all {reading} answers where they find {people}."
    )


def _either(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}"
