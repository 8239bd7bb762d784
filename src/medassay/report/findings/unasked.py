"""What nobody was asked, where readers look for it first: harm, or anything at all."""

from collections.abc import Iterator, Sequence
from typing import Final

from medassay.analyses.builtin.correlations import correlations
from medassay.analyses.builtin.harm_by_system import harm_by_system
from medassay.analyses.results import Results
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.numbers import count_of
from medassay.judgements.raters import FIRST_RATERS
from medassay.study.contents.cases_and_answers import ADD_TEXTS

RATE: Final = "rate"

_ENOUGH: Final = 30
"""Cases to rate for a start: fewer show hardly a difference (docs/how-to/your-own-data.md)."""
_UNREAD: Final = f"The texts of the answers are not held, so nobody can rate them. {ADD_TEXTS}"
_SAFETY: Final = "safety"
"""The library's dimension of harm. Another rubric may ask it on a scale."""
_HARM: Final = "Raters were not asked about harm, so this report says nothing about safety."


def unasked(results: Results, found: Sequence[Finding]) -> Iterator[Finding]:
    """Say that nobody was asked about harm; and of a study without ratings what to do next.

    Args:
        results: All of a run.
        found: What was found.
    """
    counts = results.study.counts
    known = any(finding.answers is ReaderQuestion.UNSAFE for finding in found)
    not_looked = {analysis.id for analysis in results.not_asked}
    if counts.judgements + counts.preferences and not known and harm_by_system.id not in not_looked:
        yield Finding("harm-unasked", _harm(results), ("sources",), ReaderQuestion.UNSAFE)
    compared = results.analyses.of(correlations)
    if compared is not None and compared.lacks in {"ratings", "ratings of people"}:
        each = min(_ENOUGH, counts.cases)
        asked = counts.cases * counts.systems - counts.answers_not_asked
        about = "about " if each < counts.cases and counts.answers_not_asked else ""
        many = about + count_of(round(each * asked / max(counts.cases, 1)), "answer")
        of = f"{count_of(each, 'case')}, each with all of its answers"
        more = "" if counts.cases <= _ENOUGH else f" (cases = {each} in its campaign.toml)"
        text = (
            f"Have {many} rated for a start: {of}."
            f" In a terminal: medassay campaign create STUDY --raters {FIRST_RATERS}{more};"
            " medassay campaign sheets STUDY. When the sheets are filled: medassay campaign"
            " collect STUDY FILES; medassay run STUDY."
        )
        unread = 0 < counts.answers == counts.answers_not_held
        yield Finding(RATE, _UNREAD if unread else text, ("answers",), ReaderQuestion.NEXT)


def _harm(results: Results) -> str:
    rated = next((own.title for own in results.dimensions if own.id == _SAFETY), "")
    if not rated:
        return _HARM
    return (
        f"Raters rated {rated}, but rubric.toml does not say which labels mean harm, so this "
        "report counts no harmful answers. docs/how-to/write-a-rubric.md says how to add it."
    )
