"""A template's quality checklist, answered from the data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.rater_template.record import ChecklistItem
from medassay.exhibits.claim import LEVEL
from medassay.judgements import Judgements, Rubric
from medassay.text import count_of
from medassay.validity import RaterDiagnostic

if TYPE_CHECKING:
    import polars as pl

__all__ = ["checklist_of"]

_FAR: Final = 2
"""Raters who differ by so much make an answer an edge case."""


def checklist_of(
    judgements: Judgements,
    rubric: Rubric,
    dimension: str,
    *,
    answers: int,
    kappa: float | None,
    diagnostics: Sequence[RaterDiagnostic],
    originals: Sequence[str],
) -> list[ChecklistItem]:
    """Answer the seven lines of the med-gpt template; what no data can tell is said to be so."""
    judged = judgements.current()
    labelled = judged.filter((judged["dimension"] == dimension) & judged["label"].is_not_null())
    scored = labelled.filter(labelled["phase"].is_in(judgements.counts))
    return [
        _all_answers(answers, labelled, scored),
        _in_range(rubric, dimension, scored),
        _no_missing(answers, labelled),
        _consistent(dimension, kappa, diagnostics),
        _notes(scored),
        ChecklistItem(
            item="File saved properly",
            answer="yes",
            detail="The study's files were read whole; their SHA-256 are among the inputs.",
        ),
        _backup(originals),
    ]


def _all_answers(there: int, labelled: "pl.DataFrame", scored: "pl.DataFrame") -> ChecklistItem:
    """Answers of the calibration round are evaluated, though no table counts their scores."""
    n = labelled.select("system", "case").n_unique()
    apart = n - scored.select("system", "case").n_unique()
    return ChecklistItem(
        item="All answers evaluated",
        answer="yes" if n == there else "no",
        detail=f"{n} of {there} answers have a score"
        f"{f', {apart} of them in the calibration round alone' if apart else ''}.",
    )


def _in_range(rubric: Rubric, dimension: str, scored: "pl.DataFrame") -> ChecklistItem:
    scale = [label.label for label in rubric.dimension(dimension).labels]
    used = sorted(scored["label"].unique().to_list())
    return ChecklistItem(
        item="Scores are in 1-5 range",
        answer="yes" if scored.height and set(used) <= set(scale) else "no",
        detail=f"Scores given: {', '.join(used) or 'none'}. Others are refused at the import.",
    )


def _no_missing(answers: int, labelled: "pl.DataFrame") -> ChecklistItem:
    """One score of each rater of each answer is wanted, in whichever round."""
    scored = labelled.unique(["rater", "system", "case"], maintain_order=True)
    raters = sorted(scored["rater"].unique().to_list())
    wanted = len(raters) * answers
    of = scored.group_by("rater").len().sort("rater").rows()
    short = [f"{rater} {n} of {answers}" for rater, n in of if n < answers]
    return ChecklistItem(
        item="No missing scores",
        answer="yes" if raters and not short else "no",
        detail=f"{scored.height} of {wanted} scores are there, if every rater was to score every "
        f"answer{': ' + ', '.join(short) if short else ''}."
        if raters
        else "Nobody scored anything.",
    )


def _consistent(
    dimension: str, kappa: float | None, diagnostics: Sequence[RaterDiagnostic]
) -> ChecklistItem:
    """Agreement and drift speak of the criteria; only the raters know what they applied."""
    drift = [
        diagnostic
        for diagnostic in diagnostics
        if (diagnostic.dimension, diagnostic.kind) == (dimension, "drift")
    ]
    known = [diagnostic for diagnostic in drift if diagnostic.interval is not None]
    moved = [
        diagnostic.rater
        for diagnostic in known
        if diagnostic.interval
        and diagnostic.interval.low * diagnostic.interval.high > 0
        and (diagnostic.p is None or diagnostic.p <= LEVEL)
    ]
    text = "Agreement cannot be computed." if kappa is None else f"Cohen's kappa is {kappa:.2f}."
    if moved:
        text += f" The scores of {', '.join(moved)} drift along the order."
    elif known:
        text += f" No drift along the order is shown by {count_of(len(known), 'rater')}."
    else:
        text += " Drift is not known: the order of the ratings is not."
    return ChecklistItem(
        item="Consistent criteria applied",
        answer="no" if moved else "cannot be told",
        detail=text,
    )


def _notes(scored: "pl.DataFrame") -> ChecklistItem:
    """Edge cases are the answers whose raters lie two points or more apart."""
    scores: dict[tuple[str, str], list[int]] = {}
    noted: set[tuple[str, str]] = set()
    rows = scored.select("system", "case", "label", "comment").rows()
    for system, case, label, comment in rows:
        scores.setdefault((system, case), []).append(int(label))
        if comment:
            noted.add((system, case))
    edges = {key for key, some in scores.items() if max(some) - min(some) >= _FAR}
    both = len(edges & noted)
    text = f"{len(noted)} of {len(scores)} answers have a note."
    if not edges:
        return ChecklistItem(
            item="Notes added for edge cases",
            answer="cannot be told",
            detail=f"{text} No raters lie {_FAR} points or more apart on an answer.",
        )
    return ChecklistItem(
        item="Notes added for edge cases",
        answer="yes" if both == len(edges) else "partly" if both else "no",
        detail=f"{text} On {count_of(len(edges), 'answer')} raters lie {_FAR} points or more "
        f"apart; {both} of them {'has' if both == 1 else 'have'} a note.",
    )


def _backup(originals: Sequence[str]) -> ChecklistItem:
    return ChecklistItem(
        item="Backup created",
        answer="yes" if originals else "cannot be told",
        detail=f"The files as they came are kept in original/: {', '.join(originals)}."
        if originals
        else "The study holds no copy of the files as they came.",
    )
