"""How many judgements does triage save? Simulated on real judgements, hidden and shown one by one.

    python -m tools.triage_savings

Judgements are shown in batches of BATCH, the next batch chosen anew from what has been shown. The
tables say how many it takes until tau with the ranking by all judgements stays at or above a bar on
average over SEEDS orders, and which share of the bad answers has been found by a quarter of all
judgements.
"""

import csv
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid, Unit
from medassay.stats import tau_b
from medassay.validity import Source, TriageWeights, disagreement_of, seeded_lot, triage

BATCH: Final = 60
SEEDS: Final = 20
ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "triage.md"
METRICS: Final = ("exact_match", "token_f1", "bem", "gpt4_says_yes")
_HEADER: Final = (
    "| order | tau .8, plain | tau .9, plain | tau .8, adjusted | tau .9, adjusted "
    "| bad answers found by a quarter |"
)
Order = Callable[[Grid, NDArray[np.bool_], int, int], list[tuple[int, int]]]


def openqa() -> tuple[Grid, list[Source], float]:
    """Give people's verdicts, four metrics, and the value below which an answer is bad."""
    table = ROOT / "examples" / "data" / "openqa_nq301.csv"
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    systems = tuple(sorted({row["system"] for row in rows}))
    cases = tuple(sorted({row["case"] for row in rows}))
    grids = {}
    for name in (*METRICS, "acceptable"):
        values = np.zeros((len(systems), len(cases)))
        known = np.zeros(values.shape, dtype=np.bool_)
        for row in rows:
            if row[name]:
                at = systems.index(row["system"]), cases.index(row["case"])
                values[at], known[at] = float(row[name]), True
        grids[name] = Grid(systems, cases, values, known)
    return grids["acceptable"], [Source(name, grids[name]) for name in METRICS], 0.5


def cochrane() -> tuple[Grid, list[Source], float]:
    """Give the raters' mean fluency, the demo's metrics, and the value below which it is bad."""
    from medassay.analyses.inputs.study_columns import collect_columns
    from medassay.study import open_run, score_study, write_demo

    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder) / "study"
        write_demo(study, "cochrane")
        run = open_run(study)
        score_columns = collect_columns(run.study, score_study(run.study, run.metrics))
        systems = run.study.systems
        human = score_columns.table.grid("mean(dimension=population)", systems, run.study.cases.ids)
        judged = np.atleast_1d(human.known.any(axis=0))
        used = tuple(c for c, k in zip(human.cases, judged.tolist(), strict=True) if k)
        metrics = [
            Source(one.name, score_columns.table.grid(one.name, systems, used), one.direction)
            for one in score_columns.columns
            if one.kind == "metric" and not one.control
        ]
        human = score_columns.table.grid("mean(dimension=population)", systems, used)
    return human, metrics, 0.5


def means(grid: Grid, shown: NDArray[np.bool_], *, adjusted: bool) -> NDArray[np.float64]:
    """Give system means of what was shown; adjusted: least squares with an effect of the case."""
    values = np.where(shown, grid.values, 0.0)
    counts = shown.sum(axis=1)
    plain = np.where(counts > 0, values.sum(axis=1) / np.maximum(counts, 1), np.nan)
    if not adjusted:
        return plain
    system = np.nan_to_num(plain)
    for _ in range(30):
        of_case = np.maximum(shown.sum(axis=0), 1)
        case = np.where(shown, values - system[:, None], 0).sum(axis=0) / of_case
        system = np.where(shown, values - case, 0).sum(axis=1) / np.maximum(counts, 1)
    return np.where(counts > 0, system, np.nan)


def orders(metrics: list[Source]) -> dict[str, Order]:
    """Give the ways to choose the next answers."""
    apart = disagreement_of(metrics)
    low = sum(
        (np.where(m.grid.known, m.grid.values, np.inf) <= np.quantile(m.grid.values, 0.25)).astype(
            float
        )
        for m in metrics
        if m.direction == "higher"
    )
    flagged = np.asarray(low) >= len(metrics) / 2

    def at_random(
        grid: Grid, left: NDArray[np.bool_], seed: int, count: int
    ) -> list[tuple[int, int]]:
        rng = np.random.default_rng([seed, int(left.sum())])
        cells = np.argwhere(left & ~grid.known)
        return [(int(i), int(j)) for i, j in rng.permutation(cells)[:count]]

    def by_case(
        grid: Grid, left: NDArray[np.bool_], seed: int, count: int
    ) -> list[tuple[int, int]]:
        turn = np.random.default_rng(seed).permutation(len(grid.cases))
        cells = [(i, int(j)) for j in turn for i in range(len(grid.systems)) if left[i, j]]
        return cells[:count]

    def chosen(weights: TriageWeights) -> Order:
        def choose(
            grid: Grid, left: NDArray[np.bool_], seed: int, count: int
        ) -> list[tuple[int, int]]:
            gap = grid.values[grid.known]
            flags = {
                Unit(grid.systems[i], grid.cases[j]): "two metrics are low"
                for i, j in np.argwhere(flagged)
            }
            queue = triage(
                grid, left, count=count, variance=float(gap.var()) if gap.size > 1 else 1.0,
                flags=flags if weights.danger else None, disagreement=apart, weights=weights,
                lot=seeded_lot(seed),
            )  # fmt: skip
            return [(grid.systems.index(q.system), grid.cases.index(q.case)) for q in queue]

        return choose

    return {
        "random answers": at_random,
        "random whole cases": by_case,
        "triage, ranking alone": chosen(TriageWeights(1, 0, 0)),
        "triage, ranking and disagreement": chosen(TriageWeights(1, 0, 0.5)),
        "triage, all three": chosen(TriageWeights()),
    }


def simulate(
    human: Grid, order: Order, bad_below: float, seeds: int = SEEDS, batch: int = BATCH
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Give tau of plain means, tau of adjusted means, and bad answers found, by number shown."""
    truth = means(human, human.known, adjusted=False)
    bad = human.known & (human.values < bad_below)
    steps = -(-int(human.known.sum()) // batch)
    curves = np.zeros((3, seeds, steps))
    for seed in range(seeds):
        shown = np.zeros(human.known.shape, dtype=np.bool_)
        for step in range(steps):
            now = Grid(human.systems, human.cases, np.where(shown, human.values, 0), shown)
            for i, j in order(now, human.known & ~shown, seed, batch):
                shown[i, j] = True
            for row, adjusted in enumerate((False, True)):
                found = means(human, shown, adjusted=adjusted)
                both = ~np.isnan(found)
                tau = tau_b(found[both], truth[both]) if both.sum() > 2 else None  # noqa: PLR2004 - a ranking needs three
                curves[row, seed, step] = 0.0 if tau is None or not both.all() else tau
            curves[2, seed, step] = (bad & shown).sum() / bad.sum()
    plain, adjusted_, found_ = curves.mean(axis=1)
    return plain, adjusted_, found_


def needed(curve: NDArray[np.float64], bar: float, batch: int = BATCH) -> int:
    """Give the judgements from which on the curve stays at or above the bar."""
    below = np.flatnonzero(curve < bar)
    return batch * (int(below[-1]) + 2 if below.size else 1)


def main() -> None:
    """Simulate both sets and write the tables into the page."""
    lines: list[str] = []
    for title, (human, metrics, bad_below) in (
        ("Twelve systems, open questions (openqa)", openqa()),
        ("Six systems, Cochrane summaries (population)", cochrane()),
    ):
        total = int(human.known.sum())
        batch = BATCH if total > 1000 else 12  # noqa: PLR2004 - a small set needs small steps
        lines += [
            f"### {title}: {total} judged answers, batches of {batch}",
            "",
            _HEADER,
            "| :--- | ---: | ---: | ---: | ---: | ---: |",
        ]
        for name, order in orders(metrics).items():
            plain, adjusted, found = simulate(human, order, bad_below, batch=batch)
            cells = [
                str(min(needed(curve, bar, batch), total))
                for curve in (plain, adjusted)
                for bar in (0.8, 0.9)
            ]
            quarter = found[total // 4 // batch - 1]
            lines.append(f"| {name} | {' | '.join(cells)} | {100 * quarter:.0f}% |")
            print(lines[-1], flush=True)
        lines.append("")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition("<!-- table -->\n")
    after = rest.partition("<!-- end -->")[2]
    text = f"{before}<!-- table -->\n" + "\n".join(lines) + f"<!-- end -->{after}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
