"""What of a label's variance is whose, with what so few raters leave open: a G study by pivots."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.means import squared_counts, variance_components
from medassay.stats.randomness import Rng, as_generator

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_FACTORS: Final = (
    "system", "case", "answer", "rater", "system_rater", "case_rater", "cluster", "system_cluster",
)  # fmt: skip
_TARGETS: Final[tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]] = (
    ("residual", (), ()),
    ("case_rater", ("case", "rater"), ("residual",)),
    ("system_case", ("system", "case"), ("residual", "case_rater", "system_rater", "rater")),
    ("system_rater", ("system", "rater"), ("residual", "case_rater", "system_case", "case")),
    ("rater", (), ("residual", "case_rater", "system_case", "system_rater", "case", "system")),
    ("of_case", (), ("residual", "case_rater", "system_rater", "rater")),
    ("noise", (), ("residual", "case_rater", "system_case", "system_rater", "rater", "case")),
)
"""What is drawn, in this order; the sides of an interaction; whose variance is noise in it."""
_LEVELS: Final = {"system_case": "answer", "of_case": "answer", "noise": "system"}
"""The factor whose levels have a part, where it is called otherwise."""
_DRAWN: Final = (
    "system", "system_case", "system_rater", "residual", "answer", "rater", "label", "noise",
)  # fmt: skip
_OF_RATERS: Final = ("system_rater", "rater")
_BLOCKS: Final = 20
"""Parts of the cases that are left out in turn."""
_LARGE: Final = 300.0
"""Above, the root of a noncentral chi-square is normal."""
_FEWEST: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class LongLabels:
    """Labels in long form, each the only one of its rater on an answer.

    Attributes:
        values: The scores of the labels, shape (n,).
        system: Number of the system, from 0.
        case: Number of the case.
        rater: Number of the rater.
        cluster: Number of the case's cluster; that of the case where each is apart.
    """

    values: Floats
    system: Ints
    case: Ints
    rater: Ints
    cluster: Ints

    def without(self, left_out: NDArray[np.bool_]) -> "LongLabels":
        """Leave labels out."""
        kept = ~left_out
        return LongLabels(
            self.values[kept], self.system[kept], self.case[kept], self.rater[kept],
            self.cluster[kept],
        )  # fmt: skip

    @property
    def factors(self) -> dict[str, Ints]:
        """Number the levels of each factor."""
        cases, raters = int(self.case.max()) + 1, int(self.rater.max()) + 1
        of = {
            "system": self.system,
            "case": self.case,
            "answer": self.system * cases + self.case,
            "rater": self.rater,
            "system_rater": self.system * raters + self.rater,
            "case_rater": self.case * raters + self.rater,
            "cluster": self.cluster,
            "system_cluster": self.system * (int(self.cluster.max()) + 1) + self.cluster,
        }
        apart = len(np.unique(self.case)) == len(np.unique(self.cluster))
        return {name: of[name] for name in _FACTORS if not (apart and "cluster" in name)}


@dataclass(frozen=True, slots=True, eq=False)
class GStudy:
    """Variance components for these systems, new cases and new raters: estimates and draws.

    Each array has the estimate first and then draws, whose central 95% are its interval.

    Attributes:
        undefined: Why there is nothing; empty where there is something.
        system: Between the true means of these systems.
        system_case: Of a system from case to case; of clusters of m cases m times their part.
        system_rater: Of a rater's leaning from system to system.
        residual: Of a label, what nothing else foretells; a rater's leaning from case to case is
            in `label`.
        answer: Between answers, whosever they are.
        rater: Of raters' severity.
        label: Of a label apart from its answer and its rater's severity.
        noise: Of a system's mean in this study, against another's.
    """

    undefined: str
    system: Floats
    system_case: Floats
    system_rater: Floats
    residual: Floats
    answer: Floats
    rater: Floats
    label: Floats
    noise: Floats

    def of_systems(self, raters: float, cases: float) -> Floats:
        """Give the generalizability coefficient of the systems' means, compared with each other.

        Eρ² = σ²_s / (σ²_s + σ²_sr/R + σ²_sc/C + σ²_e/(RC)), every one of R raters judging every
        system's answer to each of C cases.
        """
        noise = (
            self.system_rater / raters + self.system_case / cases + self.residual / (raters * cases)
        )
        return _share(self.system, noise)

    @property
    def of_systems_now(self) -> Floats:
        """Give the same of the means of this study, as its raters were allotted."""
        return _share(self.system, self.noise)

    def of_answer(self, raters: float) -> Floats:
        """Give the index of dependability of an answer's score, the mean of R raters' labels.

        Φ = σ²_a / (σ²_a + (σ²_r + σ²_l)/R): how severe its raters happen to be counts as error.
        """
        return _share(self.answer, (self.rater + self.label) / raters)

    def raters_for_systems(self, target: float, cases: float) -> Floats:
        """Give how many raters bring the systems' means to a coefficient; infinity if none do."""
        room = self.system * (1 - target) / target - self.system_case / cases
        return _needed(self.system_rater + self.residual / cases, room)

    def cases_for_systems(self, target: float, raters: float) -> Floats:
        """Give how many cases do."""
        room = self.system * (1 - target) / target - self.system_rater / raters
        return _needed(self.system_case + self.residual / raters, room)

    def raters_for_answer(self, target: float) -> Floats:
        """Give how many raters bring an answer's score to an index."""
        return _needed(self.rater + self.label, self.answer * (1 - target) / target)


def g_study(rated: LongLabels, *, rng: Rng, draws: int = 1000) -> GStudy:
    """How much of the variance is the systems', the cases' and the raters', and how sure is that?

    MIVQUE0 components (`variance_components`), and for each a generalized pivotal quantity
    (Weerahandi 1993): a component plus its noise is E = σ² + Σ k_g σ²_g, estimated with ν degrees
    of freedom; E·ν/χ²_ν less the noise is a draw of it, at least 0. k_g are those of the layout's
    own quadratic forms, so holes and raters who rotate are in them. Of raters, ν follows from how
    many there are: 2 of 3 raters, (S − 1)(R − 1) of raters by systems, fewer where raters have
    unlike shares (Kish). Of cases, ν is what the delete-a-group jackknife over clusters shows
    (Satterthwaite), since labels are not normal; between answers at most the clusters less one.
    The systems are these: the spread of their true
    means is drawn from the noncentral χ² of the observed one.

    Args:
        rated: The labels.
        rng: The source of randomness.
        draws: Draws.

    Source: Brennan (2001), doi:10.1007/978-1-4757-3456-0; Weerahandi (1993),
        doi:10.1080/01621459.1993.10476355; Burdick, Borror & Montgomery (2005),
        doi:10.1137/1.9780898718379.

    Example:
        >>> i, j, k = (part.ravel() for part in np.indices((3, 20, 3)))
        >>> made = np.random.default_rng(1)
        >>> y = made.normal(size=3)[i] + made.normal(size=180)
        >>> found = g_study(LongLabels(y, i, j, k, j), rng=1)
        >>> low, high = np.quantile(found.of_systems(3, 20)[1:], [0.025, 0.975])
        >>> bool(low < found.of_systems(3, 20)[0] < high)
        True
    """
    parts, why = _parts(rated)
    errors = {} if why else _case_errors(rated)
    if why or not errors:
        why = why or "too few cases tell raters from answers"
        return GStudy(why, *([np.zeros(1)] * len(_DRAWN)))
    made = as_generator(rng)
    # A jackknife of few parts must not find more than so many clusters have.
    most = dict.fromkeys(errors, len(rated.values)) | {"of_case": len(np.unique(rated.cluster)) - 1}
    # Of what is not drawn, or not yet, the estimate stands.
    drawn = {name: np.full(draws + 1, max(part, 0.0)) for name, part in parts.items()}
    for name, sides, givers in _TARGETS:
        noise = np.zeros(draws + 1)
        for giver in givers:
            noise += max(_share_of(rated, name, sides, giver), 0.0) * drawn[giver]
        if name == "noise":
            drawn[name] = noise
        elif name in _OF_RATERS or errors[name] > 0:
            seen = max(parts[name] + noise[0], 0.0)
            free = (
                _freedom(rated, name)
                if name in _OF_RATERS
                else min(max(2 * seen**2 / errors[name], 1), most[name])
            )
            moved = seen * free / made.chisquare(free, draws) - noise[1:]
            drawn[name][1:] = np.maximum(moved, 0.0)
    systems = len(np.unique(rated.system))
    seen = max(parts["system"] + drawn["noise"][0], 0.0)
    noise = drawn["noise"][1:]
    blurred = noise > 0  # else the means are known as they are
    drawn["system"][1:] = seen
    unlike = _noncentrality(
        (systems - 1) * seen / noise[blurred], systems - 1, made.random(draws)[blurred]
    )
    drawn["system"][1:][blurred] = noise[blurred] * unlike / (systems - 1)
    drawn["answer"] = drawn["system"] + drawn["of_case"]
    drawn["label"] = drawn["residual"] + drawn["case_rater"] + drawn["system_rater"]
    return GStudy("", *(drawn[name] for name in _DRAWN))


def _parts(rated: LongLabels) -> tuple[dict[str, float], str]:
    """Estimate what is drawn later, below 0 where chance has it so; or say why that cannot be."""
    for levels, why in (
        (rated.system, "one system has none to be compared with"),
        (rated.cluster, "there is one case, or one cluster of cases"),
        (rated.rater, "one rater does not show how raters differ"),
        (rated.values, "all labels are the same"),
    ):
        if len(np.unique(levels)) < _FEWEST:
            return {}, why
    factors = {name: levels.tolist() for name, levels in rated.factors.items()}
    components = variance_components(rated.values, factors)
    if {"answer", "rater", "system_rater"} & {*components.aliased}:
        return {}, "who judged what does not tell raters from systems and answers"
    of = {name: components.estimates.get(name, 0.0) for name in (*_FACTORS, "residual")}
    of_case = np.unique(np.column_stack([rated.case, rated.cluster]), axis=0)[:, 1]
    size = float((np.bincount(of_case) ** 2).sum() / len(of_case))
    case = of["case"] + of["cluster"]
    return {
        "residual": of["residual"],
        "case_rater": of["case_rater"],
        "system_case": of["answer"] + size * of["system_cluster"],
        "system_rater": of["system_rater"],
        "rater": of["rater"],
        "of_case": case + of["answer"] + of["system_cluster"],
        "case": case,
        "system": of["system"],
    }, ""


def _case_errors(rated: LongLabels) -> dict[str, float]:
    """Give the variance of each estimate over cases, by leaving parts of the clusters out."""
    place = np.unique(rated.cluster, return_inverse=True)[1]
    blocks = min(int(place.max()) + 1, _BLOCKS)
    left = [_parts(rated.without(place % blocks == block))[0] for block in range(blocks)]
    usable = [parts for parts in left if parts]
    n = len(usable)
    if n < _FEWEST:
        return {}
    return {
        name: (n - 1) ** 2 / n * float(np.var([parts[name] for parts in usable], ddof=1))
        for name in usable[0]
    }


def _share_of(rated: LongLabels, target: str, sides: tuple[str, ...], giver: str) -> float:
    """Say how much of a giver's variance is noise between the means of a target's levels.

    Of means of levels j: Σ_l n_jl² / Σ n_j² within a level, less the same over pairs of levels,
    which what both levels have in common does not move. Of an interaction, less the same over pairs
    that share one side, and plus it over pairs that share none.
    """
    factors = rated.factors
    level = factors.get(_LEVELS.get(giver, giver), np.arange(len(rated.values)))
    cell = factors[_LEVELS.get(target, target)]

    def shares(by: Ints) -> list[float]:
        own = _squares(cell, by)
        of_sides = [_squares(factors[side], by) for side in sides]
        every = _squares(np.zeros_like(cell), by)
        apart = every - sum(of_sides) + own if sides else every - own
        return [own, *(of_side - own for of_side in of_sides), apart]

    found, whole = shares(level), shares(np.zeros_like(cell))
    signs = (1, -1, -1, 1) if sides else (1, -1)
    return sum(
        sign * part / of for sign, part, of in zip(signs, found, whole, strict=True) if of > 0
    )


def _squares(group: Ints, level: Ints) -> float:
    return squared_counts(group * (int(level.max()) + 1) + level)


def _freedom(rated: LongLabels, target: str) -> float:
    """Give the degrees of freedom of raters, or of raters by systems, at unlike shares."""
    weights = np.unique(rated.rater, return_counts=True)[1].astype(np.float64) ** 2
    raters = len(weights)
    free = max(float(weights.sum() ** 2 / (weights**2).sum()) - 1, 1.0)
    if target == "rater":
        return free
    cells = len(np.unique(rated.factors[target])) - len(np.unique(rated.system)) - raters + 1
    return max(free * cells / (raters - 1), 1.0)


def _noncentrality(ratio: Floats, freedom: int, level: Floats) -> Floats:
    """Give λ for which a noncentral chi-square lies under the ratio so often; 0 where none does."""
    from scipy.special import chdtr, chndtrinc, ndtri

    small = chndtrinc(np.minimum(ratio, _LARGE), freedom, level)
    root = np.sqrt(np.minimum(ratio, 1e300)) - ndtri(level)
    large = np.maximum(root, 0.0) ** 2 - freedom + 1
    found: Floats = np.maximum(np.where(ratio < _LARGE, small, large), 0.0)
    found[chdtr(freedom, ratio) <= level] = 0.0
    return found


def _share(part: Floats, noise: Floats) -> Floats:
    whole = part + noise
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)


def _needed(numerator: Floats, room: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.divide(numerator, room, out=np.full_like(room, np.inf), where=room > 0)
