"""One file a vocabulary: from its own form to entries. No package of theirs is imported."""

from medassay.models.concepts.readers.drugs import read_drugs
from medassay.models.concepts.readers.hpo import read_hpo
from medassay.models.concepts.readers.icd10cm import read_icd10cm
from medassay.models.concepts.readers.mesh_diseases import read_mesh_diseases
from medassay.models.concepts.readers.mesh_headings import read_mesh_headings
from medassay.models.concepts.readers.own import read_own

__all__ = [
    "read_drugs",
    "read_hpo",
    "read_icd10cm",
    "read_mesh_diseases",
    "read_mesh_headings",
    "read_own",
]
