"""UMLS concepts in texts, through QuickUMLS and an index that the user has built."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

from medassay.errors import MissingBackend
from medassay.models.cache import ResultCache, result_cache
from medassay.models.concepts.sources import plain_loads
from medassay.models.files import file_digest, unusable
from medassay.models.find import named_path
from medassay.models.install import INSTALL, model_setup, need_all, need_package, running

UmlsTerms = Mapping[str, frozenset[str]]
"""Terms of UMLS that a text holds, each with the concepts (CUI) that it may mean."""
_GIVEN: Final = "quickumls"
_SPACY: Final = "en_core_web_sm"
_PURPOSE: Final = "medcon"
_INDEX: Final = "umls-simstring.db/umls-terms.simstring"
_BUILD: Final = (
    "ask for a UMLS licence at https://uts.nlm.nih.gov/uts/ (it is free), build the index with"
    " `python -m quickumls.install UMLS_FOLDER INDEX_FOLDER`, and name it in study.toml,"
    ' [models.folders] quickumls = "INDEX_FOLDER". concept_f1 needs none of this'
)
_GROUPS: Final = {
    "Anatomy": "T017 T018 T021 T022 T023 T024 T025 T026 T029 T030 T031",
    "Chemicals & Drugs": "T103 T104 T109 T114 T116 T120 T121 T122 T123 T125 T126 T127 T129 T130"
    " T131 T192 T195 T196 T197 T200",
    "Devices": "T074 T075 T203",
    "Disorders": "T019 T020 T033 T037 T046 T047 T048 T049 T050 T184 T190 T191",
    "Genes & Molecular Sequences": "T028 T085 T086 T087 T088",
    "Phenomena": "T034 T038 T067 T068 T069 T070",
    "Physiology": "T032 T039 T040 T041 T042 T043 T044 T045 T201",
}
_SEMANTIC_TYPES: Final = frozenset(" ".join(_GROUPS.values()).split())
"""All types of seven groups of the Semantic Network: the list of ACI-bench and ArchEHR-QA."""


class UmlsMatcher(Protocol):
    """What is used of QuickUMLS."""

    def match(self, text: str, *, ignore_syntax: bool) -> Sequence[Sequence[Mapping[str, object]]]:
        """Give groups of candidates, each with a `term` and its `cui`."""
        ...


class UmlsReader:
    """Reads the terms out of texts, each text once."""

    def __init__(self, matcher: UmlsMatcher | None, cache: ResultCache) -> None:
        self._matcher = matcher
        self._kept = cache

    def terms(self, texts: Iterable[str]) -> dict[str, UmlsTerms]:
        """Give the terms of each text; what was read before is not read again."""
        distinct = list(dict.fromkeys(texts))
        key = {text: ResultCache.key(text) for text in distinct}
        known = self._kept.get(key.values(), _can_be)
        fresh = {}
        for text in distinct:
            if key[text] not in known:
                terms = json.dumps(self._match(text), sort_keys=True)
                known[key[text]] = fresh[key[text]] = terms.encode()
        self._kept.keep(fresh)
        return {
            text: {term: frozenset(cuis) for term, cuis in json.loads(known[key[text]]).items()}
            for text in distinct
        }

    def _match(self, text: str) -> dict[str, list[str]]:
        if not text.strip():
            return {}
        if self._matcher is None:
            self._matcher = _load(_index_folder())
        concepts: dict[str, set[str]] = {}
        # The scorers ask for this; version 1.4.2 accepts it and does not pass it on.
        for group in self._matcher.match(text, ignore_syntax=True):
            for match in group:
                concepts.setdefault(str(match["term"]), set()).add(str(match["cui"]))
        return {term: sorted(cuis) for term, cuis in concepts.items()}


def _can_be(_: str, content: bytes) -> bool:
    """Tell whether a kept content can be terms with their concepts."""
    try:
        terms = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(terms, dict) and all(
        isinstance(cuis, list) and cuis and all(isinstance(cui, str) for cui in cuis)
        for cuis in terms.values()
    )


def umls_facts() -> Mapping[str, str]:
    """Say which index and which version would be used, without loading it.

    Raises:
        MissingBackend: QuickUMLS, something that it needs, or the index is not on this machine.
    """
    handed_in = model_setup().given.get(_GIVEN)
    if handed_in is not None:
        return {"index": "given"}
    need_all(_PURPOSE, _need_parts, _index_folder)
    folder = _index_folder()
    whole = hashlib.sha256()
    for file in [folder / _INDEX, *sorted(folder.glob("*.flag"))]:
        whole.update(f"{file.name}\0{file_digest(file)}\n".encode())
    return {
        "index": whole.hexdigest()[:16],
        "quickumls": version("quickumls"),
        "spacy_model": version(_SPACY.replace("_", "-")),
        "runtime": running("quickumls-simstring", "spacy"),
    }


def open_umls() -> UmlsReader:
    """Open a reader of UMLS concepts; the index is loaded with the first text that is not kept.

    Lists of concepts say what a text is about: they stay in memory where texts may not be kept.

    Raises:
        MissingBackend: As `umls_facts`.
    """
    facts = umls_facts()
    handed_in = model_setup().given.get(_GIVEN)
    matcher = handed_in if handed_in is not None and hasattr(handed_in, "match") else None
    return UmlsReader(matcher, result_cache("umls", facts, reveals_text=True))


def _index_folder() -> Path:
    folder = named_path(_GIVEN)
    if folder is None:
        raise MissingBackend("an index of UMLS", _PURPOSE, _BUILD)
    if not (folder / _INDEX).is_file():
        try_ = "Name the folder that `python -m quickumls.install` wrote."
        raise unusable(folder, "be an index of QuickUMLS", f"a folder without {_INDEX}", try_)
    return folder


def _need_parts() -> None:
    """Check what QuickUMLS would otherwise fetch from the network when it starts."""
    if find_spec("quickumls") is None:
        raise MissingBackend("quickumls", _PURPOSE, INSTALL["quickumls"])
    try:
        version(_SPACY.replace("_", "-"))
    except ModuleNotFoundError as error:
        install = f"python -m spacy download {_SPACY}"
        raise MissingBackend(f"spaCy's {_SPACY}", _PURPOSE, install) from error
    nltk = need_package("nltk", _PURPOSE)
    try:
        nltk.data.find("corpora/stopwords")
    except LookupError as error:
        install = "python -m nltk.downloader stopwords"
        raise MissingBackend("NLTK's list of stop words", _PURPOSE, install) from error


@dataclass(frozen=True, slots=True)
class _PlainPickle:
    """What QuickUMLS uses of pickle to read an index: concepts are sets of words."""

    loads = staticmethod(plain_loads)


def _load(folder: Path) -> UmlsMatcher:
    # A study names the index, and a study may come from anybody: pickles in it must run nothing.
    toolbox: Any = need_package("quickumls.toolbox", _PURPOSE)
    toolbox.pickle = _PlainPickle()
    matcher: UmlsMatcher = need_package("quickumls", _PURPOSE).QuickUMLS(
        str(folder), window=5, threshold=1, accepted_semtypes=_SEMANTIC_TYPES
    )
    return matcher
