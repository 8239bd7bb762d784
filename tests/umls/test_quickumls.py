"""MEDCON on an index of invented concepts, built and read by QuickUMLS itself."""

import pickle
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from medassay.answers import Answer
from medassay.cases import Case, Reference
from medassay.metrics import resolve
from medassay.models import ModelSetup, use_models
from medassay.models.concepts import open_umls, umls_facts
from medassay.scores import Reason, Score, Unscored

pytestmark = [
    pytest.mark.umls,
    # quickumls-simstring 1.1.5 asks for a module that Python 3.12 no longer has.
    pytest.mark.filterwarnings("ignore:the imp module is deprecated:DeprecationWarning"),
]


def setup(index: Path, keep_in: Path | None = None) -> ModelSetup:
    return ModelSetup(folders={"quickumls": str(index)}, keep_in=keep_in, keep_texts=True)


def medcon(index: Path, rule: str, answer: str, reference: str) -> Score | Unscored:
    case = Case(case="1", references=(Reference(text=reference),))
    with use_models(setup(index)):
        given = Answer(system="A", case="1", text=answer)
        return resolve(f"medcon(ref=human,rule={rule})").score_batch([(case, given)])[0]


def test_terms_are_found_with_every_concept_that_they_may_mean(index: Path) -> None:
    text = "The tolvane helped with glimmer fever, and with the knee ache at upper lake."
    with use_models(setup(index)):
        found = open_umls().terms([text, "", "Nothing known."])
    assert found[text] == {
        "glimmer fever": frozenset({"C9000001"}),
        "tolvane": frozenset({"C9000002", "C9000003"}),
        "knee ache": frozenset({"C9000004"}),
    }
    assert found[""] == found["Nothing known."] == {}


def test_both_rules_by_hand(index: Path) -> None:
    answer, reference = "Take tolvane.", "Tolvane for glimmer fever; glimmer sickness passes."
    # Terms: 1 and 3; of the reference's terms 1 has a concept of the answer: 2·1 / (1 + 3).
    assert medcon(index, "compat", answer, reference) == Score(0.5)
    # Concepts: {2, 3} and {1, 2, 3}: 2·2 / (2 + 3).
    assert medcon(index, "cui", answer, reference) == Score(0.8)
    nothing = medcon(index, "cui", answer, "Rest.")
    assert isinstance(nothing, Unscored)
    assert nothing.reason is Reason.UNDEFINED


def test_what_was_read_is_kept_and_the_index_named(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with use_models(setup(index, tmp_path)):
        facts = umls_facts()
        first = open_umls().terms(["Glimmer fever"])
    assert facts["quickumls"] == "1.4.2"
    assert facts["spacy_model"] == "3.8.0"
    monkeypatch.setattr("quickumls.QuickUMLS", None)
    with use_models(setup(index, tmp_path)):
        assert open_umls().terms(["Glimmer fever"]) == first


def test_another_index_has_another_hash(index: Path, tmp_path: Path) -> None:
    other = shutil.copytree(index, tmp_path / "other")
    with use_models(setup(index)):
        before = umls_facts()["index"]
    with use_models(setup(other)):
        assert umls_facts()["index"] == before
    (other / "lowercase.flag").unlink()
    with use_models(setup(other)):
        assert umls_facts()["index"] != before


class Evil:
    """Runs something when it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (pytest.exit, ("the index ran code",))


def test_an_index_that_somebody_sent_runs_nothing(index: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(index, tmp_path / "other"))
    toolbox = import_module("quickumls.toolbox")
    backend = (other / "database_backend.flag").read_text(encoding="utf-8").strip()
    concepts = toolbox.CuiSemTypesDB(str(other / "cui-semtypes.db"), database_backend=backend)
    concepts.cui_db_put(toolbox.db_key_encode("tolvane"), pickle.dumps(Evil()))
    del concepts  # closes it
    score = medcon(other, "cui", "Take tolvane.", "Tolvane for glimmer fever.")
    assert isinstance(score, Unscored)
    assert score.reason is Reason.FAILED
    assert "UnpicklingError" in score.detail
    assert medcon(index, "cui", "Take tolvane.", "Tolvane.") == Score(1.0)
