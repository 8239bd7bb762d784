"""Rules in files that whoever runs a study can read, change and replace."""

import hashlib
from importlib.resources import files
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.models import model_setup

RULE_FILES: Final = {
    "reasoning": "data/reasoning/steps.toml",
    "danger": "data/danger/rules.toml",
}
"""What rules are about, to the file that ships with medassay."""


def rule_bytes(name: str) -> tuple[bytes, str]:
    """Give the rules in force and what to call their file: the study's own, or those that ship.

    Args:
        name: A key of `RULE_FILES`. A study's own file stands in `ModelSetup.folders` under
            `rules/` and that name.

    Raises:
        InvalidInput: The study names a file that is not there.
    """
    setup = model_setup()
    own = setup.folders.get(f"rules/{name}")
    if own is None:
        return (files("medassay") / RULE_FILES[name]).read_bytes(), RULE_FILES[name]
    path = setup.base / own
    if not path.is_file():
        raise InvalidInput(Problem(own, "be a file of rules", "nothing there"))
    return path.read_bytes(), own


def rule_facts(name: str) -> dict[str, str]:
    """Give the hash of the rules in force, for a metric's signature."""
    return {f"{name} rules": hashlib.sha256(rule_bytes(name)[0]).hexdigest()[:12]}
