"""A study looked at in the browser: who is let in, what is shown, and what is kept."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from tests.campaign.conftest import SYSTEMS, write_study

from medassay.__main__ import main
from medassay.web.viewer import Key, Viewed, view_app
from medassay.web.viewer.chosen import ViewerFilter

from .conftest import Listening

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.web
HERE = "http://127.0.0.1"
SAID = """\
rater,system,case,dimension,label,comment
r1,robot,01,uses-evidence,Yes,I would say so
r2,robot,01,uses-evidence,No,
r1,clinic,01,uses-evidence,Yes,
r2,clinic,01,uses-evidence,Yes,
r1,robot,02,uses-evidence,No,
"""


def study_of(folder: Path, more: str = "") -> Path:
    write_study(folder, f'metrics = [{{ name = "length" }}]\n{more}')
    (folder / "judgements.csv").write_text(SAID, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a study that was run."""
    folder = study_of(tmp_path_factory.mktemp("view") / "study")
    with pytest.raises(SystemExit) as stopped:
        main(["run", str(folder)])
    assert not stopped.value.code
    return folder


@pytest.fixture(scope="module")
def viewed(folder: Path) -> Viewed:
    return Viewed.open(folder)


def visitor(viewed: Viewed, *, let_in: bool = True) -> Any:  # noqa: ANN401 - Starlette's client
    from starlette.testclient import TestClient

    key = Key()
    client = TestClient(
        view_app(viewed, key),  # type: ignore[arg-type, unused-ignore]  # any ASGI
        base_url=HERE,
        raise_server_exceptions=False,
    )
    if let_in:
        assert client.get(key.address("")).status_code == 200
    return client


PATHS = ("/", "/case?case=01", "/try?case=01&system_tried=robot")


@pytest.mark.parametrize("path", PATHS)
def test_without_the_key_of_this_start_nothing_is_shown(viewed: Viewed, path: str) -> None:
    stranger = visitor(viewed, let_in=False)
    stranger.get(Key().address(""))
    answer = stranger.get(path)
    assert answer.status_code == 403
    assert "ankle" not in answer.text
    assert "medassay view" in answer.text


@pytest.mark.parametrize("path", PATHS)
def test_every_page_is_there_to_be_read_only(viewed: Viewed, path: str) -> None:
    reader = visitor(viewed)
    answer = reader.get(path)
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert {reader.request(how, path).status_code for how in ("POST", "PUT", "DELETE")} == {405}


def test_a_name_that_points_here_from_elsewhere_gets_nothing(viewed: Viewed) -> None:
    answer = visitor(viewed).get("/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert "ankle" not in answer.text


def test_looking_changes_nothing_in_the_folder(folder: Path) -> None:
    def all_of_it() -> dict[str, str]:
        return {
            str(path): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    before = all_of_it()
    reader = visitor(Viewed.open(folder))
    for path in (*PATHS, "/try?case=01&system_tried=robot&metric=length"):
        assert reader.get(path).status_code == 200
    assert all_of_it() == before


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (ViewerFilter(), {"01": 3, "02": 3, "03": 3, "04": 3}),
        (ViewerFilter(systems=("robot",)), {"01": 1, "02": 1, "03": 1, "04": 1}),
        (ViewerFilter(dimension="uses-evidence", label="No"), {"01": 1, "02": 1}),
        (ViewerFilter(dimension="uses-evidence"), {"01": 2, "02": 1}),
        (ViewerFilter(differ=True), {"01": 1}),
        (ViewerFilter.of([("words", "ANKLE  03")]), {"03": 3}),
        (ViewerFilter.of([("rater", "rater-A")]), {"01": 2}),
        (ViewerFilter.of([("rater", "rater-B"), ("label", "uses-evidence:No")]), {"02": 1}),
        (ViewerFilter.of([("within", "raters"), ("least", "2")]), {"01": 2}),
        (
            ViewerFilter.of([("within", "raters"), ("most", "0")]),
            {"01": 1, "02": 2, "03": 3, "04": 3},
        ),
        (ViewerFilter.of([("tag", "no-such:tag")]), {}),
    ],
)
def test_the_list_holds_what_was_asked_for(
    viewed: Viewed, asked: ViewerFilter, found: dict[str, int]
) -> None:
    fitting = Counter(viewed.table.answers[place].case for place in viewed.found(asked))
    assert fitting == found


def test_a_case_shows_labels_scores_and_where_raters_differ(viewed: Viewed) -> None:
    shown = viewed.case("01", ViewerFilter())
    assert shown is not None
    assert [answer.system for answer in shown.answers] == sorted(SYSTEMS)
    robot = next(answer for answer in shown.answers if answer.system == "robot")
    (label,) = robot.labels
    assert label.differ
    assert list(label.said) == ["Yes", "No"]
    assert label.comments
    length = next(score for score in robot.scores if score.name == "length")
    assert float(length.value) > 0
    assert all(
        not label.differ for one in shown.answers if one is not robot for label in one.labels
    )


def test_a_metric_says_what_it_saw(viewed: Viewed) -> None:
    page = visitor(viewed).get("/try?case=01&system_tried=robot&metric=length").text
    answer = viewed.study.answers.get("robot", "01")
    assert answer is not None
    assert answer.text is not None
    assert page.count(answer.text) == 2
    assert "What the metric read" in page
    assert f"{len(answer.text.split())}.0</p>" in page


@pytest.mark.parametrize("texts", ["ids", "none"])
def test_a_study_that_keeps_its_texts_shows_none(tmp_path: Path, texts: str) -> None:
    folder = study_of(tmp_path / "study", f'privacy.texts = "{texts}"\n')
    viewed = Viewed.open(folder)
    reader = visitor(viewed)
    case = next(iter(viewed.study.cases.ids))
    pages = [
        reader.get(path)
        for path in (
            "/",
            "/?words=rest+for",
            f"/case?case={case}",
            f"/try?case={case}&system_tried=robot&metric=length",
        )
    ]
    for page in pages:
        assert page.status_code in {200, 404}
        assert "ankle " not in page.text
        assert "Rest for" not in page.text
        assert "I would say so" not in page.text
    known = {page.status_code for page in pages[2:]}
    assert known == ({200} if texts == "ids" else {404})


def test_without_a_run_it_says_how_to_have_scores(tmp_path: Path) -> None:
    page = visitor(Viewed.open(study_of(tmp_path / "study"))).get("/").text
    assert "medassay run study" in page


# --- in a real browser


@pytest.fixture
def address(viewed: Viewed) -> Iterator[str]:
    key = Key()
    listening = Listening(view_app(viewed, key))
    yield key.address(listening.address)
    listening.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1440, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_keeps_anybody_out(
    address: str,
    browser: "Browser",
    checked: "Callable[[Page, str], None]",
    width: int,
    scheme: Literal["light", "dark"],
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    elsewhere: list[str] = []
    faults: list[str] = []
    page.on(
        "request",
        lambda sent: None if sent.url.startswith((HERE, "data:")) else elsewhere.append(sent.url),
    )
    page.on("console", lambda said: faults.append(said.text))
    page.goto(address)
    assert "key=" not in page.url
    checked(page, "answers")
    page.get_by_text("All of 3 systems").click()
    page.get_by_role("checkbox", name="robot").check()
    page.get_by_role("checkbox", name="Raters differ").last.check()
    page.get_by_role("button", name="Show").click()
    page.get_by_role("heading", name="1 answer found").wait_for()
    page.get_by_role("link", name="Case 01, robot").click()
    page.get_by_role("heading", name="robot").wait_for()
    checked(page, "case")
    page.get_by_role("link", name="Try a metric on the answer of robot").click()
    page.locator("select[name=metric]").select_option("length")
    page.get_by_role("button", name="Try it").click()
    page.get_by_role("heading", name="What the metric read").wait_for()
    checked(page, "try")
    page.get_by_role("link", name="← Case 01").click()
    page.get_by_text("1 of 1 found").wait_for()
    assert (elsewhere, faults) == ([], [])
    context.close()


@pytest.mark.browser
def test_a_case_reads_well_without_being_seen(address: str, browser: "Browser") -> None:
    from playwright.sync_api import expect

    page = browser.new_page()
    page.goto(address)
    page.goto(f"{page.url}case?case=01&system=robot")
    expect(page.get_by_role("article").first).to_match_aria_snapshot(READ)
    page.close()


READ = """
- article "robot":
  - heading "robot" [level=2]
  - link "Link to the answer of robot"
  - link "Try a metric on the answer of robot"
  - region "Answer of robot":
    - paragraph
  - region "Ratings of robot":
    - heading "Ratings" [level=3]
    - term: /Raters differ/
    - definition: Yes rater-B
    - definition: No rater-A
    - definition: “I would say so” rater-B
  - region "Scores of robot":
    - heading "Scores" [level=3]
    - table
"""
