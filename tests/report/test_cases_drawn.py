"""Of which cases a report speaks: its own, unless study.toml says how they were drawn."""

from pathlib import Path

import pytest

from medassay.analyses.results import Results
from medassay.analyses.run import study_info
from medassay.errors import InvalidInput
from medassay.report.tables import all_tables
from medassay.report.whose import Whose
from medassay.study import Study, new_study


def captions(results: Results) -> str:
    return " ".join(table.caption for table in all_tables(results))


def drawn(small: Results) -> Results:
    words = {"drawn": "every tenth question of a clinic"}
    return small.model_copy(update={"study": small.study.model_copy(update=words)})


def test_cases_that_were_chosen_are_not_called_new(small: Results) -> None:
    said = captions(small)
    assert "new cases" not in said
    assert "these systems, these cases drawn again" in said
    told = Whose(small).text("for answers like these, and new questions of the same kind")
    assert told == "for these answers drawn again, and these questions drawn again"
    sentence = Whose(small).sentence("These bounds are for new cases.")
    assert sentence == "These bounds are for these cases."


def test_where_the_study_says_how_they_were_drawn_it_speaks_of_others(small: Results) -> None:
    assert "these systems, new cases" in captions(drawn(small))


def test_study_toml_says_how_cases_were_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    new_study(folder, "ratings")
    file = folder / "study.toml"
    assert study_info(Study.open(folder)).drawn == ""
    written = file.read_text(encoding="utf-8")
    file.write_text(f'{written}\n[ranking]\ndrawn = "by lot"\n', encoding="utf-8")
    assert study_info(Study.open(folder)).drawn == "by lot"
    file.write_text(f'{written}\n[ranking]\ndrawn = " "\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"ranking\.drawn"):
        Study.open(folder)
