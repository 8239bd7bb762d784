"""An earlier run, as it stands beside this one."""

from medassay.annotations import SystemName, Words
from medassay.annotations.record import Plain

__all__ = ["EarlierChange", "EarlierRun", "EarlierValue"]


class EarlierValue(Plain, infers=False):
    """What one measure of a system was."""

    system: SystemName
    measure: Words
    value: float
    text: Words
    """As it was printed."""


class EarlierChange(Plain, infers=False):
    """How many questions of both runs a system has right in one of them alone."""

    system: SystemName
    questions: int
    became_right: int
    became_wrong: int


class EarlierRun(Plain, infers=False):
    """The run that study.toml or `--against` names."""

    name: Words
    values: list[EarlierValue]
    changes: list[EarlierChange]
    """Empty where either run keeps its case ids to itself."""
