"""MACE: raters who know, and raters who guess."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.arrangement import Arrangement, Block, arrange, ordered_sum
from medassay.consensus.label_scores import (
    PARTS,
    VALUES,
    entropies,
    most_certain,
    posterior_codes,
    posterior_scores,
)
from medassay.consensus.method import (
    Joined,
    KnownToModel,
    MethodDeclaration,
    Model,
    find_method,
    fitted_method,
)
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Units
from medassay.scores import Number, Unit
from medassay.stats.randomness import Rng, as_generator
from medassay.text import count_of

_ALL: Final = 100
_ONLY: Final = {"vb": ("guessing", "knowing", "strategy"), "em": ("smoothing",)}
_NOBODY: Final = 0.2
_COMMON: Final = 0.7
_FEWEST_RESTARTS: Final = 3
_AS_LIKELY: Final = 1.0
"""In nats: likelihoods no further apart stand for one solution, reached from two starts."""
_EXPECTED: Final = 1.5
"""So many pairs would lie above the bar by luck, were these labels new to the fit. It has seen them
and explains more: of panels that err apart up to three in ten are refused, and two raters alike on
three answers of ten stand first in 5% at most (simulations/mace-competence.md)."""
_ROUNDING: Final = 1e-9
_OTHERS: Final = 3
_ORDERED: Final = 2
"""Two labels are as good as unordered: who never says one of them has a habit, as in the model."""
_FEWEST_SHARED: Final = 30
"""Control items that show how often a rater is right; and common answers that show two alike."""
_FEWEST_TELLING: Final = 150
"""Answers that show it where nobody knows the truth: on fewer, two who share half of their errors
stand first in more than 5% of studies (simulations/mace-competence.md)."""
_Floats = NDArray[np.float64]
_BLOCK_CELLS: Final = 65_536
"""Numbers in one block of items, labels and restarts: half a megabyte, which caches hold."""
_NOISE: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Mace:
    """A fitted MACE model.

    Attributes:
        posterior: Probability of each label, shape (units, labels); 0 for labels that nobody gave.
        entropy: Of the posterior of each unit, in nats.
        competence: For each rater how often they know rather than guess, 0 to 1. Under variational
            Bayes it is exp(E[ln P(know)]), which lies a little below the posterior mean.
        guesses: What each rater says when guessing, shape (raters, labels); rows sum to 1.
        log_likelihood: Log marginal likelihood of the restart that was kept. Under variational
            Bayes it is that of weights that sum to less than 1: not comparable with `em`.
        restarts: Log marginal likelihood of every restart.
    """

    posterior: NDArray[np.float64]
    entropy: tuple[float, ...]
    competence: tuple[float, ...]
    guesses: NDArray[np.float64]
    log_likelihood: float
    restarts: tuple[float, ...]


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


def fit_mace(
    units: Units,
    *,
    rng: Rng,
    settings: Settings | None = None,
    known: Mapping[Unit, str] | None = None,
    priors: Mapping[str, float] | None = None,
    weights: NDArray[np.float64] | None = None,
) -> Mace:
    """Which labels are right, and which raters know?

    For unit i and rater j: with probability k_j the rater knows the true label and says it, else
    draws a label from a habit of their own, θ_j. So P(a | l) = (1 − k_j) · θ_j[a] + k_j · [a = l].
    Variational Bayes puts Beta(0.5, 0.5) on k_j and a Dirichlet of 10 a label on θ_j, and replaces
    each share by exp(ψ(count + prior) − ψ(sum)).

    Nothing depends on the order of rows or on the names of raters, cases or labels: start values
    belong to a rater's and a label's place in the web of judgements. Labels that nobody gave are
    left out. Units with the same labels from the same raters are fitted as one with a weight.

    Args:
        units: Each has at least one label.
        rng: Draws the start values.
        settings: Kind of fit, priors, restarts, iterations.
        known: The true label of control units, by key.
        priors: Each label's share before anything was said; equal where not given.
        weights: How often each unit counts, as in a resample; once where not given.

    Raises:
        InvalidInput: A known label or a prior does not fit the scale.

    Source: Hovy, Berg-Kirkpatrick, Vaswani & Hovy (2013), Learning whom to trust with MACE,
        https://aclanthology.org/N13-1132.

    Example:
        >>> codes = [[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0]]
        >>> units = Units.from_codes(codes, ["no", "yes"])
        >>> found = fit_mace(units, rng=np.random.default_rng(1))
        >>> found.posterior.argmax(axis=1).tolist()
        [0, 1, 0, 1, 0, 1]
        >>> found.competence[0] == found.competence[1] > found.competence[2]
        True
    """
    rng = as_generator(rng)
    panel = arrange(units, known, priors, weights)
    if not panel.items:
        empty = np.zeros((0, len(units.labels)))
        return Mace(empty, (), (), np.zeros((len(units.raters), len(units.labels))), 0.0, ())
    model = _fit(panel, settings or Settings(), rng)
    posterior = panel.to_units(model.posterior)
    habits = np.zeros((len(units.raters), len(units.labels)))
    used = np.flatnonzero(panel.of_label >= 0)
    shares = model.guessing / model.guessing.sum(axis=1, keepdims=True)
    habits[:, used] = shares[panel.of_rater][:, panel.of_label[used]]
    return Mace(
        posterior=posterior,
        entropy=entropies(posterior),
        competence=tuple(model.knowing[panel.of_rater].tolist()),
        guesses=habits,
        log_likelihood=float(model.log_likelihood[model.best]),
        restarts=tuple(model.log_likelihood.tolist()),
    )


def no_competence(units: Units, fitted: Mace, known: Collection[Unit] = ()) -> tuple[str, ...]:
    """Say of each rater why a fit does not show how often they know; empty where it does.

    Either the labels cannot show it (`not_identified`), or some raters err together
    (`_errors_shared`), and nothing says which.

    Args:
        units: What was fitted.
        fitted: The fit.
        known: Keys of the control items whose known label it read.
    """
    unknown = not_identified(units, known)
    if all(unknown):
        return unknown
    competence = np.array(fitted.competence)
    together = _errors_shared(units, fitted.posterior, competence, fitted.guesses)
    return tuple(why or together for why in unknown)


_DEFAULTS: Final = Settings()


@fitted_method(
    MethodDeclaration(
        name="mace",
        title="MACE",
        question="What score has the label that is most probably right, raters counting by how "
        "often they know rather than guess?",
        unit="points of the label scores",
        undefined="two labels are equally probable, the answer is not among the `keep` % most "
        "certain, or the labels have no scores",
        parts=PARTS,
        source="Hovy et al. (2013), https://aclanthology.org/N13-1132",
        parameters={
            "fit": ("vb", "em"),
            "value": VALUES,
            "restarts": Number("10"),
            "iterations": Number("50"),
            "guessing": Number("0.5", 0.001, whole=False),
            "knowing": Number("0.5", 0.001, whole=False),
            "strategy": Number("10", 0.001, whole=False),
            "smoothing": Number("0.01", 0.000001, whole=False),
            "keep": Number("100", 1, 100, whole=False),
            "controls": ("unused", "used"),
            "priors": ("even", "given"),
        },
        quality="competence: how often the rater knows rather than guesses, 0 to 1; none where "
        "labels do not show it (more than two in an order, too few of three others, or raters who "
        "err together)",
        random=True,
    )
)
def mace(
    units: Units,
    *,
    rng: np.random.Generator | None,
    given: KnownToModel | None = None,
    value: str = "label",
    **parameters: str,
) -> Joined:
    """Score each unit by its most probable label, or by the posterior mean (`value=expected`).

    `mace(controls=used)` holds control items to their known label, and they have that label's
    score; `mace(priors=given)` starts from each label's given share; `mace(keep=90)` scores the
    90% of the units with the lowest entropy. A dimension for which nothing is given is fitted
    without.

    Example:
        >>> units = Units.from_codes([[0, 0], [0, 1], [1, 1]], ["no", "yes"], scores=[0, 1])
        >>> joined = mace(units, rng=np.random.default_rng(1), value="expected")
        >>> joined.scores[0].value < joined.scores[1].value < joined.scores[2].value
        True
    """
    if rng is None:
        hint = "Pass rng=1, or another whole number: the same draws the same."
        raise InvalidInput(Problem("rng", "be given: mace starts at random", "none", hint))
    beforehand = given or KnownToModel()
    known = dict(beforehand.known) if parameters.get("controls") == "used" else {}
    priors = beforehand.priors if parameters.get("priors") == "given" else None
    settings = _settings(parameters)
    fitted = fit_mace(units, rng=rng, settings=settings, known=known, priors=priors)
    keep = float(parameters.get("keep", 100))
    sure = most_certain(fitted.entropy, keep)
    # Strong priors hold competences down, and raters then agree more often than such a fit expects.
    plain = replace(_DEFAULTS, restarts=settings.restarts, iterations=settings.iterations)
    free = fitted if settings == plain else fit_mace(units, rng=rng, settings=plain, known=known)
    unknown = no_competence(units, free, known)
    notes = (
        nobody_knows(units, fitted.competence, fitted.posterior),
        _lonely_restart(fitted.restarts),
        _unread_controls(len(known), len(known.keys() & set(units.keys))),
    )
    return Joined(
        scores=posterior_scores(units, fitted.posterior, value, sure),
        uncertainty=fitted.entropy,
        quality=tuple(
            None if why else known_competence
            for known_competence, why in zip(fitted.competence, unknown, strict=True)
        ),
        codes=posterior_codes(fitted.posterior, sure),
        model=Model(
            posterior=fitted.posterior,
            log_likelihood=fitted.log_likelihood,
            restarts=fitted.restarts,
            steps=settings.iterations,
            priors=None if priors is None else dict(priors),
            guesses=fitted.guesses,
            kept=tuple(sure.tolist()),
            threshold=max(np.array(fitted.entropy)[sure].tolist()) if keep < _ALL else None,
            known=tuple(known.get(key, "") for key in units.keys),
            unknown=unknown,
            notes=tuple(note for note in notes if note),
        ),
    )


def mace_settings(method: str) -> Settings | None:
    """Give what a consensus method tells MACE's fit; None for a method that is no MACE.

    Example:
        >>> mace_settings("mace(restarts=50,keep=90)").restarts, mace_settings("majority")
        (50, None)
    """
    declared_method, name = find_method(method)
    return _settings(dict(name.arguments)) if declared_method.name == "mace" else None


def _settings(parameters: Mapping[str, str]) -> Settings:
    kind: Literal["vb", "em"] = "em" if parameters.get("fit") == "em" else "vb"
    idle = [key for key in _ONLY["vb" if kind == "em" else "em"] if key in parameters]
    if idle:
        must = f"leave {', '.join(idle)} out: fit={kind} does not use it"
        raise InvalidInput(Problem("mace", must, "a value"))

    def number(key: str, default: float) -> float:
        return float(parameters.get(key, default))

    return Settings(
        fit=kind,
        restarts=int(number("restarts", _DEFAULTS.restarts)),
        iterations=int(number("iterations", _DEFAULTS.iterations)),
        guessing=number("guessing", _DEFAULTS.guessing),
        knowing=number("knowing", _DEFAULTS.knowing),
        strategy=number("strategy", _DEFAULTS.strategy),
        smoothing=number("smoothing", _DEFAULTS.smoothing),
    )


def nobody_knows(units: Units, competence: Sequence[float], posterior: NDArray[np.float64]) -> str:
    """Say that the model explains every label as a guess, or nothing.

    Said where no rater's competence reaches 0.2. Where nearly all labels are alike, a panel of
    guessers with one and the same habit is as good an explanation as a panel that knows, and needs
    no truth: competences fall to 0 and posteriors to the priors, whoever the raters are. The bound
    of 0.2 is ours.

    Example:
        >>> units = Units.from_codes([[0, 0]] * 96 + [[0, 1], [1, 0]] * 2, ["no", "yes"])
        >>> said = nobody_knows(units, [0.0, 0.0], np.full((100, 2), 0.5))
        >>> said.partition(":")[0]
        'MACE found nobody who knows'
        >>> nobody_knows(units, [0.0, 0.9], np.full((100, 2), 0.5))
        ''
    """
    highest = max(competence, default=1.0)
    if highest >= _NOBODY:
        return ""
    shares = np.bincount(units.code, minlength=len(units.labels)) / len(units.code)
    common = int(np.argmax(shares))
    sure = float(np.median(posterior.max(axis=1)))
    finding = (
        f"MACE found nobody who knows: no competence is above {highest:.2f}, and on the median "
        f"answer its most probable label has a probability of {sure:.2f}"
    )
    if shares[common] < _COMMON:
        return (
            f"{finding}. The labels look as if every rater guessed: look at agreement and at the "
            "rubric before any consensus is read"
        )
    return (
        f"{finding}. {100 * shares[common]:.0f}% of the labels are "
        f'"{units.labels[common]}", and raters who say that by habit explain such labels as well '
        "as raters who know. So these competences say nothing of the raters, and one differing "
        "label decides an answer: read the majority, and specific agreement on each label, instead"
    )


def _lonely_restart(restarts: Sequence[float]) -> str:
    """Say that no second start found the solution that was kept, or nothing.

    Example:
        >>> _lonely_restart([-109.8, -54.7, -109.8])
        'only 1 of 3 restarts of MACE found the likeliest solution, the next is 55.1 nats below: \
take more restarts, such as mace(restarts=50)'
        >>> _lonely_restart([-54.8, -54.7, -109.8])
        ''
    """
    if len(restarts) < _FEWEST_RESTARTS:
        return ""
    best, second = sorted(restarts, reverse=True)[:2]
    if best - second <= _AS_LIKELY:
        return ""
    more = 50 if len(restarts) < 50 else 5 * len(restarts)  # noqa: PLR2004 - the oracle's number
    return (
        f"only 1 of {len(restarts)} restarts of MACE found the likeliest solution, the next is "
        f"{best - second:.1f} nats below: take more restarts, such as mace(restarts={more})"
    )


def _unread_controls(controls: int, read: int) -> str:
    """Say that some control items were judged by nobody, or nothing.

    Example:
        >>> _unread_controls(10, 7)
        '3 of 10 control items have no label of any rater and teach the model nothing'
    """
    if read == controls:
        return ""
    return (
        f"{controls - read} of {controls} control items have no label of any rater and teach the "
        "model nothing"
    )


def _errors_shared(
    units: Units,
    posterior: NDArray[np.float64],
    competence: NDArray[np.float64],
    guesses: NDArray[np.float64],
) -> str:
    """Say that two raters agree more often than raters who err apart would; empty where none do.

    By the model raters j and k agree on a share e = Σ_l π_l Σ_a P_j(a | l) P_k(a | l) of the
    answers that both judged, π being the mean posterior of these. Two raters who err together draw
    the consensus to themselves; then it is the others who agree more often than the model expects.
    So nothing says which of them it is, and no competence of the dimension is told. Each pair with
    30 answers in common is held to z = (observed − e)/√(e(1 − e)/n) above the normal quantile at 1
    − 1.5 / pairs, but at one half at least.

    Args:
        units: Who said what.
        posterior: Probability of each label, shape (units, labels).
        competence: How often each rater knows.
        guesses: What each says when guessing, shape (raters, labels).

    Example:
        >>> rng = np.random.default_rng(1)
        >>> codes = rng.integers(2, size=(200, 2))[:, [0, 0, 1, 1]]  # two pairs who copy
        >>> units = Units.from_codes(codes, ["no", "yes"])
        >>> believed = np.eye(2)[codes[:, 0]]
        >>> knows, habit = np.array([1.0, 1.0, 0.0, 0.0]), np.full((4, 2), 0.5)
        >>> _errors_shared(units, believed, knows, habit).partition(":")[0]
        'some raters err together'
    """
    from scipy.special import ndtri

    pairs = _pairs(units)
    if not pairs:
        return ""
    bar = float(ndtri(max(0.5, 1 - _EXPECTED / len(pairs))))
    of_rater = {j: units.rater == j for pair in pairs for j in pair}
    code_of = {
        j: dict(zip(units.unit[mine].tolist(), units.code[mine].tolist(), strict=True))
        for j, mine in of_rater.items()
    }
    says = {
        j: (1 - competence[j]) * guesses[j][None, :] + competence[j] * np.eye(len(units.labels))
        for j in of_rater
    }
    for j, k in pairs:
        both = sorted(code_of[j].keys() & code_of[k].keys())
        expected = float(posterior[both].mean(axis=0) @ (says[j] * says[k]).sum(axis=1))
        agreed = float(np.mean([code_of[j][unit] == code_of[k][unit] for unit in both]))
        spread = (max(expected * (1 - expected), 0.0) / len(both)) ** 0.5
        if agreed - expected > bar * spread + _ROUNDING:
            return (
                f"some raters err together: two of them agree on {100 * agreed:.0f}% of their "
                f"answers, where raters who err apart would on {100 * expected:.0f}%"
            )
    return ""


def _pairs(units: Units) -> list[tuple[int, int]]:
    """List the raters who have enough answers in common."""
    from scipy.sparse import csr_array

    shape = len(units), len(units.raters)
    gave = csr_array((np.ones(len(units.unit)), (units.unit, units.rater)), shape=shape)
    common = (gave.T @ gave).tocoo()
    return sorted(
        (j, k)
        for j, k, n in zip(
            common.row.tolist(), common.col.tolist(), common.data.tolist(), strict=True
        )
        if j < k and n >= _FEWEST_SHARED
    )


def not_identified(units: Units, known: Collection[Unit] = ()) -> tuple[str, ...]:
    """Say of each rater why the labels cannot show how often they know; empty where they may.

    Two raters who differ do not show who is right, and of three nobody can say whether two of them
    err together: each explanation fits as well. It takes 30 control items whose label is known, or
    150 answers with labels of three others, controls counted: on fewer a pair that shares half of
    its errors is not found often enough. On three labels and more that
    have an order a strict rater, who is a step below the truth, says the true label as seldom as
    one who guesses: there nothing is told. Whether raters err together is asked of the fit.

    Args:
        units: Who said what.
        known: Keys of the control items whose known label the fit reads.

    Example:
        >>> three = Units.from_codes([[0, 0, 0], [0, 1, 1]] * 75, ["no", "yes"])
        >>> not_identified(three)[0]
        'no answer of this rater has labels of three others'
        >>> not_identified(Units.from_codes([[0, 0, 0, 1], [0, 1, 1, 1]] * 75, ["no", "yes"]))
        ('', '', '', '')
    """
    used = np.unique(units.code).size
    if units.scale != "nominal" and used > _ORDERED:
        why = f"the {used} labels have an order: a strict rater looks like one who guesses"
        return (why,) * len(units.raters)
    controls = set(known)
    is_control = np.array([key in controls for key in units.keys], dtype=np.bool_)
    telling, sure = (
        np.bincount(units.rater[kind[units.unit]], minlength=len(units.raters)).tolist()
        for kind in (is_control | (units.sizes > _OTHERS), is_control)
    )
    return tuple(_why(shown, known_ones) for shown, known_ones in zip(telling, sure, strict=True))


def _why(shown: int, controls: int) -> str:
    if controls >= _FEWEST_SHARED or shown >= _FEWEST_TELLING:
        return ""
    if not shown:
        return "no answer of this rater has labels of three others"
    have = "has" if shown == 1 else "have"
    return (
        f"only {count_of(shown, 'answer')} of this rater {have} labels of three others or a known "
        f"one: it takes {_FEWEST_TELLING}, or {_FEWEST_SHARED} control items"
    )


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


def _fit(panel: Arrangement, settings: Settings, rng: np.random.Generator) -> FittedModel:
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
