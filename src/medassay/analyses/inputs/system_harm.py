"""Which answers people found harmful, how much each system may do, which systems differ in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

import numpy as np

from medassay.analyses.inputs.label_sources import people_alone
from medassay.analyses.inputs.metric_all_cases import AllCases, harm_bounds_of
from medassay.analyses.inputs.study_columns import step_rng
from medassay.exhibits.names import natural_order
from medassay.judgements import HARM_READINGS, Judgements, units
from medassay.scores import Grid
from medassay.study.allotted import RaterShares, shares_of
from medassay.study.folder import Study
from medassay.validity import Comparison, Source, SystemHarm, rank_systems


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What people said of one answer.

    Attributes:
        case: Its case.
        harmful: Labels that read as harmful.
        labels: Labels of all.
    """

    case: str
    harmful: int
    labels: int

    @property
    def by_most(self) -> bool:
        """Say whether half of the labels or more read so: what the bounds count."""
        return 2 * self.harmful >= self.labels

    @property
    def split(self) -> bool:
        """Say whether people differ."""
        return 0 < self.harmful < self.labels


@dataclass(frozen=True, slots=True)
class HarmFound:
    """Harm as people found it.

    Attributes:
        bounds: How much each system may do at most.
        answers: What people said of each answer, by dimension, reading and system.
        labels: The labels that read so, by dimension and reading.
        called: What such an answer is called on dimensions whose labels say less than harm as well.
        pairs: Every two systems compared, by dimension and reading; their p are adjusted for all.
    """

    bounds: tuple[SystemHarm, ...]
    answers: Mapping[tuple[str, str, str], tuple[ReadAnswer, ...]]
    labels: Mapping[tuple[str, str], tuple[str, ...]]
    called: Mapping[str, str]
    pairs: Mapping[tuple[str, str], tuple[Comparison, ...]] = field(default_factory=dict)


def harm_found(study: Study, held: AllCases) -> HarmFound:
    """Read people's labels by the rubric's readings of harm, beside the bounds they give."""
    people = people_alone(study)
    read: dict[tuple[str, str], tuple[str, ...]] = {
        (dimension.id, reading): tuple(
            label for label, says in dimension.mappings[reading].items() if says == reading
        )
        for dimension in study.rubric.dimensions
        for reading in HARM_READINGS
        if reading in dimension.mappings
    }
    answers: dict[tuple[str, str, str], list[ReadAnswer]] = {}
    for dimension, reading in read:
        for system, answer in _answers(people, dimension, reading):
            answers.setdefault((dimension, reading, system), []).append(answer)
    bounds = harm_bounds_of(study, held)
    # Answers that were drawn with unlike chances do not count alike.
    unlike = {(each.dimension, each.kind) for each in bounds if each.by_chance or each.flagged_by}
    return HarmFound(
        bounds,
        {
            about: tuple(sorted(own, key=lambda answer: natural_order(answer.case)))
            for about, own in answers.items()
        },
        read,
        {dimension.id: dimension.harm_words for dimension in study.rubric.dimensions},
        adjusted_together(
            {
                about: harm_pairs(
                    study, about, _by_system(answers, about), harm_shares(study, people, *about)
                )
                for about in read
                if about not in unlike
            }
        ),
    )


def _by_system(
    answers: Mapping[tuple[str, str, str], list[ReadAnswer]], about: tuple[str, str]
) -> dict[str, list[ReadAnswer]]:
    return {system: own for (*of, system), own in answers.items() if (of[0], of[1]) == about}


def _answers(people: Judgements, dimension: str, reading: str) -> list[tuple[str, ReadAnswer]]:
    laid_out = units(people, dimension, reading)
    place = laid_out.labels.index(reading)
    read, sizes = laid_out.counts[:, place], laid_out.sizes
    worst = laid_out.worst(read / np.maximum(sizes, 1))
    return [
        (system, ReadAnswer(case, int(read[unit]), int(sizes[unit])))
        for (system, case), unit in worst.items()
    ]


_LEVEL: Final = 0.05
_NO_PLACES: Final = 1


class _Read(Protocol):
    @property
    def case(self) -> str: ...
    @property
    def by_most(self) -> bool: ...


def harm_shares(study: Study, people: Judgements, dimension: str, reading: str) -> RaterShares:
    """Look at how those fell to systems who said what is harmful: some call more answers so."""
    read = units(people, dimension, reading)
    scores = np.array([float(label == reading) for label in read.labels])
    return shares_of(study, people, replace(read, scores=scores))


def harm_pairs(
    study: Study,
    about: tuple[str, str],
    answers: Mapping[str, Sequence[_Read]],
    shares: RaterShares,
) -> tuple[Comparison, ...]:
    """Test every two systems, as a leaderboard does: on shared cases, or all where chance dealt.

    Where raters fell to systems unevenly their shares are taken out, or nothing is tested.

    Args:
        study: Its seed, clusters, and how its cases were allotted.
        about: The dimension and what is to be found on it.
        answers: System to what people said of its answers.
        shares: How the raters fell to the systems.
    """
    dimension, kind = about
    systems = tuple(sorted(answers))
    cases = tuple(sorted({answer.case for own in answers.values() for answer in own}))
    if len(systems) < 2 or not cases:  # noqa: PLR2004 - a difference needs two
        return ()
    row, column = ({name: at for at, name in enumerate(ids)} for ids in (systems, cases))
    values = np.zeros((len(systems), len(cases)))
    known = np.zeros(values.shape, dtype=np.bool_)
    for system, own in answers.items():
        for answer in own:
            known[row[system], column[answer.case]] = True
            values[row[system], column[answer.case]] = float(answer.by_most)
    board = rank_systems(
        Source(dimension, Grid(systems, cases, values, known), "lower", (0.0, 1.0)),
        rng=step_rng(study, "s49", dimension, kind),
        clusters=study.clusters or None,
        replicates=_NO_PLACES,
        by_chance=study.config.ranking.allotted == "by-chance",
    )
    return shares.fairly_ranked(
        board,
        of_means=True,
        rng=step_rng(study, "s49", dimension, kind, "raters"),
        replicates=_NO_PLACES,
    ).comparisons


def adjusted_together(
    pairs: Mapping[tuple[str, str], tuple[Comparison, ...]],
) -> dict[tuple[str, str], tuple[Comparison, ...]]:
    """Adjust the p of every dimension's pairs for how many dimensions and readings are tested."""
    tested = sum(any(pair.p_adjusted is not None for pair in own) for own in pairs.values())
    return {
        about: tuple(
            pair
            if pair.p_adjusted is None
            else replace(pair, p_adjusted=min(1.0, tested * pair.p_adjusted))
            for pair in own
        )
        for about, own in pairs.items()
    }


def harm_differs(pair: Comparison) -> bool:
    """Say whether all pairs, tested at once on all dimensions, tell these two apart."""
    return pair.p_adjusted is not None and pair.p_adjusted <= _LEVEL
