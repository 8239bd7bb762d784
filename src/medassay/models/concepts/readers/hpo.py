"""Findings of the Human Phenotype Ontology, from its hp.obo."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.models.concepts.entry import Entry

__all__ = ["read_hpo"]

_FINDINGS: Final = "HP:0000118"
"""Phenotypic abnormality. The other branches hold modifiers (severe, recurrent), onset, frequency
and inheritance: words that qualify a finding and name none."""

_SCHEMES: Final = {"UMLS": "UMLS", "MSH": "MESH"}
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"\s+EXACT\b')
_Stanza = dict[str, list[str]]


def read_hpo(path: Path) -> Iterator[Entry]:
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
        yield Entry(term, (stanza["name"][0], *exact), tuple(same))


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
