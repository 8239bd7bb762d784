"""Scales that a rater read the other way round, put right where numbers are made of labels."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Dimension, Judgements, Rubric
from medassay.study.config.study_toml import CorrectionChoice, StudyConfig
from medassay.study.files.names import STUDY_FILE
from medassay.tables import write_atomically
from medassay.text import called_otherwise

__all__ = [
    "as_given",
    "correction_problems",
    "of_people",
    "renamed_corrections",
    "turned",
    "with_correction",
    "write_correction",
]

_COLUMN: Final = "corrections"
_TALKED: Final = "adjudication"


def turned(judgements: Judgements, corrections: Iterable[CorrectionChoice]) -> Judgements:
    """Turn round the labels of whoever read a scale so; those that were settled after a talk stay.

    What was the highest becomes the lowest. The files keep the labels as they were given.
    """
    import polars as pl

    for one in corrections:
        if one.labels == "as-given":
            continue
        dimension = judgements.rubric.dimension(one.dimension)
        theirs = (
            (pl.col("rater") == one.rater)
            & (pl.col("dimension") == one.dimension)
            & (pl.col("phase") != _TALKED)
        )
        labels = pl.col("label").replace(_mirrored(dimension))
        changed = [pl.when(theirs).then(labels).otherwise("label").alias("label")]
        scale = dimension.number
        if scale is not None and scale.low is not None and scale.high is not None:
            number = scale.low + scale.high - pl.col("number")
            changed = [pl.when(theirs).then(number).otherwise("number").alias("number")]
        judgements = judgements.of_rows(judgements.frame.with_columns(changed))
    return judgements


def as_given(
    corrections: Iterable[CorrectionChoice], rubric: Rubric, row: Mapping[str, object]
) -> str:
    """Give what a rater gave, where a correction reads it as something else; else nothing.

    Args:
        corrections: The study's corrections.
        rubric: Its rubric.
        row: A row of corrected judgements: rater, dimension, phase, label, number.
    """
    about = row["rater"], row["dimension"]
    reversed_ = {(one.rater, one.dimension) for one in corrections if one.labels == "reversed"}
    if about not in reversed_ or row["phase"] == _TALKED:
        return ""
    dimension = rubric.dimension(str(row["dimension"]))
    scale, number = dimension.number, row["number"]
    if isinstance(number, float) and scale and scale.low is not None and scale.high is not None:
        given = scale.low + scale.high - number
        return "" if given == number else f"{given:g}"
    # To turn round twice gives the same again.
    given_label = _mirrored(dimension).get(str(row["label"]), "")
    return "" if given_label == row["label"] else given_label


def _mirrored(dimension: Dimension) -> Mapping[str, str]:
    """Give each label its counterpart from the other end; nothing where they have no order."""
    labels = list(dimension.labels)
    if dimension.scale == "nominal":
        scores = [label.score for label in labels]
        if None in scores or len({*scores}) < len(scores):
            return {}
        labels.sort(key=lambda label: label.score or 0.0)
    names = [label.label for label in labels]
    return dict(zip(names, reversed(names), strict=True))


def correction_problems(
    config: StudyConfig, rubric: Rubric, judgements: Judgements | None
) -> Iterator[Problem]:
    """Say which corrections are of nobody, of nothing that can be turned round, or there twice."""
    if judgements is None:
        return
    frame = judgements.frame
    people = sorted({*frame.filter(frame["rater_kind"] == "person")["rater"]})
    seen: set[tuple[str, str]] = set()
    for one in config.corrections:
        if one.rater not in people:
            must = "name a person with judgements"
            yield _wrong(must, one.rater, nearest(one.rater, people), "rater")
        if one.dimension not in rubric.ids:
            must = f"be a dimension: {', '.join(rubric.ids)}"
            yield _wrong(must, one.dimension, nearest(one.dimension, rubric.ids), "dimension")
        elif not _can_turn(rubric.dimension(one.dimension)):
            must = "be a dimension with an order of labels, or numbers with a lowest and a highest"
            yield _wrong(must, one.dimension, "", "dimension")
        if (one.rater, one.dimension) in seen:
            hint = f"Delete the earlier [[{_COLUMN}]] in {STUDY_FILE}."
            yield _wrong("settle each rater's scale once", f"{one.rater} twice", hint, "rater")
        seen.add((one.rater, one.dimension))


def _can_turn(dimension: Dimension) -> bool:
    scale = dimension.number
    if scale is not None:
        return scale.low is not None and scale.high is not None
    return bool(_mirrored(dimension))


def _wrong(must: str, got: str, hint: str, column: str) -> Problem:
    return Problem(STUDY_FILE, must, f'"{got}"', hint, None, f"{_COLUMN}.{column}")


def of_people(config: StudyConfig, of: Mapping[str, str]) -> StudyConfig:
    """Give the settings with raters called otherwise, in the reasons of corrections too."""
    return config.model_copy(update={"corrections": renamed_corrections(config.corrections, of)})


def renamed_corrections(
    corrections: Sequence[CorrectionChoice], of: Mapping[str, str]
) -> list[CorrectionChoice]:
    """Give the corrections with pseudonyms, in their reasons too.

    Example:
        >>> one = CorrectionChoice(
        ...     rater="Klein", dimension="tone", labels="reversed", reason="Klein said so"
        ... )
        >>> renamed_corrections([one], {"Klein": "rater-1"})[0].reason
        'rater-1 said so'
    """
    return [
        one.model_copy(
            update={
                "rater": of.get(one.rater, one.rater),
                "reason": called_otherwise(one.reason, of),
            }
        )
        for one in corrections
    ]


def with_correction(
    config: StudyConfig, rubric: Rubric, judgements: Judgements, correction: CorrectionChoice
) -> StudyConfig:
    """Give the settings with one correction more.

    Raises:
        InvalidInput: It is of nobody, of nothing that can be turned round, or settled already.
    """
    more = config.model_copy(update={"corrections": [*config.corrections, correction]})
    problems = list(correction_problems(more, rubric, judgements))
    if problems:
        typed = {f"{_COLUMN}.rater": "RATER", f"{_COLUMN}.dimension": "DIMENSION"}
        raise InvalidInput(
            [replace(one, file=typed[one.column or ""], column=None) for one in problems]
        )
    return more


def write_correction(folder: Path, correction: CorrectionChoice) -> None:
    """Add a correction to study.toml; the labels in the study's files stay as they were given."""
    path = folder / STUDY_FILE
    lines = [
        f"{key} = {json.dumps(value, ensure_ascii=False)}"
        for key, value in correction.model_dump().items()
    ]
    text = "\n".join([path.read_text(encoding="utf-8").rstrip(), "", f"[[{_COLUMN}]]", *lines, ""])
    write_atomically(path, text.encode())
