"""Which file of a study's folder holds what; and which files hold nothing that is read."""

from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.tables import FORMS, Sheet, read_sheet, with_points

__all__ = [
    "ANSWERS",
    "FORMS",
    "RELEVANCE",
    "SCORES",
    "STUDY_FILE",
    "TABLES",
    "misnamed",
    "read_table",
    "table_file",
    "tables_in",
    "unread",
    "without_padding",
]

STUDY_FILE: Final = "study.toml"
RELEVANCE: Final = "relevance"
TABLES: Final = ("cases", "documents", "judgements", "preferences", "raters", RELEVANCE)
ANSWERS: Final = "answers"
SCORES: Final = "scores"


def table_file(folder: Path, stem: str) -> Path | None:
    """Find the one file that holds a table, whatever its form.

    Raises:
        InvalidInput: There are several.
    """
    found = [path for form in FORMS if (path := folder / f"{stem}{form}").is_file()]
    if len(found) > 1:
        names = " and ".join(path.name for path in found)
        hint = "Keep the one that holds your data."
        raise InvalidInput(Problem(stem, "be one file", names, hint))
    return found[0] if found else None


def read_table(folder: Path, stem: str) -> Sheet | None:
    """Read the one file that holds a table, if there is one.

    Raises:
        InvalidInput: There are several, or the file cannot be read.
    """
    path = table_file(folder, stem)
    return None if path is None else without_padding(read_sheet(path))


def without_padding(sheet: Sheet) -> Sheet:
    """Drop the blanks around everything but what raters wrote in words; read decimal commas."""
    return with_points(sheet.trimmed([name for name in sheet.columns if name != "comment"]))


def tables_in(folder: Path) -> list[Path]:
    """List the tables in a folder by name; hidden files are none."""
    if not folder.is_dir():
        return []
    return [
        path
        for path in sorted(folder.iterdir())
        if path.suffix.lower() in FORMS and not path.name.startswith(".")
    ]


def misnamed(folder: Path) -> list[Problem]:
    """Name files and folders whose names come so near to ours that a slip is likely."""
    ours = {name: name for name in (ANSWERS, SCORES)}
    ours |= {f"{stem}{form}": stem for stem in TABLES for form in FORMS}
    problems = []
    for path in sorted(folder.iterdir()):
        known = [name for name in ours if (name in {ANSWERS, SCORES}) == path.is_dir()]
        if path.name in known or (path.is_file() and path.suffix.lower() not in FORMS):
            continue
        if path.is_file() and path.stem.lower() in {ANSWERS, SCORES}:
            must = f"be in the folder {path.stem.lower()}"
            problems.append(Problem(path.name, must, "a file outside it"))
            continue
        stems = {ours[name]: ours[name] for name in known}
        hint = nearest(path.stem, stems)
        if hint:
            must = "have a name that a study knows"
            problems.append(Problem(path.name, must, f'"{path.name}"', hint))
    return problems


def unread(folder: Path) -> list[Problem]:
    """Say which files beside the answers and scores are not read."""
    said = []
    hint = "It was not read."
    for inner, forms in ((ANSWERS, FORMS), (SCORES, (*FORMS, ".toml"))):
        paths = sorted((folder / inner).iterdir()) if (folder / inner).is_dir() else []
        for path in paths:
            shown = f"{inner}/{path.name}"
            if path.name.startswith("."):
                continue
            if path.suffix.lower() not in forms:
                must, got = f"end in one of {', '.join(forms)}", f'"{path.suffix}"'
                said.append(Problem(shown, must, got, hint))
            elif path.suffix == ".toml" and not any(
                path.with_suffix(form).is_file() for form in FORMS
            ):
                must = "have a table of its name beside it"
                said.append(Problem(shown, must, "none", hint))
    return said
