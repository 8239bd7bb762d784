"""What pages show of a study that holds neither questions nor answers."""

import json
import re
from pathlib import Path

import pytest
from tools.ratings_alone import write_ratings_alone

from medassay.__main__ import main
from medassay.web.viewer import Viewed

from .test_view import visitor


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a study that was run."""
    more = '[[metrics]]\nname = "length"'
    folder = write_ratings_alone(tmp_path_factory.mktemp("view") / "study", more=more)
    with pytest.raises(SystemExit) as stopped:
        main(["run", str(folder)])
    assert not stopped.value.code
    return folder


@pytest.mark.web
def test_the_viewer_says_what_is_not_held(folder: Path) -> None:
    client = visitor(Viewed.open(folder))
    case = client.get("/case?case=id0").text
    assert case.count("The study has no text of this question.") == 1
    assert case.count("The study has no text of this answer.") == 2
    tried = client.get("/try?case=id0&system_tried=s0&metric=length").text
    assert "Text not held." in tried
    for path in ("/", "/case?case=id0", "/try?case=id0&system_tried=s0&metric=length"):
        page = client.get(path).text
        assert "Empty answer." not in page
        assert not re.search(r"\bnan\b", page, re.IGNORECASE)


def test_the_report_says_it_where_texts_would_stand(folder: Path) -> None:
    [page] = (path.read_text("utf-8") for path in folder.glob("results/*/report.html"))
    assert "The text of 5 of these 5 answers is not held." in page
    assert "<h4>Texts that are not held</h4>" in page
    data = re.search(r'<script type="application/json" id="case-data">(.*?)</script>', page)
    assert data is not None
    cases = json.loads(data[1])["cases"]
    assert {answer[1] for case in cases for answer in case["a"]} == {"not held"}
    [words] = (path.read_text("utf-8") for path in folder.glob("results/*/report.md"))
    assert "8 answers (8 with a text that is not held)" in words
    assert "We computed" not in words
