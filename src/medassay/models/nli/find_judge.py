"""From the word that names a judge to the judge."""

from collections.abc import Mapping
from typing import Final, cast

from medassay.errors import InvalidInput, MissingBackend, Problem
from medassay.models.find import named_path
from medassay.models.install import installs_first
from medassay.models.nli.finding import Judge
from medassay.models.setup import model_setup

__all__ = ["NLI", "find_judge", "judge_facts"]

NLI: Final = "nli"
"""The word under which a study names its entailment model; it is no model of any hub."""
_NAME_ONE: Final = (
    'name the folder of one in study.toml, [models.folders] nli = "FOLDER"; docs/support.md says'
    " which fit"
)


def find_judge(name: str, labels: str = "config") -> Judge:
    """Find a judge: one handed in by the caller, or an NLI model by folder or hub id.

    Args:
        name: `nli`, the model that the study names so, a name of `ModelSetup.given`, or a model's
            name for `find_model`.
        labels: For a model, what its classes mean; see `read_labels`.

    Raises:
        MissingBackend: The model, or a package that it needs, is not on this machine.
        InvalidInput: What was handed in under the name is no judge, or the labels do not fit.
    """
    handed_in = model_setup().given.get(name)
    if handed_in is not None:
        if not callable(getattr(handed_in, "judge", None)):
            must = "have the methods of medassay.models.nli.Judge"
            raise InvalidInput(Problem(f"model {name}", must, type(handed_in).__name__))
        return cast("Judge", handed_in)
    if name == NLI and named_path(NLI) is None:
        need = "an entailment (NLI) model"
        raise MissingBackend(need, "judging statements", installs_first("tokenizers", _NAME_ONE))
    from medassay.models.nli.model_judge import ModelJudge

    return ModelJudge.find(name, labels)


def judge_facts(name: str, labels: str = "config") -> Mapping[str, str]:
    """Give what a judge's verdicts depend on, for the signature, without loading a model."""
    return find_judge(name, labels).settings
