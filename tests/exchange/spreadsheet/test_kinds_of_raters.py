"""A model that rated is never taken for a person: as typed, as kept, or asked of once."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.cli import app
from medassay.exchange.spreadsheet.raters import is_like_a_model

PEOPLE = (
    "Müller", "R1", "Rater 1", "rater-1", "Judge 1", "M. Talbot", "talbot", "Palmer", "Bingham",
    "Chatterjee", "Bardeen", "Lombard", "Gemma Müller", "Claude Dupont", "Dr Gemini", "Wei Ai",
    "Assistant 1", "Sophi", "Mia", "Kai", "AB", "佐藤", "Anna-Lena O'Neil", "Physician A",
    "Palmer 2", "Ki Kim", "claude_roy", "Aisha", "Expert 1", "nurse/Weber", "Dr. Abbot",
)  # fmt: skip
MODELS = (
    "gpt-4", "Llama 3", "Claude", "claude-3-5-sonnet-20241022", "Gemini 1.5 Pro", "AI", "AI judge",
    "ai_grader", "llm_judge", "LLM-as-a-judge", "auto-judge", "Model A", "ClinicBot", "clinicbot",
    "KlinikKI", "phi-3", "Med-PaLM 2", "mistral large", "o3-mini", "AlphaChat", "assistant",
    "google/gemma-2-9b-it", "mistralai/Mistral-Small", "claude-2-strict", "bingchat", "claudeai",
)  # fmt: skip


def rated(file: Path, *raters: str) -> Path:
    """Write labels with a column of raters, or one without where none is named."""
    with file.open("w", encoding="utf-8", newline="") as handle:
        table = csv.writer(handle)
        table.writerow(["id", "system", *(["rater"] if raters else []), "accuracy"])
        for case in range(6):
            for system in ("Bot-a", "Bot-b"):
                for at, rater in enumerate(raters or [""]):
                    label = 1 + (case + at + (system == "Bot-a")) % 5
                    table.writerow([f"q{case}", system, *([rater] if raters else []), label])
    return file


def came_in(into: Path, file: Path, *words: str, refused: bool = False) -> str:
    line = ["import", str(file), "--into", str(into), *words, "--yes"]
    if "--recipe" not in words and "accuracy" in file.read_text(encoding="utf-8"):
        line += ["--scale", "accuracy=1-5"]
    done = CliRunner().invoke(app, line)
    assert (done.exit_code != 0) is refused, f"{done.output}{done.exception}"
    return str(done.exception) if refused else done.output


def kinds(into: Path, name: str = "judgements") -> dict[str, str]:
    with (into / f"{name}.csv").open(encoding="utf-8") as handle:
        return {row["rater"]: row["rater_kind"] for row in csv.DictReader(handle)}


@pytest.mark.parametrize(
    "words",
    [
        ["--rater", "dr_weber=person,gpt-4=model"],
        ["--rater", "gpt-4=model"],
        ["--rater", "dr_weber=person", "--rater", "models"],
    ],
)
def test_a_kind_that_was_typed_is_taken(tmp_path: Path, words: Sequence[str]) -> None:
    file = rated(tmp_path / "a.csv", "dr_weber", "gpt-4")
    came_in(tmp_path / "s", file, *words)
    assert kinds(tmp_path / "s") == {"dr_weber": "person", "gpt-4": "model"}


def test_a_kind_of_nobody_who_rated_is_refused(tmp_path: Path) -> None:
    file = rated(tmp_path / "a.csv", "Roy", "Klein")
    said = came_in(tmp_path / "s", file, "--rater", "gpt-4=model", refused=True)
    assert '--rater: must name a rater of the files; got "gpt-4". There are: Klein, Roy.' in said
    assert not (tmp_path / "s").exists()


def test_a_model_named_for_ratings_of_nobody_is_a_model(tmp_path: Path) -> None:
    file = rated(tmp_path / "a.csv")
    came_in(tmp_path / "s", file, "--rater", "gpt-4=model")
    assert kinds(tmp_path / "s") == {"gpt-4": "model"}
    assert 'is "gpt-4" a model' in came_in(tmp_path / "t", file, "--rater", "gpt-4", refused=True)
    came_in(tmp_path / "t", file, "--rater", "gpt-4", "--rater", "gpt-4=person")
    assert kinds(tmp_path / "t") == {"gpt-4": "person"}


def test_models_that_chose_are_models(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    rows = "".join(f"q{n},A,B,{'AB'[n % 2]},Roy\nq{n},A,B,A,gpt-4\n" for n in range(6))
    file.write_text(f"id,system_a,system_b,winner,rater\n{rows}", encoding="utf-8")
    said = came_in(tmp_path / "s", file, refused=True)
    assert "--rater gpt-4=model (a model)" in said
    came_in(tmp_path / "s", file, "--rater", "gpt-4=model")
    assert kinds(tmp_path / "s", "preferences") == {"Roy": "person", "gpt-4": "model"}


def test_models_that_headers_name_are_models(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    rows = "".join(f"q{n},What is {n}?,Rest it {n}.,{1 + n % 5},{5 - n % 5}\n" for n in range(9))
    heads = "ChatGPT accuracy (Rater Roy),ChatGPT accuracy (Rater Claude)"
    file.write_text(f"ID,Question,ChatGPT answer,{heads}\n{rows}", encoding="utf-8")
    said = came_in(tmp_path / "s", file, refused=True)
    assert "Roy" not in said
    name = said.partition("(a model)")[0].rpartition("--rater ")[2].strip().strip("'")
    came_in(tmp_path / "s", file, "--rater", name)
    assert sorted(kinds(tmp_path / "s").values()) == ["model", "person"]


def test_all_who_are_called_as_models_are_asked_of_at_once(tmp_path: Path) -> None:
    file = rated(tmp_path / "a.csv", "Müller", "gpt-4", "Claude")
    said = came_in(tmp_path / "s", file, refused=True)
    assert said.count("Who rated: are") == 1
    assert "Müller" not in said
    for line in (
        "--rater Claude=model,gpt-4=model (models)",
        "--rater Claude=person,gpt-4=person (people)",
        '--rater Claude=person,gpt-4=model ("Claude" is a person, the other is a model)',
    ):
        assert line in said
    came_in(tmp_path / "s", file, "--rater", "Claude=person,gpt-4=model")
    assert kinds(tmp_path / "s") == {"Müller": "person", "Claude": "person", "gpt-4": "model"}


def test_a_name_with_a_comma_can_be_typed_as_it_is_asked(tmp_path: Path) -> None:
    file = rated(tmp_path / "a.csv", "Roy", "gpt-4, strict")
    came_in(tmp_path / "s", file, "--rater", "gpt-4, strict=model,Roy=person")
    assert kinds(tmp_path / "s") == {"Roy": "person", "gpt-4, strict": "model"}


def test_models_are_kept_and_people_are_not(tmp_path: Path) -> None:
    may, study = rated(tmp_path / "may.csv", "Roy", "gpt-4", "Claude"), tmp_path / "s"
    said = came_in(study, may, "--rater", "Claude=person,gpt-4=model,Roy=person")
    assert "keeps no names: say --rater again" in said
    kept = (study / "import.toml").read_text(encoding="utf-8")
    assert '"gpt-4"' in kept
    assert "Claude" not in kept
    assert "Roy" not in kept
    june = rated(tmp_path / "june.csv", "Klein", "gpt-4")
    came_in(tmp_path / "t", june, "--recipe", str(study / "import.toml"))
    assert kinds(tmp_path / "t") == {"Klein": "person", "gpt-4": "model"}
    july = rated(tmp_path / "july.csv", "Klein")
    came_in(tmp_path / "u", july, "--recipe", str(study / "import.toml"))
    assert kinds(tmp_path / "u") == {"Klein": "person"}


def test_what_is_typed_wins_over_what_was_kept(tmp_path: Path) -> None:
    file, study = rated(tmp_path / "a.csv", "Roy", "Claude"), tmp_path / "s"
    came_in(study, file, "--rater", "Claude=model")
    words = ("--recipe", str(study / "import.toml"), "--rater", "Claude=person")
    came_in(tmp_path / "t", file, *words)
    assert kinds(tmp_path / "t") == {"Roy": "person", "Claude": "person"}
    came_in(tmp_path / "u", file, *words[:2])
    assert kinds(tmp_path / "u") == {"Roy": "person", "Claude": "model"}


@pytest.mark.parametrize("name", MODELS)
def test_who_is_called_as_a_model_is_asked_of(name: str) -> None:
    assert is_like_a_model(name)


@pytest.mark.parametrize("name", PEOPLE)
def test_people_are_not_asked_of(name: str) -> None:
    assert not is_like_a_model(name)


def test_people_come_in_without_a_question(tmp_path: Path) -> None:
    came_in(tmp_path / "s", rated(tmp_path / "a.csv", *PEOPLE))
    assert set(kinds(tmp_path / "s").values()) == {"person"}
