"""The heavy things, loaded on first use and named: encoders, NLI models, concept extractors.

What enters: the name of a model and texts. What leaves: numbers (token states, probabilities,
concepts), the hash of the weights that made them, or `MissingBackend` with the line that installs
what is missing. Nothing is downloaded unless `ModelSetup.download` says so, and nothing here knows
cases, answers or scores.

`use_models(ModelSetup(...))` says where models are, whether any may be fetched, and where results
are kept; `find_model` finds weights; `result_cache` keeps what a model computed, under the hash of
its weights, its parameters and the text.
"""

from medassay.models.cache import ResultCache, forget_revealing, result_cache
from medassay.models.files import file_digest, model_digest
from medassay.models.find import FoundModel, find_model
from medassay.models.install import (
    ModelSetup,
    install_line,
    installed_versions,
    model_setup,
    need_installed,
    need_package,
    python_version,
    use_models,
)

__all__ = [
    "FoundModel",
    "ModelSetup",
    "ResultCache",
    "file_digest",
    "find_model",
    "forget_revealing",
    "install_line",
    "installed_versions",
    "model_digest",
    "model_setup",
    "need_installed",
    "need_package",
    "python_version",
    "result_cache",
    "use_models",
]
