"""A file is known by what it holds, and read by it: people give files names of their own."""

import shutil
from pathlib import Path

import pytest
from tests.exchange.samples import EXAMPLES, SHIPPED
from tests.front_door.compared import import_as_a_script

from medassay.study import Study

OF_FOLDERS = [
    str(file.relative_to(EXAMPLES))
    for name in SHIPPED
    if (EXAMPLES / name).is_dir() and name.startswith("evaluation-tools/")
    for file in sorted((EXAMPLES / name).rglob("*.json*"))
]
FILES = sorted({name for name in SHIPPED if (EXAMPLES / name).is_file()} | set(OF_FOLDERS))


def came_in(folder: Path, sample: Path, name: str) -> tuple[int, int, int]:
    """Import a file alone under a name; give the exit code, answers and judgements."""
    folder.mkdir()
    file = Path(shutil.copy(sample, folder / name))
    code, _ = import_as_a_script([str(file), "--into", str(folder / "study"), "--yes"])
    if code:
        return code, 0, 0
    study = Study.open_whole(folder / "study")
    return code, len(study.answers), len(study.judgements_on_file)


@pytest.mark.parametrize("name", FILES)
def test_a_file_comes_in_alike_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    sample = EXAMPLES / name
    usual = came_in(tmp_path / "usual", sample, sample.name)
    assert came_in(tmp_path / "renamed", sample, f"mine{sample.suffix}") == usual
