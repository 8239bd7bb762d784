"""What the room keeps of an answer: its texts and what can be asked of them, without its system."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Final, get_args

from medassay.answers import Answer
from medassay.campaign.room.records import (
    AboutShown,
    AnswerShown,
    DocumentShown,
    ExampleShown,
    LabelShown,
    NumberShown,
    Question,
    Sentence,
    Shown,
    Stage,
    StatementShown,
    TurnShown,
)
from medassay.campaign.subjects import subjects_of
from medassay.campaign.texts import NO_QUESTION
from medassay.cases import Case, Document, Turn
from medassay.judgements import NO_SPAN, AboutKind, Dimension, Rubric
from medassay.judgements.campaign import Item, Settings
from medassay.judgements.rubric import Label
from medassay.study.folder import Study


def _labels_offered(dimension: Dimension) -> tuple[LabelShown, ...]:
    """Give what a rater chooses from: labels, or kinds of spans, each as bad as it can be.

    Where spans have a severity too, one choice says both, so that a mark is one press.
    """
    if not dimension.kinds:
        return tuple(map(_shown, dimension.labels))
    if not dimension.severities:
        return tuple(map(_shown, dimension.kinds))
    return tuple(
        LabelShown(
            f"{kind.label}, {severity.label}",
            " ".join(filter(None, (kind.description, severity.description))),
            _shown(kind).examples,
        )
        for kind in dimension.kinds
        for severity in dimension.severities
    )


def _number_offered(dimension: Dimension) -> NumberShown | None:
    """Give the range of the number that a dimension asks for; None where it asks for another."""
    scale = dimension.number
    return None if scale is None else NumberShown(scale.low, scale.high, scale.unit, str(scale))


def words_taken(dimension: Dimension) -> dict[str, str]:
    """Map every word that may come back to the word that is kept."""
    if not dimension.kinds:
        return dimension.words
    offered = [label.label for label in _labels_offered(dimension)]
    return {word: word for word in (*offered, NO_SPAN)}


def columns_of(dimension: Dimension, word: str | None) -> dict[str, object]:
    """Give what columns of a judgement hold where a rater chose a word.

    Example:
        >>> from medassay.judgements import Dimension
        >>> marks = Dimension(id="errors", question="What is wrong?", about="span",
        ...     kinds=[{"label": "dose"}], severities=[{"label": "mild", "score": 1}])
        >>> columns_of(marks, "dose, mild")
        {'kind': 'dose', 'severity': 'mild'}
    """
    if word is None or not dimension.kinds:
        return {"label": word}
    if word == NO_SPAN or not dimension.severities:
        return {"kind": word}
    said = {
        f"{kind.label}, {severity.label}": {"kind": kind.label, "severity": severity.label}
        for kind in dimension.kinds
        for severity in dimension.severities
    }
    return dict(said[word])


def _shown(label: Label) -> LabelShown:
    return LabelShown(
        label.label,
        label.description,
        tuple(
            ExampleShown(example.answer, example.why, example.question)
            for example in label.examples
            if not example.disputed
        ),
    )


STAGES: Final[tuple[Stage, ...]] = ("documents", "answer", "revealed")
_SPEAKERS: Final = {"user": "user", "assistant": "system"}


def content_of(study: Study, item: Item, settings: Settings) -> dict[str, object]:
    """Gather what a room keeps of an item, as plain data.

    Args:
        study: The study.
        item: What is rated; of a pair the answers stand in the order of their systems' ids, and an
            assignment says whether it is shown the other way round.
        settings: What stands beside an answer.
    """
    case, parts = study.cases[item.case], settings.parts
    sample = None if item.system_b else item.sample
    answers = [study.answers.get(system, item.case, sample) for system in item.pair]
    retrieved = _retrieved(case, answers[0]) if "retrieved" in parts and not answers[1:] else ()
    known = {document.id for document in retrieved}
    shown = Shown(
        question=case.question or ("" if case.question_held else NO_QUESTION),
        turns=_turns(case.turns),
        options=tuple(case.options.items()),
        narrative=(case.narrative or "") if "narrative" in parts else "",
        evidence=tuple(Sentence(sentence.id, sentence.text) for sentence in case.evidence)
        if "evidence" in parts
        else (),
        documents=tuple(
            _document(document)
            for document in case.documents
            if document.text and document.id not in known
        )
        if "documents" in parts
        else (),
        retrieved=retrieved,
        references=tuple(document.text for document in case.references)
        if "references" in parts
        else (),
        answer=_answer(answers[0], case, reasoning="reasoning" in parts and not answers[1:]),
        answer_b=_answer(answers[1], case, reasoning=False) if answers[1:] else None,
        confidence=(answers[0].confidence_label or "") if answers[0] and not answers[1:] else "",
    )
    subjects = {
        kind: [
            (subject.about, subject.short) for subject in subjects_of(study, item, kind, settings)
        ]
        for kind in get_args(AboutKind)
        if kind not in {"answer", "span"} and not item.system_b
    }
    return {"shown": asdict(shown), "subjects": subjects}


def shown_from(content: Mapping[str, object]) -> Shown:
    """Read what `content_of` gave."""
    from pydantic import TypeAdapter

    return TypeAdapter(Shown).validate_python(content["shown"])


def shown_at(shown: Shown, stage: Stage, *, turned: bool, citations: bool) -> Shown:
    """Leave out what may not be seen yet, and put a pair the way round that its rater sees it."""
    if turned:
        shown = replace(shown, answer=shown.answer_b, answer_b=shown.answer)
    if stage == "documents":
        shown = replace(shown, answer=None, answer_b=None, references=())
    if stage != "revealed":
        shown = replace(shown, confidence="")
    if not citations:
        shown = replace(shown, answer=_uncited(shown.answer), answer_b=_uncited(shown.answer_b))
    return shown


def questions_of(
    rubric: Rubric, content: Mapping[str, object], shown: Shown, *, reveals: bool
) -> tuple[Question, ...]:
    """Say what is asked of an item, in the order of stages.

    Args:
        rubric: What is asked.
        content: What the room keeps of the item.
        shown: Its texts, with the answer.
        reveals: Whether questions about the system's confidence wait for the others.
    """
    questions = [_question(dimension, content, shown, reveals) for dimension in rubric.dimensions]
    # What an answer has none of cannot be asked about; spans are found by the rater.
    asked = [question for question in questions if question.about or question.kind == "span"]
    if {question.stage for question in asked} == {"documents"}:
        asked = [replace(question, stage="answer") for question in asked]
    return tuple(sorted(asked, key=lambda question: STAGES.index(question.stage)))


def _question(
    dimension: Dimension,
    content: Mapping[str, object],
    shown: Shown,
    reveals: bool,  # noqa: FBT001 - one private caller
) -> Question:
    stage: Stage = "answer"
    if dimension.about == "document":
        stage = "documents"
    elif dimension.after_reveal and reveals:
        stage = "revealed"
    return Question(
        id=dimension.id,
        title=dimension.title or dimension.id,
        question=dimension.question,
        scale=dimension.scale,
        labels=_labels_offered(dimension),
        kind=dimension.about,
        about=_abouts(dimension, content, shown),
        stage=stage,
        precedence=dimension.precedence,
        number=_number_offered(dimension),
        none=NO_SPAN if dimension.kinds else "",
        confidence=dimension.confidence,
    )


def _abouts(
    dimension: Dimension, content: Mapping[str, object], shown: Shown
) -> tuple[AboutShown, ...]:
    if dimension.about == "answer":
        return (AboutShown(),)
    statements = shown.answer.statements if shown.answer else ()
    if dimension.about == "citation" and not any(statement.citations for statement in statements):
        return ()
    subjects = content["subjects"]
    assert isinstance(subjects, Mapping)  # noqa: S101 - written by `content_of`
    return tuple(AboutShown(about, short) for about, short in subjects.get(dimension.about, ()))


def _turns(turns: Sequence[Turn]) -> tuple[TurnShown, ...]:
    return tuple(TurnShown(_SPEAKERS.get(turn.role, turn.role), turn.text) for turn in turns)


def _document(document: Document) -> DocumentShown:
    return DocumentShown(document.id, document.title or "", document.text or "")


def _retrieved(case: Case, answer: Answer | None) -> tuple[DocumentShown, ...]:
    known = {document.id: document for document in case.documents}
    names = [document.document for document in (answer.retrieved or ())] if answer else []
    return tuple(
        _document(known[name]) if name in known else DocumentShown(name, "", "")
        for name in dict.fromkeys(names)
    )


def _answer(answer: Answer | None, case: Case, *, reasoning: bool) -> AnswerShown:
    if answer is None:
        return AnswerShown("")
    text = answer.text or ""
    choice = ""
    if answer.choice is not None:
        option = case.options.get(answer.choice, "")
        choice = f"{answer.choice}. {option}" if option else answer.choice
    statements = tuple(
        StatementShown(place, statement.text, statement.citations)
        for place, statement in enumerate(answer.statements or (), start=1)
    )
    if not statements and text.strip():
        statements = (StatementShown(1, text),)
    return AnswerShown(
        text,
        statements,
        _turns(answer.turns or ()),
        choice,
        (answer.reasoning or "") if reasoning else "",
    )


def _uncited(answer: AnswerShown | None) -> AnswerShown | None:
    if answer is None:
        return None
    return replace(
        answer,
        statements=tuple(replace(statement, citations=()) for statement in answer.statements),
    )
