import bz2
import os
import pickle
from pathlib import Path

import pytest
from tests.models.concepts.files import HPO, named, write_all, write_pickle

from medassay.errors import InvalidInput
from medassay.models.concepts.sources import (
    VocabularyEntry,
    read_drugs,
    read_hpo,
    read_icd10cm,
    read_mesh_diseases,
    read_mesh_headings,
    read_own,
    read_plain_pickle,
)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {name: Path(path) for name, path in write_all(tmp_path).items()}


def test_findings_without_modifiers_obsolete_terms_and_loose_synonyms(
    files: dict[str, Path],
) -> None:
    assert list(read_hpo(files["hpo"])) == [
        VocabularyEntry("HP:0001945", ("Fever", "Pyrexia"), ("MESH:D005334", "UMLS:C0015967"))
    ]


def test_diagnoses_in_the_words_of_texts(files: dict[str, Path]) -> None:
    assert list(read_icd10cm(files["icd10cm"])) == [
        VocabularyEntry("ICD10CM:A00.9", ("Cholera",)),
        VocabularyEntry("ICD10CM:A00.9", ("Cholera",)),
        VocabularyEntry(
            "ICD10CM:B20", ("Human immunodeficiency virus disease", "AIDS-related complex")
        ),
    ]


def test_diseases_drugs_headings_and_our_own(files: dict[str, Path]) -> None:
    names = ("Malaria", "malaria", "malaria", "paludism")
    # The packages' MeSH identifiers are wrong too often: they are not read.
    assert list(read_mesh_diseases(files["diseases"])) == [
        VocabularyEntry("DISEASE:malaria", names)
    ]
    assert list(read_drugs(files["drugs"])) == [VocabularyEntry("DRUG:malaria", names)]
    assert list(read_mesh_headings(files["headings"])) == [
        VocabularyEntry("MESH:D005334", ("Fever",)),
        VocabularyEntry("MESH:D015331", ("Studies, Cohort",)),
    ]
    assert list(read_own(files["own"])) == [
        VocabularyEntry("OWN:bed net", ("bed net", "mosquito net"))
    ]


class Harmful:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.getenv, ("HOME",)


def test_a_pickle_that_asks_for_code_is_refused_and_nothing_runs(tmp_path: Path) -> None:
    path = write_pickle(tmp_path / "p.bz2", {"a": Harmful()})
    with pytest.raises(InvalidInput, match=r"plain data; got .*getenv"):
        read_plain_pickle(path)


@pytest.mark.parametrize("content", [b"", b"no bz2", b"BZh91AY&SY"])
def test_a_broken_pickle_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "p.bz2"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"p\.bz2: must be a bz2-compressed pickle"):
        read_plain_pickle(path)
    path = write_pickle(path, [1, 2])
    assert read_plain_pickle(path) == [1, 2]
    cut = pickle.dumps(named("drug"))[:-9]
    path.write_bytes(bz2.compress(cut))
    with pytest.raises(InvalidInput):
        read_plain_pickle(path)


def test_files_of_another_form_are_named(tmp_path: Path) -> None:
    path = write_pickle(tmp_path / "p.bz2", named("drug"))
    with pytest.raises(InvalidInput, match="hold the tables disease_canonical_to_data"):
        list(read_mesh_diseases(path))
    for reader, text, must in (
        (read_hpo, HPO.replace("HP:0000118", "HP:0"), "terms below HP:0000118"),
        (read_icd10cm, "<a/>", "tabular list"),
        (read_icd10cm, "<a", "tabular list"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InvalidInput, match=must):
            list(reader(path))
    csv = tmp_path / "headings.csv"
    csv.write_text("id,title\n1,a\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="subject"):
        list(read_mesh_headings(csv))
