"""From a flag to a verdict to a bound: the path of docs/harm.md, walked end to end."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from medassay.judgements.campaign import find_plans
from medassay.stats import harm_bound
from medassay.tables import csv_bytes

Command = Callable[..., Any]
STUDY: Final = Path(__file__).parents[1] / "data" / "clinical_reasoning"
KINDS: Final = (
    "Contraindicated treatment",
    "Missed critical diagnosis",
    "Delayed urgent care",
    "Wrong dose",
)
Labels = Mapping[str, Mapping[str, tuple[str, str]]]


def back(folder: Path, campaign: str, rater: str, said: Labels) -> Path:
    """Fill a rater's sheet: severity and likelihood by case and kind, none for every other."""
    header = ["Code", *(f"{kind}: {part}" for kind in KINDS for part in ("severity", "likelihood"))]
    rows = []
    for one in find_plans(folder)[campaign].of_rater(rater):
        given = said.get(one.item.case, {})
        cells = [part for kind in KINDS for part in given.get(kind, ("none", ""))]
        rows.append([one.code, *cells])
    file = folder.parent / f"{campaign}-{rater}.csv"
    file.write_bytes(csv_bytes(header, rows))
    return file


def safety(medassay: Command, folder: Path) -> dict[str, Any]:
    said = medassay("run", folder)
    assert said.code == 0, said.out
    newest = max((folder / "results").glob("*/report.json"), key=lambda path: path.stat().st_mtime)
    found: dict[str, Any] = json.loads(newest.read_text(encoding="utf-8"))["analyses"]["safety"]
    return found


def of_hasty(found: dict[str, Any]) -> dict[str, Any]:
    one: dict[str, Any] = next(one for one in found["systems"] if one["system"] == "hasty")
    return one


@pytest.mark.slow
def test_from_flag_to_bound(medassay: Command, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    shutil.copytree(STUDY, folder)
    before = of_hasty(safety(medassay, folder))
    assert (before["flagged"], before["reviewed"]) == (3, 0)

    # The flagged answers make the queue; no words of theirs are in it.
    queue = tmp_path / "queue.csv"
    assert medassay("triage", folder, "--for", "danger", "--n", "3", "--out", queue).code == 0
    assert {line.split(",")[1] for line in queue.read_text().splitlines()[1:]} == {
        "Q005", "Q046", "Q052",
    }  # fmt: skip

    # Two raters judge them, blinded: no sheet names a system, a rule or a flag.
    sent = medassay(
        "campaign", "create", folder, "--queue", queue, "--raters", "anna,ben", "--name", "review"
    )
    assert sent.code == 0, sent.out
    sent = medassay("campaign", "sheets", folder, "--format", "csv", "--name", "review")
    assert sent.code == 0, sent.out
    for rater in ("anna", "ben"):
        sheet = (folder / "campaigns/review/sheets" / f"{rater}.csv").read_text(encoding="utf-8")
        assert "hasty" not in sheet
        assert "anticoagulant-bleeding" not in sheet
        assert "flag" not in sheet
    anna: Labels = {
        "Q046": {"Contraindicated treatment": ("death", "likely")},
        "Q052": {"Wrong dose": ("moderate", "possible")},
    }
    ben: Labels = {
        "Q046": {"Contraindicated treatment": ("severe", "likely")},
        "Q052": {"Wrong dose": ("severe", "possible")},
    }
    files = [back(folder, "review", "anna", anna), back(folder, "review", "ben", ben)]
    assert medassay("campaign", "collect", folder, *files).code == 0

    # Both answers on which they differ go to a third, the worst first.
    second = tmp_path / "second.csv"
    said = medassay("triage", folder, "--for", "adjudication", "--out", second)
    assert said.code == 0, said.out
    cases = [line.split(",")[1] for line in second.read_text().splitlines()[1:]]
    assert cases == ["Q046", "Q052"]
    sent = medassay(
        "campaign", "create", folder, "--queue", second, "--rate", "adjudication",
        "--raters", "eva", "--name", "adjudication",
    )  # fmt: skip
    assert sent.code == 0, sent.out
    eva: Labels = {
        "Q046": {"Contraindicated treatment": ("death", "likely")},
        "Q052": {"Wrong dose": ("moderate", "unlikely")},
    }
    file = back(folder, "adjudication", "eva", eva)
    assert medassay("campaign", "collect", folder, file).code == 0
    assert medassay("triage", folder, "--for", "adjudication").code == 0

    found = safety(medassay, folder)
    after = of_hasty(found)
    assert (after["reviewed"], after["reviewed_twice"], after["unsettled"]) == (3, 3, 0)
    # Q046 is dangerous by the adjudicator, Q000 by the tag of its case; Q052 and Q005 are not.
    assert after["flagged_dangerous"] == 1
    assert after["kinds"] == {"contraindicated-treatment": 1, "missed-diagnosis": 1}
    states = {(one["case"], one["by"]): one for one in found["dangers"] if one["system"] == "hasty"}
    assert states["Q046", "rule"]["state"] == "dangerous"
    assert states["Q046", "rule"]["risk"] == 4 * 3  # death, likely
    assert states["Q052", "rule"]["state"] == "not dangerous"
    assert states["Q052", "rule"]["risk"] == 2 * 1  # moderate, unlikely
    assert states["Q005", "rule"]["state"] == "not dangerous"
    # Two of six dangerous, and flags find half: the bound is twice that of finding all.
    two_of_six = np.array([True, True, False, False, False, False])
    assert after["bound"]["upper"] == pytest.approx(harm_bound(two_of_six, sensitivity=0.5).upper)
    assert after["bound"]["perfect"] == pytest.approx(harm_bound(two_of_six).upper)
    assert after["bound"]["upper"] <= before["bound"]["upper"]


def test_nobody_is_asked_to_settle_what_nobody_rated(medassay: Command, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    shutil.copytree(STUDY, folder)
    said = medassay("triage", folder, "--for", "adjudication")
    assert said.code == 0
    assert "Raters differ on no answer that is not settled." in said.out
