"""Accuracy by group of questions, and systems on the same questions, as tables."""

from typing import Final

from medassay.analyses.builtin.accuracy.record import Accuracy, AccuracyOf
from medassay.exhibits import Names
from medassay.exhibits.cells import how
from medassay.exhibits.columns import counted, estimated, shown, system_column, table_of
from medassay.exhibits.numbers import PROPORTION, bounds, shown_p
from medassay.exhibits.table import Table

__all__ = ["accuracy_tables"]

_POLICY: Final = {
    "wrong": "An answer without a choice is wrong",
    "first": "An answer without a choice counts as the first option",
}


def accuracy_tables(accuracy: Accuracy, names: Names) -> list[Table]:
    """Show how often each system is right, and whether two of them differ."""
    tables = [_accuracy(accuracy, names)]
    return [*tables, _pairs(accuracy, names)] if accuracy.pairs else tables


def _accuracy(accuracy: Accuracy, names: Names) -> Table:
    rows = [row for row in accuracy.groups if row.policy == "wrong"]
    as_first = {
        (row.tag, row.value, row.system): row for row in accuracy.groups if row.policy == "first"
    }

    def lenient(row: AccuracyOf) -> AccuracyOf:
        return as_first[row.tag, row.value, row.system]

    def never(row: AccuracyOf) -> str:
        return f"{row.never_answered} of them never answered." if row.never_answered else ""

    caption = (
        "Share of the questions answered with the right option. An answer without a recognisable "
        "choice is wrong; the last column counts it as the question's first option instead, as "
        "some published scripts do. Intervals take the questions as independent of each other. "
        + how(row.interval for row in rows[:1])
    )
    if accuracy.tags_left_out:
        caption += f" Not grouped, for too many values: {', '.join(accuracy.tags_left_out)}."
    return table_of(
        ((f"{row.tag}: {row.value}" if row.tag else "All questions", row) for row in rows),
        (
            system_column(names),
            counted("Right", "right"),
            counted("Questions", "n", file="questions"),
            shown("No choice", "no_choice", "{:,}".format, adds=("never_answered",), detail=never),
            estimated("Accuracy", "share", why_not=None, file="accuracy", axis=(0, 1)),
            shown(
                "First option if none",
                lambda row: lenient(row).share,
                PROPORTION,
                file="accuracy_first",
                adds={
                    "accuracy_first_low": lambda row: lenient(row).interval.low,
                    "accuracy_first_high": lambda row: lenient(row).interval.high,
                },
                aside=lambda row: bounds(lenient(row).interval),
            ),
        ),
        id="accuracy",
        title="Accuracy by group of questions",
        caption=caption,
        grouped_by="group",
    )


def _pairs(accuracy: Accuracy, names: Names) -> Table:
    return table_of(
        ((_POLICY[pair.policy], pair) for pair in accuracy.pairs),
        (
            system_column(names, "A", "system_a"),
            system_column(names, "B", "system_b"),
            counted("Questions", "n", file="questions"),
            counted("Only A right", "test.only_a", file="only_a"),
            counted("Only B right", "test.only_b", file="only_b"),
            shown("A − B", "difference", PROPORTION),
            shown("p", "test.p", shown_p, file="p"),
            shown("p, adjusted", "p_adjusted", shown_p),
        ),
        id="mcnemar",
        title="Systems on the same questions",
        caption="Of the questions that exactly one of two systems has right, how many each has "
        "right; the difference is of their accuracies. p: McNemar's exact test, two-sided, which "
        "takes the questions as independent; adjusted by Holm over all pairs under the same rule.",
        grouped_by="no_choice",
    )
