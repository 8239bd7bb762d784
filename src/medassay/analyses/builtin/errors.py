"""Why are answers wrong?"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_choices import Choices, ItemResponse
from medassay.annotations import CaseId, DesignName, SystemName, Tag, TagName, Text, Words, record
from medassay.answers import Answer
from medassay.cases import Case
from medassay.error_analysis import (
    Cause,
    ConditionConfusion,
    ConditionGroups,
    ErrorCause,
    error_cause,
)
from medassay.exhibits import Names
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.columns import (
    Shown,
    counted,
    estimated,
    how,
    missing,
    shown,
    system_column,
    table_of,
    written,
)
from medassay.exhibits.drawing import (
    OKABE_ITO,
    SOFT,
    WIDE,
    Picture,
    bare,
    diverging,
    ink_on,
    new_figure,
)
from medassay.exhibits.numbers import PROPORTION, count_of, listed_few
from medassay.exhibits.table import Cell, Column, Table
from medassay.stats import Interval, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@record(infers=True)
class ErrorGroup:
    """The wrong answers of one system among some questions, by cause.

    Attributes:
        kind: What groups the questions: empty for all of them, `tag`, `concept` or `confidence`.
        group: The tag, or what the concepts are; empty where all or a band of confidence is meant.
        value: Of the tag, or the concept.
        band: A band of confidence; empty for every other kind.
        system: The system.
        n: Questions.
        wrong: Those answered wrongly.
        interval: Around wrong / n.
        causes: Cause to the wrong answers that have it.
    """

    kind: Words
    group: TagName
    value: Tag
    band: Words
    system: SystemName
    n: int
    wrong: int
    interval: Interval
    causes: dict[Cause, int]


@record(infers=False)
class RetrievalFailures:
    """Wrong answers after a failed retrieval, by both definitions.

    Attributes:
        system: The system.
        wrong: Wrong answers.
        no_document: No document graded as relevant among the first k.
        no_document_known: Wrong answers of which that is known.
        no_context: None of the first k documents covers 0.4 of the question: the published
            definition of a retrieval failure.
        no_context_known: Wrong answers of which that is known.
    """

    system: SystemName
    wrong: int
    no_document: int
    no_document_known: int
    no_context: int
    no_context_known: int


@record(infers=True)
class ConditionErrors:
    """How near the conditions that one system chose are to the right ones.

    Attributes:
        system: The system.
        confusion: Its wrong answers by how near.
        interval: Around the share of similar ones; None where there is no such share.
    """

    system: SystemName
    confusion: ConditionConfusion
    interval: Interval | None


@record(infers=False)
class ConfidentError:
    """A wrong answer that its system was sure of.

    Attributes:
        system: The system.
        case: The question.
        confidence: How sure the system was.
        choice: What it chose; None where no single option can be read.
        gold: The right option.
        cause: Why it is wrong.
        question: In its words; this and the rest are None where texts do not leave the study.
        chosen_text: What the chosen option says.
        right_text: What the right option says.
        reasoning: The system's.
    """

    system: SystemName
    case: CaseId
    confidence: float
    choice: DesignName | None
    gold: DesignName
    cause: Cause
    question: Text | None
    chosen_text: Text | None
    right_text: Text | None
    reasoning: Text | None


@record(infers=False)
class AnsweredItem:
    """What one system did with one question.

    Attributes:
        system: The system.
        case: The question.
        gold: The right option.
        choice: What it chose; None where no single option can be read.
        confidence: How sure it was; None where it does not say.
        cause: Why it is wrong; None where it is right.
    """

    system: SystemName
    case: CaseId
    gold: DesignName
    choice: DesignName | None
    confidence: float | None
    cause: Cause | None


@record(infers=True)
class WrongAnswers:
    """Everything about wrong answers.

    Attributes:
        k: How far down rankings are read.
        confident_from: Above this the source calls a wrong answer a confident one.
        groups: By group of questions and system, all questions first.
        retrieval: One a system.
        condition_groups: How many groups of similar conditions there are.
        conditions: One a system.
        confident: Wrong answers that systems were sure of, the surest of each first.
        questions: Every question put to every system.
    """

    k: int
    confident_from: float
    groups: tuple[ErrorGroup, ...]
    retrieval: tuple[RetrievalFailures, ...]
    condition_groups: int
    conditions: tuple[ConditionErrors, ...]
    confident: tuple[ConfidentError, ...]
    questions: tuple[AnsweredItem, ...]


_CONFIDENT: Final = 0.8
_DEPTH: Final = 10
_TENTHS: Final = 10
_ESTIMAND: Final = "this system, new questions of the same kind"
_CONCEPTS: Final = "condition group of the right option"


class _Key(NamedTuple):
    kind: str
    group: str
    value: str
    band: str


def wrong_answers(choices: Choices, conditions: ConditionGroups) -> WrongAnswers:
    """Sort the wrong answers of each system."""
    found = [
        _OfSystem(system, questions, choices.tags, conditions)
        for system, questions in choices.by_system.items()
    ]
    return WrongAnswers(
        k=_DEPTH,
        confident_from=_CONFIDENT,
        groups=tuple(group for own in found for group in own.groups()),
        retrieval=tuple(own.retrieval() for own in found),
        condition_groups=len({condition.group for condition in conditions.names.values()}),
        conditions=tuple(own.conditions() for own in found),
        confident=tuple(error for own in found for error in own.confident()),
        questions=tuple(question for own in found for question in own.questions),
    )


class _OfSystem:
    """What one system did, counted question by question: each is read once and not held."""

    def __init__(
        self,
        system: str,
        questions: Sequence[ItemResponse],
        tags: Sequence[str],
        conditions: ConditionGroups,
    ) -> None:
        self.system, self._tags, self._names = system, tags, conditions
        self.questions: list[AnsweredItem] = []
        self._groups: dict[_Key, Counter[Cause | None]] = {}
        self._found: Counter[tuple[bool | None, bool | None]] = Counter()
        self._taken: list[tuple[str, str | None]] = []
        self._sure: list[ConfidentError] = []
        for response in questions:
            case, answer = response.read()
            error = error_cause(case, answer, _DEPTH)
            cause = None if error is None else error.cause
            self.questions.append(
                AnsweredItem(
                    system,
                    response.case,
                    response.gold,
                    response.choice,
                    response.confidence,
                    cause,
                )
            )
            for key in self._keys(response, case):
                self._groups.setdefault(key, Counter())[cause] += 1
            if error is not None:
                self._take(response, case, answer, error)

    def _keys(self, response: ItemResponse, case: Case) -> Iterator[_Key]:
        yield _Key("", "", "", "")
        condition = self._names.find(case.options[response.gold])
        if condition is not None:
            yield _Key("concept", _CONCEPTS, condition.group, "")
        if response.confidence is not None:
            tenth = min(int(response.confidence * _TENTHS), _TENTHS - 1)
            yield _Key("confidence", "", "", f"{10 * tenth}–{10 * tenth + 10}%")
        for tag in self._tags:
            if tag in case.tags:
                yield _Key("tag", tag, case.tags[tag], "")

    def _take(
        self, response: ItemResponse, case: Case, answer: Answer | None, error: ErrorCause
    ) -> None:
        self._found[error.no_document, error.no_context] += 1
        right = case.options[response.gold]
        chosen = None if response.choice is None else case.options[response.choice]
        self._taken.append((right, chosen))
        if response.confidence is None or response.confidence <= _CONFIDENT:
            return
        self._sure.append(
            ConfidentError(
                system=self.system,
                case=response.case,
                confidence=response.confidence,
                choice=response.choice,
                gold=response.gold,
                cause=error.cause,
                question=case.prompt,
                chosen_text=chosen,
                right_text=right,
                reasoning=None if answer is None else answer.reasoning,
            )
        )

    def groups(self) -> Iterator[ErrorGroup]:
        """Count the causes in each group of questions."""
        for key, times in sorted(self._groups.items(), key=lambda item: item[0]):
            n = times.total()
            wrong = n - times[None]
            yield ErrorGroup(
                **key._asdict(),
                system=self.system,
                n=n,
                wrong=wrong,
                interval=wilson(wrong, n, estimand=_ESTIMAND),
                causes={cause: times[cause] for cause in Cause},
            )

    def retrieval(self) -> RetrievalFailures:
        """Count wrong answers for which nothing relevant was found."""
        found = self._found.items()
        return RetrievalFailures(
            system=self.system,
            wrong=self._found.total(),
            no_document=sum(n for (document, _), n in found if document is True),
            no_document_known=sum(n for (document, _), n in found if document is not None),
            no_context=sum(n for (_, context), n in found if context is True),
            no_context_known=sum(n for (_, context), n in found if context is not None),
        )

    def conditions(self) -> ConditionErrors:
        """Say how often a similar condition was taken for the right one."""
        confusion = ConditionConfusion.of(self._taken, self._names)
        n = confusion.errors
        around = wilson(confusion.similar, n, estimand=_ESTIMAND) if n else None
        return ConditionErrors(self.system, confusion, around)

    def confident(self) -> list[ConfidentError]:
        """Give the wrong answers that the system was sure of, the surest first."""
        return sorted(self._sure, key=lambda error: (-error.confidence, error.case))


_MOST: Final = 4
"""Systems that the sentence names; the table has all."""


@dataclass(frozen=True, slots=True)
class Sure:
    """One system's answers above the confidence that the source calls sure.

    Attributes:
        system: The system.
        sure: How many.
        wrong: How many of them are wrong.
    """

    system: str
    sure: int
    wrong: int


def sure_answers(wrong: WrongAnswers) -> list[Sure]:
    """Count each system's sure answers; nothing where none states a confidence."""
    if all(question.confidence is None for question in wrong.questions):
        return []
    sure = [
        question
        for question in wrong.questions
        if question.confidence is not None and question.confidence > wrong.confident_from
    ]
    return [
        Sure(system, len(own), sum(question.cause is not None for question in own))
        for system in dict.fromkeys(question.system for question in wrong.questions)
        for own in [[question for question in sure if question.system == system]]
    ]


def confident_finding(wrong: WrongAnswers, names: Names) -> Finding | None:
    """Say how many sure answers of each system are wrong."""
    every = sure_answers(wrong)
    if not every:
        return None
    over = f"{100 * wrong.confident_from:.0f}%"
    if not any(own.sure for own in every):
        text = f"No answer was given with more than {over} confidence."
        return Finding("confident", text, ("sure-answers",), ReaderQuestion.CONFIDENT)
    worst, *rest = sorted(every, key=lambda own: -(own.wrong / own.sure if own.sure else -1.0))
    of = f"{worst.wrong:,} of the {count_of(worst.sure, 'answer')}"
    who, was = names.of_system(worst.system), "was" if worst.wrong == 1 else "were"
    text = f"{of} that {who} gave with high confidence (over {over}) {was} wrong."
    if wrong_too := [names.of_system(own.system) for own in rest if own.wrong]:
        text += f" {listed_few(wrong_too, _MOST)} also gave sure answers that were wrong."
    return Finding("confident", text, ("sure-answers",), ReaderQuestion.CONFIDENT)


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
    "The first that applies. Abstention: refused or empty. Parsing: no single option can be "
    "read. Retrieval: no relevant document among the first {k}. Knowledge: the relevant "
    "documents found lack half of the right option's words. Reasoning: they have them. These are "
    "rules, not verdicts."
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
        caption="Small groups say little: read the intervals.",
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
        "relevant context (published): none has 0.4 of the question's content words.",
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
        f"{count_of(wrong.condition_groups, 'group')} of conditions that are easily "
        "mistaken. Unrelated: in two. Outside: an option names none of these conditions, "
        "or nothing was chosen. Shares are of all wrong answers. "
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
        caption="Whichever of the two was right.",
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


_MOST_SYSTEMS: Final = 12
_MOST_VALUES: Final = 12
_ROW: Final = 7
_HEAD: Final = 26
_LEGEND_COLUMNS: Final = 4
_LEGEND_LINE: Final = 10
"""Points that one line of the legend takes."""
_ROOM: Final = 36
"""Letters that a row of the map has room for: both counts in each cell, or else the share."""
_STEEP: Final = 6
"""So many titles side by side, and more, stand steeper."""
# Neighbours differ in lightness too, so that a bar can be read in grey.
_COLOURS: Final = {
    Cause.NEVER_ANSWERED: "#9aa3ab",
    Cause.ABSTENTION: OKABE_ITO[5],
    Cause.PARSING: OKABE_ITO[4],
    Cause.RETRIEVAL: OKABE_ITO[2],
    Cause.KNOWLEDGE: OKABE_ITO[1],
    Cause.REASONING: OKABE_ITO[0],
    Cause.UNKNOWN: "#d8dde2",
}
_PRINTED: Final = 0.025
"""A part of a bar narrower than this share of the longest has no room for a digit."""


def error_pictures(wrong: WrongAnswers, names: Names) -> dict[str, Picture]:
    """Draw why answers are wrong; nothing where no answer is."""
    if not any(group.wrong for group in wrong.groups):
        return {}
    every = list(dict.fromkeys(group.system for group in wrong.groups))
    systems = every[:_MOST_SYSTEMS]
    whole = {group.system: group for group in wrong.groups if not group.kind}
    tag = _tag(wrong.groups)
    values = [group for group in wrong.groups if group.kind == "tag" and group.group == tag]
    rows = len({error_group.value for error_group in values}) + 1 if tag else 0
    height = _HEAD + _ROW * max(rows, len(systems), 3)
    figure = new_figure(WIDE, height, synthetic=names.synthetic)
    grid = figure.subplots(1, 2 if tag else 1, squeeze=False)
    titles = [names.of_system(system) for system in systems]
    pad = _bars(grid[0, 0], [whole[system] for system in systems], titles)
    caption = "By what failed first."
    if tag:
        counted = _fits(values, len(systems))
        _map(grid[0, 1], values, systems, titles, counted=counted)
        # Set to the right: names of the tag's values may leave the map itself narrow.
        grid[0, 1].set_title(
            f"Wrong answers by {tag}", loc="right", fontsize=8, fontweight="bold", pad=pad
        )
        what = "wrong answers" if counted else "the share of wrong answers"
        caption += f" Right: {what} of all questions with each {tag}; the ground is the share."
    if len(every) > len(systems):
        caption += f" {count_of(len(every) - len(systems), 'more system')} in the table only."
    return {"error_analysis": Picture("Why answers are wrong", figure, caption)}


def _tag(groups: Sequence[ErrorGroup]) -> str:
    """Choose the tag of the most questions, and of those the one with the most values.

    Only tags whose values a picture has room for; empty if there is none.
    """
    values: dict[str, set[str]] = {}
    questions: Counter[str] = Counter()
    for group in groups:
        if group.kind == "tag":
            values.setdefault(group.group, set()).add(group.value)
            questions[group.group] += group.n
    few = [tag for tag, value in values.items() if 1 < len(value) <= _MOST_VALUES]
    return max(few, key=lambda tag: (questions[tag], len(values[tag]), tag), default="")


def _bars(axes: "Axes", groups: Sequence[ErrorGroup], titles: list[str]) -> float:
    """Draw a bar a system, and give how far above the axes its title stands."""
    bare(axes, "bottom")
    longest = max(group.wrong for group in groups)
    used = [cause for cause in Cause if any(group.causes[cause] for group in groups)]
    for row, error_group in enumerate(groups):
        left = 0
        for cause in used:
            n = error_group.causes[cause]
            colour = _COLOURS[cause]
            axes.barh(row, n, left=left, height=0.62, color=colour, edgecolor="w", linewidth=0.8)
            text = f"{n:,}"
            if n > _PRINTED * len(text) * longest:
                axes.text(
                    left + n / 2, row, text, ha="center", va="center_baseline",
                    color=ink_on(colour), fontsize=7,
                )  # fmt: skip
            left += n
    axes.set_yticks(range(len(groups)), titles)
    axes.set_ylim(max(len(groups), 3) - 0.4, -0.6)
    axes.locator_params(axis="x", nbins=5, integer=True)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("wrong answers", color=SOFT)
    if len(groups) == 1:
        # A single bar says its numbers; an axis far below it would measure nothing.
        bare(axes)
        axes.set_xticks([])
        axes.set_xlabel("")
    pad = 8 + _LEGEND_LINE * -(-len(used) // _LEGEND_COLUMNS)
    axes.set_title("Wrong answers by cause", loc="left", fontsize=8, fontweight="bold", pad=pad)
    handles = [axes.barh(0, 0, color=_COLOURS[cause], label=cause.value) for cause in used]
    axes.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=_LEGEND_COLUMNS,
        frameon=False, fontsize=7, handlelength=0.8, handleheight=0.8, columnspacing=1,
        borderaxespad=0.2,
    )  # fmt: skip
    return pad


def _counts(error_group: ErrorGroup) -> str:
    return f"{error_group.wrong:,} of {error_group.n:,}"


def _fits(groups: Sequence[ErrorGroup], systems: int) -> bool:
    return systems * max(len(_counts(group)) for group in groups) <= _ROOM


def _map(
    axes: "Axes",
    groups: Sequence[ErrorGroup],
    systems: list[str],
    titles: list[str],
    *,
    counted: bool,
) -> None:
    from matplotlib.patches import Rectangle

    values = sorted({group.value for group in groups})
    known = {(group.value, group.system): group for group in groups}
    for y, value in enumerate(values):
        for x, system in enumerate(systems):
            error_group = known.get((value, system))
            if error_group is None:
                continue
            ground = diverging(-error_group.wrong / error_group.n)
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=ground, edgecolor="w"))
            text = (
                _counts(error_group) if counted else PROPORTION(error_group.wrong / error_group.n)
            )
            axes.text(
                x, y, text, ha="center", va="center_baseline", color=ink_on(ground), fontsize=7,
            )  # fmt: skip
    axes.set_xlim(-0.5, len(systems) - 0.5)
    axes.set_ylim(len(values) - 0.5, -0.5)
    axes.set_yticks(range(len(values)), values)
    slanted = len(systems) > 2  # noqa: PLR2004 - two titles fit side by side
    axes.set_xticks(range(len(systems)), titles)
    for title in axes.get_xticklabels() if slanted else ():
        title.set(rotation=30 if len(systems) < _STEEP else 45, horizontalalignment="right")
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


@analysis(
    Declaration(
        id="errors",
        title="Why answers are wrong",
        question="What failed first where an answer is wrong, and on which questions?",
        section="clinical",
        part="clinical-errors",
        infers=True,
        reader="developer",
        place=3,
        tables=error_tables,
        pictures=error_pictures,
        finding=confident_finding,
    )
)
def errors(choices: Choices, conditions: ConditionGroups) -> WrongAnswers | None:
    """Sort wrong answers by cause, by group of questions, and by condition."""
    return wrong_answers(choices, conditions) if choices.by_system else None
