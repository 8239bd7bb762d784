"""How often does the gate say what? A seeded simulation, written to design/.

    python bench/gate_errors.py

Two versions answer the same questions, right or wrong. The old one is right on 80 %; of 100
answers about ten differ between the versions, so the discordant share is 10 % and the true loss is
the difference of the two discordant shares.
"""

from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np

from medassay.validity import Change, gate

SIZES: Final = (50, 200, 1000)
LOSSES: Final = (0.0, 0.02, 0.05)
DISCORDANT: Final = 0.10
ACCURACY: Final = 0.80
MARGIN: Final = 0.02
SIMULATIONS: Final = 4000
SEED: Final = 31415
PAGE: Final = Path(__file__).parents[1] / "design" / "gate-errors.md"


def simulate(n: int, loss: float, simulations: int = SIMULATIONS) -> Counter[str]:
    """Count the verdicts over simulated pairs of versions."""
    rng = np.random.default_rng([SEED, n, round(1000 * loss)])
    worse, better = (DISCORDANT + loss) / 2, (DISCORDANT - loss) / 2
    shares = [ACCURACY - worse, worse, better, 1 - ACCURACY - better]
    verdicts: Counter[str] = Counter()
    for _ in range(simulations):
        outcome = rng.choice(4, size=n, p=shares)
        keys = [("system", f"{i:04}") for i in range(n)]
        old = dict(zip(keys, np.isin(outcome, (0, 1)).astype(float).tolist(), strict=True))
        new = dict(zip(keys, np.isin(outcome, (0, 2)).astype(float).tolist(), strict=True))
        [found] = gate([Change("accuracy", "higher", old, new, 0, 1)], margin=MARGIN)
        verdicts[found.verdict.value] += 1
    return verdicts


def main() -> dict[str, dict[str, float]]:
    """Simulate every cell, print the table and put it into the page."""
    lines = [
        "| cases | true loss | worse | not worse | undecided |",
        "| ---: | ---: | ---: | ---: | ---: |",
    ]
    measured: dict[str, dict[str, float]] = {}
    for n in SIZES:
        for loss in LOSSES:
            verdicts = simulate(n, loss)
            shares = {
                word: verdicts[word] / SIMULATIONS for word in ("worse", "not worse", "undecided")
            }
            measured[f"{n} cases, loss {loss}"] = shares
            cells = " | ".join(f"{100 * share:.1f}" for share in shares.values())
            lines.append(f"| {n} | {loss:.2f} | {cells} |")
            print(lines[-1], flush=True)
    page = PAGE.read_text(encoding="utf-8")
    start, end = page.index("<!-- table -->"), page.index("<!-- end -->")
    table = "\n".join(["<!-- table -->", *lines, ""])
    PAGE.write_text(page[:start] + table + page[end:], encoding="utf-8")
    return measured


if __name__ == "__main__":
    main()
