"""The sentence splitter that AlignScore was published with."""

from typing import Any

from medassay.errors import MissingBackend
from medassay.models.install import need_package
from medassay.models.setup import model_setup

__all__ = ["punkt_sentences", "punkt_version"]

_PURPOSE = "splitting sentences as AlignScore does"
_INSTALL = 'pip install nltk, then python -m nltk.downloader punkt_tab; or say "sentences=rule"'


def punkt_version() -> str:
    """Give nltk's version, with the English model of Punkt at hand.

    Raises:
        MissingBackend: nltk or the model is not on this machine.
    """
    if callable(model_setup().given.get("punkt")):
        return "given"
    nltk: Any = need_package("nltk", _PURPOSE)
    try:
        nltk.data.find("tokenizers/punkt_tab/english/")
    except LookupError as error:
        raise MissingBackend("nltk's punkt_tab", _PURPOSE, _INSTALL) from error
    return str(nltk.__version__)


def punkt_sentences(text: str) -> list[str]:
    """Split a text with nltk's Punkt and its English model; nothing is fetched.

    A function handed in as `ModelSetup(given={"punkt": ...})` takes its place.

    Raises:
        MissingBackend: nltk or the model is not on this machine.
    """
    given = model_setup().given.get("punkt")
    if callable(given):
        pieces: list[str] = list(given(text))
        return pieces
    punkt_version()
    nltk: Any = need_package("nltk", _PURPOSE)
    sentences: list[str] = nltk.tokenize.sent_tokenize(text)
    return sentences
