"""Questions as a rater reads them: in the rater's language, where there is a translation.

What is kept of a label is always the rubric's own word; the language in which it was shown is kept
beside it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from medassay.campaign.catalogues import Texts
from medassay.campaign.room.records import Question, Remark, Task
from medassay.campaign.translations import translation_of
from medassay.judgements import DimensionTranslation, Rubric, Translation

_BETWEEN: Final = ", "
"""What stands between a kind of passage and its severity; no label holds it."""


def task_in(task: Task, rubric: Rubric, texts: Texts) -> Task:
    """Give a task as a rater reads it, with the language of each question.

    Args:
        task: The task.
        rubric: What is asked.
        texts: The rater's language.
    """
    translation = translation_of(rubric, texts)
    titles = _titles(translation)
    return replace(
        task,
        questions=tuple(
            _translated(question, translation.dimensions[question.id], texts.language)
            if translation is not None and question.id in translation.dimensions
            else replace(question, language=rubric.language)
            for question in task.questions
        ),
        remarks=tuple(
            replace(remark, title=titles.get(remark.dimension, remark.title))
            for remark in task.remarks
        ),
    )


def remarks_in(remarks: Sequence[Remark], rubric: Rubric, texts: Texts) -> tuple[Remark, ...]:
    """Give a reviewer's remarks with titles and labels as their rater reads them."""
    translation = translation_of(rubric, texts)
    titles = _titles(translation)

    def label(remark: Remark) -> str:
        translated = translation and translation.dimensions.get(remark.dimension)
        return _shown(remark.was.label, translated) if translated else remark.was.label

    return tuple(
        replace(
            remark,
            title=titles.get(remark.dimension, remark.title),
            was=replace(remark.was, label=label(remark)),
        )
        for remark in remarks
    )


def _titles(translation: Translation | None) -> dict[str, str]:
    questions = translation.dimensions if translation else {}
    return {name: question.title for name, question in questions.items() if question.title}


def _translated(question: Question, translated: DimensionTranslation, language: str) -> Question:
    words = [*(label.label for label in question.labels), *question.confidence]
    return replace(
        question,
        title=translated.title or question.title,
        question=translated.question,
        labels=tuple(
            replace(label, description=_described(label.label, translated))
            for label in question.labels
        ),
        shown={word: _shown(word, translated) for word in words},
        language=language,
    )


def _shown(word: str, translated: DimensionTranslation) -> str:
    parts = word.split(_BETWEEN)
    return _BETWEEN.join(translated.words.get(part, part) for part in parts)


def _described(word: str, translated: DimensionTranslation) -> str:
    told = (translated.descriptions.get(part, "") for part in word.split(_BETWEEN))
    return " ".join(filter(None, told))
