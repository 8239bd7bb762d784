"""Write the table of docs/which-metric.md: which metrics experts bore out so far.

    python -m tools.make_borne_out

It is made of what the scripts on docs/validity-examples.md print, which tests run again and
compare; a test holds this table to them.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).parents[1] / "docs"
PAGE: Final = DOCS / "which-metric.md"
_BEGIN: Final = "<!-- Written by python -m tools.make_borne_out -->"
_END: Final = "<!-- Until here -->"
_PRINTED: Final = re.compile(r"\$ python (examples/\w+\.py)\n(.*?)```", re.DOTALL)
_SCREENED: Final = re.compile(
    r"^(?P<metric>\w+) +(?P<uses>never|[a-z, ]+?) +(?P<tau>-?\d\.\d\d)  \[(?P<low>\S+), "
    r"(?P<high>\S+)\] +\d\.\d\d  (?P<answers>\d+)$",
    re.MULTILINE,
)
_JOINED: Final = re.compile(
    r"^  (?P<metric>\S+) +(?P<tau>-?\d\.\d\d) \[(?P<low>\S+), (?P<high>\S+)\] +(?P<uses>.+?): .+$"
)


@dataclass(frozen=True)
class Verdict:
    """What one metric may be used for, by one data set and dimension."""

    data: str
    n: str
    dimension: str
    metric: str
    tau: str
    uses: str


def page(before: str) -> str:
    """Write the page with its table as the scripts' output has it now."""
    head, _, rest = before.partition(_BEGIN)
    _, _, tail = rest.partition(_END)
    return f"{head}{_BEGIN}\n\n{_table()}\n\n{_END}{tail}"


def _table() -> str:
    rows = [
        "| data set | systems, answers | experts judged | metric | tau, 95% CI | verdict |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for verdict in verdicts():
        cells = (verdict.data, verdict.n, verdict.dimension, verdict.metric, verdict.tau)
        rows.append(f"| {' | '.join(cells)} | {verdict.uses} |")
    return "\n".join(rows)


def verdicts() -> Iterator[Verdict]:
    """Read the verdicts: one a metric, and of a set that confirms none, its best one a dimension.

    Raises:
        ValueError: The page has no output of a script that the table is made of.
    """
    text = (DOCS / "validity-examples.md").read_text(encoding="utf-8")
    printed = dict(_PRINTED.findall(text))
    yield from _open_questions(printed["examples/trust_openqa.py"])
    yield from _summaries(printed["examples/trust_cochrane.py"])


def _open_questions(printed: str) -> Iterator[Verdict]:
    dropped = printed.partition("unmatched answers dropped")[2].partition("unmatched answers")[0]
    metrics = [*_SCREENED.finditer(dropped)]
    if not metrics:
        message = "trust_openqa.py prints no table of metrics any more"
        raise ValueError(message)
    systems = len(re.findall(r"^\S.* \d\.\d{3} +\d+ +\d\.\d{3}", printed, re.MULTILINE))
    for found in metrics:
        n = f"{systems}, {int(found['answers']):,}"
        tau = f"{found['tau']} [{found['low']}, {found['high']}]"
        metric = f"`{found['metric']}`"
        yield Verdict("Open questions (NQ-301)", n, "acceptable or not", metric, tau, found["uses"])


def _summaries(printed: str) -> Iterator[Verdict]:
    parts = re.split(r"^(\S.*): halves of the raters.*$", printed, flags=re.MULTILINE)
    for dimension, block in zip(parts[1::2], parts[2::2], strict=True):
        metrics = [found for line in block.splitlines() if (found := _JOINED.match(line))]
        if not metrics:
            message = f"trust_cochrane.py prints no metric of {dimension} any more"
            raise ValueError(message)
        uses = {found["uses"] for found in metrics}
        best = max(metrics, key=lambda found: float(found["tau"]))
        shown = metrics if uses != {"never"} else [best]
        for found in shown:
            others = f", highest of {len(metrics)}" if shown == [best] else ""
            tau = f"{found['tau']} [{found['low']}, {found['high']}]"
            metric = f"`{found['metric']}`{others}"
            n = f"6, {_judged(dimension.lower()):,}"
            yield Verdict("Cochrane summaries", n, dimension.lower(), metric, tau, found["uses"])


def _judged(dimension: str) -> int:
    """Count the answers of the Cochrane study that have a label on a dimension."""
    study = Path(__file__).parents[1] / "src" / "medassay" / "data" / "studies" / "cochrane"
    with (study / "judgements.csv").open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["label"]]
    known = dimension.partition(" ")[0]
    return len({(row["system"], row["case"]) for row in rows if row["dimension"] == known})


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {PAGE.name}")
