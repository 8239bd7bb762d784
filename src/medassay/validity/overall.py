"""The overall score of the ArchEHR-QA leaderboards: two rules, named apart."""

from collections.abc import Sequence
from typing import Final, Literal

from medassay.validity.composite import Composite, Term

__all__ = ["archehr_overalls"]

_FACTUALITY: Final = "citation_f1(gold=strict,rules=archehr2025)"
_RELEVANCE: Final = ("bleu", "rougeLsum", "sari", "bertscore", "alignscore", "medcon")


def archehr_overalls(
    ref: Literal["human", "note"] = "human", relevance: Sequence[str] | None = None
) -> tuple[Composite, Composite]:
    """Give the overall score by the paper and by the scorer.

    Both are the mean of factuality and relevance, and relevance is the mean of six metrics. The
    paper's factuality is the **mean of the cases'** strict citation F1 (macro), the scorer's the F1
    of **all citations pooled** (micro). Table S1 names its ROUGE column no further; the scorer's
    leaderboard uses ROUGE-Lsum, so that is taken here.

    Args:
        ref: The reference of the six relevance metrics.
        relevance: Columns in place of the six, by canonical name. A composite of other columns is
            not the published one: its name says so.

    Returns:
        `overall_paper` and `overall_scorer`.

    Source: Soni & Demner-Fushman, Table S1; archehr-qa at 771b948, evaluation/scoring.py.

    Example:
        >>> paper, scorer = archehr_overalls("human")
        >>> paper.name, [term.average for term in paper.groups[0]]
        ('overall_paper(ref=human)', ['macro'])
        >>> scorer.name, [term.average for term in scorer.groups[0]]
        ('overall_scorer(ref=human)', ['micro'])
        >>> archehr_overalls("note", ["sari(ref=note)"])[0].name
        'overall_paper(ref=note,relevance=own)'
    """
    columns = [f"{metric}(ref={ref})" for metric in _RELEVANCE] if relevance is None else relevance
    inside = f"(ref={ref})" if relevance is None else f"(ref={ref},relevance=own)"
    terms = tuple(Term(column) for column in columns)
    return (
        Composite(f"overall_paper{inside}", ((Term(_FACTUALITY, "macro"),), terms)),
        Composite(f"overall_scorer{inside}", ((Term(_FACTUALITY, "micro"),), terms)),
    )
