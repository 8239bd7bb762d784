"""Texts that go to raters lie apart from reports, which go to everybody."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER
from medassay.study.config.study_toml import TextLevel, read_config
from medassay.study.files.names import RATERS_KEY, RATERS_NAMED, STUDY_FILE
from medassay.study.folder import Study

TASK_FILES: Final = (
    ("config.yaml", "items.jsonl"),
    ("labelling.xml", "tasks.json"),
    ("data_dictionary.csv", "records.csv"),
)
"""What stands in a folder that was written for an annotation tool, or for REDCap."""
_RESULTS: Final = "results"
_TOP: Final = 1_000_000
_PARTS: Final = frozenset({"tables", "figures", "latex", "paper"})
"""The folders of a report."""
# What `medassay report --into` writes where only one form is asked for, tables apart.
_REPORTS: Final = (
    "report.html", "report.json", "report.md", "report.xlsx", "latex/main.tex",
)  # fmt: skip


def refuse_where_reports_go(study: Path, folders: Iterable[Path], option: str) -> None:
    """Refuse to write texts into folders that are passed on with a report.

    Args:
        study: The study's folder.
        folders: Where texts would be written.
        option: What the user gave, for the message.

    Raises:
        InvalidInput: A folder lies in the study's results, or in a folder that holds a report.
    """
    results = (study / _RESULTS).resolve()
    must = "be outside of folders with reports, which [privacy] keeps such texts out of"
    for folder in dict.fromkeys(folders):
        for around in _with_parents(folder):
            if around == results:
                got = f"{folder}, which is in the study's results"
            elif around.name == _RESULTS and (around.parent / STUDY_FILE).exists():
                got = f"{folder}, which is in the results of the study {around.parent.name}"
            elif (report := _report_in(around, results)) is not None:
                got = f"{folder}, and the report {around / report}"
            else:
                continue
            raise InvalidInput(Problem(option, must, got, "Give another folder."))


def refuse_among_sheets(study: Path, into: Path) -> None:
    """Refuse to write a report where keys and sheets lie, or where texts went that it may not have.

    Raises:
        InvalidInput: The folder lies in the study's campaigns, or is where the key to raters'
            pseudonyms lies; or the study's texts are private, and the folder lies in one that was
            written for an annotation tool, or holds anything but a report.
    """
    campaigns = (study / FOLDER).resolve()
    private = not read_config(study).privacy.allows("full")
    hint = "Give another folder."
    if any((into / name).exists() for name in (RATERS_KEY, RATERS_NAMED)):
        must = f"lie apart from {RATERS_KEY}, which says who the raters are"
        raise InvalidInput(Problem("--into", must, str(into), hint))
    for around in _with_parents(into):
        if around == campaigns:
            must = "lie outside of the study's campaigns, where keys and sheets are"
            raise InvalidInput(Problem("--into", must, str(into), hint))
        task = next(
            (some for some in TASK_FILES if all((around / name).exists() for name in some)), None
        )
        if private and task is not None:
            must = "lie apart from tasks for raters, which may hold texts that no report may"
            raise InvalidInput(Problem("--into", must, f"{into}, with {around / task[0]}", hint))
    if private:
        _refuse_beside_others(into, study / _RESULTS)


def _refuse_beside_others(into: Path, results: Path) -> None:
    """Refuse a folder that holds anything but a report: it is passed on as a whole.

    What of it may hold texts nobody can tell, a submission or a study not less than a sheet.
    """
    there = sorted(path.name for path in into.iterdir()) if into.is_dir() else []
    own = _PARTS if _report_in(into, results.resolve()) else frozenset()
    own |= {name for name in _REPORTS if _is_ours(into / name)}
    others = [name for name in there if name not in own]
    if others:
        must = "be a folder for the report alone, since the study hides its texts"
        hint = "Give a new folder."
        raise InvalidInput(Problem("--into", must, f"{into}, with {others[0]}", hint))


def describe_texts(study: Study, texts: TextLevel, where: str, what: str = "sheets") -> list[str]:
    """Say how much text went to raters, where that is more or less than an organiser might think.

    Args:
        study: The study.
        texts: How much text was written: full, ids or none.
        where: Where to.
        what: What holds it.
    """
    privacy = study.config.privacy
    if not privacy.allows(texts):
        held = "texts" if texts == "full" else "ids of cases"
        whereof = f'which [privacy] texts = "{privacy.texts}" keeps out of reports'
        whom = "Give them to raters who may read them, and to nobody else."
        return [f"--texts {texts}: the {what} in {where} have {held}, {whereof}. {whom}"]
    if texts == "full":
        return []
    why = f'[privacy] texts = "{texts}"' if texts == privacy.texts else f"--texts {texts}"
    return [f"{why}: the {what} have no texts. For raters who may read them, add --texts full."]


def _with_parents(folder: Path) -> Iterator[Path]:
    """Give a folder and all that it lies in, as they really are: a link leads where it leads."""
    real = folder.resolve()
    yield real
    yield from real.parents


def _report_in(folder: Path, results: Path) -> str | None:
    """Find a file of a report: its page, or tables that are mostly called as those of a run."""
    written = sorted(path.name for path in (folder / "tables").glob("*.csv"))
    known = {path.name for path in results.glob("*/tables/*.csv")} if written else set()
    if 2 * len(known.intersection(written)) > len(written):
        return f"tables/{written[0]}"
    return next((name for name in _REPORTS if _is_ours(folder / name)), None)


def _is_ours(path: Path) -> bool:
    """Say whether a file of that name is a report of ours: each names the program near its top."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            start = file.read(_TOP)
        if start.startswith(b"PK"):
            with ZipFile(path) as book, book.open("xl/sharedStrings.xml") as strings:
                start = strings.read(_TOP)
    except (OSError, BadZipFile, KeyError):
        return False
    return b"medassay" in start.lower()
