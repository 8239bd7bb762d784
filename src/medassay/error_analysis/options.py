"""Which option was chosen where another was right."""

from collections import Counter
from collections.abc import Iterable, Sequence

from medassay.marks import DesignName, record

__all__ = ["OptionConfusion", "OptionFigures"]


@record(infers=False)
class OptionFigures:
    """How well one option is recognised.

    Attributes:
        option: The option.
        support: Questions to which it is the right one.
        chosen: Answers that chose it.
        right: Answers that chose it and were right.
        precision: right / chosen; None where nobody chose it.
        recall: right / support; None where it is never the right one.
        f1: The harmonic mean of the two, 2 right / (support + chosen): 0 where it is missed
            whenever it is right; None where it is neither right nor chosen anywhere.
    """

    option: DesignName
    support: int
    chosen: int
    right: int
    precision: float | None
    recall: float | None
    f1: float | None

    @classmethod
    def of(cls, option: str, *, support: int, chosen: int, right: int) -> "OptionFigures":
        """Compute the figures of counts."""
        return cls(
            option,
            support,
            chosen,
            right,
            precision=right / chosen if chosen else None,
            recall=right / support if support else None,
            f1=2 * right / (support + chosen) if support + chosen else None,
        )


@record(infers=False)
class OptionConfusion:
    """How often each option was chosen where each was right, and where none was chosen.

    A question without a choice counts as missed for the option that is right, and as chosen for
    none: it lowers recall and leaves precision alone.

    Attributes:
        options: The options, sorted.
        counts: Shape (options, options): rows right, columns chosen.
        no_choice: For each right option, the questions for which none was chosen.
        figures: Precision, recall and F1 of each option.
        n: Questions.
        accuracy: The share of all questions that is answered rightly; None without questions.
        balanced_accuracy: The macro recall, under its other name.
        macro_precision: The mean precision of the options that were chosen at all.
        macro_recall: The mean recall of the options that are right at all.
        macro_f1: The mean F1 of the options that are right or chosen at all.
        weighted_f1: The mean F1, each option weighing as many questions as it is right for.

    Example:
        >>> found = OptionConfusion.of([("A", "A"), ("A", "B"), ("B", "B"), ("B", None)])
        >>> found.counts, found.no_choice, found.accuracy
        (((1, 1), (0, 1)), (0, 1), 0.5)
        >>> found.figures[1].precision, found.figures[1].recall, found.balanced_accuracy
        (0.5, 0.5, 0.5)
    """

    options: tuple[DesignName, ...]
    counts: tuple[tuple[int, ...], ...]
    no_choice: tuple[int, ...]
    figures: tuple[OptionFigures, ...]
    n: int
    accuracy: float | None
    balanced_accuracy: float | None
    macro_precision: float | None
    macro_recall: float | None
    macro_f1: float | None
    weighted_f1: float | None

    @classmethod
    def of(
        cls, pairs: Iterable[tuple[str, str | None]], options: Iterable[str] = ()
    ) -> "OptionConfusion":
        """Count pairs of the right option and the chosen one, None for no choice.

        Args:
            pairs: One for each question.
            options: Options to list though they may occur nowhere.
        """
        times = Counter(pairs)
        names = {option for pair in times for option in pair if option is not None}
        listed = tuple(sorted(names | set(options)))
        no_choice = tuple(times[right, None] for right in listed)
        counts = tuple(tuple(times[right, chosen] for chosen in listed) for right in listed)
        figures = tuple(
            OptionFigures.of(
                option,
                support=sum(counts[i]) + no_choice[i],
                chosen=sum(row[i] for row in counts),
                right=counts[i][i],
            )
            for i, option in enumerate(listed)
        )
        n = times.total()
        recall = _mean([figure.recall for figure in figures])
        weighed = sum((figure.f1 or 0.0) * figure.support for figure in figures)
        return cls(
            options=listed,
            counts=counts,
            no_choice=no_choice,
            figures=figures,
            n=n,
            accuracy=sum(figure.right for figure in figures) / n if n else None,
            balanced_accuracy=recall,
            macro_precision=_mean([figure.precision for figure in figures]),
            macro_recall=recall,
            macro_f1=_mean([figure.f1 for figure in figures]),
            weighted_f1=weighed / n if n else None,
        )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
