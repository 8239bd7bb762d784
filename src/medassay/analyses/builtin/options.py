"""Which options are taken for others?"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_choices import Choices
from medassay.annotations import SystemName, record
from medassay.error_analysis import OptionConfusion
from medassay.exhibits import Names
from medassay.exhibits.columns import Shown, celled, counted, shown, system_column, table_of
from medassay.exhibits.drawing import SOFT, WIDE, Picture, diverging, ink_on, new_figure
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.table import Cell, Heat, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@record(infers=False)
class OptionsOf:
    """What one system chose.

    Attributes:
        system: The system.
        confusion: How often it chose each option where each was right.
    """

    system: SystemName
    confusion: OptionConfusion


@record(infers=False)
class OptionsChosen:
    """What systems chose."""

    systems: tuple[OptionsOf, ...]


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
        caption="Macro: the mean over options. Balanced accuracy: the mean recall. Weighted: by "
        "how often an option is right. No choice is a miss.",
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
        caption="Precision: the share of its choices that is right. Recall: the share chosen "
        "where it is right.",
        grouped_by="system",
    )


def _confusion(chosen: Sequence[OptionsOf], names: Names) -> Table:
    every = list(dict.fromkeys(option for own in chosen for option in own.confusion.options))

    def chose(option: str) -> Callable[[_Right], Cell]:
        return lambda row: _times(row.chosen.get(option, 0), row.questions)

    return table_of(
        [(names.of_system(own.system), row) for own in chosen for row in _rights(own.confusion)],
        (
            shown("Right", "right"),
            *(celled(o, f"chosen_{o}", chose(o), numeric=True, group="Chosen") for o in every),
            celled(
                "none",
                "no_choice",
                lambda row: _times(row.none, row.questions),
                numeric=True,
                group="Chosen",
            ),
            counted("Questions", "questions"),
        ),
        id="option-confusion",
        title="Options taken for each other",
        caption="Rows: the right option; columns: the option chosen.",
        grouped_by="system",
        figure="confusion_matrix",
    )


class _Right(NamedTuple):
    """What was chosen where one option is right."""

    right: str
    chosen: dict[str, int]
    none: int
    questions: int


def _rights(square: OptionConfusion) -> Iterator[_Right]:
    for right, counts, none in zip(square.options, square.counts, square.no_choice, strict=True):
        yield _Right(
            right, dict(zip(square.options, counts, strict=True)), none, sum(counts) + none
        )


def _times(times: int, total: int) -> Cell:
    share = times / total if total else 0.0
    detail = f"{100 * share:.0f}% of the {total} questions to which this row's option is right."
    return Cell(f"{times:,}", (times,), detail=detail if total else "", draw=Heat(share))


_ACROSS: Final = 3
_MOST_SYSTEMS: Final = 12
"""More squares are no picture: the table holds them all."""
_CELL: Final = 9
_HEAD: Final = 24
_RIGHT: Final = "#009E73"
"""The border of what is right: the green of Okabe and Ito."""


def confusion_pictures(chosen: Sequence[OptionsOf], names: Names) -> dict[str, Picture]:
    """Draw one square a system; counts are printed, and the ground is the share of the row."""
    drawn = chosen[:_MOST_SYSTEMS]
    # Four stand two by two rather than three and one.
    across = 2 if len(drawn) == 4 else min(_ACROSS, len(drawn))  # noqa: PLR2004 - as said
    down = -(-len(drawn) // across)
    options = max(len(own.confusion.options) for own in drawn)
    width = min(WIDE, across * (24 + _CELL * (options + 1)))
    figure = new_figure(width, down * (_HEAD + _CELL * options), synthetic=names.synthetic)
    grid = figure.subplots(down, across, squeeze=False)
    for place, axes in enumerate(grid.flat):
        if place < len(drawn):
            _square(axes, drawn[place].confusion, names.of_system(drawn[place].system))
        else:
            axes.set_axis_off()
    left = len(chosen) - len(drawn)
    caption = (
        "Rows: the right option; columns: the option chosen. Counts of questions; shade: share "
        "of the row."
    )
    if left:
        caption += f" {left} more systems are in the table only."
    return {"confusion_matrix": Picture("Options taken for each other", figure, caption)}


def _square(axes: "Axes", confusion: OptionConfusion, title: str) -> None:
    from matplotlib.patches import Rectangle

    columns = [*confusion.options, "none"]
    for y, (chosen, none) in enumerate(zip(confusion.counts, confusion.no_choice, strict=True)):
        total = sum(chosen) + none
        for x, times in enumerate((*chosen, none)):
            ground = diverging(times / total if total else 0.0)
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=ground, linewidth=0))
            axes.text(
                x,
                y,
                f"{times:,}",
                ha="center",
                va="center_baseline",
                color=ink_on(ground),
                fontsize=7,
            )
    for i in range(len(confusion.options)):
        axes.add_patch(
            Rectangle((i - 0.46, i - 0.46), 0.92, 0.92, fill=False, edgecolor=_RIGHT, linewidth=1.4)
        )
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(confusion.options) - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(confusion.options)), confusion.options)
    axes.tick_params(length=0)
    axes.set_xlabel("chosen", color=SOFT)
    axes.set_ylabel("right", color=SOFT)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title(title, fontsize=8, fontweight="bold", loc="left")


@analysis(
    Declaration(
        id="options",
        title="Which options are taken for others",
        question="Which options does each system choose where others are right?",
        section="clinical",
        part="clinical-options",
        infers=False,
        reader="developer",
        place=2,
        tables=lambda chosen, names: option_tables(chosen.systems, names),
        pictures=lambda chosen, names: confusion_pictures(chosen.systems, names),
    )
)
def options(choices: Choices) -> OptionsChosen | None:
    """Count which option was chosen where each is right, by system."""
    chosen = tuple(
        OptionsOf(
            system,
            OptionConfusion.of(
                ((response.gold, response.choice) for response in questions),
                {option: None for response in questions for option in response.options},
            ),
        )
        for system, questions in choices.by_system.items()
    )
    return OptionsChosen(chosen) if chosen else None
