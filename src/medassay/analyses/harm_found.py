"""Which answers people found harmful, and how much harm each system may do: read by analyses."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from medassay.analyses.all_cases import AllCases, harm_bounds_of
from medassay.analyses.harm_pairs import adjusted_together, harm_pairs
from medassay.analyses.judged_by import people_alone
from medassay.exhibits.natural_order import natural_order
from medassay.judgements import HARM_READINGS, Judgements, units
from medassay.study.folder import Study
from medassay.validity import Comparison, SystemHarm

__all__ = ["HarmFound", "ReadAnswer", "harm_found"]


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
                about: harm_pairs(study, about, _by_system(answers, about))
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
