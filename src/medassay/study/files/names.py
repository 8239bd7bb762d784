"""Which file of a study holds what, and how much of it may be told where opening fails."""

import errno
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, get_args

from medassay.annotations import Texts
from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements import OWN_WORDS
from medassay.judgements.campaign import FOLDER as CAMPAIGNS
from medassay.study.files.placed import home_of
from medassay.study.files.urls import URLS_FILE
from medassay.tables import (
    FORMS,
    Sheet,
    file_problem,
    folder_problem,
    is_there,
    parse_toml,
    read_sheet,
    with_points,
)

STUDY_FILE: Final = "study.toml"
RELEVANCE: Final = "relevance"
RATERS_NAMED: Final = "raters-named.csv"
"""What the last run found of each person, by name: for the lead alone, and never read."""
RATERS_KEY: Final = "raters-key.csv"
"""Which pseudonym is whose: for the lead alone, and never read."""
ASKED: Final = "asked"
"""Which system was asked which case; absent where every system was asked every case."""
TABLES: Final = ("cases", ASKED, "documents", "judgements", "preferences", "raters", RELEVANCE)
ANSWERS: Final = "answers"
SCORES: Final = "scores"
CALLS: Final = "calls"
"""What endpoints replied, a file for each system or judge."""
CHANCES: Final = "chances.csv"
CERTIFICATES: Final = "certificates"
_HELD_ELSEWHERE: Final = frozenset({
    ".ods", ".xls", ".xlsb", ".xlsm", ".numbers", ".parquet", ".feather", ".rds", ".sav", ".dta",
    ".json", ".gz", ".bz2", ".xz", ".zst", ".zip", ".7z", ".tar", ".tgz",
}) - set(FORMS)  # fmt: skip
"""Endings of tables that are not read, and of archives that hold one."""
_HOLDS: Final[Mapping[str, Sequence[str]]] = {
    ANSWERS: FORMS,
    SCORES: (*FORMS, ".toml"),
    CERTIFICATES: (".json",),
    f"{CAMPAIGNS}/*": (".toml", ".csv", ".txt"),
}
"""The folders of a study, and how the files end that are read from them."""
_THE_LEADS: Final = frozenset({"key.csv", "secret.txt"})
"""What tells the systems behind a campaign's codes; only its owner may read it."""


def unreadable(folder: Path) -> list[Problem]:
    """Name all that bears a name which a study knows and cannot be read.

    A link to nothing, a folder in a file's place, a file in a folder's, a pipe, a file without the
    right to read it: left out in silence, each would make a study of fewer judgements.

    Raises:
        InvalidInput: The study's folder itself cannot be listed.
    """
    whole = folder_problem(folder, str(folder))
    if whole is not None:
        raise InvalidInput(whole)
    tables = (f"{stem}{form}" for stem in TABLES for form in FORMS)
    files = [path for name in (STUDY_FILE, URLS_FILE, *tables) if is_there(path := folder / name)]
    problems: list[Problem] = []
    own = [path for path in sorted(folder.iterdir()) if _stem(path).lower() in TABLES]
    lost = _in_other_forms(folder, own)
    for pattern, endings in _HOLDS.items():
        for inner in _folders(folder, pattern, problems):
            there = sorted(inner.iterdir())
            files += [path for path in there if _ends(path, endings) and not _is_leads(path)]
            lost += _in_other_forms(folder, there) if pattern in {ANSWERS, SCORES} else []
    file_problems = (file_problem(path, path.relative_to(folder).as_posix()) for path in files)
    return [*filter(None, file_problems), *problems, *lost]


def _is_leads(path: Path) -> bool:
    """Say whether a file is the lead's own: others of a team open the study without it."""
    return path.name in _THE_LEADS and path.is_file()


def _in_other_forms(study: Path, paths: Sequence[Path]) -> list[Problem]:
    """Name tables in a form that is not read: packed judgements would be none.

    Where a table of the name is read, another form of it is a copy, and nobody's.
    """
    must = f"be a table that a study reads ({', '.join(FORMS)})"
    hint = "Unpack it, or save it as .xlsx or .csv; or move it out of the study."
    read = {_stem(path) for path in paths if _ends(path, FORMS)}
    return [
        Problem(path.relative_to(study).as_posix(), must, f'"{path.suffix}"', hint)
        for path in paths
        if _ends(path, _HELD_ELSEWHERE) and _stem(path) not in read
    ]


def _stem(path: Path) -> str:
    """Give the name without what says its form: that of `gpt-4.1.csv.gz` is `gpt-4.1`."""
    while path.suffix.lower() in _HELD_ELSEWHERE.union(FORMS):
        path = path.with_suffix("")
    return path.name


def _ends(path: Path, endings: Collection[str]) -> bool:
    return path.suffix.lower() in endings and not path.name.startswith(".")


def _folders(folder: Path, pattern: str, problems: list[Problem]) -> Iterator[Path]:
    """Give the folders of a pattern that are there; what stands in the place of one is named."""
    outer, _, inner = pattern.partition("/")
    path = folder / outer
    if not is_there(path):
        return
    problem = folder_problem(path, outer)
    if problem is not None:
        problems.append(problem)
    elif not inner:
        yield path
    else:
        for file in sorted(path.iterdir()):
            lost = folder_problem(file, f"{outer}/{file.name}")
            # A file beside the folders is nobody's; a link to nothing was a folder.
            if lost is None:
                yield file
            elif not file.is_file() and not file.name.startswith("."):
                problems.append(lost)


def table_file(folder: Path, stem: str) -> Path | None:
    """Find the one file that holds a table, whatever its form, in the study or fetched for it.

    Raises:
        InvalidInput: There are several; or it lies at a URL and has not been fetched.
    """
    home = home_of(folder, stem)
    paths = [path for form in FORMS if is_there(path := home / f"{stem}{form}")]
    if len(paths) > 1:
        names = " and ".join(path.name for path in paths)
        hint = "Keep the one that holds your data."
        raise InvalidInput(Problem(stem, "be one file", names, hint))
    return paths[0] if paths else None


def read_table(folder: Path, stem: str) -> Sheet | None:
    """Read the one file that holds a table, if there is one.

    Raises:
        InvalidInput: There are several, or the file cannot be read.
    """
    path = table_file(folder, stem)
    return None if path is None else without_padding(read_sheet(path))


def without_padding(sheet: Sheet) -> Sheet:
    """Drop the blanks around everything but what raters wrote in words; read decimal commas."""
    return with_points(sheet.trimmed([name for name in sheet.columns if name not in OWN_WORDS]))


def tables_in(folder: Path) -> list[Path]:
    """List the tables in a folder by name; hidden files are none.

    Raises:
        InvalidInput: It is there and cannot be listed.
    """
    if not is_there(folder):
        return []
    problem = folder_problem(folder, folder.name)
    if problem is not None:
        raise InvalidInput(problem)
    return [path for path in sorted(folder.iterdir()) if _ends(path, FORMS)]


def tables_of(folder: Path, part: str) -> list[Path]:
    """List the tables of a study's answers or scores, in the study or fetched for it.

    Raises:
        InvalidInput: They are there and cannot be listed; or lie at URLs and have not been fetched.
    """
    return tables_in(home_of(folder, part) / part)


def file_hash(path: Path) -> str:
    """Give the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def misnamed(folder: Path) -> list[Problem]:
    """Name files and folders whose names come so near to ours that a slip is likely."""
    ours = {name: name for name in (ANSWERS, SCORES)}
    ours |= {f"{stem}{form}": stem for stem in TABLES for form in FORMS}
    problems = []
    for path in sorted(folder.iterdir()):
        known = [name for name in ours if (name in {ANSWERS, SCORES}) == path.is_dir()]
        if path.name in {*ours, RATERS_KEY, RATERS_NAMED} or (
            path.is_file() and path.suffix.lower() not in FORMS
        ):
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
    problems = []
    hint = "It was not read."
    for inner, forms in ((ANSWERS, FORMS), (SCORES, (*FORMS, ".toml"))):
        place = home_of(folder, inner) / inner
        paths = sorted(place.iterdir()) if place.is_dir() else []
        for path in paths:
            shown = f"{inner}/{path.name}"
            if path.name.startswith("."):
                continue
            if path.suffix.lower() not in forms:
                must, got = f"end in one of {', '.join(forms)}", f'"{path.suffix}"'
                problems.append(Problem(shown, must, got, hint))
            elif path.suffix == ".toml" and not any(
                path.with_suffix(form).is_file() for form in FORMS
            ):
                must = "have a table of its name beside it"
                problems.append(Problem(shown, must, "none", hint))
    return problems


_LEVELS: Final[tuple[Texts, ...]] = get_args(Texts)


def texts_of(folder: Path) -> Texts:
    """Give the setting of a study; where it cannot be read, the strictest one.

    A folder that is no study keeps nothing: nobody said so.
    """
    path = folder / STUDY_FILE
    try:
        if not path.is_file():
            return "full"
        settings = parse_toml(path.read_text(encoding="utf-8"))
        privacy = settings.get("privacy", {})
        level_set = privacy.get("texts", "full") if isinstance(privacy, dict) else None
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        # What no folder can be called, such as a long text among the arguments, is none either.
        too_long = isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG
        return "full" if too_long else "none"
    return next((level for level in _LEVELS if level == level_set), "none")


def keeps_words(arguments: Iterable[str]) -> bool:
    """Say whether a command names a study that keeps its texts, or is told to keep them."""
    words = list(arguments)
    if any(word in words for word in ("ids", "none", "--texts=ids", "--texts=none")):
        return True
    places = [*words, *(word.rpartition(":")[0] for word in words)]
    places += [word.partition("=")[2] for word in words]
    return any(texts_of(Path(place)) != "full" for place in places if place)
