"""Options chosen, as tables: figures over all of them, of each, and which was taken for which."""

from collections.abc import Sequence

from medassay.analyses.builtin.options.record import OptionsOf
from medassay.exhibits import Names
from medassay.exhibits.cells import count, text
from medassay.exhibits.columns import Shown, counted, shown, system_column, table_of
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Column, Heat, Row, Table

__all__ = ["option_tables"]

_NEVER_RIGHT = "No option is right anywhere."


def option_tables(chosen: Sequence[OptionsOf], names: Names) -> list[Table]:
    """Show how well each system tells the options apart."""
    return [_overall(chosen, names), _each(chosen, names), _confusion(chosen, names)]


def _share(heading: str, value: str, why_not: str, group: str = "") -> Shown[OptionsOf]:
    return shown(
        heading,
        value,
        PROPORTION,
        file=value.rpartition(".")[2],
        why_not=lambda _: why_not,
        group=group,
    )


def _overall(chosen: Sequence[OptionsOf], names: Names) -> Table:
    neither = "No option is right or chosen anywhere."
    return table_of(
        chosen,
        (
            system_column(names),
            counted("Questions", "confusion.n", file="questions"),
            _share("Accuracy", "confusion.accuracy", "There are no questions."),
            _share("Balanced", "confusion.balanced_accuracy", _NEVER_RIGHT),
            _share("Precision", "confusion.macro_precision", "No option was chosen.", "Macro"),
            _share("Recall", "confusion.macro_recall", _NEVER_RIGHT, "Macro"),
            _share("F1", "confusion.macro_f1", neither, "Macro"),
            _share("F1, weighted", "confusion.weighted_f1", _NEVER_RIGHT),
        ),
        id="option-figures",
        title="Figures over all options",
        caption="Macro: the mean over the options, each counting the same. Balanced accuracy is "
        "the mean recall. Weighted: each option counts as often as it is right. A question "
        "without a choice is missed by the option that is right.",
    )


def _each(chosen: Sequence[OptionsOf], names: Names) -> Table:
    return table_of(
        (
            (names.of_system(own.system), figures)
            for own in chosen
            for figures in own.confusion.figures
        ),
        (
            shown("Option", "option"),
            counted("Right one to", "support"),
            counted("Chosen", "chosen"),
            counted("Rightly", "right", file="rightly"),
            _share("Precision", "precision", "No answer chose this option."),
            _share("Recall", "recall", "This option is right to no question."),
            _share("F1", "f1", "This option is neither right nor chosen anywhere."),
        ),
        id="options",
        title="Each option",
        caption="Precision: of the answers that chose the option, the share that is right. Recall: "
        "of the questions to which it is right, the share answered with it.",
        grouped_by="system",
    )


def _confusion(chosen: Sequence[OptionsOf], names: Names) -> Table:
    every = list(dict.fromkeys(option for own in chosen for option in own.confusion.options))
    rows = []
    for own in chosen:
        square = own.confusion
        for right, counts, none in zip(
            square.options, square.counts, square.no_choice, strict=True
        ):
            times, total = dict(zip(square.options, counts, strict=True)), sum(counts) + none
            cells = [_times(times.get(option, 0), total) for option in every]
            rows.append(
                Row(
                    (text(right), *cells, _times(none, total), count(total)),
                    group=names.of_system(own.system),
                )
            )
    return Table(
        "option-confusion",
        "Options taken for each other",
        "Rows: the right option. Columns: the option chosen. Counts of questions; the ground shows "
        "the share of the row.",
        (
            Column("Right", ("right",)),
            *(Column(o, (f"chosen_{o}",), numeric=True, group="Chosen") for o in every),
            Column("none", ("no_choice",), numeric=True, group="Chosen"),
            Column("Questions", ("questions",), numeric=True),
        ),
        tuple(rows),
        group_field="system",
        figure="confusion_matrix",
    )


def _times(times: int, total: int) -> Cell:
    share = times / total if total else 0.0
    detail = f"{100 * share:.0f} % of the {total} questions to which this row's option is right."
    return Cell(f"{times:,}", (times,), detail=detail if total else "", draw=Heat(share))
