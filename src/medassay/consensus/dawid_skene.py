"""Dawid & Skene: a confusion matrix for each rater."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.arrangement import Arrangement, arrange
from medassay.consensus.label_scores import (
    PARTS,
    VALUES,
    entropies,
    posterior_codes,
    posterior_scores,
)
from medassay.consensus.method import Joined, KnownToModel, MethodDeclaration, Model, fitted_method
from medassay.judgements import Units
from medassay.scores import Number

_Floats = NDArray[np.float64]
_Places = NDArray[np.int64]

_SETTLED: Final = 1e-6
_MOST_STEPS: Final = 1000


@dataclass(frozen=True, slots=True, eq=False)
class DawidSkene:
    """A fitted Dawid-Skene model.

    Attributes:
        posterior: Probability of each label, shape (units, labels); 0 for labels that nobody gave.
        entropy: Of the posterior of each unit, in nats.
        confusion: P(rater says | truth), shape (raters, true labels, said labels).
        shares: How often each label is true, shape (labels,).
        accuracy: For each rater the probability of saying the true label, over all truths.
        log_likelihood: Log likelihood of the labels.
        steps: Steps of EM until no posterior moved by more than 1e-6; 1000 at most.
    """

    posterior: _Floats
    entropy: tuple[float, ...]
    confusion: _Floats
    shares: _Floats
    accuracy: tuple[float, ...]
    log_likelihood: float
    steps: int


def fit_dawid_skene(units: Units, *, smoothing: float = 0.01) -> DawidSkene:
    """Which labels are right, if each rater confuses labels in a way of their own?

    P(labels of i, truth l) = p_l · Π_j π_j[l, a_ij], fitted by EM. The start is the share of raters
    behind each label, so nothing is random. Smoothing adds 0.01 of a judgement to each cell of each
    rater's confusion counts: without it one label that a rater never gave is taken for impossible.

    Args:
        units: Each has at least one label.
        smoothing: Judgements added to each cell.

    Source: Dawid & Skene (1979), doi:10.2307/2346806.

    Example:
        >>> codes = [[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0]]
        >>> found = fit_dawid_skene(Units.from_codes(codes, ["no", "yes"]))
        >>> found.posterior.argmax(axis=1).tolist()
        [0, 1, 0, 1, 0, 1]
        >>> [round(one, 2) for one in found.accuracy]
        [1.0, 1.0, 0.33]
    """
    panel = arrange(units)
    climbed = climb(panel, smoothing)
    confusion = np.zeros((len(units.raters), len(units.labels), len(units.labels)))
    used = np.flatnonzero(panel.of_label >= 0)
    place = panel.of_label[used]
    confusion[np.ix_(np.arange(len(units.raters)), used, used)] = climbed.confusion[
        np.ix_(panel.of_rater, place, place)
    ]
    spread = np.zeros(len(units.labels))
    spread[used] = climbed.shares[place]
    of_units = panel.to_units(climbed.posterior)
    accuracy = np.einsum("jll,l->j", confusion, spread)
    return DawidSkene(
        of_units,
        entropies(of_units),
        confusion,
        spread,
        tuple(accuracy.tolist()),
        climbed.log_likelihood,
        climbed.steps,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Climbed:
    posterior: _Floats  # (items, labels)
    confusion: _Floats  # (raters, true, said)
    shares: _Floats
    log_likelihood: float
    steps: int


def climb(
    panel: Arrangement,
    smoothing: float,
    most_steps: int = _MOST_STEPS,
    settled: float = _SETTLED,
) -> _Climbed:
    """Take steps of EM until no posterior moves by more than `settled`."""
    from scipy.sparse import csr_array

    labels = panel.labels
    voice = panel.rater * labels + panel.label
    shape = (panel.items, panel.raters * labels)
    labels_by = csr_array((np.ones(len(voice)), (panel.item, voice)), shape=shape)
    labels_by.sort_indices()
    items_of = labels_by.T
    votes = np.zeros((panel.items, labels))
    np.add.at(votes, (panel.item, panel.label), 1.0)
    posterior = votes / votes.sum(axis=1, keepdims=True)
    like_item, like_rater = _first_of_a_colour(panel)
    steps, moved, likelihood = 0, np.inf, 0.0
    confusion, shares = np.zeros((panel.raters, labels, labels)), np.zeros(labels)
    while moved > settled and steps < most_steps:
        weighed = posterior * panel.weight[:, None]
        counts = (items_of @ weighed).reshape(panel.raters, labels, labels) + smoothing
        counts = counts[like_rater]
        confusion = counts / counts.sum(axis=1, keepdims=True)
        shares = weighed.sum(axis=0) / panel.weight.sum()
        # A label whose share has shrunk to nothing stays at a log that numbers can hold.
        evidence = np.log(np.maximum(shares, np.finfo(np.float64).tiny))
        evidence = evidence + labels_by @ np.log(confusion).reshape(-1, labels)
        evidence = evidence[like_item]
        top = evidence.max(axis=1, keepdims=True)
        new = np.exp(evidence - top)
        total = new.sum(axis=1, keepdims=True)
        new /= total
        likelihood = float(panel.weight @ (top + np.log(total))[:, 0])
        moved = float(np.abs(new - posterior).max(initial=0.0))
        posterior = new
        steps += 1
    return _Climbed(posterior, confusion.transpose(0, 2, 1), shares, likelihood, steps)


def _first_of_a_colour(panel: Arrangement) -> tuple[_Places, _Places]:
    """Name for each item and each rater the first that nothing tells apart from it.

    Both have the same numbers, but for the order of adding. On a panel where every rater differs
    once, each elsewhere, that last bit is where a climb starts, and would choose among answers that
    are alike. Where labels cannot be told apart either, one's numbers may be the other's with the
    labels changed about: there everybody keeps their own.
    """
    if panel.has_equal_labels:
        return np.arange(panel.items), np.arange(panel.raters)
    firsts = []
    for colours in (panel.item_class, panel.rater_class):
        _, first, number = np.unique(colours, return_index=True, return_inverse=True)
        firsts.append(first[number])
    return firsts[0], firsts[1]


@fitted_method(
    MethodDeclaration(
        name="dawid_skene",
        title="Dawid-Skene",
        question="What score has the label that is most probably right, if each rater confuses "
        "labels in a way of their own?",
        unit="points of the label scores",
        undefined="two labels are equally probable, or the labels have no scores",
        parts=PARTS,
        source="Dawid & Skene (1979), doi:10.2307/2346806",
        parameters={"value": VALUES, "smoothing": Number("0.01", 0.000001, whole=False)},
        quality="probability that the rater says the true label, 0 to 1",
    )
)
def dawid_skene(
    units: Units,
    *,
    rng: np.random.Generator | None,
    given: KnownToModel | None = None,
    value: str = "label",
    smoothing: str = "0.01",
    **_: str,
) -> Joined:
    """Score each unit by its most probable label, or by the posterior mean (`value=expected`).

    Example:
        >>> units = Units.from_codes([[0, 0], [0, 0], [1, 1]], ["no", "yes"], scores=[0, 1])
        >>> [score.value for score in dawid_skene(units, rng=None).scores]
        [0.0, 0.0, 1.0]
    """
    del rng, given  # the start is the vote: nothing is drawn; and it takes no control items
    skene = fit_dawid_skene(units, smoothing=float(smoothing))
    return Joined(
        scores=posterior_scores(units, skene.posterior, value),
        uncertainty=skene.entropy,
        quality=_beside_others(units, skene.accuracy),
        codes=posterior_codes(skene.posterior),
        model=Model(
            posterior=skene.posterior,
            log_likelihood=skene.log_likelihood,
            restarts=(skene.log_likelihood,),
            steps=skene.steps,
            shares=skene.shares,
            confusion=skene.confusion,
            kept=(True,) * len(units),
            known=("",) * len(units),
            notes=tuple(filter(None, [_unsettled(skene.steps)])),
        ),
    )


def _unsettled(steps: int) -> str:
    if steps < _MOST_STEPS:
        return ""
    return f"the fit of Dawid-Skene was still moving after {steps} steps"


def _beside_others(units: Units, accuracy: Sequence[float]) -> tuple[float | None, ...]:
    """Leave out raters whom nobody can be held against: theirs is only how they spread labels."""
    shared = np.bincount(units.rater[units.sizes[units.unit] > 1], minlength=len(units.raters))
    return tuple(one if n else None for one, n in zip(accuracy, shared.tolist(), strict=True))
