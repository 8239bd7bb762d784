"""A day of a log: scored, counted, and which of its answers experts should see."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from medassay.analyses.monitor.baseline import STEPS, Baseline, see, values_of
from medassay.analyses.monitor.log import Entry
from medassay.analyses.monitor.quantities import Seen
from medassay.analyses.monitor.record import Course, DayKept, NextAnswer
from medassay.analyses.triage import triage_study
from medassay.answers import Answers
from medassay.cases import Cases
from medassay.judgements import Judgements, Preferences
from medassay.judgements.campaign import Secret
from medassay.stats.betting import DriftTally
from medassay.study import Progress, Scored, score_study
from medassay.study.folder import Study

__all__ = ["ScoredDay"]


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
