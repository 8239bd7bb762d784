"""The table of answers: columns, orders and filters, rows out, two studies side by side."""

import csv
import io
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from medassay.__main__ import main
from medassay.errors import InvalidInput
from medassay.study import find_completed_run
from medassay.web.viewer import Key, Viewed, page_of, view_app
from medassay.web.viewer.beside import changed_words
from medassay.web.viewer.chosen import ViewerFilter

from .conftest import Listening
from .test_view import visitor

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.web
RUBRIC = """\
name = "harm and quality"

[[dimensions]]
id = "harm"
title = "Harm"
question = "Could it harm?"
scale = "nominal"
labels = [{ label = "none" }, { label = "severe" }]
mappings = { harmful = { severe = "harmful", none = "harmless" } }

[[dimensions]]
id = "quality"
title = "Quality"
question = "How good is it?"
scale = "ordinal"
labels = [{ label = "1", score = 1 }, { label = "2", score = 2 }, { label = "3", score = 3 }]
"""


def write(folder: Path, cases: int, systems: tuple[str, ...], more: str = "") -> Path:
    """Write a study whose answers grow worse from system to system."""
    folder.mkdir(parents=True)
    settings = 'schema = 1\ntitle = "A study"\nmetrics = [{ name = "length" }]\n'
    (folder / "study.toml").write_text(f'{settings}[[dimensions]]\nrubric = "rubric.toml"\n')
    (folder / "rubric.toml").write_text(RUBRIC)
    ids = [f"c{number:04}" for number in range(cases)]
    tags = [{"field": "eyes" if number % 2 else "skin"} for number in range(cases)]
    (folder / "cases.jsonl").write_text(
        "".join(
            json.dumps({"case": case, "question": f"What of {case}?", "tags": tag}) + "\n"
            for case, tag in zip(ids, tags, strict=True)
        )
    )
    (folder / "answers").mkdir()
    for at, system in enumerate(systems):
        lines = [json.dumps({"case": case, "text": f"Rest {at} days{more}."}) for case in ids]
        (folder / "answers" / f"{system}.jsonl").write_text("\n".join(lines) + "\n")
    rows = ["rater,system,case,dimension,label"]
    for number, case in enumerate(ids):
        for at, system in enumerate(systems):
            for rater in ("r1", "r2"):
                bad = at == len(systems) - 1 and number % 2 == 0 and rater == "r1"
                rows.append(f"{rater},{system},{case},harm,{'severe' if bad else 'none'}")
                rows.append(f"{rater},{system},{case},quality,{1 + (number + at) % 3}")
    (folder / "judgements.csv").write_text("\n".join(rows) + "\n")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write(tmp_path_factory.mktemp("table") / "study", 6, ("A", "B"))
    with pytest.raises(SystemExit) as stopped:
        main(["run", str(folder)])
    assert not stopped.value.code
    return folder


@pytest.fixture(scope="module")
def viewed(folder: Path) -> Viewed:
    return Viewed.open(folder)


def test_the_worst_answers_stand_first_and_harm_is_red(viewed: Viewed) -> None:
    table = viewed.table
    assert [column.title for column in table.shown(ViewerFilter())][:2] == ["Harmful", "Quality"]
    found = viewed.found(ViewerFilter())
    first = [table.answers[place] for place in found[:3]]
    assert {answer.system for answer in first} == {"B"}
    cell = table.cell(found[0], table.columns["harm"])
    assert (cell.text, cell.alarm) == ("1 of 2", True)
    assert not table.cell(found[-1], table.columns["harm"]).alarm
    # Of those that harm, and of those that do not, the lowest rated stand first.
    qualities = [table.values("rated:quality")[place] or 0.0 for place in found]
    assert qualities == sorted(qualities[:3]) + sorted(qualities[3:])
    page = visitor(viewed).get("/").text
    assert '<td class="number alarm">1 of 2</td>' in page
    # B, the system with harm, leads the overview.
    assert page.index("<h2>Systems</h2>") < page.index("<h2>Answers, the worst first</h2>")
    overview = page[page.index("<h2>Systems</h2>") :]
    assert overview.index('<th scope="row">B</th>') < overview.index('<th scope="row">A</th>')
    assert '<td class="number alarm">3 of 6</td>' in overview


def test_it_is_sorted_and_kept_to_what_is_asked(viewed: Viewed) -> None:
    def found(*asked: tuple[str, str]) -> list[tuple[str, str]]:
        answers = (viewed.table.answers[at] for at in viewed.found(ViewerFilter.of(asked)))
        return [(answer.case, answer.system) for answer in answers]

    lengths = found(("sort", "score:length"), ("down", "1"))
    assert len(lengths) == 12
    assert found(("sort", "system"), ("down", "1"))[0][1] == "B"
    assert {case for case, _ in found(("tag", "field:eyes"))} == {"c0001", "c0003", "c0005"}
    assert len(found(("within", "harm"), ("least", "0.5"))) == 3
    # Raters stand under other names; one of the two calls three answers harmful.
    assert sorted(
        len(found(("rater", rater), ("label", "harm:severe"))) for rater in viewed.raters
    ) == [0, 3]
    assert found(("words", "of c0002"), ("system", "A")) == [("c0002", "A")]
    told = visitor(viewed).get("/?system=NoSuch&col=score:none&rater=r9").text
    assert "system NoSuch, column score:none, rater r9" in told


def test_on_a_case_the_comparator_is_always_there(viewed: Viewed) -> None:
    shown = viewed.case("c0000", ViewerFilter.of([("label", "harm:severe")]))
    assert shown is not None
    assert [(answer.system, answer.fits) for answer in shown.answers] == [("B", True), ("A", False)]
    page = visitor(viewed).get("/case?case=c0000&label=harm:severe").text
    assert '<b dir="auto" class="alarm">severe</b>' in page
    assert "Not among those found; shown to compare." in page


def test_rows_go_out_as_csv(viewed: Viewed) -> None:
    got = visitor(viewed).get("/answers.csv?col=harm&col=score:length&system=B")
    assert got.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(got.text)))
    assert list(rows[0]) == ["case", "system", "harm", "score:length"]
    assert len(rows) == 6
    assert rows[0]["harm"] == "0.5"


def test_a_path_to_an_answer_outlives_the_key(viewed: Viewed) -> None:
    path = page_of(viewed, "c0003", "B")
    assert path == "/case?system=B&case=c0003"
    later, key = visitor(viewed, let_in=False), Key()
    asked = later.get(path)
    assert asked.status_code == 403
    assert 'value="/case?system=B&amp;case=c0003"' in asked.text
    from starlette.testclient import TestClient

    client = TestClient(view_app(viewed, key), base_url="http://127.0.0.1")  # type: ignore[arg-type, unused-ignore]  # any ASGI
    shown = client.get("/in", params={"key": key.secret, "to": path})
    assert (shown.status_code, shown.url.path) == (200, "/case")
    assert shown.text.index(">B</h2>") < shown.text.index(">A</h2>")
    # It leads nowhere else.
    for elsewhere in ("https://evil.example/", "//evil.example", "/\\evil.example"):
        led = client.get("/in", params={"key": key.secret, "to": elsewhere}, follow_redirects=False)
        assert led.headers["location"] == "/"


def test_where_the_viewer_is_to_open_has_to_be_there(viewed: Viewed) -> None:
    with pytest.raises(InvalidInput, match="CASE: must be a case"):
        page_of(viewed, "c9", "")
    with pytest.raises(InvalidInput, match="SYSTEM: must be one of"):
        page_of(viewed, "c0003", "C")
    with pytest.raises(InvalidInput, match="SYSTEM: must come after a case"):
        page_of(viewed, "", "B")


def test_flags_are_a_column_that_one_chooses(tmp_path: Path) -> None:
    folder = write(tmp_path / "study", 2, ("A", "B"))
    settings = (folder / "study.toml").read_text()
    (folder / "study.toml").write_text(settings.replace('"length"', '"danger_flag"'))
    answers = folder / "answers" / "B.jsonl"
    text = answers.read_text().replace("Rest 1 days", "Take paracetamol 2 g every 4 hours", 1)
    answers.write_text(text)
    with pytest.raises(SystemExit):
        main(["run", str(folder)])
    viewed = Viewed.open(folder)
    flags = dict(zip(viewed.table.answers, viewed.table.values("flags"), strict=True))
    assert [answer for answer, count in flags.items() if count] == [("c0000", "B")]
    assert viewed.found(ViewerFilter.of([("within", "flags"), ("least", "1")])) == [
        place for place, answer in enumerate(viewed.table.answers) if answer == ("c0000", "B")
    ]
    page = visitor(viewed).get("/?col=flags").text
    assert page.count('<th scope="col" class="number">') == 3  # answers, flags; flags
    assert page.count('<td class="number alarm">') == 2  # the system's, and the answer's


def test_missing_scores_take_one_line(tmp_path: Path) -> None:
    folder = write(tmp_path / "study", 3, ("A",))
    text = (folder / "study.toml").read_text()
    named = '[{ name = "length" }, { name = "rougeL(ref=human)" }]'
    (folder / "study.toml").write_text(text.replace('[{ name = "length" }]', named))
    with pytest.raises(SystemExit):
        main(["run", str(folder)])
    page = visitor(Viewed.open(folder)).get("/case?case=c0000").text
    assert page.count("No value: ROUGE-L (human) (") == 1


def test_two_studies_side_by_side(folder: Path, tmp_path: Path) -> None:
    before = write(tmp_path / "before", 6, ("A", "B"), more=" and call")
    both = Viewed.open(folder, before)
    assert set(both.table.values("changed")) == {1.0}
    page = visitor(both).get("/changed?case=c0001&answer=A").text
    assert page.count('<mark class="changed">') == 2
    assert "and call" in page
    assert "A study (before)" in page
    assert "A study (study)" in page
    assert visitor(Viewed.open(folder)).get("/changed?case=c0001&answer=A").status_code == 404
    left, right = changed_words("Take 10 mg of it now.", "Take 20 mg now.")
    assert "".join(piece.words for piece in left) == "Take 10 mg of it now."
    assert [piece.words for piece in right if piece.changed] == ["20"]


def test_two_runs_of_one_folder_side_by_side(tmp_path: Path) -> None:
    folder = write(tmp_path / "study", 3, ("A", "B"))
    with pytest.raises(SystemExit):
        main(["run", str(folder)])
    (earlier,) = (folder / "results").glob("*/report.json")
    answers = folder / "answers" / "A.jsonl"
    text = answers.read_text().replace("Rest 0 days", "Rest 5 full days", 1)
    answers.write_text(text)
    with pytest.raises(SystemExit):
        main(["run", str(folder)])
    now = find_completed_run(folder)
    assert now is not None
    for run, day in ((earlier.parent, 2), (now, 3)):
        moment = datetime(2026, 3, day, 9, 5, tzinfo=UTC).timestamp()
        os.utime(run / "manifest.json", (moment, moment))
    both = Viewed.open(folder, earlier.parent)
    changed = dict(zip(both.table.answers, both.table.values("changed"), strict=True))
    assert [answer for answer, value in changed.items() if value] == [("c0000", "A")]
    changes = both.table.values("change:length")
    longer = dict(zip(map(tuple, both.table.answers), changes, strict=True))
    assert (longer["c0000", "A"], longer["c0000", "B"]) == (1.0, 0.0)
    reader = visitor(both)
    page = reader.get("/changed?case=c0000&answer=A").text
    assert page.count('<mark class="changed">') == 2
    then_named = f"Run {earlier.parent.name} (2 March 2026, 09:05 UTC, earlier)"
    now_named = f"Run {now.name} (3 March 2026, 09:05 UTC, later)"
    assert f'<h2 id="then">{then_named}</h2>' in page
    assert f'<h2 id="now">{now_named}</h2>' in page
    assert f"Shown: {now_named}. Compared with: {then_named}." in reader.get("/").text
    assert "+1.0" in reader.get("/?within=changed&least=1").text
    with pytest.raises(InvalidInput, match=rf"whole run.*{now.name}"):
        Viewed.open(folder, folder / "results" / "0123456789ab")


@pytest.mark.browser
@pytest.mark.parametrize("width", [1300, 768, 390])
def test_nobody_is_kept_out(
    folder: Path,
    tmp_path: Path,
    browser: "Browser",
    checked: "Callable[[Page, str], None]",
    width: int,
) -> None:
    key = Key()
    before = write(tmp_path / "before", 6, ("A", "B"), more=" and call")
    listening = Listening(view_app(Viewed.open(folder, before), key))
    try:
        page = browser.new_page(viewport={"width": width, "height": 844})
        page.goto(f"{listening.address}/case?case=c0001")
        checked(page, "door")
        page.get_by_label("Key").fill(key.secret)
        page.get_by_role("button", name="Open").click()
        page.get_by_role("heading", name="A", exact=True).wait_for()
        checked(page, "case")
        page.get_by_role("link", name="Changed words of A").click()
        checked(page, "changed")
        page.goto(listening.address)
        checked(page, "answers")
        page.get_by_role("link", name="Quality").last.click()
        page.locator("th[aria-sort]").wait_for()
    finally:
        listening.close()


def test_scores_that_no_answer_has_are_no_usual_columns(tmp_path: Path) -> None:
    """Nobody wrote references: the metrics that need them have no value anywhere."""
    folder = write(tmp_path / "study", 2, ("A", "B"))
    settings = folder / "study.toml"
    metrics = 'metrics = [{ name = "length" }]\n'
    settings.write_text(settings.read_text("utf-8").replace(metrics, ""), "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["run", str(folder)])
    assert not ended.value.code
    table = Viewed.open(folder).table
    scores = {name for name in table.columns if name.startswith("score:")}
    assert {name for name in scores if "ref=human" in name}
    usual = {column.id for column in table.shown(ViewerFilter())}
    assert scores & usual == {"score:length"}
