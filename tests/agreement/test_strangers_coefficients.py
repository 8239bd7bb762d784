"""Coefficients of other packages: found by name, held to what they declare, and stopping nobody."""

from pathlib import Path

import numpy as np
import pytest
from tests.plugins.installed import install, settle

from medassay.agreement import (
    CaseDraws,
    CoefficientDeclaration,
    agree_on_units,
    coefficient,
    coefficient_plugin_problems,
    coefficients,
    find_coefficient,
)
from medassay.agreement.coefficient import KNOWN
from medassay.errors import InvalidInput
from medassay.judgements import Units
from medassay.scores import Reason

MODULE = """
import sys
import numpy as np
from medassay.agreement import CoefficientDeclaration, Prepared, coefficient
from medassay.errors import MissingBackend
from medassay.scores import Reason, Unscored

def plain(units):
    used = units.with_labels(2)
    return Prepared(lambda weights: np.full(len(weights), 0.25), used, len(used), "as we say")

@coefficient(CoefficientDeclaration(
    name="NAME", title="Ours alone", question="How far do they agree?", one="all", zero="none",
    below_zero="cannot occur", undefined="nobody does", source="our notes", bounds=(0.0, 1.0)MORE))
def ours(units, **parameters):
    BODY
"""
UNITS = Units.from_codes([[0, 0], [0, 1], [1, 1]], ["no", "yes"])


def written(name: str = "quarter", body: str = "return plain(units)", more: str = "") -> str:
    return MODULE.replace("NAME", name).replace("BODY", body).replace("MORE", more)


def once(cases: int) -> CaseDraws:
    """Draw every case once, nine times."""
    return CaseDraws(np.ones((9, cases)), np.ones((9, cases)), seed=1)


def offered(monkeypatch: pytest.MonkeyPatch, folder: Path, code: str) -> None:
    install(monkeypatch, folder, KNOWN, {"quarters": code})


def test_a_taken_name_is_refused_and_the_first_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, KNOWN)
    first = find_coefficient("cohen")[0]
    told = CoefficientDeclaration(
        name="cohen", title="c", question="q", one="1", zero="0", below_zero="-", undefined="u",
        source="s",
    )  # fmt: skip
    with pytest.raises(InvalidInput, match=r"which medassay.agreement.kappas has registered"):
        coefficient(told)(first.prepare)
    assert find_coefficient("cohen")[0] is first


@pytest.mark.parametrize(
    ("change", "must"),
    [
        ({"name": "two words"}, "have a name of one word"),
        ({"source": " "}, "say its source"),
        ({"bounds": (1.0, 0.0)}, "have bounds, the lower one first"),
        ({"words": ("mapping",)}, "leave dimension and mapping to medassay"),
    ],
)
def test_a_declaration_that_leaves_a_reader_guessing_is_refused(
    change: dict[str, object], must: str
) -> None:
    told: dict[str, object] = dict.fromkeys(
        ("name", "title", "question", "one", "zero", "below_zero", "undefined", "source"), "word"
    )
    with pytest.raises(InvalidInput, match=must):
        CoefficientDeclaration(**told | change)  # type: ignore[arg-type]  # what is wrong is the point


def test_a_package_brings_a_coefficient(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    offered(monkeypatch, tmp_path, written())
    assert find_coefficient("quarter")[0].declared.title == "Ours alone"
    assert "quarter" in [one.name for one in coefficients()]
    [row] = agree_on_units(UNITS, coefficient_names=["quarter"], draws=once(3))
    assert (row.value, row.n_units, row.notes) == (0.25, 3, ("as we say",))
    assert "quarter" in [one.coefficient for one in agree_on_units(UNITS)]


def test_a_broken_package_is_named_and_harms_no_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    offered(monkeypatch, tmp_path, written(more=", api=7"))
    assert "be written for version 1 of its declaration; got 7" in str(
        coefficient_plugin_problems()[0]
    )
    assert agree_on_units(UNITS, coefficient_names=["cohen"])[0].value is not None
    with pytest.raises(InvalidInput, match="plug-in"):
        find_coefficient("quarter")


@pytest.mark.parametrize(
    ("body", "reason", "detail"),
    [
        ("raise ValueError('no luck')", Reason.FAILED, "ValueError: no luck"),
        ("sys.exit(3)", Reason.FAILED, "SystemExit: 3"),
        ("return 0.5", Reason.FAILED, "gave float, not a Prepared or an Unscored"),
        ("raise MissingBackend('scales', 'it', 'buy')", Reason.BACKEND_MISSING, "needs scales"),
        (
            "return Prepared(lambda weights: np.full(len(weights), 1.5), units, 1)",
            Reason.FAILED,
            "gave 1.5, outside its declared bounds",
        ),
        (
            "return Prepared(lambda weights: 0.5, units, 1)",
            Reason.FAILED,
            "gave values of shape () for 2 sets of weights",
        ),
        (
            "return Prepared(lambda weights: np.full(len(weights), 0.5), units, 1, value=0.25)",
            Reason.FAILED,
            "gave 0.25, and 0.5 with every case once",
        ),
        ("return Unscored(Reason.UNDEFINED, 'too few')", Reason.UNDEFINED, "too few"),
        ("return Unscored(Reason.UNDEFINED, '\\ud83d')", Reason.UNDEFINED, "half of a character"),
    ],
)
def test_what_does_not_hold_is_a_reason_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str, reason: Reason, detail: str
) -> None:
    offered(monkeypatch, tmp_path, written(body=body))
    rows = agree_on_units(UNITS, coefficient_names=["quarter", "unanimous"])
    assert rows[0].reason.startswith(reason.words)
    assert detail in rows[0].reason
    assert rows[0].value is None
    assert rows[1].value == pytest.approx(2 / 3)


def test_answers_with_one_label_are_no_agreement(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    body = "return Prepared(lambda weights: np.full(len(weights), 0.5), units, 1)"
    offered(monkeypatch, tmp_path, written(body=body))
    units = Units.from_codes([[0, 0], [0, -1]], ["no", "yes"])
    [row] = agree_on_units(units, coefficient_names=["quarter"], draws=once(1))
    assert "reads cases without an answer that has two labels" in str(row.reason)


def test_resamples_that_fail_leave_no_interval_and_say_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    body = (
        "return Prepared(lambda weights: np.full(len(weights), 0.5) if len(weights) < 3 "
        "else 1 // 0, units, 1)"
    )
    offered(monkeypatch, tmp_path, written(body=body))
    [row] = agree_on_units(UNITS, coefficient_names=["quarter"], draws=once(3))
    assert (row.value, row.interval) == (0.5, None)
    assert row.no_interval == "no resample of the cases has a value"


@pytest.mark.parametrize("more", [", fits=lambda units, p: 1 // 0", ", variants=lambda u: 1 // 0"])
def test_a_declaration_that_raises_where_it_is_asked_fails_where_it_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, more: str
) -> None:
    offered(monkeypatch, tmp_path, written(more=more))
    rows = {one.coefficient: one for one in agree_on_units(UNITS)}
    assert "ZeroDivisionError" in str(rows["quarter"].reason)
    assert rows["unanimous"].value is not None


def test_what_it_prints_is_dropped_and_hushed_it_says_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = "print('SEEN'); sys.stderr.write('SEEN'); return plain(units)"
    offered(monkeypatch, tmp_path, written(body=body))
    [loud] = agree_on_units(UNITS, coefficient_names=["quarter"])
    [hushed] = agree_on_units(UNITS, coefficient_names=["quarter"], hushed=True)
    assert capsys.readouterr() == ("", "")
    assert loud.value == hushed.value
    assert hushed.notes != loud.notes
    found = find_coefficient("quarter", hushed=True)[0]
    told = found.declared
    assert "Ours alone" not in str(told)
    assert "our notes" not in str(told)
    assert found.prepare.__module__ == "quarters"
    assert find_coefficient("cohen", hushed=True)[0] is find_coefficient("cohen")[0]
