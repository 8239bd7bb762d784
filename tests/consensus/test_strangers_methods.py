"""Consensus methods of other packages: found, held to what they declare, and stopping nobody."""

from pathlib import Path

import numpy as np
import pytest
from tests.plugins.installed import install, settle

from medassay.consensus import (
    MethodDeclaration,
    consensus_method,
    consensus_methods,
    consensus_of_units,
    consensus_plugin_problems,
    find_method,
    fitted_method,
    join_units,
    title_of,
)
from medassay.consensus.method import KNOWN
from medassay.errors import InvalidInput
from medassay.judgements import Units
from medassay.scores import Reason, Score, Unscored

MODULE = """
import sys
import numpy as np
from dataclasses import replace
from medassay.consensus import MethodDeclaration, Joined, Model, consensus_method, fitted_method
from medassay.errors import MissingBackend
from medassay.scores import Reason, Score, Unscored

@KIND(MethodDeclaration(
    name="NAME", title="Ours alone", question="What is there?", unit="points",
    undefined="nothing is", parts=("first",), source="our notes"MORE))
def ours(units, **more):
    BODY
"""
FIRST = "return [Score(float(units.scores[0]), (1.0,)) for _ in units.keys]"
UNITS = Units.from_codes([[0, 0], [0, 1], [1, 1]], ["no", "yes"], scores=[0, 2])


def written(body: str = FIRST, more: str = "", kind: str = "consensus_method") -> str:
    code = MODULE.replace("NAME", "first").replace("BODY", body)
    return code.replace("MORE", more).replace("KIND", kind)


def offered(monkeypatch: pytest.MonkeyPatch, folder: Path, code: str) -> None:
    install(monkeypatch, folder, KNOWN, {"firsts": code})


def test_a_taken_name_is_refused_and_the_first_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, KNOWN)
    first = find_method("mean")[0]
    told = MethodDeclaration(
        name="mean", title="m", question="q", unit="u", undefined="never", parts=()
    )  # fmt: skip
    with pytest.raises(InvalidInput, match=r"which medassay.consensus.by_answer has registered"):
        consensus_method(told)(lambda *_, **__: [])
    with pytest.raises(InvalidInput, match=r"which medassay.consensus.by_answer has registered"):
        fitted_method(told)(first.fit)
    assert find_method("mean")[0] is first


def test_a_package_brings_a_method(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    offered(monkeypatch, tmp_path, written())
    assert title_of("first") == "Ours alone"
    assert "first" in [one.name for one in consensus_methods()]
    assert set(consensus_of_units(UNITS, "first").values()) == {Score(0.0, (1.0,))}


def test_a_broken_package_is_named_and_harms_no_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    offered(monkeypatch, tmp_path, written(more=", api=7"))
    assert "be written for version 1 of its declaration; got 7" in str(
        consensus_plugin_problems()[0]
    )
    assert consensus_of_units(UNITS, "mean")
    with pytest.raises(InvalidInput, match="plug-in"):
        find_method("first")


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("raise ValueError('no luck')", "ValueError: no luck"),
        ("sys.exit(3)", "SystemExit: 3"),
        ("return [Score(1.0, (1.0,))]", "gave 1 scores, not 3"),
        ("return [1.0] * 3", "gave float, not a Score or an Unscored"),
        ("return [Score(1.0)] * 3", "gave 0 parts, not 1"),
        ("return [Score(3.0, (1.0,))] * 3", "gave 3, outside the labels' scores, 0 to 2"),
        ("return [Unscored(Reason.NO_LABEL)] * 3", "to an answer that has labels"),
        ("return [Unscored(Reason.TIE, '\\ud83d')] * 3", "half of a character"),
    ],
)
def test_what_does_not_hold_is_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str, detail: str
) -> None:
    offered(monkeypatch, tmp_path, written(body))
    labelled, joined = join_units(UNITS, "first")
    for score in joined.scores:
        assert isinstance(score, Unscored)
        assert score.reason is Reason.FAILED
        assert detail in score.detail
    assert len(joined.scores) == len(joined.uncertainty) == len(labelled)
    assert len(joined.quality) == len(labelled.raters)


def test_what_a_method_lacks_is_another_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    offered(monkeypatch, tmp_path, written("raise MissingBackend('scales', 'it', 'buy them')"))
    [score] = set(consensus_of_units(UNITS, "first").values())
    assert isinstance(score, Unscored)
    assert score.reason is Reason.BACKEND_MISSING


def test_a_method_that_says_so_may_leave_the_scale(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    offered(monkeypatch, tmp_path, written("return [Score(3.0, (1.0,))] * 3", ", on_scale=False"))
    assert set(consensus_of_units(UNITS, "first").values()) == {Score(3.0, (1.0,))}


JOINED = "Joined([Score(0.0, (1.0,))] * 3, (0.0,) * 3, (None, 0.5), (0, 0, -1){})"
MODELLED = (
    "Model(np.full((3, 2), 0.5), -1.0, (-1.0,), 4, kept=(True,) * 3, known=('',) * 3, "
    "notes=('SEEN',))"
)


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("return None", "gave NoneType, not a Joined"),
        (f"return replace({JOINED.format('')}, quality=(None,))", "1 qualities of raters, not 2"),
        (f"return replace({JOINED.format('')}, codes=(0, 2, 0))", "a label that is not there"),
        (f"return replace({JOINED.format('')}, quality=(None, float('nan')))", "is no number"),
        (
            f"return replace({JOINED.format('')}, model=replace({MODELLED}, kept=()))",
            "gave a model whose kept has the shape (0,), not (3,)",
        ),
    ],
)
def test_a_fitted_method_is_held_to_all_that_it_gives(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str, detail: str
) -> None:
    offered(monkeypatch, tmp_path, written(body, kind="fitted_method"))
    [score] = set(consensus_of_units(UNITS, "first").values())
    assert isinstance(score, Unscored)
    assert detail in score.detail


def test_a_fitted_method_keeps_its_numbers_and_hushed_none_of_its_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = f"print('SEEN'); return {JOINED.format(f', {MODELLED}')}"
    offered(monkeypatch, tmp_path, written(body, kind="fitted_method"))
    loud, hushed = (join_units(UNITS, "first", hushed=one)[1] for one in (False, True))
    assert capsys.readouterr() == ("", "")
    assert loud.model is not None
    assert hushed.model is not None
    assert loud.model.notes == ("SEEN",)
    assert "SEEN" not in str(hushed.model.notes)
    assert (loud.scores, loud.quality, loud.codes) == (hushed.scores, hushed.quality, hushed.codes)
    told = str(find_method("first", hushed=True)[0].declared)
    assert "Ours alone" not in told
    assert "our notes" not in told
    assert title_of("first", hushed=True) == "first"


def test_a_method_that_draws_asks_for_randomness(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    offered(monkeypatch, tmp_path, written(more=", random=True"))
    with pytest.raises(InvalidInput, match="be given: first draws at random"):
        consensus_of_units(UNITS, "first")
    assert consensus_of_units(UNITS, "first", rng=np.random.default_rng(1))
