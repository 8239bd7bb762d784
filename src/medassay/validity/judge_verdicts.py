"""What a judge's missing verdicts could change, and two judges on the same answers."""

from collections import Counter
from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from medassay.judgements import NO_VERDICT, Judgements, Units
from medassay.marks import DesignName, RaterName, record
from medassay.validity.judge_estimate import JudgeEstimate, mean_of

__all__ = [
    "JudgePair",
    "JudgeWithout",
    "SameAnswers",
    "judge_pair",
    "judge_without",
    "most_say",
]

_NOBODY = "no label of most people on an answer that both judges labelled"


@record(infers=False)
class JudgeWithout:
    """How often a judge that was asked gave no verdict, and what those could change.

    Attributes:
        dimension: What it was asked.
        asked: Answers that it was asked about, in the phase main.
        off_menu: Replies that say nothing of what was offered.
        refused: Refusals.
        cut_off: Replies that stop at the limit of tokens.
        failed: Questions without any reply.
        held: Answers that most people gave one label, whether the judge gave a verdict or not.
        alike: Those of them on which the judge's label is that of most people.
        lost: Those of them without a verdict.
    """

    dimension: DesignName
    asked: int
    off_menu: int
    refused: int
    cut_off: int
    failed: int
    held: int
    alike: int
    lost: int

    @property
    def count(self) -> int:
        """Count what is no verdict."""
        return self.off_menu + self.refused + self.cut_off + self.failed

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Give the share alike if every lost verdict had been wrong, and if every one right."""
        if not self.held:
            return None
        return self.alike / self.held, (self.alike + self.lost) / self.held


def judge_without(
    judgements: Judgements, read: Units, judge: str, models: Collection[str]
) -> JudgeWithout | None:
    """Count a judge's replies that are no verdict; None where each is one.

    Args:
        judgements: What everyone said.
        read: The labels of one dimension.
        judge: The judge.
        models: Other model raters: no people.

    Example:
        >>> from medassay.judgements import load_rubric, units
        >>> def row(rater, case, **said):
        ...     kind = "model" if rater == "m" else "person"
        ...     return {"rater": rater, "rater_kind": kind, "system": "A", "case": case,
        ...             "dimension": "quality", **said}
        >>> judgements = Judgements.from_rows(
        ...     [row("p", "1", label="4"), row("p", "2", label="5"), row("m", "1", label="4"),
        ...      row("m", "2", reason="refused")], load_rubric("likert5"))
        >>> found = judge_without(judgements, units(judgements, "quality"), "m", [])
        >>> found.refused, found.bounds
        (1, (0.5, 1.0))
    """
    import polars as pl

    mine = judgements.in_phases().filter(
        (pl.col("rater") == judge) & (pl.col("dimension") == read.dimension)
    )
    counts = Counter(mine["reason"].drop_nulls())
    if not any(counts[reason] for reason in NO_VERDICT):
        return None
    most = most_say(read, [judge, *models])
    place = {key: i for i, key in enumerate(read.keys)}
    of_judge = read.codes[:, read.raters.index(judge)] if judge in read.raters else most * 0 - 1
    gone = mine.filter(pl.col("reason").is_in(NO_VERDICT)).select(read.keys[0]._fields).rows()
    lost = sum(bool(most[place[key]] >= 0) for key in gone if key in place)
    both = (of_judge >= 0) & (most >= 0)
    return JudgeWithout(
        dimension=read.dimension,
        asked=mine.height,
        **{reason: counts[reason] for reason in NO_VERDICT},
        held=int(both.sum()) + lost,
        alike=int((both & (of_judge == most)).sum()),
        lost=lost,
    )


def most_say(read: Units, without: Collection[str]) -> NDArray[np.int64]:
    """Give for each unit the label that more than half of the raters gave; -1 where none is.

    Args:
        read: The labels.
        without: Raters who do not count.
    """
    people = [i for i, name in enumerate(read.raters) if name not in without]
    by_person = np.isin(read.rater, people)
    counts = np.zeros((len(read), max(1, len(read.labels))), dtype=np.int64)
    np.add.at(counts, (read.unit[by_person], read.code[by_person]), 1)
    top = counts.argmax(axis=1)
    clear = 2 * counts.max(axis=1) > counts.sum(axis=1)
    return np.where(clear, top, -1)


@record(infers=False)
class SameAnswers:
    """How often one judge said one thing where the other said another.

    Attributes:
        label: What the judge said.
        other: What the other said.
        answers: How often.
    """

    label: DesignName
    other: DesignName
    answers: int


@record(infers=True)
class JudgePair:
    """Two judges on the answers that both labelled.

    Attributes:
        dimension: What they were asked.
        judge: One.
        other: The other.
        answers: Answers that both labelled.
        alike: The share on which they say the same.
        said: How often they said what together.
        right: The share on which the judge says what most people say.
        other_right: The same of the other.
        lead: The first share less the second.
    """

    dimension: DesignName
    judge: RaterName
    other: RaterName
    answers: int
    alike: JudgeEstimate
    said: tuple[SameAnswers, ...]
    right: JudgeEstimate
    other_right: JudgeEstimate
    lead: JudgeEstimate


def judge_pair(
    read: Units, judge: str, other: str, models: Collection[str], clusters: Mapping[str, str]
) -> JudgePair | None:
    """Hold two judges side by side; None where they labelled no answer in common.

    Args:
        read: The labels of one dimension.
        judge: One judge.
        other: Another.
        models: All model raters: no people.
        clusters: Case to cluster.

    Example:
        >>> from dataclasses import replace
        >>> read = Units.from_codes([[0, 0, 1], [1, 1, 1]], ["no", "yes"])
        >>> found = judge_pair(replace(read, raters=("p", "a", "b")), "a", "b", ["a", "b"], {})
        >>> found.answers, found.alike.value, found.right.value, found.lead.value
        (2, 0.5, 1.0, 0.5)
    """
    if judge not in read.raters or other not in read.raters:
        return None
    own, two = (read.codes[:, read.raters.index(name)] for name in (judge, other))
    both = (own >= 0) & (two >= 0)
    if not both.any():
        return None
    most = most_say(read, models)
    held = both & (most >= 0)
    right, other_right = (codes_of == most for codes_of in (own, two))

    def mean(values: NDArray[np.float64], rows: NDArray[np.bool_], nothing: str) -> JudgeEstimate:
        cases = [read.keys[i].case for i in rows.nonzero()[0]]
        of_case = [(case in clusters, clusters.get(case, case)) for case in cases]
        return mean_of(values[rows].astype(np.float64), cases, of_case, nothing)

    counts = Counter(zip(own[both].tolist(), two[both].tolist(), strict=True))
    return JudgePair(
        dimension=read.dimension,
        judge=judge,
        other=other,
        answers=int(both.sum()),
        alike=mean(own == two, both, ""),
        said=tuple(
            SameAnswers(read.labels[a], read.labels[b], n) for (a, b), n in sorted(counts.items())
        ),
        right=mean(right, held, _NOBODY),
        other_right=mean(other_right, held, _NOBODY),
        lead=mean(right.astype(np.float64) - other_right, held, _NOBODY),
    )
