"""A third party's analysis that marks its strings wrongly, prints and raises tells nothing."""

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from tests.privacy.conftest import Mark, Run

from medassay import plugins
from medassay.analyses import ask
from medassay.analyses.registry import GROUP, _loaded
from medassay.annotations import Texts
from medassay.report import read_results

MODULE = """
import sys
from medassay.analyses import Declaration, analysis
from medassay.answers import Answers
from medassay.cases import Cases
from medassay.exhibits import Finding, shown, table_of
from medassay.annotations import (
    CaseId,
    DesignName,
    DocumentId,
    RaterName,
    SystemName,
    Words,
    record,
)

@record(infers=False)
class Row:
    system: SystemName
    case: CaseId
    words: int

@record(infers=False)
class Seen:
    first: Words
    rows: tuple[Row, ...]
    of_case: dict[CaseId, int]
    of_document: dict[DocumentId, int]
    of_rater: dict[RaterName, int]
    of_design: dict[DesignName, int]

COLUMNS = (shown("System", "system"), shown("Case", "case"), shown("Words", "words", str))

def tables(found, names):
    return [table_of(found.rows, COLUMNS, id="seen", title="Seen", caption=f"First: {found.first}",
                     empty="Nothing.")]

def finding(found, names):
    return Finding("seen", f"There is {found.first} {found.of_design}", ("seen",))

def declared(name):
    return Declaration(id=name, title="Seen", question="What is there?", section="ratings",
                       infers=False, reader="organiser", tables=tables, finding=finding)

@analysis(declared("seen"))
def seen(cases: Cases, answers: Answers) -> Seen | None:
    quoted = [f"{one.case} {one.text}" for one in answers if one.text]
    print(quoted)
    print(quoted, file=sys.stderr)
    rows = [Row(one.system, one.case, len(one.text or "")) for one in answers]
    rows += [Row(text, text, 1) for text in quoted] + [Row(rows[0].system, quoted[0], 2)]
    each = dict.fromkeys(quoted, 1)
    return Seen(quoted[0], tuple(rows), each, each, each, each)

@analysis(declared("angry"))
def angry(answers: Answers) -> Seen | None:
    raise ValueError([one.text for one in answers])
"""


@pytest.fixture(autouse=True)
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    (tmp_path / "forgetful_analyses.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "forgetful_analyses", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    entries = EntryPoints(
        EntryPoint(name=name, value=f"forgetful_analyses:{name}", group=GROUP)
        for name in ("seen", "angry")
    )
    monkeypatch.setattr(plugins, "entry_points", lambda: entries)
    _loaded.cache_clear()
    yield
    _loaded.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("texts", ["ids", "none"])
def test_what_is_marked_wrongly_is_left_out(marked: Mark, run: Run, texts: Texts) -> None:
    study = marked("missing", texts)
    for words in ((), ("--json",)):
        code, said = run("run", study.folder, "--offline", *words)
        assert code == 0, said
        assert study.leaked(said) == set()
    assert study.leaks(study.folder / "results") == {}
    [report] = study.folder.glob("results/*/report.json")
    results = read_results(report)
    assert any("angry" in one and "ValueError" in one for one in results.warnings)
    found = results.analyses["seen"]
    assert found.first == ""
    assert len(found.rows) == results.study.counts.answers
    assert found.of_case == found.of_document == found.of_rater == found.of_design == {}


@pytest.mark.slow
def test_without_the_guard_it_would_be_found(
    marked: Mark, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unguarded(record: object, *_: object) -> object:
        return record

    monkeypatch.setattr(ask, "only_known_names", unguarded)
    study = marked("missing", "none")
    assert study.leaked(run("run", study.folder, "--offline")[1]) >= {"text"}
    names = {Path(name).name for name in study.leaks(study.folder / "results")}
    assert {"report.json", "report.html", "seen.csv"} <= names
