"""Take a log in, a day at a time, and say what has drifted from the baseline."""

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from medassay.analyses.descriptive import refuse_to_infer
from medassay.analyses.monitor.baseline import Baseline
from medassay.analyses.monitor.day import ScoredDay
from medassay.analyses.monitor.log import Entry, read_log
from medassay.analyses.monitor.record import DayKept, Monitored
from medassay.errors import InvalidInput, Problem
from medassay.study import Progress, only_writer, open_run, score_study
from medassay.tables import csv_bytes, guarded, json_bytes, write_atomically

__all__ = ["DAYS", "next_csv", "watch_log"]

DAYS: Final = "days"
"""The folder within a monitor's that holds its days."""
_SCORING: Final = "scoring"


def watch_log(
    log: Path,
    baseline: Path,
    folder: Path,
    *,
    columns: Mapping[str, str],
    count: int,
    progress: Progress | None = None,
) -> Monitored:
    """Score a log, keep what it says of each of its days, and hold all days beside the baseline.

    Half of the error is spent on the baseline's intervals and half on the days, each divided
    evenly over all quantities. A day that was given before is replaced, so that a day given twice
    counts once, and one that was given before it was over can be given again.

    Args:
        log: The log; of one day or of several.
        baseline: The study beside which it is held.
        folder: Where the monitor is kept.
        columns: Our name of a column to the log's.
        count: How many answers of each day experts should see next.
        progress: Told how far the scoring is.

    Raises:
        InvalidInput: Every problem of the log or of the study, or the folder is of another.
    """
    run = open_run(baseline, whole=True)
    refuse_to_infer(run.study, "held beside what comes after it")
    entries, notes = read_log(log, columns, run.study.answers.systems)
    if run.study.config.privacy.texts != "full":
        notes = []  # they may quote the log
    with only_writer(baseline):
        scored = score_study(run.study, run.metrics, progress)
    base = Baseline.of(run, scored, entries[0].answer.system)
    kept = _read_days(folder, base.digest)
    days = sorted({entry.day for entry in entries})
    _refuse_before(days, kept, log)
    scored_now = {}
    for day in days:
        own = [entry for entry in entries if entry.day == day]
        digest = _digest(own, count)
        if day not in kept or kept[day].log != digest:
            scored_now[day] = ScoredDay.of(day, own, base, folder / _SCORING / day, progress)
            kept[day] = scored_now[day].kept(digest)
    courses = base.courses([kept[day] for day in sorted(kept)])
    for day, this_day in scored_now.items():
        queue, more = this_day.queue(courses, kept[day].log, count)
        kept[day] = kept[day].model_copy(
            update={"queue": queue, "notes": [*kept[day].notes, *more]}
        )
        content = json_bytes(kept[day].model_dump(mode="json"))
        write_atomically(folder / DAYS / f"{day}.json", content)
    shutil.rmtree(folder / _SCORING, ignore_errors=True)
    return base.monitored([kept[day] for day in sorted(kept)], courses, days, notes)


def _digest(entries: Sequence[Entry], count: int) -> str:
    facts = [[entry.case.model_dump(), entry.answer.model_dump()] for entry in entries]
    words = json.dumps([facts, count], default=str, sort_keys=True)
    return hashlib.sha256(words.encode()).hexdigest()


def _read_days(folder: Path, baseline: str) -> dict[str, DayKept]:
    """Read the days that are kept.

    Raises:
        InvalidInput: One is damaged, or was measured by another baseline.
    """
    days: dict[str, DayKept] = {}
    for path in sorted((folder / DAYS).glob("*.json")):
        try:
            day = DayKept.model_validate_json(path.read_bytes())
        except ValidationError as error:
            must, hint = "be what a monitor kept", "Remove it, and give that day's log again."
            raise InvalidInput(Problem(str(path), must, "something else", hint)) from error
        if day.baseline != baseline:
            must = "be of this baseline, as it is now"
            hint = "Take another --out for it, or give the study back its files and metrics."
            raise InvalidInput(Problem(str(path), must, "a day beside another", hint))
        days[day.day] = day
    return days


def _refuse_before(days: Sequence[str], kept: Mapping[str, DayKept], log: Path) -> None:
    """Refuse a day before the first: on which day a drift may begin is counted from there."""
    if kept and days[0] < min(kept):
        must = f"hold no day before the monitor's first, {min(kept)}"
        hint = "Begin another monitor with its days (--out)."
        raise InvalidInput(Problem(log.name, must, days[0], hint))


def next_csv(monitored: Monitored) -> bytes:
    """Write the answers that experts should see next as a spreadsheet that `import` takes."""
    header = ["day", "case", "question", "answer", "system", "why"]
    rows = [
        [a.day, f"{a.day}/{a.case}", a.question, a.answer, monitored.system, a.why]
        for a in monitored.queue
    ]
    return csv_bytes(header, [[guarded(cell) for cell in row] for row in rows])
