"""A third party's coefficients and consensus methods that quote what they read tell nothing."""

import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import polars as pl
import pytest
from tests.analyses.inferring import inferences_in
from tests.plugins.installed import settle
from tests.privacy.conftest import Mark, Run
from tests.privacy.leaks import Marked
from tests.privacy.marking import read_settings, write_settings
from tests.privacy.test_forgetful_plugin import ALL_FORMS, leaks_of, told

from medassay import agreement, plugins
from medassay.agreement.coefficient import KNOWN as COEFFICIENTS
from medassay.analyses import agreement_report
from medassay.analyses.builtin.agreement import panel_in
from medassay.analyses.inputs import consensus_fits, rater_agreement, study_columns
from medassay.annotations import Texts
from medassay.consensus import consensus_methods
from medassay.consensus.method import KNOWN as METHODS
from medassay.report import read_results
from medassay.study import open_run

MODULE = """
import logging, sys, warnings
import numpy as np
from medassay import agreement, consensus
from medassay.errors import MissingBackend
from medassay.scores import Reason, Score, Unscored

KNOWN = "as seen in zqcase0, zqtagkey0 zqtagvalue0: zqtext0 zqdocument0, p < 0.001"

def quoted(units):
    words = f"{KNOWN} {units.keys} {units.raters}"
    print(words)
    print(words, file=sys.stderr)
    warnings.warn(words, stacklevel=1)
    logging.getLogger("forgetful").warning(words)
    return words

def coefficient(name):
    return agreement.coefficient(agreement.CoefficientDeclaration(
        name=name, title=f"Ours {KNOWN}", question=KNOWN, one=KNOWN, zero=KNOWN, below_zero=KNOWN,
        undefined=KNOWN, source=KNOWN, fits=lambda units, _: KNOWN if name == "misfit" else ""))

def told(units, **_):
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, quoted(units))
    return agreement.Prepared(
        lambda weights: weights.mean(axis=1) / 9, used, len(used), quoted(units))

def angry(units, **_):
    raise ValueError(quoted(units))

def lacking(units, **_):
    raise MissingBackend(quoted(units), KNOWN, KNOWN)

for name, function in {"told": told, "angry": angry, "lacking": lacking, "misfit": told}.items():
    coefficient(name)(function)

def method(name):
    return consensus.MethodDeclaration(
        name=name, title=f"Ours {KNOWN}", question=KNOWN, unit=KNOWN, undefined=KNOWN,
        parts=(KNOWN,), source=KNOWN, quality=KNOWN)

def halves(units, **_):
    words = quoted(units)
    if units.scores is None:
        return [Unscored(Reason.UNDEFINED, words)] * len(units)
    value = Score(float(units.scores[0]), (1.0,))
    return [Unscored(Reason.UNDEFINED, words) if i % 2 else value for i in range(len(units))]

def first(units, **_):
    return np.zeros(len(units), dtype=np.int64)

for name, function in {"halves": halves, "furious": angry, "wanting": lacking}.items():
    consensus.consensus_method(method(name), choose=first)(function)

@consensus.fitted_method(method("modelled"))
def modelled(units, *, rng, given, **_):
    n, model = len(units), None
    words = quoted(units)
    model = consensus.Model(np.full((n, len(units.labels)), 0.5), -1.0, (-1.0,), 1,
                            kept=(True,) * n, known=("",) * n, notes=(words,))
    quality = (0.5,) * len(units.raters)
    scores = [Unscored(Reason.UNDEFINED, words)] * n
    return consensus.Joined(scores, (0.0,) * n, quality, model=model)
"""
NAMED = {
    "agreement": {"coefficients": ["told", "angry", "lacking", "misfit", "mean_pairwise"]},
    "consensus": {"methods": ["mean", "halves", "furious", "wanting", "modelled"]},
}


@pytest.fixture(autouse=True)
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for known in (COEFFICIENTS, METHODS):
        settle(monkeypatch, known)
    (tmp_path / "forgetful_methods.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "forgetful_methods", raising=False)
    entries = EntryPoints(
        EntryPoint(name="forgetful", value="forgetful_methods", group=known.group)
        for known in (COEFFICIENTS, METHODS)
    )
    monkeypatch.setattr(plugins, "entry_points", lambda: entries)


def naming(study: Marked, **more: object) -> Marked:
    settings = read_settings(study.folder)
    write_settings(study.folder, {**settings, **NAMED, **more})
    return study


@pytest.mark.slow
@pytest.mark.parametrize("texts", ["ids", "none"])
def test_nothing_that_they_quote_goes_out(
    marked: Mark, run: Run, tmp_path: Path, texts: Texts
) -> None:
    study = naming(marked("missing", texts))
    assert leaks_of(run, study, tmp_path / "out") == {}
    verbs = ("agree --by pair --by system", "agree --coefficient all", "consensus")
    assert told(run, study, *verbs, *(f"{verb} --json" for verb in verbs)) == {}


@pytest.mark.slow
def test_without_the_guard_all_of_it_would_be_found(
    marked: Mark, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (rater_agreement, consensus_fits, study_columns):
        monkeypatch.setattr(module, "hushes_packages", lambda _: False)
    study = naming(marked("missing", "none"))
    found = told(run, study, "run --offline", "agree", "consensus")
    assert found.keys() == {"agree", "consensus"}
    names = {Path(name).name for name in study.leaks(study.folder / "results")}
    assert {"report.json", "report.html"} <= names


def test_values_are_what_they_are_with_texts(marked: Mark) -> None:
    study = naming(marked("missing", "full"))
    levels: tuple[Texts, ...] = ("full", "none")
    runs = [open_run(study.folder, texts=texts).study for texts in levels]
    tables = [study_columns.consensus_of(one).frame.drop("case", "detail") for one in runs]
    assert tables[0].equals(tables[1])
    of_it = tables[1].filter(pl.col("source").str.starts_with("halves"))
    assert 0 < of_it["value"].null_count() < of_it.height
    panels = [agreement_report(one).panel for one in runs]
    values = [[(one.coefficient, one.value, one.n_units) for one in panel] for panel in panels]
    assert values[0] == values[1]
    assert {one[0] for one in values[1] if one[1] is not None} >= {"told"}


@pytest.mark.slow
def test_where_the_protocol_describes_only_they_speak_of_no_test(marked: Mark, run: Run) -> None:
    study = naming(marked("panel", "full"))
    code, said = run("report", study.folder, "--to", ALL_FORMS, "--offline")
    assert code == 0, said
    [report] = study.folder.glob("results/*/report.json")
    assert inferences_in(report.parent) == {}
    assert "p < 0.001" not in report.read_text(encoding="utf-8")
    assert {"told", "angry"} <= {one.coefficient for one in panel_in(read_results(report).analyses)}


def test_both_rooms_are_what_is_offered() -> None:
    assert "told" in [one.name for one in agreement.coefficients()]
    assert "halves" in [one.name for one in consensus_methods()]
