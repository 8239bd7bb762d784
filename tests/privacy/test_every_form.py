"""A figure keeps its words in every form that a user gets, its metadata among them."""

import pytest
from tests.privacy.conftest import Mark, Run

from medassay.annotations import Texts
from medassay.report.render import FORMS


@pytest.mark.slow
@pytest.mark.parametrize(("name", "texts"), [("clinical", "none"), ("panel", "ids")])
def test_nothing_leaks_from_any_form(marked: Mark, run: Run, name: str, texts: Texts) -> None:
    study = marked(name, texts)
    words = ("--to", ",".join([*FORMS, "paper"]), "--offline")
    assert run("report", study.folder, *words)[0] == 0
    results = study.folder / "results"
    forms = {path.suffix for path in results.rglob("*") if path.is_file()}
    assert forms >= {
        ".html", ".json", ".md", ".csv", ".tex", ".docx", ".xlsx", ".parquet", ".svg", ".pdf",
        ".png",
    }  # fmt: skip
    assert study.leaks(results) == {}
