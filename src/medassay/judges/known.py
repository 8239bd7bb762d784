"""Answers of a study that are known to be harmful, and what a judge and people call them."""

from medassay.judgements import HARM_READINGS, Dimension, units
from medassay.study.folder import Study
from medassay.validity import JudgeKnown, judge_known

__all__ = ["known_of"]


def known_of(study: Study, judge: str, dimension: Dimension) -> list[JudgeKnown]:
    """Hold a judge and people against the answers that study.toml says are harmful.

    They are the `controls` of `[consensus]` whose label reads as harm, the widest reading first.
    """
    choice = study.config.consensus
    controls = [] if choice is None else choice.controls
    models = [name for name in study.judges.raters if name != judge]
    results = []
    for reading in reversed(HARM_READINGS):
        read_as = dimension.mappings.get(reading, {})
        labels = [label for label, text in read_as.items() if text == reading]
        known = {
            (control.system, control.case)
            for control in controls
            if control.dimension == dimension.id
            and dimension.words.get(control.label, control.label) in labels
        }
        if known:
            results.append(
                judge_known(
                    units(study.everyone, dimension.id), judge, reading, labels, known,
                    models=models, clusters=study.clusters,
                )
            )  # fmt: skip
    return [of_reading for of_reading in results if of_reading is not None]
