"""Nobody is told to install medassay from an index: whoever took its name there would be run."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from medassay.models.install import EXTRAS

ROOT = Path(__file__).parents[2]
TOOL = r"pip[0-9.]*|pipx|uv|uvx|conda|mamba|poetry|pdm|pixi|rye|hatch|easy_install"
WORD = r"(?<![\w./\\-])medassay(?![\w./\\-])"
FROM_AN_INDEX = re.compile(
    # A tool that installs, and the bare name on the same line or the same command.
    rf"\b(?:{TOOL})\b[^\n|;&`#]*?\b(?:install|add|run|run --with|inject|download|uvx)\b"
    rf"[^\n|;&`#]*?[\s\"']{WORD}"
    rf"|\buvx\s+(?:--\S+\s+)*{WORD}"
    # The name with an extra or a version, as only an index understands it.
    r"|(?<![\w./\\-])medassay\s*(?:\[\w|[=~<>!]=\s*\d|@\s*latest)"
    # A line of a file of requirements.
    r"|^\s*medassay\s*$"
    # A dependency of a package in pyproject.toml.
    r"|^\s*(?:dependencies|requires)\s*=.*[\"']medassay\b",
    re.MULTILINE,
)
READ = {
    ".cfg", ".cff", ".css", ".html", ".ipynb", ".j2", ".js", ".json", ".lock", ".md", ".py", ".rst",
    ".sh", ".toml", ".txt", ".yaml", ".yml",
}  # fmt: skip
HERE = Path(__file__).name


def installs(text: str) -> list[str]:
    """Give what installs medassay by its bare name; a command may go on in the next line."""
    return [found.group().strip() for found in FROM_AN_INDEX.finditer(text.replace("\\\n", " "))]


def pages() -> list[Path]:
    folders = "src docs design examples requirements simulations tools bench .ci"
    inside = [ROOT / name for name in folders.split()]
    inside.append(ROOT / "tests")
    paths = [path for folder in inside for path in folder.rglob("*")]
    paths += [path for path in ROOT.iterdir() if not path.name.startswith(".git")]
    return [
        path
        for path in paths
        if path.is_file() and (path.suffix in READ or path.name in {"Makefile", "run"})
        and path.name != HERE
        # The frozen words of pages, one a line: what they tell is looked for where it is written.
        and not {"__pycache__", "frozen"} & set(path.parts)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "      - run: pip install medassay",
        "pip3 install -U 'medassay'",
        'python -m pip install --quiet "medassay[models]"',
        "pipx install medassay",
        "pipx run medassay run STUDY",
        "uv add medassay",
        "uv tool install medassay",
        "uv pip install medassay==0.1.0",
        "uvx medassay demo demo",
        "uv run --with medassay medassay demo",
        "conda install -c conda-forge medassay",
        "needs medassay[torch]",
        "medassay>=0.1",
        'dependencies = ["numpy", "medassay"]',
        "pip install --force-reinstall --no-deps medassay",
        "medassay",
        "pip install \\\n  --quiet \\\n  medassay",
    ],
)
def test_what_comes_from_an_index_is_seen(line: str) -> None:
    assert installs(line)


@pytest.mark.parametrize(
    "line",
    [
        'pip install -e ".[models]"',
        "pip install ./wheels/medassay-0.1.0-py3-none-any.whl",
        'pip install "$MEDASSAY"  # medassay of one commit',
        "pip install https://example.org/medassay/archive/0123abc.tar.gz",
        "pip wheel --no-deps --wheel-dir wheels ../medassay",
        "`pip install -e .`, then `medassay demo demo`",
        "pip install -e . && medassay demo demo",
        "run medassay on the study",
    ],
)
def test_what_names_a_place_passes(line: str) -> None:
    assert not installs(line)


@pytest.mark.slow
def test_no_page_message_or_workflow_installs_medassay_from_an_index() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match}"
        for path in pages()
        for match in installs(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert len(pages()) > 500
    assert found == []


def test_the_lines_for_extras_ask_for_what_the_extras_ask_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = project["optional-dependencies"]
    assert {name: tuple(packages) for name, packages in declared.items()} == EXTRAS


@pytest.mark.slow
def test_the_workflow_installs_the_wheel_that_the_checkout_builds(tmp_path: Path) -> None:
    workflow = yaml.safe_load((ROOT / "examples/ci/medassay-gate.yml").read_text(encoding="utf-8"))
    steps = [step["run"] for step in workflow["jobs"]["gate"]["steps"] if "run" in step]
    assert [one for one in steps if "install" in one] == ['pip install "$MEDASSAY"']
    subprocess.run(  # noqa: S603 - our own interpreter and checkout
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "-d", str(tmp_path)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    assert Path(workflow["env"]["MEDASSAY"]).name in {path.name for path in tmp_path.iterdir()}
    gitlab = ROOT / "examples/ci/medassay-gate.gitlab-ci.yml"
    job = yaml.safe_load(gitlab.read_text(encoding="utf-8"))["answers"]
    assert [one for one in job["script"] if "install" in one] == ['pip install "$MEDASSAY"']
    assert job["variables"]["MEDASSAY"] == workflow["env"]["MEDASSAY"]
