"""What a monitor comes to, as it is kept and shown."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

__all__ = ["Course", "DayKept", "DayMean", "Monitored", "NextAnswer"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


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
