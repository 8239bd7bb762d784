"""The sentence that a paper prints of its human evaluation, and how its numbers are printed."""

from typing import Final

from medassay.analyses.builtin.human_evaluation.record import HumanEvaluation, PaperRow
from medassay.exhibits import Names
from medassay.exhibits.numbers import PROPORTION, Style, count_of, listed, number_word

__all__ = ["MEAN", "median_of", "paper_sentence"]

MEAN: Final = Style(2)


def median_of(value: float) -> str:
    """Print a median: a whole score as such, one between two with what it needs."""
    return f"{value:.4g}"


def paper_sentence(paper: HumanEvaluation, names: Names) -> str:
    """Tell the table in words, as the med-gpt template does, and no more than it holds.

    Systems whose means print alike are told together. Which word agreement is called by stands with
    whose word it is.
    """
    ranked = [row for row in paper.rows if row.mean is not None]
    if not ranked:
        return "Nobody has scored an answer yet."
    places: list[list[PaperRow]] = []
    for row in ranked:
        if places and MEAN(places[-1][0].mean or 0.0) == MEAN(row.mean or 0.0):
            places[-1].append(row)
        else:
            places.append([row])
    lines = [listed([_told(row, names) for row in place]) for place in places]
    who = f"n={count_of(paper.questions, 'question')}, {count_of(paper.raters, 'rater')}"
    shared = "the same highest mean score" if len(places[0]) > 1 else "the highest mean score"
    text = f"In the human evaluation ({who}), {lines[0]} had {shared}"
    if lines[1:]:
        text += f", followed by {', then '.join(lines[1:])}"
    return f"{text}. {_agreement(paper)}"


def _told(row: PaperRow, names: Names) -> str:
    spread = "no SD" if row.sd is None else f"SD={MEAN(row.sd)}"
    return f"{names.of_system(row.system)} (M={MEAN(row.mean or 0.0)}, {spread})"


def _agreement(paper: HumanEvaluation) -> str:
    if paper.kappa is None:
        return f"Agreement between raters is not known: {paper.kappa_reason.rstrip('.')}."
    what = "Cohen's κ" if paper.pairs == 1 else (
        f"the mean of Cohen's κ over {number_word(paper.pairs)} pairs of raters"
    )  # fmt: skip
    value = f"κ={PROPORTION(paper.kappa)}"
    if not paper.word:
        return (
            f"Agreement between raters was {value} ({what}), which the template's bands are not "
            f"read for ({paper.word_reason.rstrip('.')})."
        )
    return f"Agreement between raters was {paper.word} by the template's bands ({what}; {value})."
