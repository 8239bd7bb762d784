"""The study beside which a log is held, read for what is watched."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from medassay.analyses.monitor.quantities import Quantity, Seen, quantities_of
from medassay.analyses.monitor.record import Course, DayKept, DayMean, Monitored
from medassay.errors import InvalidInput, Problem
from medassay.stats.betting import DriftTally, baseline_interval, first_drift, mean_since
from medassay.study import Run, Scored
from medassay.study.folder import Study

__all__ = ["ERROR", "STEPS", "Baseline", "see", "values_of"]

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
                "hold answers, to hold others beside",
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
