"""Wrong answers: why, where, which conditions were taken for each other, and how sure of it."""

from collections.abc import Callable
from typing import Final

from medassay.analyses.builtin.errors.record import ConfidentError, ErrorGroup, WrongAnswers
from medassay.analyses.builtin.errors.words import sure_answers
from medassay.error_analysis import Cause
from medassay.exhibits import Names
from medassay.exhibits.cells import how, missing, written
from medassay.exhibits.columns import Shown, counted, estimated, shown, system_column, table_of
from medassay.exhibits.numbers import PROPORTION, count_of
from medassay.exhibits.table import Cell, Column, Table

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
_NONE_WRONG: Final = "no answer is wrong"
_OF_ALL: Final = "Of all wrong"


def error_tables(wrong: WrongAnswers, names: Names) -> list[Table]:
    """Show why answers are wrong; tables that would hold nothing are left out."""
    tables: tuple[tuple[bool, Callable[[WrongAnswers, Names], Table]], ...] = (
        (True, _causes),
        (True, _retrieval),
        (any(group.kind for group in wrong.groups), _groups),
        (True, _conditions),
        (any(own.confusion.pairs for own in wrong.conditions), _pairs),
        (bool(sure_answers(wrong)), _sure),
        (bool(wrong.confident), _confident),
    )
    return [table(wrong, names) for known, table in tables if known]


def _times(cause: Cause) -> Callable[[ErrorGroup], int]:
    return lambda group: group.causes[cause]


_COUNTS: Final = (
    counted("Questions", "n", file="questions"),
    counted("Wrong", "wrong"),
    estimated("Share wrong", lambda group: group.wrong / group.n, why_not=None, file="share_wrong"),
    *(
        counted(_HEADS[cause], _times(cause), file=cause.value.replace(" ", "_"), group="Cause")
        for cause in Cause
    ),
)


def _causes(wrong: WrongAnswers, names: Names) -> Table:
    rows = [group for group in wrong.groups if not group.kind]
    return table_of(
        rows,
        (system_column(names), *_COUNTS),
        id="error-causes",
        title="Why answers are wrong",
        caption=f"{_RULES.format(k=wrong.k)} {how(group.interval for group in rows[:1])}",
        figure="error_analysis",
    )


def _groups(wrong: WrongAnswers, names: Names) -> Table:
    rows = sorted(
        (group for group in wrong.groups if group.kind),
        key=lambda group: (group.kind, group.group, group.value, group.band),
    )
    system = (system_column(names),) if len(names.system) > 1 else ()
    return table_of(
        (((group.group or group.kind).capitalize(), group) for group in rows),
        (
            shown("Questions with", lambda group: group.value or group.band, file="value"),
            *system,
            *_COUNTS,
        ),
        id="error-groups",
        title="Wrong answers by tag, concept and confidence",
        caption="Each group's wrong answers by cause, as above. Small groups say little: read the "
        "intervals.",
        grouped_by="group",
    )


def _failed(heading: str, field: str) -> Shown[object]:
    def cell(row: object) -> Cell:
        n, known = getattr(row, field), getattr(row, f"{field}_known")
        if not known:
            return missing("No ranking, or nothing known of the documents.", 2)
        return Cell(f"{n:,} of {known:,}", (n, known))

    return Shown(Column(heading, (field, f"{field}_of"), numeric=True), cell)


def _retrieval(wrong: WrongAnswers, names: Names) -> Table:
    return table_of(
        wrong.retrieval,
        (
            system_column(names),
            counted("Wrong", "wrong"),
            _failed("No relevant document", "no_document"),
            _failed("No relevant context", "no_context"),
        ),
        id="retrieval-failures",
        title="Wrong answers after a failed retrieval, by two definitions",
        caption=f"No relevant document: none of the first {wrong.k} is graded as relevant. No "
        "relevant context, the published definition: none of them has .4 of the question's "
        "content words, whatever its grade. Each of the wrong answers of which it is known.",
    )


def _conditions(wrong: WrongAnswers, names: Names) -> Table:
    return table_of(
        wrong.conditions,
        (
            system_column(names),
            counted("Similar", "confusion.similar", file="similar"),
            counted("Unrelated", "confusion.unrelated", file="unrelated"),
            shown(
                "The same",
                "confusion.same",
                "{:,}".format,
                file="same",
                detail=lambda _: "Both options are names of one condition.",
            ),
            counted("Outside", "confusion.outside", file="outside"),
            estimated(
                "Similar",
                "confusion.similar_share",
                file="share_similar",
                why_not=lambda _: _NONE_WRONG,
                group=_OF_ALL,
            ),
            *(
                shown(
                    f"{kind.capitalize()}",
                    f"confusion.{kind}_share",
                    PROPORTION,
                    file=f"share_{kind}",
                    group=_OF_ALL,
                    why_not=lambda _: _NONE_WRONG,
                )
                for kind in ("unrelated", "outside")
            ),
        ),
        id="condition-errors",
        title="Conditions taken for each other",
        caption="Similar: the chosen condition and the right one stand in one of "
        f"{count_of(wrong.condition_groups, 'group')} of conditions that are easily taken for one "
        "another. Unrelated: in two. Outside: one of the two options names no condition of the "
        "groups, such as a treatment, or nothing was chosen. Shares are of all wrong answers. "
        + how(own.interval for own in wrong.conditions if own.interval),
    )


def _pairs(wrong: WrongAnswers, names: Names) -> Table:
    return table_of(
        (
            (names.of_system(own.system), pair)
            for own in wrong.conditions
            for pair in own.confusion.pairs
        ),
        (
            shown("One", "one"),
            shown("Other", "other"),
            shown("Likeness", lambda pair: pair.likeness.value, file="likeness"),
            counted("Times", "n", file="times"),
        ),
        id="condition-pairs",
        title="Pairs of conditions taken for each other",
        caption="Whichever of the two was right, the most frequent first.",
        grouped_by="system",
    )


def _sure(wrong: WrongAnswers, names: Names) -> Table:
    return table_of(
        sure_answers(wrong),
        (system_column(names), counted("Sure", "sure"), counted("Wrong", "wrong")),
        id="sure-answers",
        title="Sure answers, and how many are wrong",
        caption=f"Answers with a confidence above {PROPORTION(wrong.confident_from)}.",
    )


def _confident(wrong: WrongAnswers, names: Names) -> Table:
    with_questions = any(error.question is not None for error in wrong.confident)
    words: tuple[Shown[ConfidentError], ...] = (_said("Question"), _said("Reasoning"))
    return table_of(
        ((names.of_system(error.system), error) for error in wrong.confident),
        (
            shown("Case", "case"),
            shown("Confidence", "confidence", PROPORTION),
            _option("Chosen", "chosen", lambda error: (error.choice, error.chosen_text)),
            _option("Right", "right", lambda error: (error.gold, error.right_text)),
            shown("Cause", lambda error: error.cause.value, file="cause"),
            *(words if with_questions else ()),
        ),
        id="confident-errors",
        title="Wrong answers that a system was sure of",
        caption=f"Confidence above {PROPORTION(wrong.confident_from)}, the surest first.",
        grouped_by="system",
    )


def _said(heading: str) -> Shown[ConfidentError]:
    field = heading.lower()
    return Shown(
        Column(heading, (field,), wide=True), lambda error: written(getattr(error, field) or "")
    )


def _option(
    heading: str, field: str, get: Callable[[ConfidentError], tuple[str | None, str | None]]
) -> Shown[ConfidentError]:
    def cell(error: ConfidentError) -> Cell:
        letter, words = get(error)
        if letter is None:
            return missing("No single option could be read.", 2)
        printed = written(f"{letter}: {words}").text if words else letter
        return Cell(printed, (letter, words))

    return Shown(Column(heading, (field, f"{field}_text"), wide=True), cell)
