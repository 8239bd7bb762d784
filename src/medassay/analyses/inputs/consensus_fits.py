"""The consensus methods beside each other: what each joins, what it fitted, what ranks by it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.inputs.study_columns import step_rng
from medassay.analyses.results.whole import (
    ConsensusFit,
    ConsensusNote,
    FittedAnswer,
    FittedRater,
)
from medassay.consensus import ConsensusDetails, KnownToModel, Model, consensus_details, find_method
from medassay.judgements import Judgements, Rubric, Units, units
from medassay.study.config.study_toml import hushes_packages
from medassay.study.folder import Study

_ALWAYS: Final = ("majority", "majority(ties=lower)", "dawid_skene")
"""MACE is not among them: it is fitted where study.toml asks (simulations/mace-competence.md)."""


@dataclass(frozen=True)
class Aggregation:
    """How several labels of an answer may become one.

    Attributes:
        methods: Canonical names of the ways that stand side by side: a few always, and the study's.
        own: Those that the study names.
        given: Control items and label priors, by dimension.
        hushed: Whether other packages' ways keep their own words to themselves.
    """

    methods: tuple[str, ...]
    own: tuple[str, ...]
    given: Mapping[str, KnownToModel]
    hushed: bool = False


@dataclass(frozen=True)
class Fitted:
    """The aggregation methods, each fitted to the study's labels.

    Attributes:
        ways: One for each dimension that was judged and each way: those that systems are ranked by
            among them.
    """

    ways: tuple[ConsensusDetails, ...]


def aggregation_of(study: Study) -> Aggregation:
    """Say how a study may join its labels."""
    own = tuple(str(find_method(name)[1]) for name in study.config.rules.consensus)
    methods = tuple(dict.fromkeys([*_ALWAYS, *own]))
    return Aggregation(methods, own, study.given, hushes_packages(study.config))


def fitted_of(study: Study) -> Fitted:
    """Fit every way that stands side by side, with all that it says beside its scores."""
    aggregation = aggregation_of(study)
    # The same stream as `consensus_of`, so that these fits are those that systems are ranked by.
    return Fitted(
        tuple(
            consensus_details(
                study.judgements,
                aggregation.methods,
                given=aggregation.given,
                rng=step_rng(study, "s38"),
                hushed=aggregation.hushed,
            )
        )
    )


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


_OF_LABELS: Final = ("mean", "mace(restarts=2)")
"""Fitted hundreds of times: two restarts each, and the name says so."""
_OF_NUMBERS: Final = ("mean",)


def ranked_by(read: Units) -> tuple[str, ...]:
    """Name the aggregation methods that systems are ranked by: numbers have no labels to join."""
    return _OF_NUMBERS if read.of_numbers else _OF_LABELS


def judged_units(rubric: Rubric, judgements: Judgements) -> list[Units]:
    """Lay out each dimension that was judged and has scores."""
    judged = set(judgements.current()["dimension"])
    return [
        units(judgements, dimension.id)
        for dimension in rubric.dimensions
        if dimension.id in judged and dimension.scored
    ]
