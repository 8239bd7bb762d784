"""Labels as the mixed model reads them, and the sums that it needs, answer by answer."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["Labels", "Sums"]

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Labels:
    """Who gave which answer what, one entry a label; each numbering begins at 0 without a gap.

    Attributes:
        values: What was given, in points.
        answer: The answer that was judged.
        rater: Who judged it.
        system: For each answer the system that gave it.
        case: For each answer its case.
    """

    values: Floats
    answer: Places
    rater: Places
    system: Places
    case: Places

    @property
    def systems(self) -> int:
        """Count the systems."""
        return int(self.system.max(initial=-1)) + 1

    @property
    def raters(self) -> int:
        """Count the raters."""
        return int(self.rater.max(initial=-1)) + 1

    @property
    def cases(self) -> int:
        """Count the cases."""
        return int(self.case.max(initial=-1)) + 1

    @cached_property
    def table(self) -> Floats:
        """Count labels, shape (systems, raters)."""
        place = self.system[self.answer] * self.raters + self.rater
        counts = np.bincount(place, minlength=self.systems * self.raters)
        return counts.reshape(self.systems, self.raters).astype(np.float64)

    @cached_property
    def even(self) -> bool:
        """Say whether every system met the raters in the same shares."""
        expected = np.outer(self.table.sum(axis=1), self.table.sum(axis=0)) / self.table.sum()
        return bool(np.abs(self.table - expected).max() <= _ROUNDING * self.table.sum())

    @cached_property
    def complete(self) -> bool:
        """Say whether every system was judged on every case."""
        answered = np.unique(self.system * self.cases + self.case)
        return len(answered) == self.systems * self.cases

    @cached_property
    def linked(self) -> bool:
        """Say whether raters link every system with every other, directly or over others."""
        both = (self.table @ self.table.T) > 0
        for _ in range(self.systems):
            wider = (both.astype(np.float64) @ both) > 0
            if (wider == both).all():
                break
            both = wider
        return bool(both.all())


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of the labels' rows by answer and by case, from which every fit is made.

    A label's row holds 1 for its system and 1 for its rater; the last rater has no column, since a
    constant can be moved between systems and raters. Answers with equally many labels are kept
    together: at any spread of answers they weigh the same.

    Attributes:
        n: Labels.
        rows: For each answer the sum of its labels' rows, shape (answers, columns).
        values: For each answer the sum of its labels.
        size: For each answer the number of its labels.
        case: For each answer its case.
        gram: X'X over the labels.
        right: X'y.
        square: y'y.
        sizes: Each number of labels that an answer has.
        answers: How many answers have it, by case, shape (sizes, cases).
        answer_gram: Σ over those answers of x x', x an answer's row.
        answer_right: The same of x y.
        answer_square: The same of y y.
        case_rows: Σ over those answers of x, by case, shape (sizes, cases, columns).
        case_values: Σ over those answers of y, by case, shape (sizes, cases).
    """

    n: int
    rows: Floats
    values: Floats
    size: Floats
    case: Places
    gram: Floats
    right: Floats
    square: float
    sizes: Floats
    answers: Floats
    answer_gram: Floats
    answer_right: Floats
    answer_square: Floats
    case_rows: Floats
    case_values: Floats

    @classmethod
    def of(cls, labels: Labels) -> "Sums":
        """Add up."""
        answers, systems = len(labels.system), labels.systems
        columns = systems + labels.raters - 1
        size = np.bincount(labels.answer, minlength=answers)
        values = np.bincount(labels.answer, labels.values, minlength=answers).astype(np.float64)
        met = np.bincount(
            labels.answer * labels.raters + labels.rater, minlength=answers * labels.raters
        ).reshape(answers, labels.raters)
        rows = np.zeros((answers, columns))
        rows[np.arange(answers), labels.system] = size
        rows[:, systems:] = met[:, :-1]
        sizes = np.unique(size)
        alike = [size == m for m in sizes]
        shape = (len(sizes), labels.cases)
        case_rows = np.zeros((*shape, columns))
        for at, mine in enumerate(alike):
            np.add.at(case_rows[at], labels.case[mine], rows[mine])
        return cls(
            n=len(labels.values),
            rows=rows,
            values=values,
            size=size.astype(np.float64),
            case=labels.case,
            gram=_crossed(labels.table),
            right=_sums(labels),
            square=float(labels.values @ labels.values),
            sizes=sizes.astype(np.float64),
            answers=_by_case(alike, labels, np.ones(answers)),
            answer_gram=np.stack([rows[mine].T @ rows[mine] for mine in alike]),
            answer_right=np.stack([values[mine] @ rows[mine] for mine in alike]),
            answer_square=np.array([values[mine] @ values[mine] for mine in alike]),
            case_rows=case_rows,
            case_values=_by_case(alike, labels, values),
        )


def _crossed(table: Floats) -> Floats:
    """Give X'X from the counts of labels, shape (..., systems, raters)."""
    systems, raters = table.shape[-2:]
    gram = np.zeros((*table.shape[:-2], systems + raters, systems + raters))
    place = np.arange(systems + raters)
    gram[..., :systems, systems:] = table
    gram[..., systems:, :systems] = np.swapaxes(table, -1, -2)
    gram[..., place[:systems], place[:systems]] = table.sum(axis=-1)
    gram[..., place[systems:], place[systems:]] = table.sum(axis=-2)
    return gram[..., :-1, :-1]


def _sums(labels: Labels) -> Floats:
    of_system = np.bincount(labels.system[labels.answer], labels.values, minlength=labels.systems)
    of_rater = np.bincount(labels.rater, labels.values, minlength=labels.raters)
    return np.concatenate([of_system, of_rater[:-1]])


def _by_case(alike: list[NDArray[np.bool_]], labels: Labels, each: Floats) -> Floats:
    return np.stack(
        [np.bincount(labels.case[mine], each[mine], minlength=labels.cases) for mine in alike]
    )
