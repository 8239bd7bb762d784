"""What two suites made of the same faults, as a table in Markdown."""

from collections import Counter
from collections.abc import Iterable, Mapping

from tools.mutate.mutant import Kind, Mutant
from tools.mutate.trying import Trial

_HEAD = "| kind | drawn | | tried | caught | survived | not covered | out of time | rate |"


def table(mutants: Iterable[Mutant], suites: Mapping[str, Mapping[Mutant, Trial]]) -> str:
    """Give a row for each kind and suite; the rate is what was caught of all that were tried."""
    lines = [_HEAD, "|---|---|---|---|---|---|---|---|---|"]
    drawn = Counter(one.kind for one in mutants)
    of_kind: list[tuple[str, set[Kind]]] = [(str(kind), {kind}) for kind in Kind if drawn[kind]]
    for title, kinds in [*of_kind, ("all", set(Kind))]:
        total = sum(drawn[kind] for kind in kinds)
        for suite, trials in suites.items():
            found = Counter(t.outcome for m, t in trials.items() if m.kind in kinds)
            cells = [found[one] for one in ("caught", "survived", "not covered", "out of time")]
            tried = found.total()
            rate = f"{100 * found['caught'] / tried:.1f}%" if tried else "none was tried"
            row = (title, total, suite, tried, *cells, rate)
            lines.append(f"| {' | '.join(map(str, row))} |")
    return "\n".join(lines)
