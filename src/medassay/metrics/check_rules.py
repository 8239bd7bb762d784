"""Check a file of rules before anything is scored by it."""

from medassay.metrics.danger.rules import DangerRules
from medassay.metrics.reasoning.rules import ReasoningRules
from medassay.tables import read_toml

__all__ = ["check_rules"]


def check_rules(about: str, content: bytes, file: str) -> None:
    """Read rules and forget them.

    Args:
        about: `reasoning` or `danger`.
        content: The file's bytes.
        file: The file, for messages.

    Raises:
        InvalidInput: Every fault of the file.
    """
    read_toml(DangerRules if about == "danger" else ReasoningRules, content, file)
