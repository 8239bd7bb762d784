"""From the word that names a judge to the judge."""

from collections.abc import Mapping
from typing import Final, cast

from medassay.errors import InvalidInput, Problem
from medassay.models.nli.finding import Judge
from medassay.models.nli.rules import RuleJudge
from medassay.models.setup import model_setup

__all__ = ["RULES", "find_judge", "judge_facts"]

RULES: Final = "rules"


def find_judge(name: str, labels: str = "config") -> Judge:
    """Find a judge: `rules`, one handed in by the caller, or an NLI model by folder or hub id.

    Args:
        name: `rules`, a name of `ModelSetup.given`, or a model's name for `find_model`.
        labels: For a model, what its classes mean; see `read_labels`.

    Raises:
        MissingBackend: The model, or a package that it needs, is not on this machine.
        InvalidInput: What was handed in under the name is no judge, or the labels do not fit.

    Example:
        >>> find_judge("rules").name
        'rules'
    """
    given = model_setup().given.get(name)
    if given is not None:
        if not callable(getattr(given, "judge", None)):
            must = "have the methods of medassay.models.nli.Judge"
            raise InvalidInput(Problem(f"model {name}", must, type(given).__name__))
        return cast("Judge", given)
    if name == RULES:
        return RuleJudge()
    from medassay.models.nli.model_judge import ModelJudge

    return ModelJudge.find(name, labels)


def judge_facts(name: str, labels: str = "config") -> Mapping[str, str]:
    """Give what a judge's verdicts depend on, for the signature, without loading a model."""
    return find_judge(name, labels).settings
