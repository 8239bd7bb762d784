"""The graph of Bretz and others against the closed test, Holm's steps and the papers' examples."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from medassay.errors import InvalidInput
from medassay.stats.multiplicity import Graph, graph_levels, graphical

GOLDEN = Path(__file__).parents[1] / "golden" / "multiplicity_statsmodels.json"
FAMILIES = json.loads(GOLDEN.read_text(encoding="utf-8"))["families"]
# Two primary questions, each with a secondary one that is asked once it is answered (the truncated
# graph of Bretz and others 2011, doi:10.1002/bimj.201000239, figure 1).
TWO_AND_TWO = Graph(
    np.array([0.5, 0.5, 0.0, 0.0]),
    np.array([[0, 0.5, 0.5, 0], [0.5, 0, 0, 0.5], [0, 1, 0, 0], [1, 0, 0, 0]], dtype=float),
)
IN_A_ROW = Graph(np.array([1.0, 0, 0]), np.array([[0, 1.0, 0], [0, 0, 1], [0, 0, 0]]))
FALLBACK = Graph(np.array([0.5, 0.3, 0.2]), np.array([[0, 1.0, 0], [0, 0, 1], [0, 0, 0]]))


def closed(p: np.ndarray, graph: Graph) -> list[float]:
    """Adjust by every intersection, whose weights are where a walk on the graph is absorbed."""
    every = range(len(p))
    adjusted = [0.0] * len(p)
    for size in range(1, len(p) + 1):
        for kept in map(list, combinations(every, size)):
            gone = [at for at in every if at not in kept]
            inner = np.linalg.pinv(np.eye(len(gone)) - graph.transitions[np.ix_(gone, gone)])
            handed = graph.weights[gone] @ inner @ graph.transitions[np.ix_(gone, kept)]
            weights = graph.weights[kept] + handed
            own = min(
                (p[at] / w for at, w in zip(kept, weights, strict=True) if w > 1e-12), default=1.0
            )
            for at in kept:
                adjusted[at] = max(adjusted[at], min(1.0, own))
    return adjusted


@pytest.mark.parametrize("graph", [TWO_AND_TWO, IN_A_ROW, FALLBACK, Graph.alike(4)])
def test_it_is_the_closed_test_in_steps(graph: Graph) -> None:
    rng = np.random.default_rng(37)
    for _ in range(60):
        p = rng.random(len(graph.weights)) ** 3
        assert graphical(p, graph) == pytest.approx(closed(p, graph), abs=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_alike_it_is_holm_of_statsmodels(family: dict[str, list[float]]) -> None:
    ours = graphical(family["p"], Graph.alike(len(family["p"])))
    assert ours.tolist() == pytest.approx(family["holm"], abs=1e-12)


def test_the_example_of_two_and_two() -> None:
    # By hand: H2 at .005/.5; it hands .5 to H1, w1 = .75; .01/.75 = .0133; then w3 = w4 = .5.
    assert graphical([0.01, 0.005, 0.1, 0.5], TWO_AND_TWO) == pytest.approx(
        [0.01 / 0.75, 0.01, 0.2, 0.5], abs=1e-12
    )


def test_in_a_row_stops_at_the_first_that_fails() -> None:
    assert graphical([0.01, 0.2, 0.001], IN_A_ROW).tolist() == [0.01, 0.2, 0.2]


def test_a_question_hands_on_its_part_only_when_all_of_it_is_answered() -> None:
    assert graph_levels([0.01, 0.02, 0.9], Graph.alike(3)) == pytest.approx([0.05 / 3, 0.025, 0.05])
    assert graph_levels([0.02, 0.02, 0.9], Graph.alike(3)) == pytest.approx([0.05 / 3] * 3)
    assert graph_levels([], Graph.alike(0)).tolist() == []
    assert graph_levels([0.9], Graph.alike(1)).tolist() == [0.05]


def test_families_keep_the_level_between_them() -> None:
    # Each question has one true lead and one true null: nothing may be handed on for the lead.
    rng, wrong, studies = np.random.default_rng(39), 0, 4000
    for _ in range(studies):
        null = rng.random(3)
        level = graph_levels(null, Graph.alike(3))  # the lead's p is 0: the null's is the largest
        wrong += bool((null <= level).any())
    assert wrong / studies <= 0.05 + 2.6 * (0.05 * 0.95 / studies) ** 0.5


@pytest.mark.parametrize(
    "graph",
    [
        Graph(np.array([0.7, 0.7]), np.zeros((2, 2))),
        Graph(np.array([0.5, 0.5]), np.eye(2)),
        Graph(np.array([0.5]), np.zeros((1, 1))),
    ],
)
def test_a_graph_that_gives_more_than_it_has_is_refused(graph: Graph) -> None:
    with pytest.raises(InvalidInput, match="graph"):
        graphical([0.1, 0.2], graph)


def test_p_outside_its_range_is_refused() -> None:
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        graphical([0.1, 1.2], Graph.alike(2))
