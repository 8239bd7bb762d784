"""A study's own files of rules, in the place of those that ship."""

from pathlib import Path, PurePosixPath
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.metrics import check_rules
from medassay.study.config import StudyConfig
from medassay.study.files import STUDY_FILE
from medassay.tables import file_bytes

__all__ = ["own_rules", "rule_folders", "rule_problems"]

_KEYS: Final = {"reasoning": "reasoning.steps", "danger": "safety.rules"}


def own_rules(config: StudyConfig) -> dict[str, str]:
    """Give what the study's own rules are about, and their files."""
    named = {"reasoning": config.reasoning.steps, "danger": config.safety.rules}
    return {about: file for about, file in named.items() if file is not None}


def rule_folders(config: StudyConfig) -> dict[str, str]:
    """Give the files under the names by which metrics ask for them."""
    return {f"rules/{about}": file for about, file in own_rules(config).items()}


def rule_problems(folder: Path, config: StudyConfig) -> list[Problem]:
    """Say what is wrong with the study's own rules: no such file in it, or the file's faults."""
    problems: list[Problem] = []
    for about, file in own_rules(config).items():
        inside = PurePosixPath(file)
        if inside.is_absolute() or ".." in inside.parts:
            hint = "Copy it beside study.toml, so that the study is whole by itself."
            must = "name a file of the study"
            problems.append(Problem(STUDY_FILE, must, f'"{file}"', hint, None, _KEYS[about]))
            continue
        if not (folder / file).is_file():
            must = "name a file that exists"
            problems.append(Problem(STUDY_FILE, must, f'"{file}"', "", None, _KEYS[about]))
            continue
        try:
            check_rules(about, file_bytes(folder / file, file), file)
        except InvalidInput as error:
            problems += error.problems
    return problems
