"""What does a gate between systems promise where a metric knows the kind of a system alone?

    python simulations/gate_kinds.py [STUDIES]

The worst design of the gate in worst-designs.md: forty systems of two kinds, of which every metric
knows the better one, and nothing else. Where a study permits a gate, forty further systems of the
same kinds are drawn; of any two of them whose metric is as far apart as the permit's threshold, how
often is the lower one by the metric not the lower one by the raters? *Split*: the permit asks as
well for a slope within two groups, cut where the metric's means fall apart most (least squares);
*good* is that of the metric of gate_permits.py whose tau over systems is .8, as many systems.
"""

import sys
from pathlib import Path
from typing import Final

import gate_permits
import numpy as np
from boxes import systems_study
from gate_permits import Floats, sources
from page_table import percent, put_table

from medassay.stats.lines import p_without_any_two
from medassay.validity import Evidence, permit
from medassay.validity.block import blocks
from medassay.validity.order_test import OrderTest
from medassay.validity.surrogacy import adjusted_over_all, surrogacy

STUDIES: Final = 150
SEED: Final = 37_201
SYSTEMS: Final = (12, 40)
APART: Final = (0.25, 0.5, 1.0)
LEAST: Final = 4
"""Systems on each side of a split."""
LEVEL: Final = 0.025
PAGE: Final = Path(__file__).parents[1] / "simulations" / "gate-permits.md"


def given(metrics: Floats, judged: Floats) -> list[tuple[int, int, float]]:
    """List metric, dimension and threshold of each permit between systems."""
    [block] = blocks(sources("metric", metrics), sources("dimension", judged))
    at = list(np.ndindex(len(block.metrics), len(block.consensuses)))
    lines = adjusted_over_all([surrogacy(block, i, j, None) for i, j in at])
    return [
        (i, j, line.threshold)
        for (i, j), line in zip(at, lines, strict=True)
        if line.threshold is not None
        and "gate" in permit(Evidence(None, None, None, OrderTest(0), None, (), line)).uses
    ]


def holds_in_two(x: Floats, y: Floats) -> bool:
    """Say whether y rises with x within the two groups into which x falls apart most."""
    order = np.argsort(x)
    x, y = x[order], y[order]
    cuts = range(LEAST, x.size - LEAST + 1)
    cut = min(cuts, key=lambda at: x[:at].var() * at + x[at:].var() * (x.size - at))
    x, y = (np.concatenate([c[:cut] - c[:cut].mean(), c[cut:] - c[cut:].mean()]) for c in (x, y))
    p = p_without_any_two(x, y)
    return p is not None and p <= LEVEL


def row(systems: int, apart: float, studies: int) -> str:
    """Simulate one number of systems and one distance of the kinds; give the table's row."""
    rng = np.random.default_rng([SEED, systems, round(100 * apart)])
    design = {
        "systems": systems, "cases": 60, "style": 0.6, "garbage": 2, "metrics share": 2.0,
        "kinds apart": apart,
    }  # fmt: skip
    kind = np.arange(40) % 2
    lower = np.subtract.outer(kind, kind) == 0
    permitted = split = 0
    pairs = np.zeros((2, 2))  # of all, of one kind; drops, and those that are no loss
    of_pairs = []
    for _ in range(studies):
        metrics, judged = systems_study(design, rng)
        permits = given(metrics, judged)
        permitted += bool(permits)
        split += any(holds_in_two(metrics[i].mean(1), judged[j].mean(1)) for i, j, _ in permits)
        more = systems_study({**design, "systems": 40, "garbage": 0}, rng)
        for i, j, threshold in permits[:1]:
            x, y = more[0][i].mean(axis=1), more[1][j].mean(axis=1)
            drop = np.subtract.outer(x, x) >= threshold
            no_loss = drop & (np.subtract.outer(y, y) <= 0)
            now = np.array([[m.sum(), (m & lower).sum()] for m in (drop, no_loss)]).T
            pairs += now
            of_pairs.append(now)
    cells = [percent(count / studies, studies) for count in (permitted, split)]
    for at in (0, 1):
        drops, none = pairs[at]
        if not drops:
            cells.append("–")
            continue
        # Pairs of a study are not independent: studies are.
        off = np.array([now[at, 1] - none / drops * now[at, 0] for now in of_pairs])
        error = float(np.sqrt((off**2).sum()) / drops)
        cells.append(f"{100 * none / drops:.1f} ({100 * error:.1f})")
    of_one_kind = f"{100 * pairs[1, 0] / pairs[0, 0]:.0f}" if pairs[0, 0] else "–"
    return f"| {systems} | {apart:g} | {' | '.join(cells[:3])} | {of_one_kind} | {cells[3]} |"


def good(systems: int, studies: int) -> str:
    """Give the row of a good metric: how often a permit is given, and how often after a split."""
    rng = np.random.default_rng([SEED, systems])
    kept = np.zeros(2)
    for _ in range(studies):
        metrics, judged = gate_permits.study(gate_permits.GOOD, systems, rng)
        if any((i, j) == (0, 0) for i, j, _ in given(metrics, judged)):
            kept += [1, holds_in_two(metrics[0].mean(axis=1), judged[0].mean(axis=1))]
    before, after = (percent(float(share), studies) for share in kept / studies)
    return f"| {systems} | good | {before} | {after} | – | – | – | {studies} |"


def main(studies: int) -> None:
    """Write the table."""
    lines = [
        "| systems | apart | permitted | split | no loss | of one kind | of these none | studies |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for systems in SYSTEMS:
        rows = [row(systems, apart, studies) for apart in APART]
        lines += [f"{line} {studies} |" for line in rows]
        lines.append(good(systems, studies))
        print("\n".join(lines[-len(rows) - 1 :]), flush=True)
    put_table(PAGE, lines, "kinds")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
