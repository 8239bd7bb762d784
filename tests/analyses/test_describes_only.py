"""Whatever a study holds: under a protocol that describes only, nothing that is written infers."""

from pathlib import Path

import pytest
from tests.analyses.inferring import inferences_in
from tools.standard import STANDARD, write_standard

from medassay.analyses import Results, descriptive, run_study
from medassay.report import render, write_paper
from medassay.study import Protocol, Study, load_protocol, open_run
from medassay.study.config import study_toml

pytestmark = pytest.mark.usefixtures("figures")


@pytest.fixture
def describing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every protocol be one whose source reports descriptively only."""

    def only_describing(name: str) -> Protocol:
        return load_protocol(name).model_copy(update={"descriptive": True})

    monkeypatch.setattr(study_toml, "load_protocol", only_describing)


def reported(name: str, into: Path) -> Path:
    """Run a standard study and write all that a report has."""
    run = open_run(write_standard(name, into))
    results, _ = run_study(run)
    assert results.study.descriptive
    render(results, run.folder)
    write_paper(results, run.folder / "paper")
    return run.folder


@pytest.mark.slow
@pytest.mark.usefixtures("describing")
@pytest.mark.parametrize("name", STANDARD)
def test_no_study_infers_where_its_protocol_describes_only(name: str, tmp_path: Path) -> None:
    assert inferences_in(reported(name, tmp_path)) == {}


@pytest.mark.slow
@pytest.mark.usefixtures("describing")
def test_an_inference_that_is_not_taken_out_would_be_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def as_it_is(_: Study, found: Results) -> Results:
        return found

    monkeypatch.setattr(descriptive, "without_inference", as_it_is)
    found = inferences_in(reported("pool", tmp_path))
    assert {"interval", "p", "test"} <= set(found["report.json"])
    assert {"paper/table-3.md", "paper/table-s1-means.tex"} <= found.keys()
