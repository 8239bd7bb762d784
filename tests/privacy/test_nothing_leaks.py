"""A word of its own in every text, tag, id and comment: none of those that a study keeps goes out.

Every file that is written is opened by its own reader, and everything that is printed is read.
"""

from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from tests.privacy.conftest import SHORTENED, Mark, Run
from tests.privacy.leaks import Marked
from tests.privacy.marking import KINDS
from tests.privacy.opening import said_in
from tools.standard import STANDARD

from medassay.analyses import Results
from medassay.cli import running
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.marks import Texts
from medassay.report import render

ALL_FORMS = "html,json,md,csv,latex,xlsx"
VERBS: tuple[tuple[str, ...], ...] = (
    ("run", "--offline"),
    ("score", "--offline"),
    ("agree", "--pairs"),
    ("consensus",),
    ("validity", "--full", "--offline"),
    ("judge",),
    ("plan", "--offline"),
    ("triage", "--offline", "--for", "all"),
)


def told(run: Run, study: Marked, verb: str, *words: str | Path) -> dict[str, set[str]]:
    """Give what a verb prints that the study keeps, for people and as JSON."""
    found = {}
    for more in ((), ("--json",)):
        _, said = run(*verb.split(), study.folder, *words, *more)
        assert said
        leaked = study.leaked(said)
        if leaked:
            found[" ".join((verb, *map(str, words), *more))] = leaked
    return found


@pytest.fixture
def svg_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "render", partial(render, formats=("svg",)))


@pytest.mark.usefixtures("svg_only")
@pytest.mark.parametrize(
    ("name", "texts"), [("missing", "ids"), ("clinical", "none"), ("rated", "full")]
)
def test_nothing_leaks_from_a_small_study(marked: Mark, run: Run, name: str, texts: Texts) -> None:
    study = marked(name, texts)
    leaks = {
        what: kinds
        for verb, *words in VERBS
        for what, kinds in told(run, study, verb, *words).items()
    }
    assert leaks == {}
    assert study.leaks(study.folder / "results") == {}


@pytest.mark.usefixtures("svg_only")
def test_all_that_is_marked_would_be_found(marked: Mark, run: Run) -> None:
    """Under `full` the same files show it, so that the search above can find what it looks for."""
    found = set()
    for name in ("clinical", "judges"):
        study = marked(name, "full", "named")
        run("run", study.folder, "--offline")
        texts = [said_in(path) for path in (study.folder / "results").rglob("*") if path.is_file()]
        found |= {kind for text in texts for kind in study.found_in(text)}
    # The standard studies' models are named by sealed certificates, and keep their names.
    assert found == {*KINDS, "phrase"} - {"judge"}


@pytest.mark.usefixtures("svg_only")
def test_a_table_that_leaks_is_caught_in_every_form(
    marked: Mark, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = marked("missing", "none")
    secret = min(study.digits)

    def with_leak(_: Results) -> list[Table]:
        cells = (Cell(secret, (secret,)),)
        return [Table("leaky", "Leaky", "", (Column("Case", ("case",)),), (Row(cells),))]

    monkeypatch.setattr(import_module("medassay.report.render"), "tables_of", with_leak)
    assert run("report", study.folder, "--to", ALL_FORMS, "--offline")[0] == 0
    leaks = {name.partition("/")[2] for name in study.leaks(study.folder / "results")}
    assert leaks == {
        "tables/leaky.csv", "tables/leaky.md", "latex/tables/leaky.tex", "report.xlsx", "report.md",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("texts", ["full", "ids", "none"])
@pytest.mark.parametrize("name", [*STANDARD, *SHORTENED])
def test_nothing_leaks_whatever_is_asked(
    marked: Mark, run: Run, tmp_path: Path, name: str, texts: Texts
) -> None:
    study, out = marked(name, texts), tmp_path / "out"
    code, said = run("report", study.folder, "--to", ALL_FORMS, "--figures", "paper", "--offline")
    assert code == 0
    assert study.leaked(said) == set()
    leaks = {
        what: kinds
        for verb, *words in VERBS
        for what, kinds in told(run, study, verb, *words).items()
    }
    leaks |= told(run, study, "compare", study.folder, "--offline")
    _, said = run("check", study.folder, "--json")
    leaks["check --json"] = study.leaked(said)
    run("triage", study.folder, "--offline", "--out", out / "queue.csv")
    for tool, *words in (
        ("inspect", "--offline"),
        ("mt-metrics-eval", "--offline"),
        ("potato", "--ratings"),
        ("label-studio", "--ratings"),
    ):
        code, said = run("export", tool, study.folder, *words, "--into", out / tool, "--json")
        assert code == 0
        leaks[tool] = study.leaked(said)
    assert {what: kinds for what, kinds in leaks.items() if kinds} == {}
    assert study.leaks(study.folder / "results") == {}
    assert study.leaks(out) == {}
