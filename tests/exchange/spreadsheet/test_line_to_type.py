"""The line that a refusal prints brings the files in, or none is printed."""

import csv
import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_by_cells import TEXTS, TO_TYPE
from tests.front_door.compared import judge
from tests.front_door.laid_out import laid_by_seed
from typer.testing import CliRunner

from medassay.cli.agreed import undecided
from medassay.cli.app import app
from medassay.errors import InvalidInput, Problem
from medassay.exchange.proposal import ImportQuestion
from medassay.exchange.registry import find_format

BASH = shutil.which("bash")


def refused(typed: Sequence[str]) -> str:
    """Import, and give what was refused."""
    told = CliRunner().invoke(app, list(typed))
    if isinstance(told.exception, InvalidInput):
        return str(told.exception)
    assert told.exit_code == 0, told.output
    return ""


def line_of(folder: Path, rows: Sequence[Sequence[object]]) -> list[str]:
    """Give the line that a table's refusal prints."""
    file = folder / "mine.csv"
    with file.open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows(rows)
    said = refused(["import", str(file), "--into", str(folder / "study"), "--yes"])
    assert TO_TYPE in said, said
    return shlex.split(said.partition(TO_TYPE)[2].partition("\n")[0])[1:]


@pytest.mark.parametrize("seed", [9, 15, 22, 96, 191, 20098])
def test_where_the_likeliest_answers_are_refuted_the_next_that_reads_is_named(
    seed: int, tmp_path: Path
) -> None:
    verdict = judge(laid_by_seed(seed), tmp_path)
    assert verdict.word == "asked"
    assert verdict.typed in {"equal", "other"}


def test_where_nothing_names_a_system_the_line_names_one(tmp_path: Path) -> None:
    rows: list[list[object]] = [["question", "rater", "Zap"]]
    rows += [[f"Is {number} bad?", rater, (number + turn) % 5 + 1]
             for number in range(1, 9) for turn, rater in enumerate(("R1", "R2"))]  # fmt: skip
    line = line_of(tmp_path, rows)
    assert line[line.index("--system") + 1] == "mine"
    assert not refused(line)


def test_scores_under_names_without_a_latin_letter_are_two_tables(tmp_path: Path) -> None:
    rows: list[list[object]] = [["question", "system", "answer", "花费", "秒数"]]
    for number in range(1, 7):
        for system, text in TEXTS.items():
            rows.append([f"Is {number} bad?", system, f"{text} {number}", number / 8, number / 16])
    typed = ["import", str(tmp_path / "mine.csv"), "--into", str(tmp_path / "study"), "--yes"]
    with (tmp_path / "mine.csv").open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows(rows)
    assert not refused([*typed, "--column", "score=花费", "--column", "score=秒数"])
    assert {file.stem for file in (tmp_path / "study" / "scores").glob("*.csv")} == {
        "score",
        "score_2",
    }


@pytest.mark.parametrize("refusals", [(), (Problem("a.csv", "be whole", "half"),)])
def test_a_line_that_is_known_to_fail_is_not_printed(refusals: Sequence[Problem]) -> None:
    question = ImportQuestion("-a.csv", "Is it?", "column", {"yes": ["tag=x"], "no": ["skip=x"]})
    told = undecided(
        find_format("spreadsheet", "--from"),
        Path("new"),
        [Path("-a.csv")],
        {},
        [question],
        refusals,
    )
    hints = " ".join(problem.try_ for problem in told)
    assert (TO_TYPE in hints) is not bool(refusals)
    assert refusals or "import ./-a.csv --into new" in hints
    assert tuple(told[len(told) - len(refusals) :]) == tuple(refusals)


def test_a_line_says_one_thing_of_a_scale(tmp_path: Path) -> None:
    ends, better = (
        ImportQuestion("a.csv", ask, "scale", {"so": [word]})
        for ask, word in (("Which ends?", "x=0-1"), ("Which is better?", "x=0-1,lower"))
    )
    spreadsheet = find_format("spreadsheet", "--from")
    told = undecided(spreadsheet, tmp_path, [Path("a.csv")], {}, [ends, better])
    assert told[-1].try_.endswith("--scale x=0-1,lower --yes")
    assert told[-1].try_.count("--scale") == 1


NAMES = ("Two words", "Cost in $HOME", "Really?!", "O'Neil", 'the "score"', "Größe", "a;b", "`x`")
LONG = "Rest it for two days and then move it gently"
REFUSED: dict[str, tuple[str, ...]] = {
    "an id that is lacking": ("case={}", "question,answer,{}", f"Why?,{LONG},1", f"How?,{LONG},"),
    "an id of two questions": ("case={}", "question,answer,{}", f"Why?,{LONG},1", f"How?,{LONG},1"),
    "a score that is no number": (
        "score={}", "question,answer,{}", f"Why?,{LONG},0.5", f"How?,{LONG} 2,high",
    ),
    "a score that changes": (
        "score={}", "question,answer,rater,accuracy,{}", f"Why?,{LONG},ann,5,0.5",
        f"Why?,{LONG},bob,5,0.25",
    ),
    "a winner of no pair": (
        "winner={}", "case,system_a,system_b,rater,{}", "1,x,y,ann,x", "2,x,y,ann,z",
    ),
    "two texts of an id": (
        "documents={}", "question,answer,contexts,{}",
        f"""Why?,{LONG},"['one text']","['d1']\"""", f"""How?,{LONG} 2,"['other']","['d1']\"""",
    ),
}  # fmt: skip


@pytest.mark.skipif(BASH is None, reason="no bash")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("cause", REFUSED)
def test_a_shell_reads_the_column_that_a_hint_leaves_out(
    cause: str, name: str, tmp_path: Path
) -> None:
    wish, header, *rows = REFUSED[cause]
    file = tmp_path / "mine.csv"
    quoted = '"' + name.replace('"', '""') + '"'
    file.write_text("\n".join([header.format(quoted), *rows]), encoding="utf-8")
    typed = ["import", str(file), "--into", str(tmp_path / "s"), "--yes"]
    said = refused([*typed, "--column", wish.format(name)])
    assert "--column" in said, said
    assert read_by_bash(said[said.rindex("--column") :])[:2] == ["--column", f"skip={name}"]


@pytest.mark.skipif(BASH is None, reason="no bash")
@pytest.mark.parametrize("name", NAMES)
def test_a_shell_reads_the_column_whose_facts_a_study_has_already(
    name: str, tmp_path: Path
) -> None:
    typed = ["import", str(tmp_path / "mine.csv"), "--into", str(tmp_path / "s"), "--yes"]
    typed += ["--column", f"reference={name}"]
    said = ""
    for reference in ("Ice helps", "Ice does not"):
        with (tmp_path / "mine.csv").open("w", encoding="utf-8", newline="") as opened:
            csv.writer(opened).writerows([["question", "answer", name], ["Why?", LONG, reference]])
        said = refused(typed)
    assert read_by_bash(said[said.rindex("--column") :]) == ["--column", f"skip={name}"]


def read_by_bash(line: str) -> list[str]:
    """Let a shell with its history read a line as somebody's terminal would."""
    assert BASH is not None
    script = f"set -o history -o histexpand\nprintf '%s\\0' {line}\n".encode()
    done = subprocess.run([BASH, "-s"], input=script, capture_output=True, check=True)  # noqa: S603 - our own line
    return [os.fsdecode(word) for word in done.stdout.split(b"\0")[:-1]]
