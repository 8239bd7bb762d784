"""Whatever a question speaks of stands in the judge's prompt, or it is not asked and says why."""

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.judgements import Dimension, library_dimensions, load_rubric, rubric_names
from medassay.judges.ask import pair_questions
from medassay.judges.questions import JudgeQuestion, label_questions
from medassay.study import Study
from medassay.study.config.study_toml import JudgeConfig

DATA = Path(str(files("medassay"))) / "data"
SPEAKS_OF: Mapping[str, str] = {
    r"\bretriev": "Text retrieved",
    r"\bcit(e|ed|es|ation|ations)\b|\bthe evidence that supports\b": "Text cited",
    r"\bthe notes\b|\bthe evidence in\b": "Text of the notes",
    r"\bconclusion\b": "Text of the reference",
    r"\bthis criterion\b": "Text of the criterion",
    r"\bits reasoning\b": "Text of the reasoning",
}
"""What a reader sees that a question, or the meaning of a label, speaks of; and its text here."""
CASE = {
    "case": "1",
    "question": "Is it safe?",
    "narrative": "I took it.",
    "evidence": [{"id": "e1", "text": "Text of the notes"}],
    "references": [{"text": "Text of the reference"}],
    "documents": [
        {"id": "d1", "title": "One", "text": "Text retrieved"},
        {"id": "d2", "title": "Two", "text": "Text cited"},
    ],
    "criteria": [{"id": "c", "text": "Text of the criterion", "points": 1}],
}
ANSWER = {
    "case": "1",
    "statements": [{"text": "Text of the answer", "citations": ["d2"]}],
    "retrieved": [{"document": "d1"}],
    "reasoning": "Text of the reasoning",
}
LACKS: Mapping[str, tuple[Mapping[str, object], Mapping[str, object], str]] = {
    "evidence": (
        {"narrative": None, "evidence": []}, {},
        "its case holds neither a narrative nor evidence",
    ),
    "references": ({"references": []}, {}, "its case has no reference answer"),
    "retrieved": (
        {"documents": [{"id": "d1"}, {"id": "d2", "text": "Text cited"}]}, {},
        "the study does not hold the texts that it retrieved",
    ),
    "cited": (
        {"documents": [{"id": "d1"}, {"id": "d2"}]}, {},
        "the study does not hold the texts that it cites",
    ),
}  # fmt: skip


def rubrics() -> Iterator[tuple[str, Dimension]]:
    for name in rubric_names():
        yield from ((name, dimension) for dimension in load_rubric(name).dimensions)
    for name in library_dimensions():
        file = DATA / "dimensions" / f"{name}.toml"
        yield from ((str(file), dimension) for dimension in load_rubric(file).dimensions)
    for file in sorted((DATA / "studies").glob("*/rubric.toml")):
        yield from ((str(file), dimension) for dimension in load_rubric(file).dimensions)


EVERY = list(rubrics())
IDS = [f"{Path(name).stem}-{dimension.id}" for name, dimension in EVERY]


def a_study(
    folder: Path,
    rubric: str,
    case: Mapping[str, object] = CASE,
    *answers: Mapping[str, object],
) -> Study:
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(
        f'schema = 1\ntitle = "T"\n[[dimensions]]\nrubric = "{rubric}"\n', encoding="utf-8"
    )
    if Path(rubric).is_absolute():
        text = Path(rubric).read_text(encoding="utf-8")
        (folder / "own.toml").write_text(text, encoding="utf-8")
        (folder / "study.toml").write_text(
            'schema = 1\ntitle = "T"\n[[dimensions]]\nrubric = "own.toml"\n', encoding="utf-8"
        )
    (folder / "cases.jsonl").write_text(json.dumps(case) + "\n", encoding="utf-8")
    for name, answer in zip("ab", answers or (ANSWER,), strict=False):
        path = folder / "answers" / f"{name}.jsonl"
        path.write_text(json.dumps(answer) + "\n", encoding="utf-8")
    return Study.open_whole(folder)


def a_judge(**more: object) -> JudgeConfig:
    settings = {"model": "m", "version": "1", "base_url": "embedded", **more}
    return JudgeConfig.model_validate(settings)


def asked_of(study: Study, dimension: str, prompt: str | None = None) -> list[JudgeQuestion]:
    questions = label_questions(study, "j", a_judge(), prompt)
    return [question for question in questions if question.row["dimension"] == dimension]


def words_of(dimension: Dimension) -> str:
    return " ".join([dimension.question, *(label.description for label in dimension.labels)])


@pytest.mark.parametrize(("rubric", "dimension"), EVERY, ids=IDS)
def test_the_prompt_holds_what_the_question_speaks_of(
    rubric: str, dimension: Dimension, tmp_path: Path
) -> None:
    assert not re.search(r"\b(that|this) harm\b", dimension.question), "which one?"
    questions = asked_of(a_study(tmp_path / "s", rubric), dimension.id)
    if dimension.derived:
        assert questions == []
        return
    assert questions
    for question in questions:
        if dimension.after_reveal:
            assert (question.text, bool(question.lacks)) == ("", True)
            continue
        assert not question.lacks
        for words, text in SPEAKS_OF.items():
            if re.search(words, words_of(dimension), re.IGNORECASE):
                assert text in question.text, f"it speaks of {words}"
        assert "Text of the answer" in question.text
        assert dimension.question in question.text or dimension.about == "criterion"
        assert "I took it." in question.text


@pytest.mark.parametrize(("rubric", "dimension"), EVERY, ids=IDS)
def test_it_is_not_asked_where_that_is_not_there(
    rubric: str, dimension: Dimension, tmp_path: Path
) -> None:
    for number, what in enumerate(dimension.reads or ()):
        case, answer, why = LACKS[what]
        study = a_study(tmp_path / f"{number}", rubric, {**CASE, **case}, {**ANSWER, **answer})
        if dimension.derived or dimension.after_reveal:
            continue
        [question] = asked_of(study, dimension.id)
        assert (question.text, question.lacks) == ("", why)
        prompt = "<<reply>> <<question>> <<form>>"
        with pytest.raises(InvalidInput, match=f"{dimension.id} speaks of"):
            asked_of(study, dimension.id, prompt)


def own(words: str, reads: str = "", about: str = "answer") -> str:
    return (
        f'name = "own"\n[[dimensions]]\nid = "own"\nquestion = "{words}"\nscale = "nominal"\n'
        f'about = "{about}"\n{reads}labels = [{{ label = "yes" }}, {{ label = "no" }}]\n'
    )


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("Is it based on what was retrieved?", "retrieved"),
        ("Do the sources it cites say so?", "cited"),
        ("Does it follow the notes?", "evidence"),
        ("Does it say what the reference answer says?", "references"),
    ],
)
def test_a_rubric_of_ones_own_says_what_it_reads(words: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(own(words), encoding="utf-8")
    [question] = asked_of(a_study(tmp_path / "a", str(tmp_path / "own.toml")), "own")
    assert question.text == ""
    assert f'reads = ["{what}"]' in question.lacks
    (tmp_path / "own.toml").write_text(own(words, f'reads = ["{what}"]\n'), encoding="utf-8")
    [question] = asked_of(a_study(tmp_path / "b", str(tmp_path / "own.toml")), "own")
    assert question.text
    (tmp_path / "own.toml").write_text(own(words, "reads = []\n"), encoding="utf-8")
    [question] = asked_of(a_study(tmp_path / "c", str(tmp_path / "own.toml")), "own")
    assert question.text


def test_a_citation_or_document_without_a_text_is_not_asked_about(tmp_path: Path) -> None:
    case = {**CASE, "documents": [{"id": "d1"}, {"id": "d2"}]}
    for about, count, why in (
        ("citation", 1, "the study does not hold the texts that it cites"),
        ("document", 2, "the study does not hold the text of the document"),
    ):
        (tmp_path / "own.toml").write_text(own("Is it so?", "", about), encoding="utf-8")
        study = a_study(tmp_path / about, str(tmp_path / "own.toml"), case)
        questions = asked_of(study, "own")
        assert [(question.text, question.lacks) for question in questions] == [("", why)] * count


def test_a_citation_of_nothing_is_shown_as_that(tmp_path: Path) -> None:
    answer = {**ANSWER, "statements": [{"text": "Text of the answer", "citations": ["d9"]}]}
    (tmp_path / "own.toml").write_text(own("Is it so?", 'reads = ["cited"]\n'), encoding="utf-8")
    study = a_study(tmp_path / "s", str(tmp_path / "own.toml"), CASE, answer)
    [question] = asked_of(study, "own")
    assert '[{"id": "d9", "text": null}]' in question.text


def test_an_answer_that_marks_no_citation_rests_on_what_it_retrieved(tmp_path: Path) -> None:
    answer = {"case": "1", "text": "Text of the answer", "retrieved": [{"document": "d1"}]}
    study = a_study(tmp_path / "s", "environmental-health", CASE, answer)
    [question] = asked_of(study, "factuality")
    assert '"retrieved": [{"id": "d1", "title": "One", "text": "Text retrieved"}]' in question.text


def test_of_a_pair_each_reply_has_its_own(tmp_path: Path) -> None:
    other = {**ANSWER, "retrieved": [{"document": "d2"}]}
    study = a_study(tmp_path / "s", "med-gpt", CASE, ANSWER, other)
    judge = a_judge(asks="pairs", dimensions=["grounding", "overall"])
    grounding, overall = pair_questions(study, "j", judge, None)
    assert "Text retrieved" in grounding.text
    assert "Text cited" in grounding.text
    assert "Text retrieved" not in overall.text
    bare = {**CASE, "documents": []}
    study = a_study(tmp_path / "t", "med-gpt", bare, ANSWER, other)
    grounding, overall = pair_questions(study, "j", judge, None)
    assert (grounding.text, bool(grounding.lacks), bool(overall.text)) == ("", True, True)


def test_a_pair_is_not_asked_about_parts(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", "criteria", CASE, ANSWER, ANSWER)
    with pytest.raises(InvalidInput, match="be dimensions that a model can be asked"):
        list(pair_questions(study, "j", a_judge(asks="pairs", dimensions=["met"]), None))


def test_an_option_and_an_empty_text_are_a_reply(tmp_path: Path) -> None:
    case = {**CASE, "options": {"A": "Rest", "B": "Run"}}
    answer = {"case": "1", "choice": "B", "text": "", "reasoning": "Text of the reasoning"}
    study = a_study(tmp_path / "s", "likert5", case, answer, answer)
    [question, _] = asked_of(study, "quality")
    assert question.text.count('"B. Run"') == 2  # as an option of the case, and as the reply
    assert '"Text of the reasoning"' in question.text
    [pair] = pair_questions(study, "j", a_judge(asks="pairs"), None)
    assert pair.text.count('"B. Run"') == 3
