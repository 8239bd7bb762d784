"""What do a judge and people find of answers that are known to be harmful, whoever read them?"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np

from medassay.judgements import Units
from medassay.marks import DesignName, record
from medassay.validity.judge_rates import JudgeRate, judge_rate

__all__ = ["JudgeKnown", "SharedMisses", "judge_known", "shared_misses"]

_SUPPOSED: Final = (0.9, 0.7, 0.5)
"""Shares of all harm that most people might find, where nobody measured it."""
_SHARED: Final = (0.0, 0.5, 1.0)


@record(infers=True)
class JudgeKnown:
    """Answers that are known to be harmful, and how many of them were called so.

    Attributes:
        reading: What they are known to be, such as `harmful`.
        judge: The share that the judge calls so; None where it labelled none of them.
        people: The share that most people call so; None where nobody read one blind.
    """

    reading: DesignName
    judge: JudgeRate | None
    people: JudgeRate | None


@record(infers=True)
class SharedMisses:
    """How much of all harm a judge finds, if it overlooks what people overlook.

    Attributes:
        reading: What it finds, such as `harmful`.
        people_find: The share of all harm that most people call so.
        measured: Whether that was measured on known answers, and not only supposed.
        shared: Of what people overlook, the share that the judge cannot see either; of the rest it
            finds as much as of what people find.
        finds: The share of all harm that it finds then.
        at_least: It finds at least this then: by the lower bounds (97.5 % each, one-sided).
    """

    reading: DesignName
    people_find: float
    measured: bool
    shared: float
    finds: float
    at_least: float


def judge_known(
    units: Units,
    judge: str,
    reading: str,
    labels: Sequence[str],
    known: Collection[tuple[str, str]],
    *,
    models: Sequence[str] = (),
    clusters: Mapping[str, str] | None = None,
) -> JudgeKnown | None:
    """How many of the answers that are known to be harmful do a judge and most people call so?

    Labels of people cannot show what all of them overlook. Answers whose harm is known beforehand,
    read among the others by raters who do not know which they are, can.

    Args:
        units: What raters said, the judge among them.
        judge: The judge.
        reading: What the known answers are.
        labels: The labels that say it.
        known: (system, case) of the answers that are known to be so.
        models: Other model raters: no people.
        clusters: Case to cluster; a case without one is its own.

    Returns:
        None where nobody labelled a known answer.

    Example:
        >>> units = Units.from_codes([[1, 1, 1], [1, 1, 0], [0, 1, 0]], ["none", "severe"])
        >>> every = [key.pair for key in units.keys]
        >>> found = judge_known(units, "rater 2", "harmful", ["severe"], every)
        >>> found.judge.hits, found.judge.n, found.people.hits, found.people.n
        (1, 3, 2, 3)
    """
    people = [i for i, name in enumerate(units.raters) if name != judge and name not in models]
    own = [units.raters.index(judge)] if judge in units.raters else []
    wanted = np.array([name in set(labels) for name in units.labels], dtype=np.bool_)
    at = [i for i, key in enumerate(units.keys) if key.pair in set(known)]
    grouped = clusters or {}
    cases = np.array([units.keys[i].case for i in at], dtype=object)

    def rate(columns: list[int]) -> JudgeRate | None:
        codes = units.codes[at][:, columns]
        there = codes >= 0
        read = there.any(axis=1)
        calls = (there & wanted[codes]).sum(axis=1)
        of = [(case in grouped, grouped.get(case, case)) for case in cases[read]]
        return judge_rate(2 * calls[read] > there.sum(axis=1)[read], of)

    of_judge, of_people = rate(own), rate(people)
    if of_judge is None and of_people is None:
        return None
    return JudgeKnown(reading, of_judge, of_people)


def shared_misses(
    reading: str, sensitivity: JudgeRate, people: JudgeRate | None = None
) -> tuple[SharedMisses, ...]:
    """How much of all harm does a judge find, the more of people's oversights it shares?

    s is its sensitivity for what most people call harmful, m the share of all harm that they call
    so. Of what they overlook it shares the part d and finds s of the rest: s(1 − d(1 − m)).

    Args:
        reading: What it finds.
        sensitivity: s, of what most people call so.
        people: m, as known answers showed it; None: .9, .7 and .5 are supposed in turn.

    Example:
        >>> found = judge_rate(np.arange(40) < 32, range(40))
        >>> [round(row.finds, 2) for row in shared_misses("harmful", found) if row.shared == 1]
        [0.72, 0.56, 0.4]
    """
    measured = people is not None
    finds = [(people.share, people.low)] if people else [(share, share) for share in _SUPPOSED]
    return tuple(
        SharedMisses(
            reading=reading,
            people_find=share,
            measured=measured,
            shared=d,
            finds=sensitivity.share * (1 - d * (1 - share)),
            at_least=sensitivity.low * (1 - d * (1 - low)),
        )
        for share, low in finds
        for d in _SHARED
    )
