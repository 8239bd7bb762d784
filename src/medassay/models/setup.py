"""Where models are, whether any may be fetched, and where their results are kept."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from medassay.errors import Problem

__all__ = ["ModelSetup", "model_setup", "use_models"]


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
