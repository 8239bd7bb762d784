"""Options chosen: accuracy by group, systems on the same questions, options taken for others."""

from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.results.choice import AccuracyResult, ChoiceDetail, McNemarResult
from medassay.exhibits.cells import (
    count,
    estimate,
    estimate_fields,
    how,
    missing,
    named,
    p_cell,
    text,
)
from medassay.exhibits.numbers import PROPORTION, bounds
from medassay.exhibits.table import Cell, Column, Heat, Row, Table
from medassay.report.names import Names

__all__ = ["choice_tables"]

_POLICY: Final = {
    "wrong": "An answer without a choice is wrong",
    "first": "An answer without a choice counts as the first option",
}


def choice_tables(results: Results) -> list[Table]:
    """Give the tables of choices; none where the study has no multiple-choice questions."""
    found = results.choices
    if found is None:
        return []
    return [
        _accuracy(results, found),
        *([_mcnemar(results, found)] if found.mcnemar else []),
        _summaries(results, found),
        _options(results, found),
        _confusion(results, found),
    ]


def _accuracy(results: Results, found: ChoiceDetail) -> Table:
    names = Names(results)
    first = {(o.tag, o.value, o.system): o for o in found.accuracy if o.policy == "first"}
    strict = [one for one in found.accuracy if one.policy == "wrong"]
    rows = [
        Row(
            (
                named(names.of_system(one.system), one.system),
                count(one.right),
                count(one.n),
                _no_choice(one),
                estimate(one.share, one.interval, "", axis=(0, 1)),
                _lenient(first[one.tag, one.value, one.system]),
            ),
            group=f"{one.tag}: {one.value}" if one.tag else "All questions",
        )
        for one in strict
    ]
    caption = (
        "Share of the questions answered with the right option. An answer without a recognisable "
        "choice is wrong; the last column counts it as the question's first option instead, as "
        "some published scripts do. Intervals take the questions as independent of each other. "
        + how(one.interval for one in strict[:1])
    )
    if found.tags_left_out:
        caption += f" Not grouped, for too many values: {', '.join(found.tags_left_out)}."
    return Table(
        "accuracy",
        "Accuracy by group of questions",
        caption,
        (
            Column("System", ("system",)),
            Column("Right", ("right",), numeric=True),
            Column("Questions", ("questions",), numeric=True),
            Column("No choice", ("no_choice", "never_answered"), numeric=True),
            Column("Accuracy", estimate_fields("accuracy"), numeric=True, axis=("0", "1")),
            Column(
                "First option if none",
                ("accuracy_first", "accuracy_first_low", "accuracy_first_high"),
                numeric=True,
            ),
        ),
        tuple(rows),
        group_field="group",
        synthetic=results.study.synthetic,
    )


def _no_choice(one: AccuracyResult) -> Cell:
    said = f"{one.never_answered} of them never answered." if one.never_answered else ""
    return Cell(f"{one.no_choice:,}", (one.no_choice, one.never_answered), detail=said)


def _lenient(one: AccuracyResult) -> Cell:
    around = one.interval
    low, high = (around.low, around.high) if around else (None, None)
    return Cell(PROPORTION(one.share), (one.share, low, high), aside=bounds(around))


def _mcnemar(results: Results, found: ChoiceDetail) -> Table:
    names = Names(results)

    def cells(one: McNemarResult) -> tuple[Cell, ...]:
        return (
            named(names.of_system(one.system_a), one.system_a),
            named(names.of_system(one.system_b), one.system_b),
            count(one.n),
            count(one.only_a),
            count(one.only_b),
            Cell(PROPORTION(one.difference), (one.difference,)),
            p_cell(one.p),
            p_cell(one.p_adjusted),
        )

    return Table(
        "mcnemar",
        "Systems on the same questions",
        "Of the questions that exactly one of two systems has right, how many each has right; the "
        "difference is of their accuracies. p: McNemar's exact test, two-sided, which takes the "
        "questions as independent; adjusted by Holm over all pairs under the same rule.",
        (
            Column("A", ("system_a",)),
            Column("B", ("system_b",)),
            Column("Questions", ("questions",), numeric=True),
            Column("Only A right", ("only_a",), numeric=True),
            Column("Only B right", ("only_b",), numeric=True),
            Column("A − B", ("difference",), numeric=True),
            Column("p", ("p",), numeric=True),
            Column("p, adjusted", ("p_adjusted",), numeric=True),
        ),
        tuple(Row(cells(one), group=_POLICY[one.policy]) for one in found.mcnemar),
        group_field="no_choice",
        synthetic=results.study.synthetic,
    )


def _summaries(results: Results, found: ChoiceDetail) -> Table:
    names = Names(results)
    rows = [
        Row(
            (
                named(names.of_system(one.system), one.system),
                count(one.n),
                _share(one.accuracy, "There are no questions."),
                _share(one.balanced_accuracy, "No option is right anywhere."),
                _share(one.macro_precision, "No option was chosen."),
                _share(one.macro_recall, "No option is right anywhere."),
                _share(one.macro_f1, "No option is right or chosen anywhere."),
                _share(one.weighted_f1, "No option is right anywhere."),
            )
        )
        for one in found.summaries
    ]
    titles = ("Accuracy", "Balanced", "Precision", "Recall", "F1", "F1, weighted")
    fields = ("accuracy", "balanced_accuracy", "macro_precision", "macro_recall", "macro_f1")
    groups = ("", "", "Macro", "Macro", "Macro", "")
    return Table(
        "option-figures",
        "Figures over all options",
        "Macro: the mean over the options, each counting the same. Balanced accuracy is the mean "
        "recall. Weighted: each option counts as often as it is right. A question without a choice "
        "is missed by the option that is right.",
        (
            Column("System", ("system",)),
            Column("Questions", ("questions",), numeric=True),
            *(
                Column(title, (field,), numeric=True, group=group)
                for title, field, group in zip(
                    titles, (*fields, "weighted_f1"), groups, strict=True
                )
            ),
        ),
        tuple(rows),
        synthetic=results.study.synthetic,
    )


def _options(results: Results, found: ChoiceDetail) -> Table:
    names = Names(results)
    rows = [
        Row(
            (
                text(one.option),
                count(one.support),
                count(one.chosen),
                count(one.right),
                _share(one.precision, "No answer chose this option."),
                _share(one.recall, "This option is right to no question."),
                _share(one.f1, "This option is neither right nor chosen anywhere."),
            ),
            group=names.of_system(one.system),
        )
        for one in found.options
    ]
    return Table(
        "options",
        "Each option",
        "Precision: of the answers that chose the option, the share that is right. Recall: of the "
        "questions to which it is right, the share answered with it.",
        (
            Column("Option", ("option",)),
            Column("Right one to", ("support",), numeric=True),
            Column("Chosen", ("chosen",), numeric=True),
            Column("Rightly", ("rightly",), numeric=True),
            Column("Precision", ("precision",), numeric=True),
            Column("Recall", ("recall",), numeric=True),
            Column("F1", ("f1",), numeric=True),
        ),
        tuple(rows),
        group_field="system",
        synthetic=results.study.synthetic,
    )


def _confusion(results: Results, found: ChoiceDetail) -> Table:
    names = Names(results)
    options = list(dict.fromkeys(name for row in found.confusion for name in row.chosen))
    rows = []
    for one in found.confusion:
        total = sum(one.chosen.values()) + one.no_choice
        cells = [_times(one.chosen.get(option, 0), total) for option in options]
        rows.append(
            Row(
                (text(one.right), *cells, _times(one.no_choice, total), count(total)),
                group=names.of_system(one.system),
            )
        )
    return Table(
        "option-confusion",
        "Options taken for each other",
        "Rows: the right option. Columns: the option chosen. Counts of questions; the ground shows "
        "the share of the row.",
        (
            Column("Right", ("right",)),
            *(Column(o, (f"chosen_{o}",), numeric=True, group="Chosen") for o in options),
            Column("none", ("no_choice",), numeric=True, group="Chosen"),
            Column("Questions", ("questions",), numeric=True),
        ),
        tuple(rows),
        group_field="system",
        synthetic=results.study.synthetic,
        figure="confusion_matrix",
    )


def _times(times: int, total: int) -> Cell:
    share = times / total if total else 0.0
    detail = f"{100 * share:.0f} % of the {total} questions to which this row's option is right."
    return Cell(f"{times:,}", (times,), detail=detail if total else "", draw=Heat(share))


def _share(value: float | None, reason: str) -> Cell:
    return missing(reason) if value is None else Cell(PROPORTION(value), (value,))
