"""What a command prints as the next step can be typed: it names the study that was given."""

import ast
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

import medassay
from medassay.cli.output import print_paragraph
from medassay.cli.streams import VisibleStream, named, only_visible

SOURCE = Path(medassay.__file__).parent


def commands() -> Iterator[str]:
    """Give every text of the program that tells to type a command with a study."""
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "STUDY" not in text or "medassay " not in text:
            continue
        tree = ast.parse(text)
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                pieces = [p.value if isinstance(p, ast.Constant) else "X" for p in node.values]
                written = "".join(map(str, pieces))
            elif isinstance(node, ast.Constant) and id(node) not in told:
                written = str(node.value)
            else:
                continue
            if "medassay " in written and " STUDY" in written:
                yield written


def test_every_command_that_the_program_tells_to_type_names_the_study(tmp_path: Path) -> None:
    (tmp_path / "study.toml").touch()
    found = list(commands())
    assert len(found) > 5
    for written in found:
        shown = named(written, ["run", str(tmp_path)])
        assert "STUDY" not in shown, shown
        assert str(tmp_path) in shown


@pytest.mark.parametrize("way", ["run {}", "import a.csv --into {}", "monitor --study={}"])
def test_the_study_is_the_one_that_was_typed(tmp_path: Path, way: str) -> None:
    (tmp_path / "study.toml").touch()
    out = io.StringIO()
    stream = VisibleStream(out, way.format(tmp_path).split())
    stream.write("Then: medassay campaign create\nSTUDY --raters 2; medassay run STUDY.\n")
    typed = f"Then: medassay campaign create\n{tmp_path} --raters 2; medassay run {tmp_path}.\n"
    assert out.getvalue() == typed


def test_a_study_that_is_made_is_named_and_one_of_two_is_not(tmp_path: Path) -> None:
    step = "medassay run STUDY"
    assert named(step, ["import", "a.csv", "--into", "new"]) == "medassay run new"
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "study.toml").touch()
    assert named(step, ["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == step
    assert named(step, ["run", str(tmp_path / "a"), "--help"]) == step


def test_a_name_in_json_stays_json() -> None:
    words = ["import", "a.csv", "--into", 'my "study"', "--json"]
    assert named('"medassay run STUDY"', words) == '"medassay run \'my \\"study\\"\'"'


def test_a_paragraph_names_the_study_before_it_is_broken_into_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "study.toml").touch()
    with only_visible(["run", str(tmp_path)]):
        print_paragraph("In a terminal: medassay campaign sheets STUDY.")
    assert capsys.readouterr().out == f"In a terminal: medassay campaign sheets {tmp_path}.\n"
