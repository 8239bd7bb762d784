"""Where one page or docstring names another file of the repository, that file is there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)\s#]+)")
NAMED = re.compile(
    r"(?<![\w/.-])(?:design|simulations|bench|tools|docs)/[\w./-]*\.(?:md|py|toml|webp)\b"
)
WRITTEN = {".md", ".py", ".toml", ".yml", ".js", ".css", ".j2"}
FOLDERS = ("src", "docs", "design", "simulations", "bench", "tools", "tests", "examples")
CODE = re.compile(r"`[^`\n]*`")
ANY = {"docs/NAME.md", "simulations/NAME.py"}  # of commands that take any page or script
# These name files of invented houses.
INVENTED = {"test_near.py", Path(__file__).name}


def files() -> Iterator[tuple[Path, str]]:
    inside = [path for name in FOLDERS for path in (ROOT / name).rglob("*")]
    for path in [*inside, *ROOT.iterdir()]:
        here = path.relative_to(ROOT).parts
        left_out = {"frozen", "results"} & {*here} or path.name in INVENTED
        if path.is_file() and path.suffix in WRITTEN and not left_out:
            yield path, path.read_text(encoding="utf-8")


def broken(path: Path, text: str) -> list[str]:
    """Give what a file names that is not there."""
    linked = LINK.findall(CODE.sub("", text)) if path.suffix == ".md" else []
    named = {name for name in NAMED.findall(text) if not (ROOT / name).exists()} - ANY
    return [*(goal for goal in linked if not (path.parent / goal).exists()), *sorted(named)]


@pytest.mark.parametrize(
    "text", ["[a page](gone.md)", "measured (design/gone.md)", "`bench/gone.py` does it"]
)
def test_what_is_gone_is_seen(text: str) -> None:
    assert broken(ROOT / "docs" / "index.md", text)


def test_what_is_named_is_there() -> None:
    gone = {str(path.relative_to(ROOT)): broken(path, text) for path, text in files()}
    assert {path: names for path, names in gone.items() if names} == {}
