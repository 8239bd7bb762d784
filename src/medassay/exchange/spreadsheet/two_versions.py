"""Two logs of one pipeline as two studies of the same questions, so that they can be compared."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.spreadsheet.collected import FallbackNames
from medassay.exchange.spreadsheet.importing import import_spreadsheet, propose
from medassay.exchange.spreadsheet.recipe import RECIPE
from medassay.exchange.spreadsheet.wishes import Wishes
from medassay.study.files.lock import only_writer
from medassay.tables import is_there, make_folder, write_atomically
from medassay.text import shell_line

_SYSTEM: Final = "system"
"""What both versions are called where no column names them."""
_SHARED: Final = ("study.toml", "rubric.toml", "cases.jsonl", "documents.jsonl")


def import_versions(
    old: Path, new: Path, into: Path, columns: Sequence[str] = ()
) -> tuple[Path, Path]:
    """Make a study of each of two logs, by the same reading, with the same ids of questions.

    Questions are known by their words where no column has ids; one that the new log asks for the
    first time becomes a case of its study. Importing the same logs again changes nothing.

    Args:
        old: The log of the old version.
        new: The log of the new version.
        into: The folder: `old` and `new` lie in it, and `import.toml`, what was answered before.
        columns: Pairs OURS=THEIRS.

    Returns:
        The folders of both studies.

    Raises:
        InvalidInput: Something is open, with the line that settles it; or every problem of a log.
    """
    folders = into / "old", into / "new"
    places = (into / RECIPE, folders[0] / RECIPE)
    kept = next((str(place) for place in places if is_there(place)), "")
    wishes = Wishes(columns=columns, names=FallbackNames(system=_SYSTEM), recipe=kept, grows=True)
    make_folder(into)
    for file, folder in zip((old, new), folders, strict=True):
        _refuse_open(file, folder, wishes, (old, new), into)
        with only_writer(folder, new=True):
            if folder is folders[1]:
                _share(*folders)
            import_spreadsheet(folder, [file], wishes)
    if is_there(folders[0] / RECIPE):
        write_atomically(into / RECIPE, (folders[0] / RECIPE).read_bytes())
    return folders


def _share(old: Path, new: Path) -> None:
    """Give a new study the questions of another, without its answers and results."""
    if is_there(new / "study.toml"):
        return
    make_folder(new)
    for name in _SHARED:
        if is_there(old / name):
            shutil.copyfile(old / name, new / name)


def _refuse_open(
    file: Path, folder: Path, wishes: Wishes, files: Sequence[Path], into: Path
) -> None:
    """Refuse what is open, and name the line that settles it for good.

    Raises:
        InvalidInput: Every question, then the line.
    """
    questions = propose(folder, [file], wishes).questions
    if not questions:
        return
    words = ["medassay", "compare", *map(str, files), "--into", str(into)]
    for pair in wishes.columns:
        words += ["--column", pair]
    beside = any(question.option != "column" for question in questions)
    if beside:
        words = ["medassay", "import", str(files[0]), "--into", str(into / "old")]
        words += ["--system", _SYSTEM]
    typed = [question.typed(next(iter(question.answers))) for question in questions]
    line = " ".join([shell_line(words), *typed, *(["--yes"] if beside else [])])
    hint = f"Type, with the first answer of each: {line}. {into / RECIPE} keeps the answer: commit "
    hint += "that file, and the next comparison asks nothing."
    last = Problem("medassay compare", "run in a terminal where columns are unclear", "none", hint)
    raise InvalidInput([*(question.problem() for question in questions), last])
