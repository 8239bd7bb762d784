"""A rater who wants to know which system wrote what, and is given everything but the secret.

They see a sheet in its order: codes, cases (they know the questions) and which rows are one text.
They know the systems' names, the raters, the campaign's name, every option of the export, and the
package. What the plan's structure tells is theirs too, so it is the null hypothesis: within a case
the systems stand behind the texts in any order, each equally likely, and a repeat is what it
repeats. An attack is worth something only where it does better than that.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.judgements.campaign import Assignment, Secret

Ints = NDArray[np.int64]
Weights = list[NDArray[np.float64]]
DRAWS = 1999


@dataclass(frozen=True)
class Sheet:
    """What a rater sees, row by row.

    Attributes:
        codes: The codes.
        cases: Which case each row is of.
        texts: Which text each row shows; rows of one text are one answer.
        systems: How many systems there are.
    """

    codes: Sequence[str]
    cases: Ints
    texts: Ints
    systems: int

    @property
    def letters(self) -> Ints:
        """Give the letters of each code as numbers."""
        return np.array([[ord(one) for one in code if one != "-"] for code in self.codes])

    @property
    def places_by_code(self) -> Ints:
        """Give the place of each row among all codes in the order of the alphabet."""
        return np.argsort(np.argsort(np.array(self.codes)))

    def as_structured(self, rng: np.random.Generator) -> Ints:
        """Draw who may have written what, by what the plan's structure allows: draws by rows."""
        found = np.zeros((DRAWS, len(self.codes)), dtype=np.int64)
        for case in np.unique(self.cases):
            rows = np.flatnonzero(self.cases == case)
            _, text = np.unique(self.texts[rows], return_inverse=True)
            orders = np.argsort(rng.random((DRAWS, self.systems)), axis=1)
            found[:, rows] = orders[:, text]
        return found


Example = tuple[Sheet, Ints]
"""A sheet, and the system of each of its rows."""


def example(
    rows: Iterable[tuple[str, str, str]], systems: Sequence[str], cases: Sequence[str]
) -> Example:
    """Number what stands in a sheet.

    Args:
        rows: Code, case and system, in the order of the sheet.
        systems: The systems, by name.
        cases: The cases, by id.
    """
    codes, of_case, names = zip(*rows, strict=True)
    case = np.array([cases.index(one) for one in of_case])
    truth = np.array([systems.index(one) for one in names])
    # The attacker compares texts; that the numbers follow from the systems is never used.
    return Sheet(codes, case, case * len(systems) + truth, len(systems)), truth


def rows_of(plan: Iterable[Assignment]) -> list[tuple[str, str, str]]:
    """Give what `example` wants of a plan."""
    return [(one.code, one.item.case, one.item.system) for one in plan]


def guessable(seed: int) -> Iterator[Secret]:
    """Make secrets of a seed in the ways in which somebody might have."""
    text = str(seed).encode()
    yield Secret(seed.to_bytes(32))
    yield Secret(hashlib.sha256(text).digest())
    yield Secret(hashlib.blake2b(text, digest_size=32).digest())
    yield Secret(random.Random(seed).randbytes(32))  # noqa: S311 - the mistake that is looked for


def find_secret(
    sheet: Sheet, codes: Callable[[Secret], str], seeds: Iterable[int]
) -> Secret | None:
    """Try seeds until one gives the first code: of 20^7 codes a wrong seed gives it once in 10^9.

    Args:
        sheet: The sheet of the rater whose codes are drawn first.
        codes: Gives the first code that follows from a secret.
        seeds: The seeds.
    """
    first = sheet.codes[0]
    tried = (secret for seed in seeds for secret in guessable(seed))
    return next((secret for secret in tried if codes(secret) == first), None)


def best_order(sheet: Sheet, plans: Iterable[Example]) -> Ints:
    """Take the plan whose cases come in the most similar order, and name the systems by it."""
    best, named = -1, np.zeros(len(sheet.codes), dtype=np.int64)
    for like, systems in plans:
        alike = int((like.cases == sheet.cases).sum())
        if alike > best:
            best = alike
            # Where the case is another, the row's system is as good a guess as any.
            named = systems
    return named


class Learner:
    """Learns from campaigns with other secrets what codes, places and cases tell of systems."""

    def __init__(self, examples: Sequence[Example]) -> None:
        sheets, truths = zip(*examples, strict=True)
        rows = [_row_features(sheet) for sheet in sheets]
        self._levels = _levels(rows)
        every = np.arange(sheets[0].systems)
        self._rows = [self._weights(rows, truths, system) for system in every]
        pairs = [_pair_features(sheet) for sheet in sheets]
        self._pair_levels = _levels([features for _, features in pairs])
        same = [
            truth[at[:, 0]] == truth[at[:, 1]] for truth, (at, _) in zip(truths, pairs, strict=True)
        ]
        self._pairs = _log_odds([f for _, f in pairs], same, self._pair_levels)

    def _weights(self, rows: Sequence[Ints], truths: Sequence[Ints], system: int) -> Weights:
        return _log_odds(rows, [truth == system for truth in truths], self._levels)

    def name(self, sheet: Sheet) -> Ints:
        """Name the likeliest system of each row."""
        features = _row_features(sheet)
        scores = np.array([_scored(features, weights) for weights in self._rows])
        found: Ints = scores.argmax(axis=0)
        return found

    def pair(self, sheet: Sheet) -> Ints:
        """Give the twentieth of all pairs of rows that likeliest share a system."""
        at, features = _pair_features(sheet)
        scores = _scored(features, self._pairs)
        found: Ints = at[np.argsort(-scores, kind="stable")[: len(at) // 20]]
        return found


def _row_features(sheet: Sheet) -> Ints:
    place = np.arange(len(sheet.codes))
    by_code = sheet.places_by_code
    tenth = max(1, len(place) // 10)
    return np.column_stack(
        [
            place // tenth,
            place % sheet.systems,
            (place + sheet.cases) % sheet.systems,
            by_code // tenth,
            by_code % sheet.systems,
            sheet.letters - ord("A"),
        ]
    )


def _pair_features(sheet: Sheet) -> tuple[Ints, Ints]:
    """Give all pairs of rows of different cases, and what can be seen of each."""
    one, other = np.triu_indices(len(sheet.codes), k=1)
    apart = sheet.cases[one] != sheet.cases[other]
    one, other = one[apart], other[apart]
    by_code, letters = sheet.places_by_code, sheet.letters
    features = np.column_stack(
        [
            np.minimum(other - one, 30),
            (other - one) % sheet.systems,
            np.minimum(np.abs(by_code[one] - by_code[other]), 30),
            letters[one] == letters[other],
        ]
    )
    return np.column_stack([one, other]), features.astype(np.int64)


def _levels(features: Sequence[Ints]) -> Ints:
    found: Ints = np.max([some.max(axis=0) for some in features], axis=0) + 1
    return found


def _log_odds(features: Sequence[Ints], hits: Sequence[NDArray[np.bool_]], levels: Ints) -> Weights:
    every, hit = np.concatenate(features), np.concatenate(hits)
    found = []
    for column, count in enumerate(levels.tolist()):
        yes = np.bincount(every[hit, column], minlength=count) + 1.0
        no = np.bincount(every[~hit, column], minlength=count) + 1.0
        found.append(np.log(yes / yes.sum()) - np.log(no / no.sum()))
    return found


def _scored(features: Ints, weights: Weights) -> NDArray[np.float64]:
    columns = [
        weights[c][np.minimum(features[:, c], len(weights[c]) - 1)] for c in range(len(weights))
    ]
    found: NDArray[np.float64] = np.sum(columns, axis=0)
    return found


@dataclass(frozen=True)
class Outcome:
    """How an attack went.

    Attributes:
        right: How much it got right.
        expected: How much the plan's structure alone gives, on average.
        p: How often the structure alone gives as much or more.
    """

    right: int
    expected: float
    p: float


def naming(attacks: Iterable[tuple[Sheet, Ints, Ints]], seed: int = 1) -> Outcome:
    """Count the rows whose system was named; each attack is a sheet, its truth and the names."""
    rng = np.random.default_rng(seed)
    right, null = 0, np.zeros(DRAWS)
    for sheet, truth, named in attacks:
        right += int((named == truth).sum())
        null += (sheet.as_structured(rng) == named).sum(axis=1)
    return _outcome(right, null)


def pairing(attacks: Iterable[tuple[Sheet, Ints, Ints]], seed: int = 2) -> Outcome:
    """Count the pairs of rows that share a system as was said of them."""
    rng = np.random.default_rng(seed)
    right, null = 0, np.zeros(DRAWS)
    for sheet, truth, pairs in attacks:
        right += int((truth[pairs[:, 0]] == truth[pairs[:, 1]]).sum())
        drawn = sheet.as_structured(rng)
        null += (drawn[:, pairs[:, 0]] == drawn[:, pairs[:, 1]]).sum(axis=1)
    return _outcome(right, null)


def pairs_named_alike(sheet: Sheet, named: Ints) -> Ints:
    """Give the pairs of rows of different cases to which an attack gives one system."""
    one, other = np.triu_indices(len(named), k=1)
    keep = (named[one] == named[other]) & (sheet.cases[one] != sheet.cases[other])
    found: Ints = np.column_stack([one[keep], other[keep]])
    return found


def _outcome(right: int, null: NDArray[np.float64]) -> Outcome:
    p = (1 + int((null >= right).sum())) / (1 + DRAWS)
    return Outcome(right, float(null.mean()), p)
