"""The clinical framework's files: published ones, made-up ones, and those that are wrong."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from medassay.answers import chosen_option
from medassay.cli.app import app
from medassay.error_analysis import error_cause
from medassay.errors import InvalidInput
from medassay.study import Study

DATA = Path(__file__).parents[2] / "data" / "clinical_mcq"
SHIPPED = files("medassay") / "data" / "studies" / "clinical"


def run(*words: str | Path) -> Any:  # noqa: ANN401 - whatever the verb prints
    done = CliRunner().invoke(app, [*map(str, words), "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def refused(*words: str | Path) -> list[str]:
    done = CliRunner().invoke(app, list(map(str, words)))
    assert isinstance(done.exception, InvalidInput), done.output
    return [str(one) for one in done.exception.problems]


def question(name: str, gold: str = "A", **other: object) -> dict[str, object]:
    return {
        "question_id": name, "question": "What now?", "options": {"A": "Rest.", "B": "Run."},
        "correct_answer": gold, "guideline_id": "GL_001", "category": "Respiratory",
        "condition_category": "default", "question_type": "treatment", **other,
    }  # fmt: skip


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, object], Path]:
    def put(name: str, content: object) -> Path:
        text = content if isinstance(content, str) else json.dumps(content)
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return put


Write = Callable[[str, object], Path]


@pytest.fixture
def source(write: Write) -> list[Path]:
    questions = write("questions_1.json", {"questions": [question("Q_1"), question("Q_2", "B")]})
    write("guidelines/guideline_01_rest.txt", "# Rest\n\nRest after a cold.\n")
    write("guidelines/glossary_acs.txt", "# Words\n")
    return [questions, questions.parent / "guidelines"]


def test_the_published_choices_are_counted_as_the_source_counts_them(tmp_path: Path) -> None:
    cases = [json.loads(line) for line in (SHIPPED / "cases.jsonl").read_text("utf-8").splitlines()]
    questions = [
        {
            "question_id": one["case"], "question": one["question"], "options": one["options"],
            "correct_answer": one["gold"], "guideline_id": one["documents"][0]["id"],
        }
        for one in cases
    ]  # fmt: skip
    (tmp_path / "questions_1.json").write_text(json.dumps({"questions": questions}), "utf-8")
    published = DATA / "published_choices.json"
    said = run(
        "import", tmp_path / "questions_1.json", published, "--into", tmp_path / "study",
        "--answered", "--system", "hybrid",
    )  # fmt: skip
    assert (said["cases"], said["answers"], said["systems"]) == (50, 50, 1)
    assert "50 questions left out that no result speaks of." in said["notes"]
    study = Study.open_whole(tmp_path / "study")
    counted: dict[str, dict[str, int]] = {}
    for case in study.cases:
        answer = study.answers.get("hybrid", case.case)
        assert answer is not None
        shown = chosen_option(case, answer) or answer.text
        row = counted.setdefault(case.gold or "", {})
        row[shown or ""] = row.get(shown or "", 0) + 1
    matrix = json.loads(published.read_text(encoding="utf-8"))["answer_confusion_matrix"]
    theirs = {
        gold: {said: n for said, n in row.items() if n}
        for gold, row in matrix.items()
        if any(row.values())
    }
    assert counted == theirs
    # Its page says 26 of 50; the two that could not answer chose nothing.
    assert sum(row.get(gold, 0) for gold, row in counted.items()) == 26
    found = [error_cause(case, study.answers.get("hybrid", case.case)) for case in study.cases]
    assert sum(one is not None and one.cause == "abstention" for one in found) == 2


def test_questions_guidelines_and_results_make_a_study(
    source: list[Path], write: Write, tmp_path: Path
) -> None:
    results = write("eval.json", {"overall_metrics": {"accuracy": 0.5}, "per_question_results": [
        {"question_id": "Q_1", "gold_answer": "A", "predicted_answer": "A", "confidence": 0.9},
        {"question_id": "Q_2", "gold_answer": "B", "predicted_answer": None, "confidence": None},
    ]})  # fmt: skip
    said = run("import", *source, results, "--into", tmp_path / "study", "--synthetic")
    assert said["notes"] == [
        "the guideline that a question was written from is graded 1; nobody graded the others.",
        "1 question without a predicted answer: taken as never answered.",
        "no guideline, and left: glossary_acs.txt.",
    ]
    study = Study.open_whole(tmp_path / "study")
    assert study.config.synthetic
    assert study.config.protocol.name == "clinical-mcq"
    case = study.cases["Q_1"]
    assert case.tags == {"specialty": "Respiratory", "kind": "treatment"}
    (document,) = case.documents
    assert (document.id, document.grade, document.title) == ("GL_001", 1, "Rest")
    answer = study.answers.get("eval", "Q_1")
    assert answer is not None
    assert (answer.choice, answer.confidence) == ("A", 0.9)
    assert study.answers.get("eval", "Q_2") is None


def test_results_are_added_to_a_study_and_taken_twice_add_nothing(
    source: list[Path], write: Write, tmp_path: Path
) -> None:
    run("import", *source, "--into", tmp_path / "study")
    named = {"system": "chain-of-thought"}
    results = write("cot.json", {"metadata": named, "per_question_results": [
        {"question_id": "Q_1", "selected_answer": "B", "confidence_score": 0.25},
        {"question_id": "Q_2", "selected_answer": "Cannot answer.", "confidence_score": 0.1},
    ]})  # fmt: skip
    said = run("import", results, "--into", tmp_path / "study")
    assert (said["answers"], said["known"]) == (2, 0)
    answer = Study.open_whole(tmp_path / "study").answers.get("chain-of-thought", "Q_2")
    assert answer is not None
    assert (answer.choice, answer.text, answer.confidence) == (None, "Cannot answer.", 0.1)
    before = {one: one.read_bytes() for one in (tmp_path / "study").rglob("*") if one.is_file()}
    said = run("import", results, "--into", tmp_path / "study")
    assert (said["answers"], said["known"]) == (0, 2)
    assert before == {one: one.read_bytes() for one in before}


RANKINGS: dict[str, dict[str, object]] = {
    "ids": {"retrieved_docs": ["GL_002", "GL_001"]},
    "objects": {"retrieved_documents": [{"guideline_id": "GL_002"}, {"id": "GL_001", "n": 1}]},
    "names of files": {"retrieved_documents": [
        {"guideline": "guideline_02_run.txt"}, {"guideline": "guideline_01_rest.txt"}]},
    "both": {"retrieved_docs": ["GL_002", "GL_001"],
             "retrieved_documents": [{"guideline_id": "GL_002"}, {"guideline_id": "GL_001"}]},
    "passages of one guideline": {"retrieved_docs": ["GL_002", "GL_002", "GL_001", "GL_002"]},
}  # fmt: skip


@pytest.mark.parametrize("form", RANKINGS)
def test_ranking_chain_choice_and_confidence_of_a_pipeline_come_in_together(
    form: str, source: list[Path], write: Write, tmp_path: Path
) -> None:
    results = write("hybrid.json", {"per_question_results": [
        {"question_id": "Q_1", "question": "What now?", "predicted_answer": "A", "is_correct": True,
         "confidence": 0.9, "reasoning_chain": "Therefore A.", "tokens": 12, **RANKINGS[form]},
    ]})  # fmt: skip
    said = run("import", *source, results, "--into", tmp_path / "study")
    answer = Study.open_whole(tmp_path / "study").answers.get("hybrid", "Q_1")
    assert answer is not None
    assert (answer.choice, answer.confidence, answer.reasoning) == ("A", 0.9, "Therefore A.")
    assert [one.document for one in answer.retrieved or ()] == ["GL_002", "GL_001"]
    left = "retrieved_documents.n, tokens" if form == "objects" else "tokens"
    assert f"not carried over of the results: {left}." in said["notes"]
    twice = [note for note in said["notes"] if "more than once" in note]
    assert len(twice) == (form == "passages of one guideline")


BAD_RANKINGS = [
    (
        {"retrieved_docs": "GL_001"},
        'column retrieved_docs: must be a list of documents; got "GL_001"',
    ),
    ({"retrieved_docs": ["GL_001", ""]}, "must name each document; got none at place 2"),
    ({"retrieved_docs": [None]}, "must name each document; got none at place 1"),
    ({"retrieved_documents": [{"content": "x"}]}, "column retrieved_documents: must name each"),
    (
        {"retrieved_docs": ["GL_001"], "retrieved_documents": [{"id": "GL_002"}]},
        "must name the documents of retrieved_docs in their order; got another list",
    ),
]


@pytest.mark.parametrize(("cells", "wanted"), BAD_RANKINGS)
def test_a_ranking_that_names_no_documents_is_refused_in_one_sentence(
    cells: dict[str, object], wanted: str, source: list[Path], write: Write, tmp_path: Path
) -> None:
    row = {"question_id": "Q_1", "predicted_answer": "A", **cells}
    results = write("hybrid.json", {"per_question_results": [row]})
    (problem,) = refused("import", *source, results, "--into", tmp_path / "study")
    assert problem.startswith("hybrid.json, row 1")
    assert wanted in problem
    assert not (tmp_path / "study").exists()


def test_a_second_file_gives_the_ranking_alone(
    source: list[Path], write: Write, tmp_path: Path
) -> None:
    chosen = write("a.json", {"per_question_results": [{"question_id": "Q_1", "predicted": "A"}]})
    found = {"question_id": "Q_1", "retrieved_docs": ["GL_001"]}
    rankings = write("b.json", {"per_question_results": [found]})
    run("import", *source, chosen, rankings, "--system", "cot", "--into", tmp_path / "study")
    answer = Study.open_whole(tmp_path / "study").answers.get("cot", "Q_1")
    assert answer is not None
    assert (answer.choice, [one.document for one in answer.retrieved or ()]) == ("A", ["GL_001"])


def test_two_files_on_one_answer_are_put_together(
    source: list[Path], write: Write, tmp_path: Path
) -> None:
    chosen = write("by.json", {"similarity_analysis": {
        "correct_predictions": [{"question_id": "Q_1", "condition": "Cold", "answer": "A"}],
        "similar_condition_errors": [],
        "unrelated_condition_errors": [
            {"question_id": "Q_2", "true_answer": "B", "predicted_answer": "A"}
        ],
    }})  # fmt: skip
    sure = write("sure.json", {"per_question_results": [
        {"question_id": "Q_2", "predicted": "A", "confidence": 0.7},
    ]})  # fmt: skip
    words: tuple[str | Path, ...] = ("import", *source, chosen, sure, "--system", "cot", "--into")
    run(*words, tmp_path / "study")
    answer = Study.open_whole(tmp_path / "study").answers.get("cot", "Q_2")
    assert answer is not None
    assert (answer.choice, answer.confidence) == ("A", 0.7)
    write("sure.json", {"per_question_results": [{"question_id": "Q_2", "predicted": "B"}]})
    assert refused(*words, tmp_path / "other") == [
        (
            "sure.json, row 1, column predicted: must say of an answer what by.json, row 1 says "
            'of it; got "B".'
        )
    ]
    assert not (tmp_path / "other").exists()


@pytest.mark.slow
def test_what_medassay_writes_is_read_back(tmp_path: Path) -> None:
    CliRunner().invoke(
        app, ["new", str(tmp_path / "study"), "--protocol", "clinical-mcq"], catch_exceptions=False
    )
    written = run("export", tmp_path / "study", "--to", "clinical-mcq", "--into", tmp_path / "out")
    before = Study.open_whole(tmp_path / "study")
    reports = [Path(one) for one in written["files"] if "_cases.json" in one]
    for file in (tmp_path / "study" / "answers").iterdir():
        file.unlink()
    said = run("import", *reports, "--into", tmp_path / "study")
    again = Study.open_whole(tmp_path / "study")
    assert said["systems"] == len(before.systems)
    for case in before.cases:
        for system in before.systems:
            ours, theirs = (
                before.answers.get(system, case.case),
                again.answers.get(system, case.case),
            )
            chosen = None if ours is None else chosen_option(case, ours)
            assert (None if theirs is None else theirs.choice) == chosen


TWICE = {"questions": [question("Q_1"), question("Q_1")]}
LACKING = {"questions": [{"question_id": "Q_1", "options": {"A": "x"}, "correct_answer": "A"}, 7]}
NAMELESS = [{"predicted": "A"}, {"question_id": "Q_1"}]
UNFIT = [
    {"question_id": "Z_9", "predicted": "A"},
    {"question_id": "Q_1", "predicted": "A", "confidence": 90, "gold_answer": "B"},
]
NOTHING_TO_TAKE = 'must hold questions, or answers under "per_question_results" or'


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        (
            "q.json",
            {"questions": [question("Q_1", "C")]},
            [
                (
                    "q.json, row 1, column correct_answer: must be one of its options, A, B; "
                    'got "C". Write the letter of the right option.'
                )
            ],
        ),
        (
            "q.json",
            TWICE,
            [
                (
                    "q.json, row 2, column question_id: must be asked once; got the question of "
                    "q.json, row 1 again."
                )
            ],
        ),
        (
            "q.json",
            LACKING,
            [
                "q.json, row 1, column question: must be given; got nothing.",
                "q.json, row 1, column options: must be two options or more; got A.",
                "q.json, row 2: must be an object; got another value.",
            ],
        ),
        (
            "r.json",
            {"per_question_results": NAMELESS},
            [
                "r.json, row 1, column question_id: must name its question; got nothing.",
                (
                    "r.json, row 2: must say what was chosen; got nothing. It is called "
                    "predicted_answer or selected_answer or predicted or answer."
                ),
            ],
        ),
        (
            "r.json",
            {"per_question_results": UNFIT},
            [
                'r.json, row 1, column question_id: must be a question of the study; got "Z_9".',
                (
                    "r.json, row 2, column gold_answer: must name the right option of Q_1 as the "
                    'questions do, A; got "B".'
                ),
                (
                    "r.json, row 2, column confidence: must be a probability from 0 to 1; got 90. "
                    "Is it a percentage? Then write 0.9."
                ),
            ],
        ),
        (
            "r.json",
            {"pipeline_results": {"accuracy": 0.5}},
            [
                (
                    f'r.json: {NOTHING_TO_TAKE} "similarity_analysis"; got means and counts alone. '
                    "Leave it out: medassay computes its own from what was answered."
                )
            ],
        ),
        (
            "notes.txt",
            "# Notes\n",
            [
                (
                    f'notes.txt: {NOTHING_TO_TAKE} "similarity_analysis"; got neither. '
                    "Guidelines are text files called guideline_NUMBER_NAME.txt."
                )
            ],
        ),
    ],
)
def test_what_is_wrong_is_named(
    source: list[Path], write: Write, tmp_path: Path, name: str, content: object, wanted: list[str]
) -> None:
    file = write(name, content)
    given = [file] if name == "q.json" else [*source, file]
    said = refused("import", "--from", "clinical-mcq", *given, "--into", tmp_path / "study")
    assert said == wanted
    assert not (tmp_path / "study").exists()


def test_what_does_not_fit_the_study_is_refused(
    source: list[Path], write: Write, tmp_path: Path
) -> None:
    results = write("r.json", {"per_question_results": [{"question_id": "Q_1", "predicted": "A"}]})
    (problem,) = refused("import", results, "--into", tmp_path / "study")
    assert "must hold questions; got none. Give the file of questions too" in problem
    run("import", *source, "--into", tmp_path / "study")
    (problem,) = refused("import", *source, results, "--into", tmp_path / "study")
    assert "be new where questions or guidelines are given" in problem
    run("import", results, "--into", tmp_path / "study")
    write("r.json", {"per_question_results": [{"question_id": "Q_1", "predicted": "B"}]})
    (problem,) = refused("import", results, "--into", tmp_path / "study")
    assert "answer" in problem
