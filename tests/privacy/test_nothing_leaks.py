"""A word of its own in every text, tag, id and comment: none of those that a study keeps goes out.

Every file that is written is opened by its own reader, and everything that is printed is read. What
every verb tells of every study is asked in files of its own, so that processes share them.
"""

from importlib import import_module

import pytest
from tests.privacy.asking import ALL_FORMS, VERBS, told
from tests.privacy.conftest import Mark, Run
from tests.privacy.marking import KINDS
from tests.privacy.opening import said_in

from medassay.analyses import Results
from medassay.annotations import Texts
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.contents import Contents


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "texts"), [("missing", "ids"), ("clinical", "none"), ("rated", "full")]
)
def test_nothing_leaks_from_a_first_run(marked: Mark, run: Run, name: str, texts: Texts) -> None:
    """What `run` says is another thing where a report was there already, as in the other files."""
    study = marked(name, texts)
    verb, *words = VERBS[0]
    assert told(run, study, verb, *words) == {}
    assert study.leaks(study.folder / "results") == {}


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_table_that_leaks_is_caught_in_every_form(
    marked: Mark, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = marked("missing", "none")
    secret = min(study.digits)

    def with_leak(*_: Results | Contents) -> list[Table]:
        cells = (Cell(secret, (secret,)),)
        return [Table("leaky", "Leaky", "", (Column("Case", ("case",)),), (Row(cells),))]

    monkeypatch.setattr(import_module("medassay.report.render"), "tables_of", with_leak)
    assert run("report", study.folder, "--to", ALL_FORMS, "--offline")[0] == 0
    leaks = {name.partition("/")[2] for name in study.leaks(study.folder / "results")}
    assert leaks == {
        "tables/leaky.csv", "latex/tables/leaky.tex", "report.xlsx",
    }  # fmt: skip
