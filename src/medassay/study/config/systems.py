"""The systems that study.toml names: their settings are those of their kind."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from medassay.errors import InvalidInput, Problem, nearest
from medassay.study.config.own_files import outside_problem
from medassay.study.files.names import STUDY_FILE
from medassay.systems.kinds import KINDS
from medassay.systems.opening import SystemSettings
from medassay.tables import read_record

__all__ = ["refuse_outside", "refuse_settings", "settings_of"]

_ALWAYS = ("title", "family", "kind")


def refuse_settings(named: Mapping[str, tuple[str | None, Mapping[str, Any]]]) -> None:
    """Refuse settings that a kind does not have, and values that it cannot take.

    Args:
        named: System to its kind, None where it is not asked, and its settings.

    Raises:
        InvalidInput: Each is named.
    """
    problems: list[Problem] = []
    for name, (kind, settings) in named.items():
        if kind is None:
            known = ", ".join(_ALWAYS)
            problems += [
                Problem(STUDY_FILE, f"be one of {known}", f'"{key}"',
                        nearest(key, _ALWAYS), None, f"systems.{name}.{key}")
                for key in settings
            ]  # fmt: skip
        else:
            read_settings(name, kind, settings, problems)
    if problems:
        raise InvalidInput(problems)


def read_settings(
    name: str, kind: str, settings: Mapping[str, Any], problems: list[Problem]
) -> SystemSettings | None:
    """Read the settings of one system; what is wrong with them is added to the problems."""
    where = f"systems.{name}"
    if kind not in KINDS:
        must = f"be one of {', '.join(KINDS)}"
        hint = nearest(kind, KINDS)
        problems.append(Problem(STUDY_FILE, must, f'"{kind}"', hint, None, f"{where}.kind"))
        return None
    wrong: list[Problem] = []
    read = read_record(KINDS[kind], settings, file=STUDY_FILE, row=None, problems=wrong)
    problems += [
        replace(problem, column=f"{where}.{problem.column}".rstrip(".")) for problem in wrong
    ]
    return read


def settings_of(name: str, kind: str, settings: Mapping[str, Any]) -> SystemSettings:
    """Give the settings of one system.

    Raises:
        InvalidInput: They are not those of its kind.
    """
    problems: list[Problem] = []
    read = read_settings(name, kind, settings, problems)
    if read is None:
        raise InvalidInput(problems)
    return read


def refuse_outside(folder: Path, name: str, settings: SystemSettings) -> None:
    """Refuse files that lie elsewhere than in the study.

    Raises:
        InvalidInput: Each is named.
    """
    named = {key: getattr(settings, key) for key in settings.files}
    problems = [
        outside_problem(folder, file, f"systems.{name}.{key}")
        for key, file in named.items()
        if file
    ]
    wrong = [problem for problem in problems if problem is not None]
    if wrong:
        raise InvalidInput(wrong)
