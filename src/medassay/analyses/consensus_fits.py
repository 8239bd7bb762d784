"""Lay out fitted models of the raters, and what must be known of each."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.results.consensus import (
    ConsensusFit,
    ConsensusNote,
    FittedAnswer,
    FittedRater,
)
from medassay.consensus import ConsensusDetails, Model

__all__ = ["consensus_fits", "consensus_notes", "say_consensus_notes"]


def consensus_fits(details: Sequence[ConsensusDetails]) -> list[ConsensusFit]:
    """Lay out every method that fits a model; votes and means have none."""
    return [_fit(one, one.joined.model) for one in details if one.joined.model is not None]


def consensus_notes(details: Sequence[ConsensusDetails]) -> list[ConsensusNote]:
    """List what a reader must know, in the order of the dimensions."""
    return [
        ConsensusNote(dimension=one.units.dimension, method=one.method, title=one.title, text=text)
        for one in details
        if one.joined.model is not None
        for text in one.joined.model.notes
    ]


def say_consensus_notes(notes: Sequence[ConsensusNote]) -> list[str]:
    """Say each note in a sentence."""
    return [f"Consensus on {n.dimension}, {n.title}: {n.text}." for n in notes]


def _fit(one: ConsensusDetails, model: Model) -> ConsensusFit:
    labels, codes = one.units.labels, one.joined.codes or (-1,) * len(one.units)
    shares = None if model.shares is None else _named(labels, model.shares)
    counts = np.bincount(one.units.rater, minlength=len(one.units.raters)).tolist()
    return ConsensusFit(
        dimension=one.units.dimension,
        method=one.method,
        title=one.title,
        meaning=one.meaning,
        labels=list(labels),
        log_likelihood=model.log_likelihood,
        restarts=list(model.restarts),
        steps=model.steps,
        label_shares=shares,
        priors=model.priors,
        threshold=model.threshold,
        kept=sum(model.kept),
        controls=sum(map(bool, model.known)),
        notes=list(model.notes),
        raters=[
            FittedRater(
                rater=rater,
                quality=one.joined.quality[j],
                n=counts[j],
                confusion=_confusion(labels, model, j),
                guesses={} if model.guesses is None else _named(labels, model.guesses[j]),
            )
            for j, rater in enumerate(one.units.raters)
        ],
        answers=[
            FittedAnswer(
                system=system,
                case=case,
                label=labels[code] if code >= 0 else None,
                posterior=_named(labels, posterior),
                entropy=entropy,
                kept=kept,
                known=known,
            )
            for (system, case), code, posterior, entropy, kept, known in zip(
                one.units.keys,
                codes,
                model.posterior,
                one.joined.uncertainty,
                model.kept,
                model.known,
                strict=True,
            )
        ],
    )


def _named(labels: Sequence[str], values: NDArray[np.float64]) -> dict[str, float]:
    return dict(zip(labels, values.tolist(), strict=True))


def _confusion(labels: Sequence[str], model: Model, rater: int) -> dict[str, dict[str, float]]:
    """Give each true label's row; labels that nobody gave have none."""
    if model.confusion is None:
        return {}
    rows = zip(labels, model.confusion[rater], strict=True)
    return {true: _named(labels, said) for true, said in rows if said.any()}
