"""Judgements laid out for fitting: answers judged alike as one, in an order of their own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.judgements import Units
from medassay.scores import Unit

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_Places = NDArray[np.int64]
_Floats = NDArray[np.float64]
_LARGEST_PATTERN: Final = 2**62
_Hashes = NDArray[np.uint64]
_MOST_ROUNDS: Final = 64
"""Real panels settle in three or four; only long chains of answers need more."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A stretch of items, few enough to stay in the processor's cache.

    Attributes:
        start: The first item.
        stop: The item after the last.
        said: csr, shape (labels * items of the block, raters * labels): 1 where the rater gave the
            item the label. Rows run over labels first, columns over raters first.
        heard: The same transposed.
    """

    start: int
    stop: int
    said: "csr_array"
    heard: Any


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Judgements in an order that no name and no file decides.

    Attributes:
        raters: How many raters.
        labels: How many labels somebody gave, or some item is known to have.
        item: For each judgement its item; sorted.
        rater: For each judgement its rater.
        label: For each judgement its label.
        weight: float64, for each item how many units were judged like it.
        of_unit: For each unit its item.
        of_rater: For each of the units' raters its place.
        of_label: For each of the units' labels its place, or -1 where nobody gave it.
        item_class: For each item the number of its colour.
        rater_class: For each rater the number of its colour; raters that share one are twins.
        label_class: The same for labels.
        known: For each item the place of its known label, or -1.
        prior: float64, for each label its share before anything was said; sums to 1.
    """

    raters: int
    labels: int
    item: _Places
    rater: _Places
    label: _Places
    weight: _Floats
    of_unit: _Places
    of_rater: _Places
    of_label: _Places
    item_class: _Places
    rater_class: _Places
    label_class: _Places
    known: _Places
    prior: _Floats

    @property
    def items(self) -> int:
        """Count the items."""
        return len(self.weight)

    @cached_property
    def has_equal_labels(self) -> bool:
        """Say whether two labels cannot be told apart.

        Their order is then arbitrary, and with it the order of adding; a fit that starts on the
        ridge between two answers would let the last bit decide. See `ordered_sum`.
        """
        return len(np.unique(self.label_class)) < self.labels

    @cached_property
    def log_prior(self) -> _Floats:
        """Give the logarithm of each label's share before anything was said."""
        return np.log(self.prior)

    @cached_property
    def uses(self) -> _Floats:
        """Count how often each rater gave each label, shape (raters, labels)."""
        counts = np.zeros((self.raters, self.labels))
        np.add.at(counts, (self.rater, self.label), self.weight[self.item])
        return counts

    def blocks(self, size: int) -> Iterator[Block]:
        """Cut the items into blocks of so many."""
        from scipy.sparse import csr_array

        voice = self.rater * self.labels + self.label
        for start in range(0, self.items, size):
            stop = min(start + size, self.items)
            first, last = np.searchsorted(self.item, [start, stop])
            rows = self.label[first:last] * (stop - start) + self.item[first:last] - start
            shape = (self.labels * (stop - start), self.raters * self.labels)
            ones = np.ones(last - first)
            labelled_by = csr_array((ones, (rows, voice[first:last])), shape=shape)
            labelled_by.sort_indices()
            yield Block(start, stop, labelled_by, labelled_by.T)

    def to_units(self, values: _Floats) -> _Floats:
        """Spread (items, labels) over (units, labels of the scale); labels nobody gave get 0."""
        spread = np.zeros((len(self.of_unit), len(self.of_label)))
        used = np.flatnonzero(self.of_label >= 0)
        spread[:, used] = values[self.of_unit][:, self.of_label[used]]
        return spread


def ordered_sum(values: _Floats, axis: int, *, sort: bool) -> _Floats:
    """Sum over an axis, which stays with length 1; sorted, no order of the input matters.

    Example:
        >>> ordered_sum(np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]), 1, sort=True).ravel().tolist()
        [0.6000000000000001, 0.6000000000000001]
    """
    summed: _Floats = (np.sort(values, axis) if sort else values).sum(axis=axis, keepdims=True)
    return summed


def arrange(
    units: Units,
    known: Mapping[Unit, str] | None = None,
    priors: Mapping[str, float] | None = None,
    weights: _Floats | None = None,
) -> Arrangement:
    """Lay out units with labels; those that were judged alike become one item with a weight.

    Args:
        units: Each has at least one label.
        known: The true label of some units (control items), by key.
        priors: Each label's share before anything was said; equal where not given.
        weights: How often each unit counts; once where not given.

    Raises:
        InvalidInput: A known label or a prior does not fit the scale.
    """
    truth = _known_codes(units, known or {})
    is_given = np.bincount(units.code, minlength=len(units.labels)) > 0
    is_given[truth[truth >= 0]] = True
    used = np.flatnonzero(is_given)
    to_used = np.full(len(units.labels), -1, dtype=np.int64)
    to_used[used] = np.arange(len(used))
    prior = _shares(units.labels, used, priors)
    truth = np.where(truth >= 0, to_used[truth], -1)
    code = to_used[units.code]
    of_unit, first = _alike(units, code, truth, len(used))
    weight = np.bincount(of_unit, weights=weights, minlength=len(first)).astype(np.float64)
    leads = np.zeros(len(units), dtype=np.bool_)
    leads[first] = True
    leading = leads[units.unit]
    return _in_order(
        (of_unit[units.unit[leading]], units.rater[leading], code[leading]),
        (weight, truth[first], prior),
        (of_unit, len(units.raters), to_used),
    )


def _in_order(
    judgements: tuple[_Places, _Places, _Places],
    of_items: tuple[_Floats, _Places, _Floats],
    of_units: tuple[_Places, int, _Places],
) -> Arrangement:
    item, rater, label = judgements
    weight, known, prior = of_items
    of_unit, raters, to_used = of_units
    labels = len(prior)
    cells, cell = np.unique(item * labels + label, return_inverse=True)
    voices, voice = np.unique(rater * labels + label, return_inverse=True)
    web = Web(cells // labels, cells % labels, voices // labels, voices % labels, cell, voice)
    colours = _refine(
        web,
        weight.view(np.uint64),
        raters,
        prior.view(np.uint64),
        known if (known >= 0).any() else None,
    )
    items, item_class = _ranks(colours.item)
    new_rater, rater_class = _ranks(colours.rater)
    new_label, label_class = _ranks(colours.label)
    order = np.lexsort((new_label[label], new_rater[rater], items[item]))
    moved = np.empty(len(weight), dtype=np.int64)
    moved[items] = np.arange(len(weight))
    label_order = np.argsort(new_label)
    here = known[moved]
    return Arrangement(
        raters=raters,
        labels=labels,
        item=items[item[order]],
        rater=new_rater[rater[order]],
        label=new_label[label[order]],
        weight=weight[moved],
        of_unit=items[of_unit],
        of_rater=new_rater,
        of_label=np.where(to_used >= 0, new_label[to_used], -1),
        item_class=item_class,
        rater_class=rater_class,
        label_class=label_class,
        known=np.where(here >= 0, new_label[here], -1),
        prior=prior[label_order],
    )


def _ranks(colours: NDArray[np.uint64]) -> tuple[_Places, _Places]:
    """Give each node its place in the order of colours, and each place the number of its colour."""
    order = np.argsort(colours, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place, np.unique(colours[order], return_inverse=True)[1].astype(np.int64)


def _alike(units: Units, code: _Places, truth: _Places, labels: int) -> tuple[_Places, _Places]:
    """Number the patterns of labels, and give one unit of each.

    Every unit is its own where many raters make patterns that no whole number can hold.
    """
    base = labels + 1
    if base ** (len(units.raters) + 1) >= _LARGEST_PATTERN:
        return np.arange(len(units)), np.arange(len(units))
    pattern = (truth + 1) * base ** len(units.raters)
    powers = np.array([base**j for j in range(len(units.raters))], dtype=np.int64)
    np.add.at(pattern, units.unit, (code + 1) * powers[units.rater])
    _, first, of_unit = np.unique(pattern, return_index=True, return_inverse=True)
    return of_unit.astype(np.int64), first.astype(np.int64)


def _known_codes(units: Units, known: Mapping[Unit, str]) -> _Places:
    code = {label: i for i, label in enumerate(units.labels)}
    strange = sorted({label for label in known.values() if label not in code})
    if strange:
        must = f"be labels of {units.dimension}: {', '.join(units.labels)}"
        raise InvalidInput(Problem("known labels", must, ", ".join(strange)))
    return np.array(
        [code[known[key]] if key in known else -1 for key in units.keys], dtype=np.int64
    )


def _shares(labels: Sequence[str], used: _Places, priors: Mapping[str, float] | None) -> _Floats:
    if priors is None:
        return np.full(len(used), 1 / max(1, len(used)))
    wrong = [label for label in priors if label not in labels]
    wanted = [labels[i] for i in used]
    if wrong or any(not 0 < priors.get(label, 0.0) < np.inf for label in wanted):
        must = f"give each of {', '.join(wanted)} a number above 0, and nothing else"
        got = ", ".join(f"{label} {share}" for label, share in priors.items())
        raise InvalidInput(Problem("label priors", must, got))
    shares = np.array([priors[label] for label in wanted])
    scaled: _Floats = shares / shares.sum()
    return scaled


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


def _refine(
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
