"""The published table of 28 systems: its means and its three rankings come out again."""

import csv
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.stats import ranks
from medassay.validity import Source, rank_systems

TABLE = Path(__file__).parents[1] / "golden" / "archehr_table_s1.csv"
with TABLE.open(encoding="utf-8", newline="") as lines:
    ROWS = list(csv.DictReader(lines))
SIX = ("bleu", "rouge", "sari", "bertscore", "alignscore", "medcon")


def column(name: str) -> NDArray[np.float64]:
    return np.array([float(row[name]) for row in ROWS])


def relevance(reference: str) -> NDArray[np.float64]:
    columns = np.array([column(f"{reference}_{metric}") for metric in SIX])
    mean: NDArray[np.float64] = columns.mean(axis=0)
    return mean


def overall(reference: str) -> NDArray[np.float64]:
    return (relevance(reference) + column("strict_f1")) / 2


@pytest.mark.parametrize("reference", ["h", "n"])
def test_the_printed_means_hold_within_a_tenth(reference: str) -> None:
    assert np.abs(relevance(reference) - column(f"{reference}_avg")).max() < 0.1
    assert np.abs(overall(reference) - column(f"{reference}_overall")).max() < 0.1


@pytest.mark.parametrize(
    ("printed", "values"),
    [
        ("rank_overall", overall("h")),
        ("rank_factuality", column("strict_f1")),
        ("rank_relevance", relevance("h")),
    ],
)
def test_rounding_then_ranking_gives_the_printed_ranking(
    printed: str, values: NDArray[np.float64]
) -> None:
    assert ranks(values, decimals=1).tolist() == column(printed).tolist()


def test_the_printed_ties_need_the_rounding() -> None:
    # M6 and M7 share place 6 (44.2), M10 and M11 place 10 (43.2), M25 and M26 place 25 (33.5).
    places = ranks(overall("h"), decimals=1)
    assert [places[i - 1] for i in (6, 7, 8, 10, 11, 12, 25, 26)] == [6, 6, 8, 10, 10, 12, 25, 25]
    assert ranks(overall("h")).tolist() != column("rank_overall").tolist()
    assert ranks(relevance("h")).tolist() != column("rank_relevance").tolist()


def test_the_leaderboard_has_the_same_places() -> None:
    systems = tuple(row["system"] for row in ROWS)
    values = np.array([column(f"h_{metric}") for metric in SIX]).T
    grid = Grid(systems, SIX, values, np.ones(values.shape, dtype=bool))
    board = rank_systems(
        Source("relevance", grid), rng=np.random.default_rng(1), replicates=100, decimals=1
    )
    found = {standing.system: standing.rank for standing in board.standings}
    assert found == {row["system"]: int(row["rank_relevance"]) for row in ROWS}
