"""Tell raters, labels and answers apart by what was said alone, never by what they are called.

Start values that belong to a name, or to a place in a file, make a fit depend on it. So each rater,
label and answer is coloured by its place in the web of judgements: all begin alike, and in each
round a node takes in the colours of its neighbours (colour refinement, after Weisfeiler & Leman).
Two nodes keep one colour only where no such round can tell them apart; those share their start
values, and a fit then treats them alike, as it must.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Colours", "Web", "refine"]

_Hashes = NDArray[np.uint64]
_Places = NDArray[np.int64]

_MOST_ROUNDS: Final = 64
"""Real panels settle in three or four; only long chains of answers need more."""


@dataclass(frozen=True, slots=True, eq=False)
class Web:
    """Judgements as a web. A cell is a label given to an item; a voice is a rater's use of a label.

    Attributes:
        cell_item: For each cell its item.
        cell_label: For each cell its label.
        voice_rater: For each voice its rater.
        voice_label: For each voice its label.
        cell: For each judgement its cell.
        voice: For each judgement its voice.
    """

    cell_item: _Places
    cell_label: _Places
    voice_rater: _Places
    voice_label: _Places
    cell: _Places
    voice: _Places


@dataclass(frozen=True, slots=True, eq=False)
class Colours:
    """A colour for each item, rater and label; equal colours cannot be told apart."""

    item: _Hashes
    rater: _Hashes
    label: _Hashes


def refine(
    web: Web, items: _Hashes, raters: int, labels: _Hashes, known: _Places | None = None
) -> Colours:
    """Refine colours until no round tells more nodes apart.

    Args:
        web: Who said what.
        items: What sets items apart from the start (how many answers share the pattern).
        raters: How many raters there are.
        labels: What sets labels apart from the start (their prior).
        known: For each item the position of its known label, or -1.
    """
    item, label = _mix(items + np.uint64(1)), _mix(labels + np.uint64(2))
    rater = np.full(raters, 3, dtype=np.uint64)
    cell, voice = (
        np.full(len(web.cell_item), 4, np.uint64),
        np.full(len(web.voice_rater), 5, np.uint64),
    )
    controls = np.flatnonzero(known >= 0) if known is not None else np.zeros(0, dtype=np.int64)
    told_apart = 0
    for _ in range(_MOST_ROUNDS):
        heard, spoken = _mix(voice)[web.voice], _mix(cell)[web.cell]
        new_cell = _mix(
            cell + _sum(web.cell, heard, len(cell)), item[web.cell_item], label[web.cell_label]
        )
        new_voice = _mix(
            voice + _sum(web.voice, spoken, len(voice)),
            rater[web.voice_rater],
            label[web.voice_label],
        )
        by_label = _sum(web.cell_label, _mix(cell), len(label))
        by_label += _sum(web.voice_label, _mix(voice), len(label))
        new_item = _sum(web.cell_item, _mix(cell), len(item))
        if known is not None:
            new_item[controls] += _mix(label[known[controls]] + np.uint64(6))
            by_label += _sum(known[controls], _mix(item[controls] + np.uint64(7)), len(label))
        rater = _mix(rater + _sum(web.voice_rater, _mix(voice), raters))
        item, label = _mix(item + new_item), _mix(label + by_label)
        cell, voice = new_cell, new_voice
        count = sum(len(np.unique(colours_of)) for colours_of in (item, rater, label, cell, voice))
        if count == told_apart:
            break
        told_apart = count
    return Colours(item, rater, label)


def _sum(of: _Places, values: _Hashes, size: int) -> _Hashes:
    """Add up values by place; whole numbers wrap round, so no order of adding matters."""
    sums = np.zeros(size, dtype=np.uint64)
    np.add.at(sums, of, values)
    return sums


def _mix(*parts: _Hashes) -> _Hashes:
    """Scramble 64 bits so that sums of them do not collide (the finisher of SplitMix64)."""
    mixed = np.zeros_like(parts[0])
    for part in parts:
        mixed = (mixed ^ part) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
    return mixed
