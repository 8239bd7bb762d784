"""Two model judges beside people: certificates, and shares of bad answers corrected for errors."""

import csv
from pathlib import Path
from typing import Final

from medassay.analyses import judge_results
from medassay.judges import write_certificate
from medassay.study import Study
from tools.judged_study import PEOPLE, write_judged
from tools.standard.making import add_settings, write_rows

_CASES: Final = 12
_POOR: Final = ("alder", "birch", "cedar")
_SETTINGS: Final = """
[targets]
"mean(dimension=quality)" = 3.0
[report.analyses]
annotation_budget = true
aggregation_methods = false
[validity.thresholds]
"rouge1(ref=human)" = 0.1
"""


def write_judges(folder: Path) -> Path:
    """Write the study; people leave every second case to the judges, who were certified before."""
    write_judged(folder, cases=_CASES)
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8").replace("replicates = 500", "replicates = 100")
    settings.write_text(text, encoding="utf-8")
    add_settings(folder, _SETTINGS)
    study = Study.open_whole(folder)
    for one in judge_results(study):
        write_certificate(study, one)
    path = folder / "judgements.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        # Three systems are bad throughout, and the judge `fair` sees it four times of five.
        sees = row["rater"] in PEOPLE or (row["rater"] == "fair" and int(row["case"][1:]) % 5)
        if row["system"] in _POOR and sees:
            row["label"] = "1"
    gone = set(sorted({row["case"] for row in rows})[::2])
    kept = [row for row in rows if not (row["rater"] in PEOPLE and row["case"] in gone)]
    write_rows(path, list(rows[0]), kept)
    return folder
