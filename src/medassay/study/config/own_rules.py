"""A study's own files of rules, in the place of those that ship, and the setup of its metrics."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from medassay.cases import Case
from medassay.error_analysis import ConditionGroups, condition_groups, read_condition_groups
from medassay.errors import InvalidInput, Problem
from medassay.metrics import check_rules
from medassay.metrics.run import reference_corpora
from medassay.models import ModelSetup
from medassay.study.config.own_files import outside_problem
from medassay.study.config.study_toml import StudyConfig
from medassay.study.files.names import STUDY_FILE
from medassay.tables import file_bytes, is_there

__all__ = ["groups_of", "model_setup_of", "own_rules", "rule_folders", "rule_problems"]


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


def model_setup_of(folder: Path, config: StudyConfig, cases: Iterable[Case]) -> ModelSetup:
    """Give the setup of a study that need not be open; the cases are gone through if asked for."""
    return ModelSetup(
        folders={**config.models.folders, **rule_folders(config)},
        base=folder,
        device=config.models.device,
        download=config.models.download,
        keep_in=folder / "results" / "kept" / "models",
        corpora=reference_corpora(cases),
        keep_texts=config.privacy.texts == "full",
    )
