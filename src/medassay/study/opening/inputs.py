"""Which files a study is read from, and what they hold, as hashes."""

from pathlib import Path

from medassay.errors import InvalidInput, Problem
from medassay.study.certificates.read import certificate_files
from medassay.study.config.own_files import outside_problem
from medassay.study.config.own_rules import own_rules
from medassay.study.config.study_toml import StudyConfig
from medassay.study.files.names import (
    ANSWERS,
    SCORES,
    STUDY_FILE,
    TABLES,
    file_hash,
    table_file,
    tables_of,
    unreadable,
)
from medassay.study.files.placed import FETCHED

__all__ = ["earlier_report", "input_hashes"]

_EARLIER = "earlier run"
"""What its hash is called among the inputs, wherever it lies."""


def earlier_report(folder: Path, config: StudyConfig) -> Path | None:
    """Give the report.json of the earlier run that stands beside this one; None where none does.

    Raises:
        InvalidInput: It is not there, or study.toml names one outside of the study.
    """
    where = f"{STUDY_FILE}, [report] against" if config.earlier is None else "--against"
    if config.earlier is None and config.report.against is None:
        return None
    if config.earlier is None and config.report.against is not None:
        outside = outside_problem(folder, config.report.against, "report.against")
        if outside is not None:
            raise InvalidInput(outside)
    named = config.earlier or folder / (config.report.against or "")
    path = named / "report.json" if named.is_dir() else named
    if not path.is_file():
        must = "be the report.json of an earlier run, or the folder that holds it"
        runs = sorted(run.parent.name for run in (folder / "results").glob("*/report.json"))
        hint = f"Runs of this study: {', '.join(f'results/{run}' for run in runs)}." if runs else ""
        raise InvalidInput(
            Problem(where, must, f'"{config.earlier or config.report.against}"', hint)
        )
    return path


def input_hashes(folder: Path, config: StudyConfig) -> dict[str, str]:
    """Give the SHA-256 of every file that a study is read from, by its place in the folder.

    What was fetched from a URL has the place that it would have in the study: the same files give
    the same run, wherever they lie.

    Raises:
        InvalidInput: Several files hold one table, one that is there cannot be read, or the
            earlier run is not there.
    """
    problems = unreadable(folder)
    if problems:
        raise InvalidInput(problems)
    paths = [folder / STUDY_FILE]
    paths += [path for stem in TABLES if (path := table_file(folder, stem)) is not None]
    paths += tables_of(folder, ANSWERS)
    for table in tables_of(folder, SCORES):
        paths += [table, table.with_suffix(".toml")]
    paths += [folder / file for file in config.own_files]
    paths += [folder / file for file in own_rules(config).values()]
    paths += [folder / judge.prompt for judge in config.judges.values()]
    paths += certificate_files(folder)
    fetched = folder / FETCHED
    earlier = earlier_report(folder, config)
    beside = {} if earlier is None else {_EARLIER: file_hash(earlier)}
    return beside | {
        path.relative_to(fetched if path.is_relative_to(fetched) else folder).as_posix(): file_hash(
            path
        )
        for path in paths
        if path.is_file()
    }
