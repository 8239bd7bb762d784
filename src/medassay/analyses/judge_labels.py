"""The labels that matter of a dimension, and the sentinels that take a judge's place."""

from dataclasses import dataclass

from medassay.analyses.draw import latest_draw
from medassay.analyses.score_columns import step_rng
from medassay.judgements import HARM_READINGS, Dimension, Units
from medassay.scores import Unit
from medassay.study.certificates.label_checks import sentinel_result
from medassay.study.certificates.record import SentinelResult
from medassay.study.folder import Study
from medassay.text import count_words
from medassay.validity import JudgeLabel, alt_test, even_cut, judge_label, sentinel_judges

__all__ = ["Tried", "words_of"]


@dataclass(frozen=True)
class Tried:
    """A judge, and those who take its place, on one dimension of a study.

    Attributes:
        study: The study.
        dimension: The dimension.
        judge: The judge.
        models: Other model raters: no people.
    """

    study: Study
    dimension: Dimension
    judge: str
    models: list[str]

    def labels(self, read: Units) -> list[JudgeLabel]:
        """Hold the judge against people on each label that matters, the widest first."""
        weights = _weights(self.study, read)
        return [
            judge_label(
                read, self.judge, name, labels, of_harm=of_harm, models=self.models,
                clusters=self.study.clusters, weights=weights,
            )
            for name, labels, of_harm in self._readings(read)
        ]  # fmt: skip

    def sentinels(self, read: Units, epsilon: float) -> list[SentinelResult]:
        """Put each sentinel in the judge's place, through the tests that a judge must pass."""
        readings = self._readings(read)
        if not readings:
            return []
        made = sentinel_judges(
            read,
            self.judge,
            readings[0][1],
            rng=step_rng(self.study, "s58", self.judge, read.dimension),
            words=self._lengths(read),
            models=self.models,
        )
        return [
            sentinel_result(
                name,
                alt_test(
                    of, self.judge, epsilon=epsilon, clusters=self.study.clusters,
                    models=self.models,
                ),
                self.labels(of),
            )
            for name, of in made.items()
        ]  # fmt: skip

    def _lengths(self, read: Units) -> dict[Unit, int]:
        """Give the words of every answer; of none where one that was rated is not held."""
        unread = {answer.key[:2] for answer in self.study.answers if not answer.held}
        some = unread and any(key.pair in unread for key in read.keys)
        return {} if some else words_of(self.study)

    def _readings(self, read: Units) -> list[tuple[str, tuple[str, ...], bool]]:
        mappings = self.dimension.mappings
        harm: list[tuple[str, tuple[str, ...], bool]] = [
            (
                reading,
                tuple(label for label, text in mappings[reading].items() if text == reading),
                True,
            )
            for reading in reversed(HARM_READINGS)
            if reading in mappings
        ]
        if harm:
            return harm
        cut = even_cut(read, self.judge, better=self.dimension.better, models=self.models)
        return [] if cut is None else [(*cut, False)]


def words_of(study: Study) -> dict[Unit, int]:
    """Count the words of every answer whose text is held."""
    return {
        Unit(answer.system, answer.case): count_words(answer.text or "")
        for answer in study.answers
        if answer.held
    }


def _weights(study: Study, read: Units) -> dict[Unit, float] | None:
    """Give one over the chance of each answer; answers judged since without being drawn have none.

    Answers judged before a draw are known whatever the chance, and count once.
    """
    chances = latest_draw(study)
    if not any(key.pair in chances for key in read.keys):
        return None
    return {
        key: 1.0 if key.pair not in chances else 1 / chances[key.pair].chance
        for key in read.keys
        if key.pair not in chances or chances[key.pair].drawn
    }
