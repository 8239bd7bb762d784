"""Small vocabularies in the forms of the real ones."""

import bz2
import pickle
from pathlib import Path

HPO = """format-version: 1.2

[Term]
id: HP:0000001
name: All

[Term]
id: HP:0000118
name: Phenotypic abnormality
is_a: HP:0000001 ! All

[Term]
id: HP:0001945
name: Fever
synonym: "Pyrexia" EXACT []
synonym: "Hyperthermia" RELATED []
xref: MSH:D005334
xref: UMLS:C0015967
is_a: HP:0000118 ! Phenotypic abnormality

[Term]
id: HP:0012823
name: Clinical modifier
is_a: HP:0000001 ! All

[Term]
id: HP:0012828
name: Severe
is_a: HP:0012823 ! Clinical modifier

[Term]
id: HP:0000005
name: Old fever
is_a: HP:0001945 ! Fever
is_obsolete: true
"""

ICD = """<?xml version="1.0" encoding="utf-8"?>
<ICD10CM.tabular><chapter><section>
<diag><name>A00</name><desc>Cholera</desc>
  <diag><name>A00.9</name><desc>Cholera, unspecified</desc></diag>
  <diag><name>A00.8</name><desc>Other cholera</desc></diag>
</diag>
<diag><name>B20</name><desc>Human immunodeficiency virus [HIV] disease</desc>
  <inclusionTerm><note>AIDS-related complex [ARC]</note></inclusionTerm></diag>
<diag><name>V00</name><desc>Pedestrian conveyance accident</desc></diag>
</section></chapter></ICD10CM.tabular>
"""

HEADINGS = """id,scheme,subject
https://id.nlm.nih.gov/mesh/D005334,MeSH,Fever
https://id.nlm.nih.gov/mesh/D015331,MeSH,"Studies, Cohort"
"""


def named(kind: str) -> dict[str, object]:
    return {
        f"{kind}_canonical_to_data": {"malaria": {"name": "Malaria", "mesh_id": "D000962"}},
        f"{kind}_variant_to_canonical": {"malaria": ["malaria"], "paludism": ["malaria"]},
    }


def write_pickle(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bz2.compress(pickle.dumps(content)))
    return path


def write_all(folder: Path) -> dict[str, str]:
    """Write every source, and give them as `[models.folders]` would."""
    files = {
        "diseases": write_pickle(folder / "diseases.pkl.bz2", named("disease")),
        "drugs": write_pickle(folder / "drugs.pkl.bz2", named("drug")),
        "headings": folder / "headings.csv",
        "hpo": folder / "hp.obo",
        "icd10cm": folder / "icd.xml",
        "own": folder / "own.txt",
    }
    files["headings"].write_text(HEADINGS, encoding="utf-8")
    files["hpo"].write_text(HPO, encoding="utf-8")
    files["icd10cm"].write_text(ICD, encoding="utf-8")
    files["own"].write_text("# words\nbed net; mosquito net\n", encoding="utf-8")
    return {name: str(path) for name, path in files.items()}
