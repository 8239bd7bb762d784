"""A study's own files of rules, in the place of those that ship."""

from pathlib import Path
from typing import Final

from medassay.error_analysis import ConditionGroups, condition_groups, read_condition_groups
from medassay.errors import InvalidInput, Problem
from medassay.metrics import check_rules
from medassay.study.config import StudyConfig
from medassay.study.files import STUDY_FILE
from medassay.study.own_files import outside_problem
from medassay.tables import file_bytes, is_there

__all__ = ["groups_of", "own_rules", "rule_folders", "rule_problems"]

_KEYS: Final = {
    "reasoning": "reasoning.steps",
    "danger": "safety.rules",
    "conditions": "conditions.groups",
}


def own_rules(config: StudyConfig) -> dict[str, str]:
    """Give what the study's own rules are about, and their files."""
    named = {
        "reasoning": config.reasoning.steps,
        "danger": config.safety.rules,
        "conditions": config.conditions.groups,
    }
    return {about: file for about, file in named.items() if file is not None}


def rule_folders(config: StudyConfig) -> dict[str, str]:
    """Give the files under the names by which metrics ask for them."""
    return {f"rules/{about}": file for about, file in own_rules(config).items()}


def groups_of(folder: Path, config: StudyConfig) -> ConditionGroups:
    """Give the study's own groups of similar conditions, else those that ship."""
    file = config.conditions.groups
    if file is None:
        return condition_groups()
    return read_condition_groups(file_bytes(folder / file, file), file)


def rule_problems(folder: Path, config: StudyConfig) -> list[Problem]:
    """Say what is wrong with the study's own rules: no such file in it, or the file's faults."""
    problems: list[Problem] = []
    for about, file in own_rules(config).items():
        outside = outside_problem(folder, file, _KEYS[about])
        if outside is not None:
            problems.append(outside)
            continue
        if not is_there(folder / file):
            must = "name a file that exists"
            problems.append(Problem(STUDY_FILE, must, f'"{file}"', "", None, _KEYS[about]))
            continue
        try:
            content = file_bytes(folder / file, file)
            if about == "conditions":
                read_condition_groups(content, file)
            else:
                check_rules(about, content, file)
        except InvalidInput as error:
            problems += error.problems
    return problems
