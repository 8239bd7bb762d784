"""Systems that ask nobody, functions, and what is kept of replies, without any endpoint."""

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput, MissingBackend
from medassay.exchange.environmental_health import import_environmental_health
from medassay.study import Study, answer_study, estimate_study
from medassay.systems import load_code

ORIGINAL = Path(__file__).parents[2] / "examples" / "environmental-health" / "original"
CODE = """
CALLS = []

def shout(case):
    CALLS.append(case.case)
    assert case.gold is None
    assert not case.references
    assert not case.tags
    if case.case == "3" and len(CALLS) < 4:
        raise RuntimeError("a secret of the case")
    return case.question.upper()

async def pick(case):
    return {"text": "A it is.", "choice": "A", "confidence": 0.9}

def nothing(case):
    return 7
"""


def a_study(folder: Path, settings: str, cases: int = 3) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "study.toml").write_text(f'schema = 1\ntitle = "T"\n{settings}', encoding="utf-8")
    rows = [
        {
            "case": str(number),
            "question": f"Is {number} safe?",
            "options": {"A": "Yes", "B": "No"},
            "gold": "A",
            "references": [{"text": "It is."}],
            "tags": {"condition": "asthma"},
        }
        for number in range(1, cases + 1)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "cases.jsonl").write_text(text, encoding="utf-8")
    return folder


def code(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(CODE, encoding="utf-8")
    return path


def test_the_demo_documents_answer_the_demo_queries_beside_the_groups_own_system(
    tmp_path: Path,
) -> None:
    study = tmp_path / "study"
    import_environmental_health(study, [ORIGINAL])
    with (study / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[systems.tfidf]\nkind = "tfidf"\n')
    done = answer_study(study, "tfidf")
    assert (done.answers, done.unanswered, done.files) == (6, 0, ("answers/tfidf.jsonl",))
    opened = Study.open_whole(study)
    assert opened.systems == ("framework", "tfidf")
    first = opened.answers.get("tfidf", "S6")
    assert first is not None
    assert first.retrieved is not None
    assert first.retrieved[0].document == "demo_cadmium_cvd_example"
    before = (study / "answers" / "tfidf.jsonl").read_bytes()
    again = answer_study(study, "tfidf")
    assert (again.answers, again.known) == (0, 6)
    assert (study / "answers" / "tfidf.jsonl").read_bytes() == before


def test_a_corpus_beside_the_study_becomes_its_documents(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.t]\nkind = "tfidf"\ncorpus = "texts"\nk = 1\n', 1)
    (study / "texts").mkdir()
    (study / "texts" / "lead.txt").write_text("Whether it is safe: no.\n", encoding="utf-8")
    assert set(answer_study(study, "t").files) == {"documents.jsonl", "answers/t.jsonl"}
    assert "lead" in (study / "documents.jsonl").read_text(encoding="utf-8")


def test_confidence_follows_the_studys_own_thresholds(tmp_path: Path) -> None:
    study = tmp_path / "study"
    import_environmental_health(study, [ORIGINAL])
    with (study / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write(
            '\n[confidence]\ndimension = "expert-confidence"\nk = 2\nthresholds = [0.1, 0.2]\n'
            '\n[systems.tfidf]\nkind = "tfidf"\n'
        )
    answer_study(study, "tfidf")
    mine = [one for one in Study.open_whole(study).answers if one.system == "tfidf"]
    # Of two similarities the normalised mean is 1/2: above .2 that is High.
    assert {one.confidence_label for one in mine} == {"High"}
    assert {len(one.retrieved or ()) for one in mine} == {2}


def test_a_recorded_file_is_taken_under_the_systems_name(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.old]\nkind = "recorded"\nfile = "old.csv"\n')
    (study / "old.csv").write_text("system,case,text\nx,1,Yes.\nx,2,\n", encoding="utf-8")
    done = answer_study(study, "old")
    assert (done.answers, done.unanswered) == (2, 1)
    kept = Study.open_whole(study).answers
    empty = kept.get("old", "2")
    assert empty is not None
    assert empty.is_blank


def test_a_function_answers_and_only_what_failed_is_asked_again(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.f]\nkind = "python"\nconcurrency = 1\n')
    mine = load_code(f"{code(tmp_path)}:shout")
    first = answer_study(study, "f", code=mine)
    assert (first.answers, first.unanswered) == (2, 1)
    assert first.failures == {"code: RuntimeError": 1}  # what the code says may quote the case
    assert "secret" not in (study / "calls" / "f.jsonl").read_text(encoding="utf-8")
    second = answer_study(study, "f", code=mine)
    assert (second.answers, second.known, second.kept, second.unanswered) == (1, 2, 2, 0)
    assert [answer.text for answer in Study.open_whole(study).answers] == [
        f"IS {number} SAFE?" for number in (1, 2, 3)
    ]


def test_a_coroutine_gives_fields_of_an_answer(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.f]\nkind = "python"\nsamples = 2\n')
    mine = load_code(f"{code(tmp_path)}:pick")
    assert estimate_study(study, "f", code=mine).questions == 6
    assert answer_study(study, "f", code=mine).answers == 6
    kept = Study.open_whole(study).answers
    assert [(a.choice, a.confidence, a.sample) for a in kept.samples("f", "1")] == [
        ("A", 0.9, 0), ("A", 0.9, 1),
    ]  # fmt: skip


def test_what_is_no_answer_is_a_failure(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.f]\nkind = "python"\n')
    done = answer_study(study, "f", code=load_code(f"{code(tmp_path)}:nothing"))
    assert done.failures == {"code: it gave int, no text and no answer": 3}
    assert not (study / "answers").exists()


def test_no_study_names_code(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.f]\nkind = "python"\n')
    with pytest.raises(InvalidInput, match="be given its function on the command line"):
        answer_study(study, "f")
    study = a_study(tmp_path / "s", '[systems.f]\nkind = "python"\nfunction = "os:system"\n')
    with pytest.raises(InvalidInput, match=r"systems.f.function: must be one of"):
        answer_study(study, "f")


@pytest.mark.parametrize("name", ["mine.py", "none.py:answer", "os:nothing", "os:sep"])
def test_code_that_cannot_be_had_is_named(name: str) -> None:
    with pytest.raises(InvalidInput, match="--allow-code: must name a function"):
        load_code(name)


def test_other_code_is_another_system(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.f]\nkind = "python"\n')
    path = code(tmp_path)
    answer_study(study, "f", code=load_code(f"{path}:pick"))
    path.write_text(CODE.replace("0.9", "0.5"), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"3 of them, the first to 1\. Other settings"):
        answer_study(study, "f", code=load_code(f"{path}:pick"))


def test_answers_that_came_otherwise_are_not_mixed_in(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.old]\nkind = "recorded"\nfile = "old.csv"\n')
    (study / "old.csv").write_text("system,case,text\nx,1,Yes.\n", encoding="utf-8")
    (study / "answers").mkdir()
    (study / "answers" / "more.csv").write_text("system,case,text\nold,1,Yes.\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="not have answers of this system from other settings"):
        answer_study(study, "old")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("kind = 'wizard'", r"systems\.a\.kind: must be one of endpoint, service, recorded"),
        ("kind = 'endpoint'\nmodle = 'm'", r'systems\.a\.modle: .*Did you mean "model"\?'),
        ("kind = 'endpoint'\nbase_url = 'ollama'", r"systems\.a\.base_url: must be an address"),
        ("kind = 'service'\nurl = 'http://me:pw@x/'", "must be an address without a user"),
        ("tittle = 'x'", r'systems\.a\.tittle: must be one of title.*Did you mean "title"\?'),
    ],
)
def test_settings_are_those_of_the_kind(settings: str, said: str, tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", f"[systems.a]\n{settings}\n")
    with pytest.raises(InvalidInput, match=said):
        Study.open_whole(study)


def test_files_that_settings_name_lie_in_the_study(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("system,case,text\nx,1,Yes.\n", encoding="utf-8")
    study = a_study(tmp_path / "s", '[systems.a]\nkind = "recorded"\nfile = "../old.csv"\n')
    with pytest.raises(InvalidInput, match=r"systems\.a\.file: must name a file of the study"):
        answer_study(study, "a")


def test_a_budget_needs_prices(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.f]\nkind = "python"\n')
    mine = load_code(f"{code(tmp_path)}:pick")
    with pytest.raises(InvalidInput, match="price_in and price_out"):
        answer_study(study, "f", code=mine, budget=1)


def test_the_client_is_asked_for_by_the_line_that_installs_it(
    tmp_path: Path, lacking: Callable[[str], None]
) -> None:
    lacking("openai")
    study = a_study(tmp_path / "s", '[systems.a]\nkind = "endpoint"\nbase_url = "http://[::1]/"\n')
    with pytest.raises(MissingBackend, match=r'pip install "aiolimiter.*openai'):
        answer_study(study, "a")


def test_the_embedded_model_is_asked_for_by_the_lines_that_install_it(
    tmp_path: Path, lacking: Callable[[str], None]
) -> None:
    lacking("xllamacpp")
    study = a_study(tmp_path / "s", '[systems.a]\nkind = "endpoint"\n')
    with pytest.raises(MissingBackend, match="xllamacpp"):
        answer_study(study, "a")


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Make a package one that is not installed, as for most who run these tests it is not."""
    from medassay.models import install

    def lack(module: str) -> None:
        found = find_spec
        monkeypatch.setattr(install, "find_spec", lambda n: None if n == module else found(n))

    return lack


def test_a_function_may_give_an_answer_itself(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.f]\nkind = "python"\n', 1)
    from medassay.systems import Code

    def make(case: Case) -> Answer:
        return Answer(system="whoever", case=case.case, statements=[{"text": "Rest."}])

    assert answer_study(study, "f", code=Code("here:make", make, "0")).answers == 1
    answer = Study.open_whole(study).answers.get("f", "1")
    assert answer is not None
    assert answer.statements is not None


def test_a_system_is_asked_what_asked_csv_asks_it(tmp_path: Path) -> None:
    study = a_study(tmp_path / "s", '[systems.f]\nkind = "python"\n[systems.g]\nkind = "python"\n')
    mine = load_code(f"{code(tmp_path)}:pick")
    (study / "asked.csv").write_text("case,system\n1,f\n3,f\n", encoding="utf-8")
    assert answer_study(study, "f", code=mine).answers == 2
    # asked.csv says nothing of the other one: it is asked everything, and the file then says so.
    done = answer_study(study, "g", code=mine)
    assert (done.answers, "asked.csv" in done.files) == (3, True)
    opened = Study.open_whole(study)
    assert [opened.asked.count(system, 3) for system in ("f", "g")] == [2, 3]
    assert [opened.missing(system) for system in ("f", "g")] == [0, 0]
