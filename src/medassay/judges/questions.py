"""One question to a judge, and the questions about answers and their parts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import Dimension, cited_text, parts_of
from medassay.judges.menu import Menu, menu_of
from medassay.judges.prompts import ONE, filled, places_of, refuse_prompt, reply_of
from medassay.judges.sources import NOT_THERE, sources_of, text_lacks, unaskable
from medassay.models.endpoints import Reply
from medassay.study.config.judges import JudgeConfig, shipped_prompt
from medassay.study.files.names import STUDY_FILE
from medassay.study.folder import Study
from medassay.tables import json_bytes

__all__ = [
    "Asking",
    "JudgeQuestion",
    "answers_of",
    "askings_of",
    "label_questions",
    "refuse_unknown",
]

_COLUMNS = ("dimension", "system", "case", "sample", "about")


@dataclass(frozen=True)
class JudgeQuestion:
    """One question to a judge.

    Attributes:
        row: What stands in the row of the table beside who says what.
        text: What the judge reads; empty where it is not asked.
        menu: What it may say.
        lacks: Why it is not asked, where something that it speaks of cannot be shown.
    """

    row: Mapping[str, object]
    text: str
    menu: Menu
    lacks: str = ""

    def said(self, reply: Reply) -> dict[str, object]:
        """Give what a reply says, by the columns of the table."""
        verdict = self.menu.read(reply)
        likely = verdict.probabilities
        column = "choice" if "system_a" in self.row else "label"
        if self.menu.number is not None:
            column = "number"
        more = {
            "reason": verdict.reason,
            "rationale": verdict.rationale or None,
            "probabilities": likely and json_bytes(likely, compact=True).decode().strip(),
        }
        return {
            column: verdict.label if verdict.number is None else verdict.number,
            **{name: value for name, value in more.items() if value is not None},
        }


@dataclass(frozen=True)
class Asking:
    """What a judge is asked on one dimension.

    Attributes:
        dimension: The dimension.
        menu: What it may say.
        template: The prompt, with its places.
    """

    dimension: Dimension
    menu: Menu
    template: str

    def of(self, case: Case, answer: Answer) -> Iterator[JudgeQuestion]:
        """Give the question about an answer, or one about each part of it.

        One that cannot be shown what it speaks of says so, and is not to be asked.
        """
        sources, lacks = sources_of(self.dimension, case, answer)
        places = places_of(case, self.dimension.question, self.menu) | {
            "reply": reply_of(case, answer),
            "reasoning": answer.reasoning,
            "sources": sources,
        }
        for about, part, wordless in _parts(case, answer, self.dimension):
            unit = (self.dimension.id, answer.system, case.case, answer.sample, about)
            row = {**dict(zip(_COLUMNS, unit, strict=True)), "phase": "main"}
            if lacks or wordless:
                yield JudgeQuestion(row, "", self.menu, lacks or wordless)
            else:
                text = filled(self.template, {**places, "part": part, "criterion": part})
                yield JudgeQuestion(row, text, self.menu)


def askings_of(
    study: Study, name: str, config: JudgeConfig, prompt: str | None
) -> tuple[Asking, ...]:
    """Give each dimension that a judge is asked, with what it is told.

    Raises:
        InvalidInput: The judge is to be asked what the rubric has not, or no model can be asked.
    """
    askable = [dimension.id for dimension in study.rubric.dimensions if not unaskable(dimension)]
    refuse_unknown(name, config, askable)
    asked = [
        dimension
        for dimension in study.rubric.dimensions
        if not dimension.derived and dimension.id in (config.dimensions or study.rubric.ids)
    ]
    if prompt is not None:
        refuse_prompt(prompt, config.prompt, ONE, asked)
    held = config.form == "schema"
    return tuple(
        Asking(
            dimension,
            replace(menu_of(dimension), rationale=config.rationale, held=held),
            prompt or shipped_prompt(_shipped(dimension)),
        )
        for dimension in asked
    )


def label_questions(
    study: Study, name: str, config: JudgeConfig, prompt: str | None
) -> Iterator[JudgeQuestion]:
    """Give a question for each answer, or each part of one that a dimension is about.

    Raises:
        InvalidInput: The judge is to be asked what the rubric has not, or no model can be asked.
    """
    askings = askings_of(study, name, config, prompt)
    judged = _judged_by_people(study) if config.of == "judged" else None
    for asking in askings:
        for case, answer in answers_of(study):
            for question in asking.of(case, answer):
                if judged is not None and tuple(question.row[n] for n in _COLUMNS) not in judged:
                    continue
                yield question
                if config.again and not question.lacks:
                    yield replace(question, row={**question.row, "phase": "repeat"})


def refuse_unknown(name: str, config: JudgeConfig, known: list[str]) -> None:
    """Refuse dimensions that the judge cannot be asked.

    Raises:
        InvalidInput: Each is named.
    """
    must = f"be dimensions that a model can be asked: {', '.join(known) or 'none'}"
    where = f"judges.{name}.dimensions"
    strange = [name_asked for name_asked in config.dimensions if name_asked not in known]
    if strange or not known:
        got = ", ".join(f'"{name_asked}"' for name_asked in strange) or "none"
        hint = nearest(strange[0], known) if strange else ""
        raise InvalidInput(Problem(STUDY_FILE, must, got, hint, None, where))


def answers_of(study: Study) -> Iterator[tuple[Case, Answer]]:
    """Give every answer with its case, in the order of the cases."""
    for case in study.cases:
        for system in study.answers.systems:
            for answer in study.answers.samples(system, case.case):
                yield case, answer


def _shipped(dimension: Dimension) -> str:
    whether = dimension.about == "criterion" and {"met", "not met"} == set(dimension.names)
    return "criterion" if whether and not dimension.reads else "judge"


def _judged_by_people(study: Study) -> set[tuple[object, ...]]:
    import polars as pl

    people = study.everyone.without_raters(study.judges.raters).current()
    rows = people.filter(pl.col("phase").is_in(["main", "calibration"]))
    return set(rows.select(_COLUMNS).iter_rows())


def _parts(case: Case, answer: Answer, dimension: Dimension) -> Iterator[tuple[str, object, str]]:
    """Give what a dimension is about, by the column `about`, with what the judge reads of it.

    The third is why it cannot be asked, where nobody has the words of a source.
    """
    if dimension.about == "span":
        yield "", None, ""
    elif dimension.about in {"statement", "citation"} and not answer.held:
        yield "", None, text_lacks(answer)
    for part in parts_of(case, answer, dimension.about):
        shown: object = part.text or None
        why = ""
        if dimension.about == "citation":
            text = cited_text(case, part.id)
            shown = {"statement": part.cited_by, "cites": text}
            why = NOT_THERE["cited"] if text == "" else ""
        elif dimension.about == "document" and not part.text:
            why = "the study does not hold the text of the document"
        yield part.about, shown, why
