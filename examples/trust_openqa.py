"""Twelve question-answering systems, people's judgements, four metrics: which may be trusted?

Of 3,612 answers 88 match no human judgement. Whoever drops them and whoever counts them as wrong
gets another ranking, so both are printed, and the trust table for both.

    python examples/trust_openqa.py
"""

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid
from medassay.stats import ranks
from medassay.validity import Source, Target, Trust, find_bad_answers, noise_control, trust

TABLE = Path(__file__).parent / "data" / "openqa_nq301.csv"
METRICS = ("exact_match", "token_f1", "bem", "gpt4_says_yes")
FAMILIES = {
    "FiD-KD": "FiD",
    "ANCE-plus_FiD": "FiD",
    "Contriever_FiD": "FiD",
    "GAR-plus_FiD": "FiD",
    "Rocketv2_FiD": "FiD",
    "FiD": "FiD",
    "text-davinci-003_zeroshot": "text-davinci-003",
    "text-davinci-003_fewshot-n64": "text-davinci-003",
}


def read() -> dict[str, Grid]:
    """Lay every column out over systems and cases; an empty cell is unknown, never 0."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    systems = tuple(sorted({row["system"] for row in rows}))
    cases = tuple(sorted({row["case"] for row in rows}))
    grids = {}
    for name in (*METRICS, "words", "acceptable"):
        values = np.zeros((len(systems), len(cases)))
        known = np.zeros(values.shape, dtype=np.bool_)
        for row in rows:
            if row[name]:
                at = systems.index(row["system"]), cases.index(row["case"])
                values[at], known[at] = float(row[name]), True
        grids[name] = Grid(systems, cases, values, known)
    return grids


def means(grid: Grid) -> NDArray[np.float64]:
    """Average each system over the answers that are known."""
    sums = np.where(grid.known, grid.values, 0).sum(axis=1)
    average: NDArray[np.float64] = sums / grid.known.sum(axis=1)
    return average


def table_of(grids: dict[str, Grid], human: Grid) -> Trust:
    """Hold the four metrics against the people."""
    [found] = trust(
        [Source(name, grids[name]) for name in METRICS],
        [
            Source("words", grids["words"], "none"),
            noise_control(grids["words"], np.random.default_rng(3)),
        ],
        [Source("acceptable", human)],
        rng=np.random.default_rng(1),
        families=FAMILIES,
        replicates=2000,
    )
    return found


def say(title: str, found: Trust) -> None:
    """Print a trust table."""
    print(f"\n{title}")
    print(f"{'metric':<16}{'use':<14}{'tau':>6}  {'95 % for all':<16}{'P(best)':>8}  answers")
    for entry in found.entries:
        tau = "none" if entry.tau is None else f"{entry.tau:.2f}"
        ends = entry.interval
        bounds = f"[{ends.low:.2f}, {ends.high:.2f}]" if ends else "-"
        best = "-" if entry.p_best is None else f"{entry.p_best:.2f}"
        uses = "control" if entry.role == "control" else ", ".join(entry.uses)
        print(f"{entry.metric:<16}{uses:<14}{tau:>6}  {bounds:<16}{best:>8}  {entry.n_answers}")
    print(f"the best of four random metrics reaches {found.noise:.2f} in 95 % of draws at most")


def main() -> None:
    """Print rankings, trust tables, and how well the metrics find wrong answers."""
    grids = read()
    dropped = grids["acceptable"]
    everywhere = np.ones(dropped.known.shape, dtype=np.bool_)
    as_wrong = Grid(dropped.systems, dropped.cases, dropped.values, everywhere)
    print(f"{int((~dropped.known).sum())} of {dropped.known.size} answers match no judgement\n")
    print(f"{'system':<30}{'dropped':>8}{'rank':>5}{'as wrong':>10}{'rank':>5}{'unmatched':>11}")
    first, second = means(dropped), means(as_wrong)
    places = ranks(first), ranks(second)
    for i in np.argsort(places[0], kind="stable").tolist():
        moved = "  moves" if places[0][i] != places[1][i] else ""
        print(
            f"{dropped.systems[i]:<30}{first[i]:>8.3f}{places[0][i]:>5}{second[i]:>10.3f}"
            f"{places[1][i]:>5}{int((~dropped.known[i]).sum()):>11}{moved}"
        )
    say("unmatched answers dropped", table_of(grids, dropped))
    say("unmatched answers counted as wrong", table_of(grids, as_wrong))
    wrong = Grid(dropped.systems, dropped.cases, 1 - dropped.values, dropped.known)
    print(f"\n{'finding wrong answers':<24}{'AUROC':>6}  {'95 %':<14}{'AUPRC':>6}")
    for one in find_bad_answers(
        [*(Source(name, grids[name]) for name in METRICS), Source("words", grids["words"], "none")],
        [Target("acceptable", "unacceptable", wrong)],
        rng=np.random.default_rng(1),
    ):
        ends = one.auroc_interval
        bounds = f"[{ends.low:.2f}, {ends.high:.2f}]" if ends else "-"
        print(f"{one.metric:<24}{one.auroc:>6.2f}  {bounds:<14}{one.auprc:>6.2f}")


if __name__ == "__main__":
    main()
