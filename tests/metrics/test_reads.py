"""What metrics make of texts that their tokenisers mostly pass over."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import describe_readings, readings_of, resolve, why_nothing_rests
from medassay.metrics.declaration import ENGLISH_LETTERS, SPACED_LETTERS
from medassay.scores import Reason, Score, Unscored
from medassay.study import Study, open_run, score_study, summarise
from medassay.testing.of_metric import OTHERS, scripts_are_read_or_refused
from medassay.text import ASCII_LETTER, SPACED_LETTER

LEXICAL = ("rouge1(ref=human)", "rouge2(ref=human)", "rougeL(ref=human)", "bleu(ref=human)")
ENGLISH = "Take the tablet for COPD every morning with water."
CHINESE = OTHERS["Chinese"][0]


def scored(name: str, answer: str, *references: str) -> Score | Unscored:
    case = Case.model_validate({"case": "1", "references": [{"text": text} for text in references]})
    return resolve(name).score_batch([(case, Answer(system="S", case="1", text=answer))])[0]


@given(st.text(st.sampled_from("aZ9 ,\n-éß²½Ⅷµ服水ราحﾊ가\u0301\ud83d😀")))
def test_the_share_is_that_of_every_letter_looked_at(text: str) -> None:
    letters = [letter for letter in text if letter.isalpha()]
    for pattern, share in ((ASCII_LETTER, ENGLISH_LETTERS), (SPACED_LETTER, SPACED_LETTERS)):
        read = [letter for letter in letters if pattern.match(letter)]
        assert share(text, {}) == (len(read) / len(letters) if letters else 1)


@pytest.mark.parametrize("name", LEXICAL)
def test_an_unreadable_answer_to_a_readable_reference_takes_the_worst_value(name: str) -> None:
    """Left out of the mean, it would be better than a bad answer."""
    score = scored(name, "COPD 患者必须每天早上用水服用药片", ENGLISH)
    assert isinstance(score, Score)
    assert score.value == 0


@pytest.mark.parametrize("name", LEXICAL)
def test_a_reference_that_cannot_be_read_counts_nowhere_beside_one_that_can(name: str) -> None:
    assert scored(name, ENGLISH, CHINESE, ENGLISH) == scored(name, ENGLISH, ENGLISH)
    assert scored(name, "COPD", CHINESE, ENGLISH) == scored(name, "COPD", ENGLISH)


@pytest.mark.parametrize("name", LEXICAL)
def test_without_a_readable_reference_silence_has_no_score_either(name: str) -> None:
    case = Case.model_validate({"case": "1", "references": [{"text": CHINESE}]})
    silent = resolve(name).score_no_answer(case)
    assert isinstance(silent, Unscored)
    assert silent.reason is Reason.NOT_READ
    assert scored(name, CHINESE, CHINESE) == silent


@pytest.mark.parametrize(
    "name",
    [
        "minilm_match_f1(ref=human)",
        "minilm_match_recall(ref=human)",
        "embedding_similarity(ref=human)",
        "concept_f1(ref=human)",
    ],
)
def test_models_and_vocabularies_hold_to_it_too(name: str) -> None:
    """To the embedded encoder a Thai sentence was one unknown piece, equal to its opposite."""
    metric = resolve(name)
    if metric.missing is not None:
        pytest.skip(str(metric.missing))
    scripts_are_read_or_refused(metric)


def test_published_values_of_short_references_stay_and_no_rank_rests_on_them() -> None:
    bleu = resolve("bleu(ref=human)")
    pairs = [
        (
            Case.model_validate({"case": text, "references": [{"text": text}]}),
            Answer(system="S", case=text, text=text),
        )
        for text in ("Yes", "No", "Rest at home for a week.")
    ]
    assert [score.value for score in bleu.score_batch(pairs)] == [0, 0, pytest.approx(1)]  # type: ignore[union-attr]
    assert "2 of 3 cases" in why_nothing_rests(bleu, pairs)
    assert why_nothing_rests(bleu, pairs[1:]).endswith("the reference's own text")
    assert not why_nothing_rests(bleu, pairs[2:])
    assert not why_nothing_rests(resolve("rouge1(ref=human)"), pairs)


def study_of(folder: Path, texts: list[str]) -> Study:
    (folder / "answers").mkdir()
    metrics = "".join(f'[[metrics]]\nname = "{name}"\n' for name in (*LEXICAL, "length"))
    protocol = '[protocol]\nname = "ratings"\n'
    (folder / "study.toml").write_text(f'schema = 1\ntitle = "T"\n{protocol}{metrics}')
    cases = [
        Case.model_validate({"case": str(i), "question": text, "references": [{"text": text}]})
        for i, text in enumerate(texts)
    ]
    lines = [case.model_dump_json(exclude_defaults=True) for case in cases]
    (folder / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for system in "AB":
        rows = [
            Answer(system=system, case=str(i), text=text if system == "A" else texts[i - 1])
            for i, text in enumerate(texts)
        ]
        answers = "\n".join(row.model_dump_json(include={"case", "text"}) for row in rows)
        (folder / "answers" / f"{system}.jsonl").write_text(answers, encoding="utf-8")
    return Study.open(folder)


def test_check_and_score_say_which_metrics_can_read_the_study(tmp_path: Path) -> None:
    study = study_of(tmp_path, [CHINESE, OTHERS["Chinese"][1]])
    shown = summarise(study)
    ready = {metric.metric: metric.cases_ready for metric in shown.metrics}
    assert ready == {**dict.fromkeys(LEXICAL, 0), "length": 2}
    said = [line for line in shown.warnings if "cannot read" in line]
    assert len(said) == 3
    assert any(
        "rouge1(ref=human), rouge2(ref=human) and rougeL(ref=human) read a–z" in s for s in said
    )
    run = open_run(tmp_path)
    told = score_study(run.study, run.metrics)
    assert set(said) <= set(told.cautions)
    assert told.table.frame["value"].null_count() == told.table.frame.height


def test_unreadable_answers_are_counted_aloud() -> None:
    case = Case.model_validate({"case": "1", "references": [{"text": ENGLISH}]})
    pairs = [
        (case, Answer(system=s, case="1", text=t)) for s, t in (("A", ENGLISH), ("B", CHINESE))
    ]
    said = describe_readings(readings_of([resolve("rouge1(ref=human)")], pairs))
    assert said == [
        "rouge1(ref=human) cannot read 1 of 2 answers, which counts as its worst value."
    ]
