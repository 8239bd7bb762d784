"""Several questions that share one error rate: a graph says who hands its part on to whom."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medassay.errors import InvalidInput, Problem

__all__ = ["Graph", "graph_levels", "graphical"]

Floats = NDArray[np.float64]
_SLACK = 1e-12


class Graph(NamedTuple):
    """How questions share an error rate.

    Attributes:
        weights: The part of the rate that each begins with, shape (questions,); at most 1 together.
        transitions: What part of its own each hands to each other once it is answered, shape
            (questions, questions); 0 to itself, and at most 1 in a row.

    Example:
        >>> Graph.alike(2)
        Graph(weights=array([0.5, 0.5]), transitions=array([[0., 1.],
               [1., 0.]]))
    """

    weights: Floats
    transitions: Floats

    @classmethod
    def alike(cls, questions: int) -> "Graph":
        """Give each question the same part, to be handed on in equal parts: Holm's steps."""
        others = 1.0 - np.eye(questions)
        return cls(
            np.full(questions, 1 / max(questions, 1)),
            others / max(questions - 1, 1),
        )


def graphical(p_values: ArrayLike, graph: Graph) -> Floats:
    """Adjust p so that the chance of even one false finding stays below the level.

    A test is rejected where p is at most its part of the level; it then hands its part on, and the
    graph closes over it:

        w_l ← w_l + w_j g_jl,    g_lk ← (g_lk + g_lj g_jk) / (1 - g_lj g_jl).

    The adjusted p is the smallest level at which it is rejected. Holds however the tests depend on
    each other. With `Graph.alike` these are Holm's.

    Args:
        p_values: Shape (m,), each in [0, 1].
        graph: Of m tests.

    Raises:
        InvalidInput: The graph gives away more than it has, or p lies outside 0 to 1.

    Source: Bretz, Maurer, Brannath & Posch (2009), A graphical approach to sequentially rejective
        multiple test procedures, doi:10.1002/sim.3495.

    Example:
        >>> graphical([0.01, 0.04, 0.03], Graph.alike(3)).round(6).tolist()
        [0.03, 0.06, 0.06]
    """
    p, weights, transitions = _checked(p_values, graph)
    adjusted, highest = np.ones(p.size), 0.0
    open_ = list(range(p.size))
    while open_:
        with np.errstate(divide="ignore", invalid="ignore"):
            wanted = np.where(weights > 0, p / weights, np.where(p > 0, np.inf, 0.0))
        best = min(open_, key=lambda at: (wanted[at], at))
        highest = max(highest, min(1.0, float(wanted[best])))
        adjusted[best] = highest
        open_.remove(best)
        weights, transitions = _closed_over(best, open_, weights, transitions)
    return adjusted


def graph_levels(last: ArrayLike, graph: Graph, level: float = 0.05) -> Floats:
    """At what level may each of several questions be tested, if all share one?

    A question is a family of tests whose p are adjusted within it. It hands its part on only when
    every test in it is rejected: what is handed on then is spent on no true null. So the chance of
    even one false finding in any question stays below the level: of the questions with a true null
    none is tested above the part that it has when all others have handed on theirs, and these
    parts are at most 1 together.

    Args:
        last: The largest adjusted p of each question, shape (m,).
        graph: Of m questions.
        level: For all together.

    Returns:
        The level of each question when no more can be handed on; where it handed its part on, the
        level that it had then. A test in it is rejected where its p, adjusted within the question,
        is at most this.

    Raises:
        InvalidInput: As `graphical`.

    Source: Bretz, Maurer, Brannath & Posch (2009), doi:10.1002/sim.3495; families: Maurer & Bretz
        (2014), doi:10.1002/sim.6252.

    Example:
        >>> graph_levels([0.01, 0.5], Graph.alike(2)).tolist()
        [0.025, 0.05]
        >>> graph_levels([0.03, 0.5], Graph.alike(2)).tolist()
        [0.025, 0.025]
    """
    p, weights, transitions = _checked(last, graph)
    levels = weights * level
    open_ = list(range(p.size))
    while any(p[at] <= weights[at] * level for at in open_):
        best = next(at for at in open_ if p[at] <= weights[at] * level)
        open_.remove(best)
        weights, transitions = _closed_over(best, open_, weights, transitions)
        levels[open_] = weights[open_] * level
    return levels


def _closed_over(
    gone: int, open_: list[int], weights: Floats, transitions: Floats
) -> tuple[Floats, Floats]:
    """Take a question out of the graph; those left inherit its part and its edges."""
    new_weights, new_transitions = np.zeros_like(weights), np.zeros_like(transitions)
    for at in open_:
        new_weights[at] = weights[at] + weights[gone] * transitions[gone, at]
        back = transitions[at, gone] * transitions[gone, at]
        if back >= 1 - _SLACK:
            continue
        for to in open_:
            if to != at:
                handed = transitions[at, to] + transitions[at, gone] * transitions[gone, to]
                new_transitions[at, to] = handed / (1 - back)
    return new_weights, new_transitions


def _checked(p_values: ArrayLike, graph: Graph) -> tuple[Floats, Floats, Floats]:
    p = np.asarray(p_values, dtype=np.float64)
    weights, transitions = (np.array(part, dtype=np.float64) for part in graph)
    inside = (p >= 0) & (p <= 1)
    if not inside.all():
        raise InvalidInput(Problem("p_values", "lie between 0 and 1", f"{p[~inside][0]}"))
    if weights.shape != p.shape or transitions.shape != (p.size, p.size):
        shapes = f"{weights.shape} and {transitions.shape}"
        raise InvalidInput(Problem("graph", f"be of {p.size} questions", shapes))
    sound = (
        (weights >= 0).all()
        and weights.sum() <= 1 + _SLACK
        and (transitions >= 0).all()
        and (transitions.sum(axis=1) <= 1 + _SLACK).all()
        and not np.diag(transitions).any()
    )
    if not sound:
        must = "have parts from 0 that add up to 1 at most, and hand nothing to themselves"
        raise InvalidInput(Problem("graph", must, f"{weights.tolist()}, {transitions.tolist()}"))
    return p, weights, transitions
