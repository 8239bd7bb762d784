"""The controls of a study: what every metric must beat before it is trusted."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.inputs.study_columns import ScoreColumn, step_rng
from medassay.exhibits import Names
from medassay.exhibits.numbers import listed
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell
from medassay.scores import Grid
from medassay.study.folder import Study
from medassay.text import count_words
from medassay.validity import Source, constant_control, noise_control


def given_answers(study: Study, grid: Grid) -> NDArray[np.bool_]:
    """Mark the answers that were given; all asked for where the study holds ratings alone."""
    if not len(study.answers):
        return study.asked.mask(grid.systems, grid.cases)
    return np.array(
        [[study.answers.gave(s, c) for c in grid.cases] for s in grid.systems],
        dtype=np.bool_,
    ).reshape(grid.values.shape)


MARK: Final = "†"
MARK_SAYS: Final = f" {MARK}: no better than a control, which knows nothing of what an answer says"
_NOISE: Final = "noise"
_CHANCE: Final = "chance"
_ALIKE: Final = 1e-9
CONTROL_TITLES: Final = {
    "length": "Answer length",
    "question": "Question only: its length",
    "constant": "Constant",
    "noise": "Random numbers",
}


def controls_of(
    study: Study, columns: Sequence[ScoreColumn], sources: Mapping[str, Source]
) -> list[Source]:
    """Give the study's own controls, and what it lacks of length, question, constant and noise.

    None of them knows what an answer says. Length and question are counted in words; a question is
    the same for every system, so it can order no systems, but it can tell easy cases from hard.
    """
    known = [sources[column.name] for column in columns if column.control]
    if not sources:
        return known
    layout = _layout(study, sources)
    if _own_length(known) is None and _texts_held(study):
        known.append(_counted("length", layout, lambda s, c: _answer_words(study, s, c)))
    if any(study.cases[case].prompt for case in layout.cases):
        known.append(_counted("question", layout, lambda _, c: _question_words(study, c)))
    rng = step_rng(study, "s44")
    return [*known, constant_control(layout), noise_control(layout, rng)]


def length_of(
    study: Study, columns: Sequence[ScoreColumn], sources: Mapping[str, Source]
) -> Source | None:
    """Give how long each answer is, by the study's control or in words; None without texts."""
    own = _own_length([sources[column.name] for column in columns if column.control])
    if own is not None or not sources or not _texts_held(study):
        return own
    return _counted("length", _layout(study, sources), lambda s, c: _answer_words(study, s, c))


def _own_length(controls: Sequence[Source]) -> Source | None:
    return next((own for own in controls if own.name.partition("(")[0] == "length"), None)


def _texts_held(study: Study) -> bool:
    return len(study.answers) > study.answers.tally.not_held.total()


def _layout(study: Study, sources: Mapping[str, Source]) -> Grid:
    first = next(iter(sources.values())).grid
    given = given_answers(study, first)
    return Grid(first.systems, first.cases, np.zeros(first.values.shape), given)


def _counted(name: str, layout: Grid, words: Callable[[str, str], int | None]) -> Source:
    counts = [words(system, case) for system in layout.systems for case in layout.cases]
    shape = layout.values.shape
    values = np.array([float(count or 0) for count in counts]).reshape(shape)
    known = layout.known & np.array([count is not None for count in counts]).reshape(shape)
    return Source(name, Grid(layout.systems, layout.cases, values, known), "none")


def _answer_words(study: Study, system: str, case: str) -> int | None:
    """Count the words of an answer; nobody knows those of a text that is not held."""
    answer = study.answers.get(system, case)
    if answer is not None and not answer.held:
        return None
    return 0 if answer is None else count_words((answer.text or "").strip())


def _question_words(study: Study, case: str) -> int | None:
    prompt = study.cases[case].prompt
    return None if prompt is None else count_words(prompt.strip())


def called(names: Names, metric: str) -> str:
    """Say what a page calls a metric or a control.

    Example:
        >>> called(Names(sources={"bleu": "BLEU"}), "bleu"), called(Names(), "constant")
        ('BLEU', 'Constant')
    """
    return names.source.get(metric) or CONTROL_TITLES.get(metric, metric)


def is_control(names: Names, metric: str) -> bool:
    """Say whether a column knows nothing of what an answer says."""
    return metric in names.controls or metric in CONTROL_TITLES


def name_cell(
    names: Names,
    metric: str,
    value: float | None = None,
    reached: Mapping[str, float | None] | None = None,
    chance: float | None = None,
) -> Cell:
    """Name a metric or control, and mark a metric whose value some control reaches as well.

    Args:
        names: Say which are controls, and what each is called.
        metric: The column's name.
        value: What the mark goes by; a metric without one is not marked.
        reached: What every column of the same table and question reaches.
        chance: What chance reaches. Values are compared by their distance from it, for a control
            has no better end; None: 0, and chance itself is no rival.
    """
    title = called(names, metric)
    if is_control(names, metric):
        return Cell(f"{title} (control)", (metric,))
    if value is None or reached is None:
        return Cell(title, (metric,))
    middle = chance or 0.0
    own = value - middle - _ALIKE
    # One draw of random numbers proves nothing, so this draw is no rival.
    rivals = [
        called(names, name)
        for name, other in reached.items()
        if is_control(names, name)
        and name != _NOISE
        and other is not None
        and abs(other - middle) >= own
    ]
    if chance is not None and own <= 0:
        rivals.append(_CHANCE)
    return as_no_better(Cell(title, (metric,)), rivals)


def as_no_better(cell: Cell, rivals: list[str]) -> Cell:
    """Mark a name, and say on demand who does as well."""
    if not rivals:
        return cell
    text = as_sentence(f"no better than {listed(rivals)}")
    return Cell(cell.text, cell.raw, aside=MARK, detail=text)
