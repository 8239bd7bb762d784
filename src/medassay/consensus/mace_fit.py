"""The arithmetic of MACE: all restarts side by side, in log space."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.arrangement import Arrangement, Block, ordered_sum

__all__ = ["FittedModel", "Settings", "fit"]

_Floats = NDArray[np.float64]

_BLOCK_CELLS: Final = 65_536
"""Numbers in one block of items, labels and restarts: half a megabyte, which caches hold."""

_NOISE: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a fit can be told.

    Attributes:
        fit: `vb` for variational Bayes, `em` for plain EM.
        restarts: How many random starts; the one with the highest likelihood is kept.
        iterations: Steps of each.
        guessing: Beta prior of guessing, in judgements (`vb`).
        knowing: Beta prior of knowing, in judgements (`vb`).
        strategy: Dirichlet prior of each label in what a guesser says, in judgements (`vb`).
        smoothing: Added to every expected count, divided by the number of labels (`em`).
    """

    fit: Literal["vb", "em"] = "vb"
    restarts: int = 10
    iterations: int = 50
    guessing: float = 0.5
    knowing: float = 0.5
    strategy: float = 10.0
    smoothing: float = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class FittedModel:
    """The best restart.

    Attributes:
        posterior: Probability of each label, shape (items, labels).
        knowing: For each rater the weight of knowing.
        guessing: For each rater and label the weight of guessing it, shape (raters, labels).
        log_likelihood: Log marginal likelihood of each restart.
        best: Which restart this is.
    """

    posterior: _Floats
    knowing: _Floats
    guessing: _Floats
    log_likelihood: _Floats
    best: int


def fit(panel: Arrangement, settings: Settings, rng: np.random.Generator) -> FittedModel:
    """Fit from all starts at once, and keep the likeliest.

    P(a | true label l) = s_ja + k_j · [a = l], with s_ja = P(guess) · θ_ja. An item's log posterior
    is therefore, up to a constant, log prior_l + Σ_{judgements of l} log(1 + k_j / s_ja): one
    weight a judgement, and none for the labels that nobody gave it.
    """
    size = max(1, _BLOCK_CELLS // (panel.labels * settings.restarts))
    blocks = list(panel.blocks(panel.items if panel.has_equal_labels else size))
    knowing, guessing = _start(panel, settings.restarts, rng)
    believed, likelihood = _expect(panel, blocks, knowing, guessing)
    for _ in range(settings.iterations):
        knowing, guessing = _maximise(panel, settings, believed, knowing, guessing)
        believed, likelihood = _expect(panel, blocks, knowing, guessing)
    best = int(np.argmax(likelihood))
    chosen = knowing[:, [best]], guessing[:, :, [best]]
    posterior = np.empty((panel.items, panel.labels))
    for block in blocks:
        share, _ = _posterior(panel, block, *chosen)
        posterior[block.start : block.stop] = share[:, :, 0].T
    return FittedModel(posterior, chosen[0][:, 0], chosen[1][:, :, 0], likelihood, best)


def _start(panel: Arrangement, restarts: int, rng: np.random.Generator) -> tuple[_Floats, _Floats]:
    """Draw start values by colour: raters or labels that nothing tells apart share theirs."""
    raters = int(panel.rater_class.max(initial=-1)) + 1
    labels = int(panel.label_class.max(initial=-1)) + 1
    coins = 1 + _NOISE * rng.random((restarts, raters, 2))
    coins /= coins.sum(axis=2, keepdims=True)
    coins = coins[:, panel.rater_class]
    theta = 1 + _NOISE * rng.random((restarts, raters, labels))
    theta = theta[:, panel.rater_class][:, :, panel.label_class]
    theta /= ordered_sum(theta, 2, sort=panel.has_equal_labels)
    guessing = coins[:, :, :1] * theta
    return np.ascontiguousarray(coins[:, :, 1].T), np.ascontiguousarray(guessing.transpose(1, 2, 0))


def _posterior(
    panel: Arrangement, block: Block, knowing: _Floats, guessing: _Floats
) -> tuple[_Floats, _Floats]:
    """Give P(label | judgements), shape (labels, items, restarts), and the items' log evidence.

    The evidence lacks Σ log s_ja, which is the same for every label; `_expect` adds it.
    """
    return _shares(panel, block, _weights(knowing, guessing))


def _weights(knowing: _Floats, guessing: _Floats) -> _Floats:
    weights: _Floats = np.log1p(knowing[:, None, :] / guessing)
    return weights.reshape(-1, knowing.shape[1])


def _shares(panel: Arrangement, block: Block, weights: _Floats) -> tuple[_Floats, _Floats]:
    size = block.stop - block.start
    share: _Floats = (block.said @ weights).reshape(panel.labels, size, -1)
    share += panel.log_prior[:, None, None]
    known = panel.known[block.start : block.stop]
    for place in np.flatnonzero(known >= 0):
        share[np.arange(panel.labels) != known[place], place] = -np.inf
    top = share.max(axis=0)
    share -= top
    np.exp(share, out=share)
    total = ordered_sum(share, 0, sort=panel.has_equal_labels)[0]
    share /= total
    return share, top + np.log(total)


def _expect(
    panel: Arrangement, blocks: list[Block], knowing: _Floats, guessing: _Floats
) -> tuple[_Floats, _Floats]:
    """Add up how probable it is that each rater's use of each label was right.

    Returns:
        Shape (raters, labels, restarts), and the log marginal likelihood of each restart.
    """
    weights = _weights(knowing, guessing)
    believed = np.zeros_like(weights)
    # What an item's labels have in common, left out of its evidence: Σ ln s_ja.
    common = panel.uses.reshape(-1, 1) * np.log(guessing).reshape(weights.shape)
    likelihood = ordered_sum(common, 0, sort=panel.has_equal_labels)[0]
    for block in blocks:
        share, evidence = _shares(panel, block, weights)
        weight = panel.weight[block.start : block.stop]
        likelihood += weight @ evidence
        share *= weight[:, None]
        if panel.has_equal_labels:
            believed += _heard_in_order(panel, share)
        else:
            believed += block.heard @ share.reshape(-1, share.shape[2])
    return believed.reshape(guessing.shape), likelihood


def _heard_in_order(panel: Arrangement, share: _Floats) -> _Floats:
    """Do what `block.heard @ share` does, adding smaller numbers first."""
    voice = panel.rater * panel.labels + panel.label
    sums = np.zeros((panel.raters * panel.labels, share.shape[2]))
    for restart, column in enumerate(share[panel.label, panel.item].T):
        order = np.lexsort((column, voice))
        np.add.at(sums[:, restart], voice[order], column[order])
    return sums


def _maximise(
    panel: Arrangement,
    settings: Settings,
    believed: _Floats,
    knowing: _Floats,
    guessing: _Floats,
) -> tuple[_Floats, _Floats]:
    """Turn expected counts of knowing and guessing into new weights."""
    # A judgement that was right was either known or a lucky guess.
    knew = believed * (knowing[:, None, :] / (knowing[:, None, :] + guessing))
    guessed = panel.uses[:, :, None] - knew
    coin = np.concatenate(
        [ordered_sum(side, 1, sort=panel.has_equal_labels) for side in (guessed, knew)], 1
    )
    extra = settings.smoothing / panel.labels
    priors = np.array([settings.guessing, settings.knowing])[:, None], settings.strategy
    if settings.fit == "em":
        coin, theta = (
            _normalised(coin_or_guess + extra, panel) for coin_or_guess in (coin, guessed)
        )
    else:
        coin, theta = (
            _expected_log(coin_or_guess + prior, panel)
            for coin_or_guess, prior in zip((coin, guessed), priors, strict=True)
        )
    return coin[:, 1], coin[:, :1] * theta


def _normalised(counts: _Floats, panel: Arrangement) -> _Floats:
    shares: _Floats = counts / ordered_sum(counts, 1, sort=panel.has_equal_labels)
    return shares


def _expected_log(counts: _Floats, panel: Arrangement) -> _Floats:
    """Give exp(E[log p]) of a Dirichlet, exp(ψ(n) − ψ(Σn)); such weights sum to less than 1."""
    from scipy.special import digamma

    totals = ordered_sum(counts, 1, sort=panel.has_equal_labels)
    weights: _Floats = np.exp(digamma(counts) - digamma(totals))
    return weights
