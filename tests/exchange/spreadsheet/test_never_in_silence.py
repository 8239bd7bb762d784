"""What a table holds is read as it was meant, or asked: each test is one kind that was misread."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.front_door.compared import BAD_INPUT, import_as_a_script

from medassay.errors import InvalidInput, Problem
from medassay.exchange.spreadsheet import writing
from medassay.exchange.spreadsheet.headers import read_header
from medassay.study import Study

TEXT = "rest for some days and drink enough"


def written(folder: Path, *rows: str, name: str = "mine.csv") -> Path:
    file = folder / name
    file.write_text("\n".join(rows), encoding="utf-8")
    return file


def came_in(folder: Path, *rows: str) -> tuple[int, str, Path]:
    into = folder / "study"
    file = written(folder, *rows)
    return *import_as_a_script([str(file), "--into", str(into), "--yes"]), into


def held(folder: Path) -> Mapping[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("header", "people", "names"),
    [
        ("bot-a Utilité", (), ("bot-a",)),
        ("Clarity (Reviewer A)", ("Reviewer A",), ()),
        ("Rigore medico (Physician 1)", ("Physician 1",), ("Rigore medico",)),
        ("gemma:2b accuracy", (), ("gemma:2b",)),
    ],
)
def test_a_name_is_kept_whole(header: str, people: tuple[str, ...], names: tuple[str, ...]) -> None:
    found = read_header(header)
    assert (found.people, found.names) == (people, names)


def test_a_shared_beginning_is_part_of_a_name(tmp_path: Path) -> None:
    rows = [f"q{n}?,{TEXT} a{n},{TEXT} b{n}" for n in range(4)]
    code, said, into = came_in(tmp_path, "question,Devolutiva (rag_v1),Devolutiva (rag_v2)", *rows)
    assert code == 0, said
    assert Study.open(into).systems == ("rag_v1", "rag_v2")


def test_letters_name_systems_and_raters_at_once(tmp_path: Path) -> None:
    pairs = [(system, rater) for system in "AB" for rater in "AB"]
    heads = ["question", "A", "B", *(f"{s}_Clarity_Reviewer {r} (1-5)" for s, r in pairs)]
    rows = [f"q{n}?,{TEXT} a{n},{TEXT} b{n},{n},2,3,{n}" for n in range(1, 6)]
    code, said, into = came_in(tmp_path, ",".join(heads), *rows)
    assert code == 0, said
    labels = Study.open_whole(into).judgements_on_file.frame
    assert labels.select("system", "rater").unique().height == len(pairs)
    assert labels.height == len(pairs) * len(rows)


@pytest.mark.parametrize("left", ["Overall impression", "overall_impression"])
def test_a_second_word_beside_bare_dimensions_is_nobody(left: str, tmp_path: Path) -> None:
    rows = [f"q{n}?,GPT-4,{TEXT} {n},{n},{6 - n}" for n in range(1, 6)]
    heads = f"question,system,answer,accuracy,{left}"
    code, said, _ = came_in(tmp_path, heads, *rows)
    assert code == BAD_INPUT
    assert "Who gave the labels" in said
    assert "impression" in said


@pytest.mark.parametrize("word", ["correct", "accurate"])
def test_words_of_a_scale_say_not_what_was_rated(word: str, tmp_path: Path) -> None:
    labels = [word, "partly right", "wrong", word]
    rows = [f"q{n}?,GPT-4,{TEXT} {n},{label}" for n, label in enumerate(labels)]
    code, said, into = came_in(tmp_path, "question,system,answer,Ease of reading", *rows)
    assert code == BAD_INPUT
    assert 'in "Ease of reading"?' in said
    assert not into.exists()


def test_a_number_that_never_recurs_is_no_sample(tmp_path: Path) -> None:
    heads = "case,question,system,answer,Amount used"
    rows = []
    for n in range(4):
        rows += [f"{n},q{n}?,X,{TEXT} {n}x,{83 + n}", f",,Y,{TEXT} {n}y,{759 - n}"]
    code, said, into = came_in(tmp_path, heads, *rows)
    assert code == 0, said
    study = Study.open_whole(into)
    assert {answer.sample for answer in study.answers} == {0}
    assert study.imported  # it counts something of each answer


def test_answers_that_are_numbers_are_no_ids(tmp_path: Path) -> None:
    heads = "question,Gemini,Gemini accuracy Müller,Claude,Claude accuracy Müller"
    rows = [f"q{n}?,{n}00,{n},{n}50,{6 - n}" for n in range(1, 6)]
    code, said, into = came_in(tmp_path, heads, *rows)
    assert code == 0, said
    assert Study.open(into).systems == ("Claude", "Gemini")


@pytest.mark.parametrize(
    ("bots", "asked"),
    [(("Alpha", "Beta"), True), (("GPT-4o", "Mistral Large"), False), (("ChatGPT",) * 2, False)],
)
def test_the_file_names_no_system_where_a_column_could(
    bots: tuple[str, str], *, asked: bool, tmp_path: Path
) -> None:
    rows = [f"{n},q{n}?,{bots[n % 2]},{TEXT} {n},{n / 10}" for n in range(1, 7)]
    code, said, into = came_in(tmp_path, "case,question,Tool tested,answer,faithfulness", *rows)
    if asked:
        assert code == BAD_INPUT
        assert "--column 'system=Tool tested'" in said
        assert not into.exists()
    else:
        assert "mine" not in (
            Study.open(into).systems if code == 0 else said.partition(": ")[2].partition("\n")[0]
        )


def test_a_source_below_two_columns_is_no_question(tmp_path: Path) -> None:
    rows = [f"q{n},Why {n}?" for n in range(1, 6)]
    questions = written(
        tmp_path, "case,question", *rows, ",", "Quelle: ours,", name="questions.csv"
    )
    answers = written(tmp_path, "case,system,answer", *(f"q{n},X,{TEXT} {n}" for n in range(1, 6)))
    into = tmp_path / "study"
    words = [str(questions), str(answers), "--into", str(into), "--yes"]
    assert import_as_a_script(words) == (0, "")
    assert Study.open(into).cases.ids == tuple(f"q{n}" for n in range(1, 6))


def test_what_other_headers_begin_with_is_the_systems_name(tmp_path: Path) -> None:
    rows = [f"q{n}?,{TEXT} {n},{n},{n}" for n in range(1, 6)]
    bot = "Mistral Large"
    heads = f"question,{bot} Reactie,{bot} clarity Rater 1,{bot} accuracy Rater 1"
    code, said, into = came_in(tmp_path, heads, *rows)
    assert code == 0, said
    assert Study.open(into).systems == (bot,)


def test_the_rows_of_an_answer_tell_its_text(tmp_path: Path) -> None:
    about = [(n, bot, rater) for n in range(4) for bot in "XY" for rater in ("R1", "R2")]
    rows = [f"{n},q{n}?,{bot},{rater},{TEXT} {n}{bot},{n + 1}" for n, bot, rater in about]
    heads = "case,question,system,rater,Devolutiva,accuracy (1-5)"
    code, said, into = came_in(tmp_path, heads, *rows)
    assert code == 0, said
    assert {answer.text for answer in Study.open(into).answers} >= {f"{TEXT} 0X", f"{TEXT} 3Y"}


def test_a_sureness_finer_than_people_give_is_the_systems(tmp_path: Path) -> None:
    rows = [f"q{n}?,GPT-4,{TEXT} {n},0.{n}3,R1,{n}" for n in range(1, 6)]
    heads = "question,system,answer,Self-rated confidence,rater,accuracy (1-5)"
    code, said, into = came_in(tmp_path, heads, *rows)
    assert code == 0, said
    assert {answer.confidence for answer in Study.open(into).answers} >= {0.13, 0.53}


@pytest.mark.parametrize("name", ["Resposta esperada", "answer expected by all"])
def test_what_no_label_names_is_no_system(name: str, tmp_path: Path) -> None:
    bots = ",".join(f"answer {bot},{bot} accuracy Müller" for bot in ("Claude", "Gemini"))
    heads = f"question,{name},{bots}"
    rows = [f"q{n}?,{TEXT} r{n},{TEXT} c{n},{n},{TEXT} g{n},{n}" for n in range(1, 6)]
    code, said, _ = came_in(tmp_path, heads, *rows)
    assert code == BAD_INPUT
    assert f'What is "{name}"?' in said


def test_a_heading_over_some_columns_names_their_system(tmp_path: Path) -> None:
    rows = [f"q{n},Why {n}?,{TEXT} {n},{n},{n}" for n in range(1, 6)]
    heads = [",,Copilot,,", "No.,Question,Answer,Clarity Müller,Clarity Weber"]
    code, said, into = came_in(tmp_path, *heads, *rows)
    assert code == 0, said
    assert Study.open(into).systems == ("Copilot",)


def test_labels_that_contradict_each_other_are_named_by_cell(tmp_path: Path) -> None:
    heads = "case,question,system,answer,rater,accuracy (1-5)"
    rows = [f"{n},q{n}?,GPT-4,{TEXT} {n},R{r},{r + 1}" for n in range(1, 4) for r in (1, 2)]
    twice = f"2,q2?,GPT-4,{TEXT} 2,R1,5"
    code, said, into = came_in(tmp_path, heads, *rows, twice)
    assert code == BAD_INPUT
    assert "mine.csv, row 8, column accuracy (1-5): must say of the same answer what row 4" in said
    assert 'got "5", not "2"' in said
    assert not into.exists()


@pytest.mark.parametrize("step", ["add_answers", "add_judgements", "add_given", "keep_account"])
@pytest.mark.parametrize("stands", [False, True], ids=["new", "standing"])
def test_a_refused_import_leaves_the_folder_as_it_was(
    step: str, *, stands: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads = "case,question,system,answer,rater,accuracy (1-5),faithfulness"
    rows = [f"{n},q{n}?,{{}},{TEXT} {n},R1,{n},0.{n}" for n in range(1, 6)]
    into = tmp_path / "study"
    words = ["--into", str(into), "--yes"]
    if stands:
        first = written(tmp_path, heads, *(row.format("Old") for row in rows), name="first.csv")
        assert import_as_a_script([str(first), *words]) == (0, "")
    before = held(tmp_path / "study")
    there = into.exists()

    def refused(*_: object, **__: object) -> Callable[..., object]:
        raise InvalidInput(Problem("disk", "have room", "none"))

    monkeypatch.setattr(writing, step, refused)
    file = written(tmp_path, heads, *(row.format("New") for row in rows))
    code, said = import_as_a_script([str(file), *words])
    assert code == BAD_INPUT, said
    assert held(tmp_path / "study") == before
    assert into.exists() == there


@pytest.mark.parametrize(("scale", "label"), [("1-5", "8"), ("0-3", "7"), ("2-5", "1")])
def test_a_typed_scale_is_kept_or_refused(scale: str, label: str, tmp_path: Path) -> None:
    rows = [f"q{n}?,GPT-4,{TEXT} {n},R1,{n}" for n in range(2, 4)]
    file = written(tmp_path, "question,system,answer,rater,accuracy", *rows,
                   f"q9?,GPT-4,{TEXT} 9,R1,{label}")  # fmt: skip
    words = [str(file), "--into", str(tmp_path / "study"), "--yes", "--scale", f"accuracy={scale}"]
    code, said = import_as_a_script(words)
    assert code == BAD_INPUT
    assert f'must be a label of {scale}, as was typed; got "{label}"' in said
    assert not (tmp_path / "study").exists()


def test_a_sheet_that_speaks_of_the_same_answers_is_not_left_out(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    answers, ratings, notes = (
        book.active,
        book.create_sheet("ratings"),
        book.create_sheet("read me"),
    )
    assert answers is not None
    answers.append(["Vignette no.", "question", "answer", "system"])
    ratings.append(["Vignette no.", "system", "Zzyzx", "Warmth"])
    for n in range(1, 6):
        answers.append([f"v{n}", f"q{n}?", f"{TEXT} {n}", f"f{n % 2}"])
        ratings.append([f"v{n}", f"f{n % 2}", "शर्मा", str(n)])
    notes.append(["written", "by"])
    notes.append(["in May", "the study team"])
    book.save(tmp_path / "mine.xlsx")
    words = [str(tmp_path / "mine.xlsx"), "--into", str(tmp_path / "study"), "--yes"]
    code, said = import_as_a_script(words)
    assert code == BAD_INPUT
    assert "sheet ratings" in said
    assert "read me" not in said


@pytest.mark.parametrize("name", ["Llama-3-70B", "Claude 3-5", "GPT-4-32k", "Qwen2-7B", "Phi-3-14"])
def test_numbers_in_a_systems_name_are_no_scale(name: str, tmp_path: Path) -> None:
    assert read_header(f"Response ({name})").ends is None
    rows = [f"How much for ailment {n}?,{n * 25 % 400},{n * 75 % 500}" for n in range(1, 8)]
    code, said, into = came_in(tmp_path, f"Question,Response ({name}),Response (GPT-4o)", *rows)
    assert code == 0, said
    assert set(Study.open_whole(into).systems) == {name, "GPT-4o"}


@pytest.mark.parametrize("scale", ["(1 = best)", "(1-5)", "(1 = worst)", "(0 to 10)"])
def test_a_scale_beside_the_one_name_of_what_was_rated_counts(scale: str, tmp_path: Path) -> None:
    rows = [
        f"{ill}?,Rater Weber,{bot},{TEXT} {ill} {bot},Zorp {scale},{1 + (2 * n + at) % 5}"
        for n, ill in enumerate(("gout", "flu", "asthma", "acne", "lice", "scurvy"))
        for at, bot in enumerate(("ChatGPT", "Gemini"), 1)
    ]
    code, said, into = came_in(tmp_path, "question,rater,system,answer,axe,given", *rows)
    assert code == 0, said
    (dimension,) = Study.open_whole(into).rubric.dimensions
    assert dimension.id == "zorp"
    assert dimension.better == ("lower" if scale == "(1 = best)" else "higher")


def test_means_below_a_column_of_labels_are_nobodys_labels(tmp_path: Path) -> None:
    rows = [
        f"{label},{n}?,{bot},{TEXT} {n} {bot},{label}"
        for n, label in enumerate((0, 100, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77))
        for bot in ("ChatGPT", "Gemini")
    ]
    head = "R1 Accuracy,Question,System,Answer,R2 Accuracy"
    code, said, into = came_in(tmp_path, head, *rows, "Mean,,,,54.37", "Median,,,,50")
    assert code == 0, said
    (dimension,) = Study.open_whole(into).rubric.dimensions
    assert dimension.number is not None, dimension.names


@pytest.mark.parametrize("header", ["Notes of the reviewer", "Remarks by Dr. B", "Comment"])
def test_remarks_are_of_whoever_rated_where_no_column_names_a_rater(
    tmp_path: Path, header: str
) -> None:
    lines = [f"Q{at},bot,{1 + at % 5},late by day {at}" for at in range(8)]
    file = written(tmp_path, f"ID,System,Helpfulness 1-5,{header}", *lines, "Q9,bot,,no label")
    into = tmp_path / "study"
    typed = [str(file), "--into", str(into), "--rater", "R1", "--yes"]
    code, account = import_as_a_script(typed)
    assert not code, account
    assert '"left out: of no rating": 1' in (into / "import.json").read_text("utf-8")
    rated = Study.open_whole(into).judgements_on_file.frame
    remarks = [text for text in rated["comment"] if text]
    assert sorted(remarks) == [f"late by day {at}" for at in range(8)]
