"""Find out which case, system, dimension and rater of a study is which of the truth."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment
from tests.front_door.drawn import Key
from tests.front_door.found import Found
from tests.front_door.laid_out import Laid
from tests.front_door.words import words_of

Held: TypeAlias = dict[str, Counter[object]]
"""Name to what it holds."""

_OF_NO_ROLE: Final = ("", "index", "Unnamed: 0", "Timestamp", "Batch")

__all__ = ["Matched", "matched", "plain"]


def plain(name: str) -> str:
    """Write a name without capitals, blanks and signs: `GPT-4o` and `gpt 4o` are one."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[\W_]+", "", folded) or folded


@dataclass(frozen=True)
class Matched:
    """Truth to study: cases, systems, samples, dimensions and raters.

    Attributes:
        cases: Case of the truth to that of the study.
        systems: The same of systems.
        dimensions: The same of dimensions.
        raters: The same of raters.
        problems: What has no counterpart.
        may_be_tags: Headers that no role of the record holds, and that may be tags.
    """

    cases: Mapping[str, str]
    systems: Mapping[str, str]
    dimensions: Mapping[str, str] = field(default_factory=dict)
    raters: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    may_be_tags: frozenset[str] = frozenset()

    def key(self, key: Key) -> Key:
        """Give the study's key of an answer."""
        case, system, sample = key
        return self.cases.get(case, f"?{case}"), self.systems.get(system, f"?{system}"), sample


def matched(laid: Laid, study: Found) -> Matched:
    """Match a study with the truth."""
    problems: list[str] = []
    cases = _cases(laid, study, problems)
    systems = _systems(laid, study, problems)
    bare = Matched(cases, systems)
    told = {
        (rater, dimension, bare.key(key)): value
        for (rater, dimension, key), value in laid.shown.ratings.items()
    }
    # A yes to a question of harm is 1 in the table and the worse label of the study.
    read = {
        at: one.number if one.harmful is None else float(one.harmful)
        for at, one in study.labels.items()
    }
    dimensions = _assigned(_held(told, 1), _held(read, 1))
    turned = {dimension: name for name, dimension in dimensions.items()}
    of_truth = {
        (rater, dimensions.get(name, name), key): v for (rater, name, key), v in told.items()
    }
    people = {rater for rater, _, _ in told}
    same = people == {rater for rater, _, _ in read}
    found = {name: name for name in people} if same else None
    raters = found or _assigned(_held(of_truth, 0), _held(read, 0))
    problems += _strangers(laid, study, turned, raters)
    free = {*words_of(laid.plan.header, "tokens"), *_OF_NO_ROLE}
    return Matched(
        cases,
        systems,
        dimensions,
        raters,
        tuple(problems),
        frozenset(map(plain, free)),
    )


def _cases(laid: Laid, study: Found, problems: list[str]) -> dict[str, str]:
    asked = {" ".join(case.question.split()): name for name, case in study.cases.items()}
    pairs = {}
    for case in laid.shown.cases:
        there = asked.get(" ".join(case.question.split())) if laid.texts else None
        there = there or (case.case if case.case in study.cases else None)
        if there is not None:
            pairs[case.case] = there
    lost = len(laid.shown.cases) - len(set(pairs.values()))
    if lost:
        problems.append(f"lost cases: {lost} of {len(laid.shown.cases)}")
    strange = sorted(set(study.cases) - set(pairs.values()))
    if strange:
        problems.append(f"invented cases: {len(strange)}, such as {strange[0]!r}")
    return pairs


def _systems(laid: Laid, study: Found, problems: list[str]) -> dict[str, str]:
    if not laid.named_systems:
        if len(study.systems) != 1:
            problems.append(f"other systems: {', '.join(study.systems) or 'none'}; must be one")
        return dict(zip(laid.shown.systems, study.systems, strict=False))
    own = {plain(name): name for name in study.systems}
    pairs = {name: own[plain(name)] for name in laid.shown.systems if plain(name) in own}
    lost = [name for name in laid.shown.systems if name not in pairs]
    strange = [name for name in study.systems if name not in pairs.values()]
    if lost:
        problems.append(f"lost systems: {', '.join(lost)}")
    if strange:
        problems.append(f"invented systems: {', '.join(strange)}")
    return pairs


def _held(
    labels: Mapping[tuple[str, str, Key], object], by: Literal[0, 1]
) -> dict[str, Counter[object]]:
    """Count what each rater (0) or dimension (1) holds: where, and by or on what."""
    held: Held = {}
    for at, value in labels.items():
        where = (at[1] if by == 0 else None, at[2])
        held.setdefault(at[1] if by else at[0], Counter()).update([(where, value), where])
    return held


def _assigned(told: Held, read: Held) -> dict[str, str]:
    """Pair names so that most of what they hold is the same."""
    names, others = list(told), list(read)
    if not names or not others:
        return {}
    same = np.array([[_common(told[a], read[b]) for b in others] for a in names])
    rows, columns = linear_sum_assignment(-same)
    return {names[i]: others[j] for i, j in zip(rows, columns, strict=True) if same[i, j] > 0}


def _common(one: Counter[object], other: Counter[object]) -> int:
    return sum((one & other).values())


def _strangers(
    laid: Laid, study: Found, turned: Mapping[str, str], raters: Mapping[str, str]
) -> Sequence[str]:
    """Say which dimensions and raters of the study are none of the truth."""
    problems = []
    rated = {at[1] for at in study.labels}
    strange = sorted(rated - set(turned))
    if strange:
        problems.append(f"invented dimensions: {', '.join(strange)}")
    people = {at[0] for at in laid.shown.ratings}
    there = {at[0] for at in study.labels}
    if there and len(there) != len(people):
        problems.append(f"rater split: {len(there)} raters in place of {len(people)}")
    elif there - set(raters.values()):
        problems.append("other raters: one holds labels of another")
    # What bears the name of one dimension and holds the labels of another was swapped.
    own = {plain(dimension.name): dimension.name for dimension in laid.shown.dimensions}
    for there_name, name in turned.items():
        called = own.get(plain(there_name))
        if called is not None and called != name:
            problems.append(f"swapped dimensions: {there_name} holds the labels of {name}")
    return problems
