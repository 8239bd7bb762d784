"""Rows of dots beside each other: what is printed around them touches nothing."""

from itertools import combinations

import numpy as np
import pytest

from medassay.exhibits.drawing import DotPanel, Mark, dot_grid

KINDS = (
    "severity", "central tendency", "anchoring", "drift", "identical run", "speed", "competence"
)  # fmt: skip
NAMES = {
    "short": "Safety, rater-{}",
    "long": "Contraindicated treatment: likelihood, rater-{}",
    "very long": "An answer that a physician would not give to a patient at home, rater-{}",
}
LEFT_TITLE = "_left_title"
"""It has no public name."""
SCALES = (1.0, 0.3, 0.05, 2.0, 100.0, 0.004, 1.0)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", NAMES)
def test_no_words_of_a_grid_of_dots_touch(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [NAMES[name].format(number) for number in range(5)]
    panels = [
        DotPanel(
            kind,
            {row: [Mark(v, v - scale / 2, v + scale / 2)] for row, v in zip(rows, values)},  # noqa: B905 - rows of one length
            0.0,
            (0.0, 1.0) if kind == "competence" else None,
        )
        for kind, scale in zip(KINDS, SCALES, strict=True)
        for values in [rng.uniform(0.0, 1.0, 5) * scale]
    ]
    figure = dot_grid(panels, rows, 7, synthetic=False)
    figure.draw_without_rendering()
    words = [
        (label.get_text(), label.get_window_extent())
        for axes in figure.axes
        for label in (
            *axes.get_xticklabels(),
            *axes.get_yticklabels(),
            axes.title,
            getattr(axes, LEFT_TITLE),
        )
        if label.get_text() and label.get_visible()
    ]
    numbers = [text for axes in figure.axes for text in axes.get_xticklabels()]
    assert len(numbers) >= 2 * len(panels)
    touching = [
        (one, other)
        for (one, box), (other, beside) in combinations(words, 2)
        if box.shrunk(0.98, 0.9).overlaps(beside.shrunk(0.98, 0.9))
    ]
    assert touching == []
