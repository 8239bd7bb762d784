"""Which option was chosen where another was right."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["OptionConfusion", "OptionFigures"]


@dataclass(frozen=True, slots=True)
class OptionFigures:
    """How well one option is recognised.

    Attributes:
        option: The option.
        support: Questions to which it is the right one.
        chosen: Answers that chose it.
        right: Answers that chose it and were right.
        precision: right / chosen; None where nobody chose it.
        recall: right / support; None where it is never the right one.
        f1: 2 right / (support + chosen); None where it is neither right nor chosen anywhere.
    """

    option: str
    support: int
    chosen: int
    right: int

    @property
    def precision(self) -> float | None:
        """Give the share of the answers choosing it that are right."""
        return self.right / self.chosen if self.chosen else None

    @property
    def recall(self) -> float | None:
        """Give the share of the questions where it is right that were answered with it."""
        return self.right / self.support if self.support else None

    @property
    def f1(self) -> float | None:
        """Give the harmonic mean of the two; 0 where it is missed whenever it is right."""
        both = self.support + self.chosen
        return 2 * self.right / both if both else None


@dataclass(frozen=True, slots=True)
class OptionConfusion:
    """How often each option was chosen where each was right, and where none was chosen.

    A question without a choice counts as missed for the option that is right, and as chosen for
    none: it lowers recall and leaves precision alone.

    Attributes:
        options: The options, sorted.
        counts: Shape (options, options): rows right, columns chosen.
        no_choice: For each right option, the questions for which none was chosen.

    Example:
        >>> found = OptionConfusion.of([("A", "A"), ("A", "B"), ("B", "B"), ("B", None)])
        >>> found.counts, found.no_choice, found.accuracy
        (((1, 1), (0, 1)), (0, 1), 0.5)
        >>> found.figures[1].precision, found.figures[1].recall, found.balanced_accuracy
        (0.5, 0.5, 0.5)
    """

    options: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    no_choice: tuple[int, ...]

    @classmethod
    def of(
        cls, pairs: Iterable[tuple[str, str | None]], options: Sequence[str] = ()
    ) -> "OptionConfusion":
        """Count pairs of the right option and the chosen one, None for no choice.

        Args:
            pairs: One for each question.
            options: Options to list though they may occur nowhere.
        """
        times = Counter(pairs)
        names = {option for pair in times for option in pair if option is not None}
        listed = tuple(sorted(names | set(options)))
        return cls(
            listed,
            tuple(tuple(times[right, chosen] for chosen in listed) for right in listed),
            tuple(times[right, None] for right in listed),
        )

    @property
    def n(self) -> int:
        """Count the questions."""
        return sum(map(sum, self.counts)) + sum(self.no_choice)

    @property
    def figures(self) -> tuple[OptionFigures, ...]:
        """Give precision, recall and F1 of each option."""
        return tuple(
            OptionFigures(
                option,
                support=sum(self.counts[i]) + self.no_choice[i],
                chosen=sum(row[i] for row in self.counts),
                right=self.counts[i][i],
            )
            for i, option in enumerate(self.options)
        )

    @property
    def accuracy(self) -> float | None:
        """Give the share of all questions that is answered rightly; None without questions."""
        right = sum(row[i] for i, row in enumerate(self.counts))
        return right / self.n if self.n else None

    @property
    def macro_precision(self) -> float | None:
        """Give the mean precision of the options that were chosen at all."""
        return _mean([one.precision for one in self.figures])

    @property
    def macro_recall(self) -> float | None:
        """Give the mean recall of the options that are right at all: the balanced accuracy."""
        return _mean([one.recall for one in self.figures])

    @property
    def macro_f1(self) -> float | None:
        """Give the mean F1 of the options that are right or chosen at all."""
        return _mean([one.f1 for one in self.figures])

    @property
    def weighted_f1(self) -> float | None:
        """Give the mean F1, each option weighing as many questions as it is right for."""
        weighed = [(one.f1, one.support) for one in self.figures if one.support]
        total = sum(support for _, support in weighed)
        return sum((f1 or 0.0) * support for f1, support in weighed) / total if total else None

    @property
    def balanced_accuracy(self) -> float | None:
        """Give the mean recall of the options that are right at all."""
        return self.macro_recall


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
