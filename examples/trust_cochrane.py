"""Six systems that summarise Cochrane evidence, judged by experts: is any metric borne out?

With six systems a correlation takes few values: the table says `never` of most, and why.

    python examples/trust_cochrane.py
"""

import tempfile
from pathlib import Path

from medassay.analyses import validity_report
from medassay.analyses.builtin.trust import trusted_in
from medassay.study import open_run, write_demo


def main() -> None:
    """Write the study that comes with medassay, and print what its metrics may be used for."""
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder) / "study"
        write_demo(study, "cochrane")
        run = open_run(study)
        found = validity_report(run.study, run.metrics)
    for one in trusted_in(found.records):
        raters = "none" if one.raters.halves is None else f"{one.raters.halves:.2f}"
        print(f"{found.names.of_dimension(one.dimension)}: halves of the raters, tau {raters}")
        for entry in one.table.entries:
            if entry.role == "metric" and entry.tau is not None:
                ends = entry.interval
                bounds = f"[{ends.low:.2f}, {ends.high:.2f}]" if ends else "-"
                uses = ", ".join(entry.uses)
                print(f"  {entry.metric:<24}{entry.tau:>6.2f} {bounds:<15}{uses}: {entry.why}")


if __name__ == "__main__":
    main()
