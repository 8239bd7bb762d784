"""The sentence splitter that AlignScore was published with."""

from typing import Any

from medassay.errors import MissingBackend
from medassay.models.install import need_package

__all__ = ["punkt_sentences", "punkt_version"]

_PURPOSE = "splitting sentences as AlignScore does"
_INSTALL = 'pip install nltk, then python -m nltk.downloader punkt_tab; or say "sentences=rule"'


def punkt_version() -> str:
    """Give nltk's version, with the English model of Punkt at hand.

    Raises:
        MissingBackend: nltk or the model is not on this machine.
    """
    nltk: Any = need_package("nltk", _PURPOSE)
    try:
        nltk.data.find("tokenizers/punkt_tab/english/")
    except LookupError as error:
        raise MissingBackend("nltk's punkt_tab", _PURPOSE, _INSTALL) from error
    return str(nltk.__version__)


def punkt_sentences(text: str) -> list[str]:
    """Split a text with nltk's Punkt and its English model; nothing is fetched.

    Raises:
        MissingBackend: nltk or the model is not on this machine.
    """
    punkt_version()
    nltk: Any = need_package("nltk", _PURPOSE)
    sentences: list[str] = nltk.tokenize.sent_tokenize(text)
    return sentences
