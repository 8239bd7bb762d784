"""Models are data: whatever a model's folder holds, none of it is run."""

import ast
import pickle
import sys
from pathlib import Path
from types import ModuleType

import pytest

import medassay
from medassay.models.concepts import open_umls
from medassay.models.concepts import umls as umls_module
from medassay.models.install import ONLY_DATA, ONLY_WEIGHTS

SOURCES = sorted(Path(medassay.__file__).parent.rglob("*.py"))


def calls(name: str) -> list[tuple[str, dict[str, str], list[str]]]:
    """List the calls of a function or method: place, keywords, and what is laid out by `**`."""
    found = []
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if f"{name}(" in text else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == name:
                words = {one.arg: ast.unparse(one.value) for one in node.keywords if one.arg}
                laid = [ast.unparse(one.value) for one in node.keywords if one.arg is None]
                place = f"{path.name}:{node.lineno} {ast.unparse(node.func)}"
                found.append((place, words, laid))
    return found


@pytest.mark.slow
def test_transformers_runs_no_code_of_a_model() -> None:
    assert ONLY_DATA["trust_remote_code"] is False
    assert ONLY_WEIGHTS == {**ONLY_DATA, "weights_only": True}
    reads = calls("from_pretrained")
    assert len(reads) > 5
    for place, _, laid in reads:
        weights = "Tokenizer" not in place and "tokenizer" not in place and "Config" not in place
        assert laid == ["ONLY_WEIGHTS" if weights else "ONLY_DATA"], place
    # Alembic's way of the same name reads scripts of ours, and no model.
    built = [call for call in calls("from_config") if "ScriptDirectory" not in call[0]]
    assert built
    for place, words, _ in built:
        assert words.get("trust_remote_code") == "False", place


@pytest.mark.slow
def test_of_a_pickle_only_tensors_or_plain_data_are_taken() -> None:
    for name in ("load", "loads"):
        for place, words, _ in calls(name):
            module = place.partition(" ")[2].rpartition(".")[0]
            assert module not in {"pickle", "joblib", "dill", "cloudpickle", "np", "numpy"}, place
            assert "allow_pickle" not in words, place
            if module == "torch":
                assert words.get("weights_only") == "True", place
    assert any("torch.load" in place for place, _, _ in calls("load"))


class Evil:
    """Runs something when it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (pytest.fail, ("the index ran code",))


def fake_quickumls(monkeypatch: pytest.MonkeyPatch, index: dict[str, bytes]) -> None:
    """Put a QuickUMLS in place that reads its index as the real one does, by toolbox.pickle."""
    toolbox, package = ModuleType("quickumls.toolbox"), ModuleType("quickumls")
    toolbox.pickle = pickle  # type: ignore[attr-defined]  # as it imports it

    class QuickUMLS:
        def __init__(self, *_: object, **__: object) -> None:
            pass

        def match(self, text: str, **_: object) -> list[list[dict[str, object]]]:
            cuis = toolbox.pickle.loads(index[text])
            return [[{"term": text, "cui": cui} for cui, _ in cuis]]

    package.QuickUMLS = QuickUMLS  # type: ignore[attr-defined]
    package.toolbox = toolbox  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "quickumls", package)
    monkeypatch.setitem(sys.modules, "quickumls.toolbox", toolbox)
    monkeypatch.setattr(umls_module, "umls_facts", lambda: {"index": "fake"})
    monkeypatch.setattr(umls_module, "_index_folder", Path)


def test_an_index_of_quickumls_is_read_and_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    index = {"fever": pickle.dumps({("C1", 1), ("C2", 0)}), "evil": pickle.dumps(Evil())}
    fake_quickumls(monkeypatch, index)
    assert open_umls().terms(["fever"]) == {"fever": {"fever": frozenset({"C1", "C2"})}}
    with pytest.raises(pickle.UnpicklingError):
        open_umls().terms(["evil"])
