"""Diagnoses of ICD-10-CM, from the tabular list in simple-icd-10-cm."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.models.concepts.entry import Entry

__all__ = ["read_icd10cm"]

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


def read_icd10cm(path: Path) -> Iterator[Entry]:
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
                yield Entry(f"ICD10CM:{first.setdefault(names[0].casefold(), code)}", names)
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
