"""Wrong answers: why, where, which conditions were taken for each other, and how sure of it."""

from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.results.error import ErrorDetail, ErrorGroup
from medassay.error_analysis import Cause
from medassay.exhibits.cells import (
    count,
    estimate,
    estimate_fields,
    how,
    missing,
    named,
    text,
    written,
)
from medassay.exhibits.numbers import PROPORTION, count_of
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names

__all__ = ["error_tables"]

_HEADS: Final = {
    Cause.NEVER_ANSWERED: "Never answered",
    Cause.ABSTENTION: "Abstention",
    Cause.PARSING: "Parsing",
    Cause.RETRIEVAL: "Retrieval",
    Cause.KNOWLEDGE: "Knowledge",
    Cause.REASONING: "Reasoning",
    Cause.UNKNOWN: "Not known",
}
_RULES: Final = (
    "The first cause that holds is counted. Abstention: the answer refuses or is empty. Parsing: "
    "no single option can be read from it. Retrieval: no relevant document among the first {k}. "
    "Knowledge: the relevant documents found do not hold half of the right option's words. "
    "Reasoning: they do. These are rules, not verdicts: look at the answers."
)


def error_tables(results: Results) -> list[Table]:
    """Give the tables of wrong answers; none where there are no multiple-choice questions."""
    found = results.errors
    if found is None:
        return []
    tables = [_causes(results, found), _retrieval(results, found)]
    if any(one.kind for one in found.groups):
        tables.append(_groups(results, found))
    tables.append(_conditions(results, found))
    if found.pairs:
        tables.append(_pairs(results, found))
    if found.confident:
        tables.append(_confident(results, found))
    return tables


def _columns(first: tuple[Column, ...]) -> tuple[Column, ...]:
    return (
        *first,
        Column("Questions", ("questions",), numeric=True),
        Column("Wrong", ("wrong",), numeric=True),
        Column("Share wrong", estimate_fields("share_wrong"), numeric=True),
        *(
            Column(_HEADS[one], (one.value.replace(" ", "_"),), numeric=True, group="Cause")
            for one in Cause
        ),
    )


def _counts(one: ErrorGroup) -> tuple[Cell, ...]:
    return (
        count(one.n),
        count(one.wrong),
        estimate(one.wrong / one.n, one.interval, ""),
        *(count(cause.n) for cause in one.causes),
    )


def _causes(results: Results, found: ErrorDetail) -> Table:
    names = Names(results)
    rows = [one for one in found.groups if not one.kind]
    return Table(
        "error-causes",
        "Why answers are wrong",
        f"{_RULES.format(k=found.k)} {how(one.interval for one in rows[:1])}",
        _columns((Column("System", ("system",)),)),
        tuple(Row((named(names.of_system(o.system), o.system), *_counts(o))) for o in rows),
        synthetic=results.study.synthetic,
        figure="error_analysis",
    )


def _groups(results: Results, found: ErrorDetail) -> Table:
    names = Names(results)
    rows = [one for one in found.groups if one.kind]
    several = len(results.systems) > 1
    made = [
        Row(
            (
                text(one.value or one.band),
                *([named(names.of_system(one.system), one.system)] if several else []),
                *_counts(one),
            ),
            group=(one.group or one.kind).capitalize(),
        )
        for one in sorted(rows, key=lambda one: (one.kind, one.group, one.value, one.band))
    ]
    system = (Column("System", ("system",)),) if several else ()
    return Table(
        "error-groups",
        "Wrong answers by tag, concept and confidence",
        "Each group's wrong answers by cause, as above. Small groups say little: read the "
        "intervals.",
        _columns((Column("Questions with", ("value",)), *system)),
        tuple(made),
        group_field="group",
        synthetic=results.study.synthetic,
    )


def _retrieval(results: Results, found: ErrorDetail) -> Table:
    names = Names(results)

    def share(n: int, known: int) -> Cell:
        if not known:
            return missing("No ranking, or nothing known of the documents.", 2)
        return Cell(f"{n:,} of {known:,}", (n, known))

    return Table(
        "retrieval-failures",
        "Wrong answers after a failed retrieval, by two definitions",
        f"No relevant document: none of the first {found.k} is graded as relevant. No relevant "
        f"context, the published definition: none of them has .4 of the question's content words, "
        "whatever its grade. Each of the wrong answers of which it is known.",
        (
            Column("System", ("system",)),
            Column("Wrong", ("wrong",), numeric=True),
            Column("No relevant document", ("no_document", "no_document_of"), numeric=True),
            Column("No relevant context", ("no_context", "no_context_of"), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(one.system), one.system),
                    count(one.wrong),
                    share(one.no_document, one.no_document_known),
                    share(one.no_context, one.no_context_known),
                )
            )
            for one in found.retrieval
        ),
        synthetic=results.study.synthetic,
    )


def _conditions(results: Results, found: ErrorDetail) -> Table:
    names = Names(results)
    return Table(
        "condition-errors",
        "Conditions taken for each other",
        "Similar: the chosen condition and the right one stand in one of "
        f"{count_of(found.condition_groups, 'group')} of conditions that are easily taken for one "
        "another. Unrelated: in two. Outside: one of the two options names no condition of the "
        "groups, such as a treatment; the share is of similar and unrelated ones. "
        + how(one.interval for one in found.conditions if one.interval),
        (
            Column("System", ("system",)),
            Column("Similar", ("similar",), numeric=True),
            Column("Unrelated", ("unrelated",), numeric=True),
            Column("The same", ("same",), numeric=True),
            Column("Outside", ("outside",), numeric=True),
            Column("Share similar", estimate_fields("share_similar"), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(one.system), one.system),
                    count(one.similar),
                    count(one.unrelated),
                    count(one.same, "Both options are names of one condition."),
                    count(one.outside),
                    estimate(
                        one.similar_share,
                        one.interval,
                        "no wrong answer takes one condition of the groups for another",
                    ),
                )
            )
            for one in found.conditions
        ),
        synthetic=results.study.synthetic,
    )


def _pairs(results: Results, found: ErrorDetail) -> Table:
    names = Names(results)
    return Table(
        "condition-pairs",
        "Pairs of conditions taken for each other",
        "Whichever of the two was right, the most frequent first.",
        (
            Column("One", ("one",)),
            Column("Other", ("other",)),
            Column("Likeness", ("likeness",)),
            Column("Times", ("times",), numeric=True),
        ),
        tuple(
            Row(
                (text(one.one), text(one.other), text(one.likeness), count(one.n)),
                group=names.of_system(one.system),
            )
            for one in found.pairs
        ),
        group_field="system",
        synthetic=results.study.synthetic,
    )


def _confident(results: Results, found: ErrorDetail) -> Table:
    names = Names(results)
    with_text = any(one.question is not None for one in found.confident)
    columns = (
        Column("Case", ("case",)),
        Column("Confidence", ("confidence",), numeric=True),
        Column("Chosen", ("chosen", "chosen_text"), wide=True),
        Column("Right", ("right", "right_text"), wide=True),
        Column("Cause", ("cause",)),
        *((Column("Question", ("question",), wide=True), _REASONING) if with_text else ()),
    )
    rows = []
    for one in found.confident:
        words = (written(one.question or ""), written(one.reasoning or "")) if with_text else ()
        rows.append(
            Row(
                (
                    text(one.case),
                    Cell(PROPORTION(one.confidence), (one.confidence,)),
                    _option(one.choice, one.chosen_text),
                    _option(one.gold, one.right_text),
                    text(one.cause),
                    *words,
                ),
                group=names.of_system(one.system),
            )
        )
    return Table(
        "confident-errors",
        "Wrong answers that a system was sure of",
        f"Confidence above {PROPORTION(found.confident_from)}, the surest first.",
        columns,
        tuple(rows),
        group_field="system",
        synthetic=results.study.synthetic,
    )


_REASONING: Final = Column("Reasoning", ("reasoning",), wide=True)


def _option(letter: str | None, words: str | None) -> Cell:
    if letter is None:
        return missing("No single option could be read.", 2)
    return Cell(written(f"{letter}: {words}").text if words else letter, (letter, words))
