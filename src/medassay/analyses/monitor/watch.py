"""Take a log in, a day at a time, and say what has drifted from the baseline.

A log: one row for each question that a system in use was asked, with its answer and the day. The
baseline: the study beside which it is held, read for what is watched. A day of a log: scored,
counted, and which of its answers experts should see.
"""

import hashlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from medassay.analyses.descriptive import refuse_to_infer
from medassay.analyses.monitor.quantities import Quantity, Seen, quantities_of
from medassay.analyses.triage import triage_study
from medassay.answers import Answer, Answers
from medassay.cases import Case, Cases
from medassay.errors import InvalidInput, Problem
from medassay.judgements import Judgements, Preferences
from medassay.judgements.campaign import Secret
from medassay.stats.betting import DriftTally, baseline_interval, first_drift, mean_since
from medassay.study import Progress, Run, Scored, only_writer, open_run, score_study
from medassay.study.folder import Study
from medassay.study.intake.judgements import read_tidy
from medassay.tables import (
    Sheet,
    csv_bytes,
    guarded,
    json_bytes,
    parse_json_cells,
    read_record,
    write_atomically,
)


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class NextAnswer(_Record):
    """An answer that experts should see next.

    Attributes:
        day: When it was given.
        case: Its id in the log; where the baseline keeps ids, the place of its row in the day.
        why: Why it comes first.
        question: What was asked; empty where the baseline keeps its texts.
        answer: What was answered; likewise.
    """

    day: str
    case: str
    why: str
    question: str = ""
    answer: str = ""


class DayKept(_Record):
    """What is kept of one day: counts, and the answers that experts should see.

    Attributes:
        day: The day.
        baseline: What the values were measured by.
        log: Hash of the day's entries.
        answers: How many there were.
        values: Quantity to pairs of a value in thousandths and how often it was seen.
        queue: The answers that experts should see next.
        notes: What a reader should know of the day.
    """

    day: str
    baseline: str
    log: str
    answers: int
    values: dict[str, list[tuple[int, int]]]
    queue: list[NextAnswer]
    notes: list[str] = []


class DayMean(_Record):
    """One day of a quantity, or one week.

    Attributes:
        day: The day.
        answers: How many answers have a value.
        mean: Their mean; None where none has one.
    """

    day: str
    answers: int
    mean: float | None


class Course(_Record):
    """One quantity over the days, beside its baseline.

    Attributes:
        id: The quantity.
        title: What it is called.
        kind: What it is of.
        says: What its mean says.
        better: Which way is better; None where neither is.
        unit: `%` of a share; empty of a score.
        baseline: The baseline's mean.
        baseline_answers: From how many answers.
        low: What the true mean of the baseline is at least.
        high: What it is at most.
        days: Each day.
        weeks: Each week, by its Monday.
        drifted: Whether the mean lies beside the baseline.
        seen: The day on which that was first seen.
        since: The day from which on it was seen best, when it was seen.
        rises: Whether it rose.
        mean: Mean of all days since then, or of all days.
        mean_low: What it is at least, at every look.
        mean_high: What it is at most.
    """

    id: str
    title: str
    kind: Literal["questions", "answers", "scores"]
    says: str
    better: Literal["higher", "lower"] | None
    unit: Literal["%", ""]
    baseline: float
    baseline_answers: int
    low: float
    high: float
    days: list[DayMean]
    weeks: list[DayMean]
    drifted: bool
    seen: str | None = None
    since: str | None = None
    rises: bool | None = None
    mean: float | None = None
    mean_low: float | None = None
    mean_high: float | None = None

    @property
    def worse(self) -> bool:
        """Say whether it drifted to the worse."""
        return self.drifted and self.better == ("lower" if self.rises else "higher")


class Monitored(_Record):
    """A monitor as it stands.

    Attributes:
        title: The baseline's title.
        system: Whose answers.
        synthetic: Whether the baseline is made up.
        days: The days, in order.
        answers: All answers of them.
        new_days: Those of the log that was given.
        courses: Each quantity, those that drifted first.
        queue: The answers that experts should see next, the latest day's first.
        error: The chance that anything is ever called a drift where nothing drifts.
        notes: What a reader should know.
    """

    title: str
    system: str
    synthetic: bool
    days: list[str]
    answers: int
    new_days: list[str]
    courses: list[Course]
    queue: list[NextAnswer]
    error: float
    notes: list[str]

    @property
    def drifted(self) -> list[Course]:
        """List what drifted, the latest drift first."""
        return [course for course in self.courses if course.drifted]

    @property
    def news(self) -> list[Course]:
        """List what was first seen to drift on a day of the log that was given."""
        return [course for course in self.courses if course.seen in self.new_days]


_OF_CASE: Final[tuple[str, ...]] = (
    "case",
    "question",
    "narrative",
    "evidence",
    "documents",
    "options",
)
_OF_ANSWER: Final[tuple[str, ...]] = (
    "system", "text", "statements", "retrieved", "reasoning", "choice", "confidence", "seconds",
    "cost", "ended",
)  # fmt: skip
_NESTED: Final = {
    "evidence": 'Write [{"id": "1", "text": "..."}].',
    "documents": 'Write [{"id": "1", "text": "..."}].',
    "options": 'Write {"A": "...", "B": "..."}.',
    "statements": 'Write [{"text": "...", "citations": ["1"]}], or plain text in "text".',
    "retrieved": 'Write [{"document": "..."}], the first one first.',
}
_TAG: Final = "tag."
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Entry:
    """One question that was asked, and the answer to it.

    Attributes:
        day: When, as 2026-03-01.
        case: What was asked.
        answer: What was answered.
    """

    day: str
    case: Case
    answer: Answer


def read_log(
    path: Path, columns: Mapping[str, str], systems: Sequence[str]
) -> tuple[list[Entry], list[str]]:
    """Read a log and check all of it.

    Columns: question, text or answer, and day or time, whose first ten signs are the day; where
    the log has neither, its file's name holds the day. Beside these case (an id; its place in
    the day if there is none), system, tag.NAME and what else cases and answers have.

    Args:
        path: The log.
        columns: Our name to theirs, where a column is called otherwise.
        systems: Those of the baseline.

    Returns:
        The entries, and what was not read.

    Raises:
        InvalidInput: Every problem of the log.
    """
    sheet = _with_text(read_tidy(path, columns))
    problems = [
        Problem(sheet.file, f'have a column "{name}"', "none", _hint(name, list(sheet.columns)))
        for name in ("question", "text")
        if name not in sheet.columns and not (name == "text" and "statements" in sheet.columns)
    ]
    named = _DAY.search(path.name)
    if not sheet.columns.keys() & {"day", "time"} and named is None:
        hint = "Or give the file the day's name, such as 2026-03-01.jsonl."
        problems.append(Problem(sheet.file, "have a column day or time", "neither", hint))
    system, problem = _one_system(sheet.columns.get("system", []), systems, sheet.file)
    problems += problem
    if problems:
        raise InvalidInput(problems)
    entries = []
    seen: dict[tuple[str, str], int] = {}
    of_day: Counter[str] = Counter()
    for row, raw in sheet.records():
        cells = parse_json_cells(raw, _NESTED, file=sheet.file, row=row, problems=problems)
        written = str(cells.get("day") or cells.get("time") or (named[0] if named else ""))
        day = _day(written)
        if not day:
            must = "begin with a day as 2026-03-01"
            column = "day" if "day" in cells else "time"
            problems.append(Problem(sheet.file, must, f'"{written}"', row=row, column=column))
            continue
        of_day[day] += 1
        of_case = {"case": str(of_day[day]), **{k: cells[k] for k in _OF_CASE if k in cells}}
        of_case["tags"] = {k.removeprefix(_TAG): v for k, v in cells.items() if k.startswith(_TAG)}
        case = read_record(Case, of_case, file=sheet.file, row=row, problems=problems)
        told = {k: cells[k] for k in _OF_ANSWER if k in cells} | {"system": system}
        if "statements" not in told:
            told.setdefault("text", "")
        told["case"] = of_case["case"]
        answer = read_record(Answer, told, file=sheet.file, row=row, problems=problems)
        if case is None or answer is None:
            continue
        earlier = seen.setdefault((day, case.case), row)
        if earlier != row:
            got = f'"{case.case}" again on {day}, as in row {earlier}'
            hint = "Leave the column out where ids are not of single answers."
            problems.append(Problem(sheet.file, "name each answer once", got, hint, row, "case"))
        entries.append(Entry(day, case, answer))
    if not len(sheet):
        problems.append(Problem(sheet.file, "hold at least one row", "none"))
    if problems:
        raise InvalidInput(problems)
    known = {*_OF_CASE, *_OF_ANSWER, "day", "time"}
    unread = [name for name in sheet.columns if name not in known and not name.startswith(_TAG)]
    notes = [str(note) for note in sheet.notes]
    return entries, [*notes, *([f"not read: {', '.join(unread)}"] if unread else [])]


def _with_text(sheet: Sheet) -> Sheet:
    """Take a column `answer` for the text, as `import` does, where there is no other."""
    if "answer" not in sheet.columns or {"text", "statements"} & sheet.columns.keys():
        return sheet
    named = {"text" if name == "answer" else name: of for name, of in sheet.columns.items()}
    return replace(sheet, columns=named)


def _hint(name: str, there: Sequence[str]) -> str:
    return f"Say which it is: --column {name}=THEIRS; the log has {', '.join(there)}."


def _day(written: str) -> str:
    try:
        return date.fromisoformat(written[:10]).isoformat()
    except ValueError:
        return ""


def _one_system(
    cells: Sequence[object], systems: Sequence[str], file: str
) -> tuple[str, list[Problem]]:
    """Find whose answers the log holds: it is of one system, and the baseline has its like."""
    named = sorted({str(cell) for cell in cells if cell is not None})
    if len(named) > 1:
        got = f"{len(named)}: {', '.join(named[:5])}"
        hint = "Give one log for each system, each with its own folder (--out)."
        return "", [Problem(file, "be of one system", got, hint, column="system")]
    if named and (named[0] in systems or len(systems) == 1):
        return named[0], []
    if not named and len(systems) == 1:
        return systems[0], []
    must, got = (
        "name the system of the baseline to compare with",
        f'"{named[0]}"' if named else "none",
    )
    hint = f"Add a column system with one of: {', '.join(systems)}."
    return "", [Problem(file, must, got, hint, column="system")]


ERROR: Final = 0.05
"""Chance that anything at all is ever called a drift, where nothing drifts."""
STEPS: Final = 1000
"""Values are kept in so many steps from 0 to 1."""


@dataclass(frozen=True)
class Baseline:
    """The baseline, read for the quantities that are watched.

    Attributes:
        run: Its run.
        system: Whose answers the log holds.
        digest: What its values depend on: another baseline measures otherwise.
        quantities: What is watched.
        tallies: Quantity to its values.
    """

    run: Run
    system: str
    digest: str
    quantities: Sequence[Quantity]
    tallies: Mapping[str, DriftTally]

    @classmethod
    def of(cls, run: Run, scored: Scored, system: str) -> "Baseline":
        """Measure a baseline; every second answer says what is usual.

        Args:
            run: The run of the study.
            scored: Its scores.
            system: Whose answers the log holds; the study's one system is its like.

        Raises:
            InvalidInput: The study has no answer.
        """
        study = run.study
        answered = system if system in study.answers.systems else study.answers.systems[0]
        seen = see(study, scored, answered)
        names = {name for one in seen for name in one.scores}
        metrics = [metric for metric in run.metrics if str(metric.name) in names]
        usual, measured = seen[0::2], seen[1::2]
        named = study.config.privacy.texts == "full"
        quantities = quantities_of(usual, metrics, named=named)
        tallies = {}
        for quantity in quantities:
            values = values_of(quantity, measured if quantity.yardstick else seen)
            if values:
                tallies[quantity.id] = DriftTally.of(values)
        watched = [quantity for quantity in quantities if quantity.id in tallies]
        if not seen:
            must, hint = (
                "hold answers to compare with",
                "Import some weeks of the log first.",
            )
            raise InvalidInput(Problem(str(study.path), must, "none", hint))
        facts = [run.name, answered, [quantity.id for quantity in watched]]
        digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
        return cls(run, system, digest, watched, tallies)

    @property
    def error(self) -> float:
        """Give each quantity's share of either half of the error."""
        return ERROR / 2 / len(self.quantities)

    def courses(self, kept: Sequence[DayKept]) -> list[Course]:
        """Follow each quantity over the days; what drifted stands first, the latest drift first."""
        courses = [self._course(quantity, kept) for quantity in self.quantities]
        return sorted(courses, key=lambda c: (not c.drifted, _later(c.since), c.seen or ""))

    def monitored(
        self,
        kept: Sequence[DayKept],
        courses: Sequence[Course],
        new_days: Sequence[str],
        notes: Sequence[str],
    ) -> Monitored:
        """Bring together what the monitor comes to."""
        study = self.run.study
        lacking = [c.title for c in courses if not any(day.answers for day in c.days)]
        more = [note for day in kept if day.day in new_days for note in day.notes]
        if lacking:
            more.append(f"no answer of the log has a value of: {', '.join(lacking)}")
        return Monitored(
            title=study.config.title,
            system=self.system,
            synthetic=study.config.synthetic,
            days=[day.day for day in kept],
            answers=sum(day.answers for day in kept),
            new_days=list(new_days),
            courses=list(courses),
            queue=[answer for day in reversed(kept) for answer in day.queue],
            error=ERROR,
            notes=list(dict.fromkeys([*notes, *more])),
        )

    def _course(self, quantity: Quantity, kept: Sequence[DayKept]) -> Course:
        base = self.tallies[quantity.id]
        low, high = baseline_interval(base, self.error)
        tallies = [_tally(day.values.get(quantity.id, [])) for day in kept]
        first = date.fromisoformat(kept[0].day)
        numbers = [(date.fromisoformat(day.day) - first).days + 1 for day in kept]
        drift = first_drift(tallies, (low, high), self.error, numbers)
        start = 0 if drift is None else drift.since
        now = DriftTally.joined(tallies[start:])
        between = mean_since(tallies[start:], numbers[start], self.error) if len(now) else None
        return Course(
            id=quantity.id,
            title=quantity.title,
            kind=quantity.kind,
            says=quantity.says,
            better=quantity.better,
            baseline=base.mean,
            baseline_answers=len(base),
            low=low,
            high=high,
            unit=quantity.unit,
            days=[_mean(day.day, [tally]) for day, tally in zip(kept, tallies, strict=True)],
            weeks=_weeks(kept, tallies),
            drifted=drift is not None,
            seen=None if drift is None else kept[drift.seen].day,
            since=None if drift is None else kept[drift.since].day,
            rises=None if drift is None else drift.rises,
            mean=now.mean if between else None,
            mean_low=between[0] if between else None,
            mean_high=between[1] if between else None,
        )


def _mean(day: str, tallies: Sequence[DriftTally]) -> DayMean:
    tally = DriftTally.joined(tallies)
    return DayMean(day=day, answers=len(tally), mean=tally.mean if len(tally) else None)


def _weeks(kept: Sequence[DayKept], tallies: Sequence[DriftTally]) -> list[DayMean]:
    weeks: dict[str, list[DriftTally]] = {}
    for day, tally in zip(kept, tallies, strict=True):
        on = date.fromisoformat(day.day)
        weeks.setdefault((on - timedelta(days=on.weekday())).isoformat(), []).append(tally)
    return [_mean(monday, of_week) for monday, of_week in weeks.items()]


def _later(day: str | None) -> int:
    return -date.fromisoformat(day).toordinal() if day else 0


def see(study: Study, scored: Scored, system: str) -> list[Seen]:
    """Put the answers of a system beside their scores, in the order of the cases."""
    import polars as pl

    rows = scored.table.frame.filter(
        (pl.col("system") == system) & (pl.col("sample") == 0) & pl.col("value").is_not_null()
    )
    scores: dict[str, dict[str, float]] = {}
    for case, source, value in rows.select("case", "source", "value").iter_rows():
        scores.setdefault(case, {})[source] = value
    pairs = ((case, study.answers.get(system, case.case)) for case in study.cases)
    return [
        Seen(case, answer, scores.get(case.case, {}))
        for case, answer in pairs
        if answer is not None
    ]


def values_of(quantity: Quantity, seen: Sequence[Seen]) -> list[float]:
    """Give a quantity's values, of the answers that have one."""
    return [value for one in seen if (value := quantity.value(one)) is not None]


def _tally(pairs: Sequence[tuple[int, int]]) -> DriftTally:
    import numpy as np

    counts = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    return DriftTally(counts[:, 0] / STEPS, counts[:, 1])


@dataclass(frozen=True)
class ScoredDay:
    """A day of the log, scored.

    Attributes:
        day: The day.
        base: The baseline.
        study: The day's questions and answers, as a study of the baseline's settings.
        scored: Their scores.
        seen: Both, answer by answer.
    """

    day: str
    base: Baseline
    study: Study
    scored: Scored
    seen: Sequence[Seen]

    @classmethod
    def of(
        cls,
        day: str,
        entries: Sequence[Entry],
        base: Baseline,
        work: Path,
        progress: Progress | None,
    ) -> "ScoredDay":
        """Score a day; what was half scored when a run ended is gone on with."""
        of_study = base.run.study
        rubric = of_study.rubric
        study = replace(
            of_study,
            cases=Cases.of([entry.case for entry in entries]),
            answers=Answers.of([entry.answer for entry in entries]),
            judgements_on_file=Judgements(of_study.judgements_on_file.frame.clear(), rubric),
            preferences_on_file=Preferences(of_study.preferences_on_file.frame.clear()),
            imported=(),
            relevance=(),
        )
        scored = score_study(study, base.run.metrics, progress, kept=work)
        return cls(day, base, study, scored, see(study, scored, base.system))

    def kept(self, digest: str) -> DayKept:
        """Count its values. A day of which scores failed has no digest: it is scored again."""
        values = {}
        for quantity in self.base.quantities:
            tally = DriftTally.of(values_of(quantity, self.seen))
            steps = [round(value * STEPS) for value in tally.values.tolist()]
            values[quantity.id] = list(zip(steps, map(int, tally.times.tolist()), strict=True))
        failed = self.scored.failed
        again = f"{self.day}: {failed:,} scores failed; give the day again to retry"
        return DayKept(
            day=self.day, baseline=self.base.digest, log="" if failed else digest,
            answers=len(self.seen), values=values, queue=[], notes=[again] if failed else [],
        )  # fmt: skip

    def queue(
        self, courses: Sequence[Course], digest: str, count: int
    ) -> tuple[list[NextAnswer], list[str]]:
        """Choose what experts should see: half of it what drifts, the rest as triage for danger."""
        if not count:
            return [], []
        whys = self._that_drift(courses, -(-count // 2))
        notes = []
        if any(dimension.scored for dimension in self.study.rubric.dimensions):
            secret = Secret(hashlib.sha256(f"{self.day}\n{digest}".encode()).digest())
            chosen = triage_study(
                self.study, self.base.run.metrics, count=count, aim="danger", secret=secret,
                scored=self.scored,
            )  # fmt: skip
            for entry in chosen.queue:
                if entry.priority > 0:
                    whys.setdefault(entry.case, entry.why)
        else:
            notes = ["no dimension of the baseline has labels with scores: none is put first"]
        places = {seen.case.case: place for place, seen in enumerate(self.seen)}
        return [self._next(places[case], whys[case]) for case in list(whys)[:count]], notes

    def _that_drift(self, courses: Sequence[Course], count: int) -> dict[str, str]:
        """Give the answers furthest out in what had drifted by this day, and why."""
        by_id = {quantity.id: quantity for quantity in self.base.quantities}
        lists = []
        for course in courses:
            if course.seen is None or course.seen > self.day:
                continue
            sign = 1 if course.rises else -1
            out = [
                (sign * (value - course.baseline), seen.case.case)
                for seen in self.seen
                if (value := by_id[course.id].value(seen)) is not None
            ]
            furthest = sorted((far, case) for far, case in out if far > 0)[::-1][:count]
            lists.append([(case, f"drifts: {course.title}") for _, case in furthest])
        whys: dict[str, str] = {}
        for turn in range(count):
            for listed in lists:
                if turn < len(listed) and len(whys) < count:
                    whys.setdefault(*listed[turn])
        return whys

    def _next(self, place: int, why: str) -> NextAnswer:
        seen, texts = self.seen[place], self.study.config.privacy.texts
        full = texts == "full"
        case = str(place + 1) if texts == "none" else seen.case.case
        return NextAnswer(
            day=self.day,
            case=case,
            why=why,
            question=seen.question if full else "",
            answer=seen.text if full else "",
        )


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
    for day, scored_day in scored_now.items():
        queue, more = scored_day.queue(courses, kept[day].log, count)
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
            must, hint = "be a monitor's file", "Remove it, and give that day's log again."
            raise InvalidInput(Problem(str(path), must, "something else", hint)) from error
        if day.baseline != baseline:
            must = "belong to this baseline as it is now"
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
