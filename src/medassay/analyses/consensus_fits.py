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

__all__ = ["consensus_fits", "notes_on_fits"]


def consensus_fits(details: Sequence[ConsensusDetails]) -> list[ConsensusFit]:
    """Lay out every method that fits a model; votes and means have none."""
    return [
        _fit(consensus, consensus.joined.model)
        for consensus in details
        if consensus.joined.model is not None
    ]


def notes_on_fits(details: Sequence[ConsensusDetails]) -> list[ConsensusNote]:
    """List what a reader must know, in the order of the dimensions."""
    return [
        ConsensusNote(
            dimension=consensus.units.dimension,
            method=consensus.method,
            title=consensus.title,
            text=text,
        )
        for consensus in details
        if consensus.joined.model is not None
        for text in consensus.joined.model.notes
    ]


def _fit(consensus: ConsensusDetails, model: Model) -> ConsensusFit:
    labels, codes = consensus.units.labels, consensus.joined.codes or (-1,) * len(consensus.units)
    shares = None if model.shares is None else _named(labels, model.shares)
    counts = np.bincount(consensus.units.rater, minlength=len(consensus.units.raters)).tolist()
    return ConsensusFit(
        dimension=consensus.units.dimension,
        method=consensus.method,
        title=consensus.title,
        meaning=consensus.meaning,
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
                quality=consensus.joined.quality[j],
                n=counts[j],
                confusion=_confusion(labels, model, j),
                guesses={} if model.guesses is None else _named(labels, model.guesses[j]),
            )
            for j, rater in enumerate(consensus.units.raters)
        ],
        answers=[
            FittedAnswer(
                system=system,
                case=case,
                label=labels[code] if code >= 0 else None,
                posterior=_named(labels, posterior),
                entropy=entropy,
                kept=counted,
                known=known,
            )
            for (system, case, *_), code, posterior, entropy, counted, known in zip(
                consensus.units.keys,
                codes,
                model.posterior,
                consensus.joined.uncertainty,
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
    return {true: _named(labels, shares) for true, shares in rows if shares.any()}
