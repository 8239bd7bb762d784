"""MACE: raters who know, and raters who guess."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.arrangement import arrange
from medassay.consensus.given import Given
from medassay.consensus.labels_alone import entropies
from medassay.consensus.mace_fit import Settings, fit
from medassay.consensus.mace_known import not_identified
from medassay.consensus.mace_notes import lonely_restart, nobody_knows, unread_controls
from medassay.consensus.mace_shared_errors import errors_shared
from medassay.consensus.method import Declaration, Joined, fitted_method
from medassay.consensus.model import Model
from medassay.consensus.posterior import (
    PARTS,
    VALUES,
    most_certain,
    posterior_codes,
    posterior_scores,
)
from medassay.consensus.registry import find_method
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Units
from medassay.scores import Number, Unit
from medassay.stats.randomness import Rng, as_generator

__all__ = ["Mace", "fit_mace", "mace", "mace_settings", "no_competence"]


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
    model = fit(panel, settings or Settings(), rng)
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
    (`errors_shared`), and nothing says which.

    Args:
        units: What was fitted.
        fitted: The fit.
        known: Keys of the control items whose known label it read.
    """
    unknown = not_identified(units, known)
    if all(unknown):
        return unknown
    competence = np.array(fitted.competence)
    together = errors_shared(units, fitted.posterior, competence, fitted.guesses)
    return tuple(why or together for why in unknown)


_DEFAULTS: Final = Settings()
_ALL: Final = 100
_ONLY: Final = {"vb": ("guessing", "knowing", "strategy"), "em": ("smoothing",)}


@fitted_method(
    Declaration(
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
    given: Given | None = None,
    value: str = "label",
    **parameters: str,
) -> Joined:
    """Score each unit by its most probable label, or by the posterior mean (`value=expected`).

    `mace(controls=used)` holds control items to their known label, and they have that label's
    score; `mace(priors=given)` starts from each label's given share; `mace(keep=90)` scores the
    90 % of the units with the lowest entropy. A dimension for which nothing is given is fitted
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
    beforehand = given or Given()
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
        lonely_restart(fitted.restarts),
        unread_controls(len(known), len(known.keys() & set(units.keys))),
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
