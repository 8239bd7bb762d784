"""The first screen: a title that says the finding, one figure, 80 words, the facts."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from playwright.sync_api import Browser
from tests.report.ranked import changed_rows, rows_of, with_margins, with_pairs, with_rows
from tests.report.test_many_systems import chained, with_systems
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

from medassay.analyses import run_study
from medassay.analyses.builtin.correlations import Correlations
from medassay.analyses.builtin.criteria import criteria
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.trust import trusted_in
from medassay.analyses.declaration import UndeclaredVerdict
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.errors import InvalidInput
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.overview import Lane, Overview, OverviewRow, Spot
from medassay.exhibits.sentences import alike
from medassay.judgements.raters import FIRST_RATERS
from medassay.report import findings, read_results
from medassay.report.figures.letters import lay_out
from medassay.report.figures.overview import overview_picture
from medassay.report.names import Names
from medassay.report.opening import choose, opening_of, overview_of, panel
from medassay.report.opening.words import MOST_WORDS, beside
from medassay.report.page import page
from medassay.report.uses import metric_uses
from medassay.stats import Interval
from medassay.study import open_run
from medassay.validity import WithinMargin

GENERIC: Final = re.compile(r"\b(report|results|overview|systems side by side)\b", re.IGNORECASE)


def seen(results: Results) -> Overview:
    overview = overview_of(results)
    assert overview is not None
    return overview


def alone(small: Results) -> Results:
    """Keep one system."""
    first = small.systems[:1]
    rows = [row for row in rows_of(small) if row.system == first[0].id]
    ranked = with_pairs(with_rows(small, rows), ())
    return ranked.model_copy(update={"systems": first, "cases": []})


@pytest.mark.parametrize("study", STANDARD)
def test_every_standard_study_opens_with_what_was_found(
    study: str, standard_run: SharedRuns
) -> None:
    results = read_results(standard_run(study).folder / "report.json")
    opening = opening_of(results, findings(results))
    assert opening.title != results.study.title
    assert not GENERIC.search(opening.title)
    assert not opening.title.endswith(".")
    assert sum(len(told.text.split()) for told in opening.told) <= MOST_WORDS
    assert any("case" in fact for fact in opening.facts)
    assert results.run.software in opening.facts
    if opening.overview is not None:
        lanes = len(opening.overview.lanes)
        assert {len(row.spots) for row in opening.overview.rows} == {lanes}
        assert opening.overview.in_words


def test_one_system_is_told_by_its_own_mean_and_stands_to_none(small: Results) -> None:
    overview = seen(alone(small))
    assert len(overview.rows) == 1
    assert overview.title.startswith("Alder scored ")
    assert overview.pairs == 0
    assert not any(spot.verdict for row in overview.rows for spot in row.spots)


def test_many_systems_are_ranks_in_one_line_each(small: Results) -> None:
    overview = seen(with_systems(small, chained(28)))
    assert len(overview.rows) == 28
    assert overview.lanes[0].title == "Rank"
    assert "undecided" in overview.title
    assert seen(with_systems(small, chained(50))).more == 10


def test_what_to_do_has_its_words_however_much_was_found(small: Results) -> None:
    long = [Finding(f"own-{k}", f"{'word ' * 24}end.", (), ReaderQuestion.BETTER) for k in range(4)]
    act = Finding("harm-next", "Read the harmful answers.", (), ReaderQuestion.NEXT)
    draw = Finding("draw", f"Draw {'these ' * 20}now.", (), ReaderQuestion.NEXT)
    told = list(beside(small, [*long, draw, act], None))
    assert [own.finding.id for own in told] == ["own-0", "own-1", "own-2", "harm-next"]
    assert told[-1].next


def test_commands_are_set_apart_and_options_are_not_broken(small: Results) -> None:
    counts = small.study.counts.model_copy(update={"judgements": 0, "preferences": 0})
    study = small.study.model_copy(update={"counts": counts})
    analyses = Records({"correlations": Correlations((), lacks="ratings")})
    html = page(small.model_copy(update={"study": study, "analyses": analyses})).decode()
    assert (
        "<code>medassay campaign create STUDY <span>--raters</span> "
        f"{FIRST_RATERS}</code>; <code>medassay campaign sheets STUDY</code>."
    ) in html


def test_many_systems_within_a_margin_of_the_first_are_similar(small: Results) -> None:
    many = with_systems(small, chained(28))
    boards = leaderboards_in(many.analyses)
    first = next(row for row in boards.by(many.primary) if row.rank == 1)
    around = Interval(-0.1, 0.1, 0.95, "t", "an example")
    margins = tuple(
        WithinMargin(many.primary, first.system, row.system, 0.2, around, 0.001)
        for row in boards.by(many.primary)
        if row.system != first.system
    )
    overview = seen(with_margins(many, margins))
    similar = {row.title for row in overview.rows if row.spots[-1].verdict == "similar"}
    level = {r.system for r in boards.by(many.primary) if alike(r.letters, first.letters)}
    assert similar == {_title(many, system) for system in level - {first.system}}
    assert "inside the margin of 0.2" in overview.caption


def test_two_pipelines_within_the_margin_of_accuracy_are_similar(standard_run: SharedRuns) -> None:
    whole = read_results(standard_run("clinical").folder / "report.json")
    two = whole.model_copy(update={"systems": whole.systems[:2], "earlier": None})
    assert seen(two).title.endswith("undecided")
    around = Interval(-0.04, 0.04, 0.95, "t", "an example")
    first, second = (system.id for system in two.systems)
    within = WithinMargin("exact_match", first, second, 0.05, around, 0.001)
    assert seen(with_margins(two, [within])).title.endswith(": similar")
    assert seen(with_margins(two, [replace(within, margin=0.04)])).title.endswith("undecided")


def test_without_intervals_there_are_dots_and_no_word_of_them(small: Results) -> None:
    bare = with_pairs(changed_rows(small, lambda _: {"interval": None}), ())
    overview = seen(bare)
    spots = [spot for row in overview.rows for spot in row.spots if spot.value is not None]
    assert spots
    assert all(spot.low is None and not spot.aside for spot in spots)
    assert overview.intervals == ""


def test_where_all_is_missing_each_cell_says_why(small: Results) -> None:
    gone = {"mean": None, "interval": None, "rank": None, "letters": "", "reason": "no answer came"}
    results = with_pairs(changed_rows(small, lambda _: gone), ())
    overview = seen(results)
    assert not overview.drawn
    assert overview.title.startswith("No system has a value")
    assert {spot.why for row in overview.rows for spot in row.spots} == {"no answer came"}
    html = page(results).decode()
    assert 'id="overview"' in html
    assert 'class="point"' not in html


def test_a_verdict_is_decided_before_rounding_and_shown_so(small: Results) -> None:
    """A decided difference is never printed as one that may be 0."""
    source = small.primary
    order = sorted(
        (row for row in rows_of(small) if row.source == source), key=lambda row: row.rank or 99
    )
    top, second = order[0], order[1]
    letters = {top.system: "a"}
    results = changed_rows(
        small, lambda row: {"letters": letters.get(row.system, "b"), "adjusted": None}
    )
    pairs = [
        replace(
            pair,
            difference=0.9,
            p_adjusted=0.001,
            interval=replace(pair.interval, low=0.001, high=1.8),
        )
        if pair.interval and pair.source == source and pair.system_a == top.system
        else pair
        for pair in leaderboards_in(results.analyses).comparisons
    ]
    overview = seen(with_pairs(results, pairs))
    row = next(row for row in overview.rows if row.title == _title(small, second.system))
    last = row.spots[-1]
    assert (last.verdict, last.text) == ("lower", "−0.900")
    assert last.aside == "(−1.800 to −0.001)"


def _title(results: Results, system: str) -> str:
    return next(own.title for own in results.systems if own.id == system)


def test_an_undecided_pair_whose_interval_leaves_out_0_says_why(small: Results) -> None:
    source = small.primary
    results = changed_rows(small, lambda _: {"letters": "a", "adjusted": None})
    pairs = [
        replace(pair, difference=0.3, interval=replace(pair.interval, low=0.1, high=0.6))
        if pair.interval and pair.source == source
        else pair
        for pair in leaderboards_in(results.analyses).comparisons
    ]
    verdicts = [row.spots[-1] for row in seen(with_pairs(results, pairs)).rows[1:]]
    assert {spot.verdict for spot in verdicts} <= {"undecided", ""}
    whys = ("corrected for all pairs", "rare large losses")
    assert all(any(why in s.why.lower() for why in whys) for s in verdicts if s.verdict)
    assert "leaves out 0" in (caption := seen(with_pairs(results, pairs)).caption) or (
        "rare large losses" in caption
    )


def test_systems_that_did_as_much_are_named_together(standard_run: SharedRuns) -> None:
    results = read_results(standard_run("criteria").folder / "report.json")
    report = results.analyses.of(criteria)
    assert report is not None
    rows = report.against
    worst = max(row.met / row.cases for row in rows if row.cases)
    assert sum(row.cases > 0 and row.met / row.cases == worst for row in rows) > 1
    assert seen(results).title.endswith("each")


def test_systems_judged_by_criteria_are_higher_lower_or_undecided(
    standard_run: SharedRuns,
) -> None:
    overview = seen(read_results(standard_run("criteria").folder / "report.json"))
    assert ": difference from " in overview.lanes[-1].title
    verdicts = [row.spots[-1].verdict for row in overview.rows]
    assert verdicts[0] == ""
    assert {*verdicts[1:]} <= {"higher", "lower", "undecided"}
    assert len(overview.lanes) <= 4


def test_a_figure_says_where_differences_are_not_those_of_the_rounded_means(
    standard_run: SharedRuns,
) -> None:
    seen_of = {
        study: seen(read_results(standard_run(study).folder / "report.json"))
        for study in ("criteria", "drawn")
    }
    for study, told in (("criteria", True), ("drawn", False)):
        caption = seen_of[study].caption
        assert caption.endswith(" Differences are computed before rounding.") == told


def test_the_right_document_first_is_a_count_of_questions(standard_run: SharedRuns) -> None:
    overview = seen(read_results(standard_run("clinical").folder / "report.json"))
    [row] = [row for row in overview.rows if row.title == "Right document first"]
    assert [spot.text for spot in row.spots] == ["6 of 7", "5 of 7", "5 of 7"]


def test_documents_over_which_experts_were_split_are_in_the_title() -> None:
    nobody: Any = None
    boxes: dict[str, tuple[bool | None, ...]] = {
        "q1": (True, False, None),
        "q2": (True, None, None),
    }
    assert panel._title(nobody, boxes, {}, nobody) == (
        "Experts found 2 of 6 documents relevant and were split over 3"
    )


def test_where_harm_was_not_asked_it_is_not_the_headline(small: Results) -> None:
    overview = seen(small)
    assert "harm" not in overview.title
    assert not any(lane.harm for lane in overview.lanes)


def test_a_title_carries_no_verdict_that_nothing_claims(
    small: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    bold = Overview("Alder leads", "System", (Lane("Mean"),), (OverviewRow("A", (Spot("1"),)),), "")
    monkeypatch.setattr(choose, "overview_of", lambda _: bold)
    with pytest.raises(UndeclaredVerdict):
        opening_of(small, findings(small))


def test_marks_lead_to_answers_and_with_texts_none_to_no_id(standard_run: SharedRuns) -> None:
    panel = read_results(standard_run("panel").folder / "report.json")
    ids = {case.case for case in panel.cases}
    shown = panel.model_copy(update={"study": panel.study.model_copy(update={"texts": "none"})})
    leads = [s.leads for row in seen(shown).rows for s in row.spots if s.leads]
    assert leads
    assert not any(link.case for link in leads)
    assert {s.leads.case for row in seen(panel).rows for s in row.spots if s.leads} <= ids


def test_an_earlier_run_stands_beside_the_measures(standard_run: SharedRuns) -> None:
    results = read_results(standard_run("clinical").folder / "report.json")
    assert results.earlier is not None
    assert "earlier run" in results.run.inputs
    overview = seen(results)
    right = overview.rows[0]
    before = {v.system: v.value for v in results.earlier.values if v.measure == right.title}
    assert [spot.before for spot in right.spots] == [before[s] for s in _order(results)]
    assert "before" in right.spots[0].aside
    assert "Hollow dots" in overview.caption
    assert "more than before" in overview.title or "as many as before" in overview.title


def _order(results: Results) -> list[str]:
    titles = {system.title or system.id: system.id for system in results.systems}
    return [titles[lane.title] for lane in seen(results).lanes]


def test_an_earlier_run_that_is_not_there_is_refused(
    standard_run: SharedRuns, tmp_path: Path
) -> None:
    study = standard_run.copy("rated", tmp_path).study
    with pytest.raises(InvalidInput, match=r"--against.*earlier run.*nowhere"):
        open_run(study, against=study / "nowhere")


def test_study_toml_names_no_earlier_run_outside_of_the_study(
    standard_run: SharedRuns, tmp_path: Path
) -> None:
    study = standard_run.copy("rated", tmp_path).study
    settings = study / "study.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(f'{text}\n[report]\nagainst = "../other"\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"report\.against: must name a file of the study"):
        open_run(study)


def test_what_is_no_report_cannot_stand_beside_a_run(
    standard_run: SharedRuns, tmp_path: Path
) -> None:
    study = standard_run.copy("rated", tmp_path).study
    (tmp_path / "report.json").write_text('{"run": 1}', encoding="utf-8")
    with pytest.raises(InvalidInput, match="this version of medassay wrote"):
        run_study(open_run(study, against=tmp_path))


def test_ticks_say_which_metric_can_be_used(standard_run: SharedRuns) -> None:
    results = read_results(standard_run("missing").folder / "report.json")
    assert metric_uses(results) is None
    trusted = trusted_in(results.analyses)
    first = next(on for on in trusted if on.dimension == Names(results).judged[results.primary])
    entries = [replace(e, uses=("rank", "gate"), scopes=("between systems",)) if not at else e
               for at, e in enumerate(first.table.entries)]  # fmt: skip
    on = replace(first, table=replace(first.table, entries=tuple(entries)))
    records = Records({**results.analyses, "trust": (on,)})
    table = metric_uses(results.model_copy(update={"analyses": records}))
    assert table is not None
    assert [cell.text for cell in table.rows[0].cells[1:]] == ["✓", "–", "✓", "–"]
    assert table.title.startswith("1 of ")


@pytest.mark.parametrize(
    "rows",
    [
        (),
        (OverviewRow("Alone", (Spot("none", why="nothing"), Spot("–"))),),
        (OverviewRow("Boxes", (Spot("1 of 2", boxes=(True, None)), Spot("High | Low"))),),
        (OverviewRow("Strip", (Spot("1.5", value=1.5, dots=(1.0, 2.0)), Spot(""))),),
        (OverviewRow("Then", (Spot("2", "(1 to 3)", 2.0, 1.0, 3.0, before=1.5), Spot(""))),),
    ],
)  # fmt: skip
def test_the_paper_has_the_same_figure(rows: tuple[OverviewRow, ...]) -> None:
    lanes = (Lane("Accuracy", (1.0, 5.0), ("1", "5 best"), line=3.0), Lane("Level"))
    picture = overview_picture(
        Overview("A scored 2", "System", lanes, rows, "Dots are means.", intervals="95% CI"),
        synthetic=True,
    )
    assert picture.caption == "Dots are means. 95% CI."
    words = {text.get_text() for axes in picture.figure.axes for text in axes.texts}
    assert words - {"Level"} == {
        " ".join(part for part in (spot.text, spot.aside) if part)
        for row in rows
        for spot in row.spots
    }


def test_the_heading_of_a_column_of_words_is_not_cut_off() -> None:
    lanes = (Lane("Accuracy", (1.0, 5.0), ("1", "5 best")), Lane("Group of systems"))
    rows = (OverviewRow("A", (Spot("2.0", value=2.0), Spot("a"))),)
    figure = overview_picture(Overview("A", "System", lanes, rows, ""), synthetic=False).figure
    lay_out(figure)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    heads = [text for text in figure.findobj(Text) if "Group" in text.get_text()]
    assert heads
    for head in heads:
        assert head.get_window_extent(canvas.get_renderer()).x1 <= figure.bbox.x1


@pytest.mark.browser
@pytest.mark.parametrize("study", ["rated", "clinical", "panel", "criteria", "subtask-4"])
def test_the_first_mark_stands_in_the_first_third_of_a_screen(
    study: str, standard_run: SharedRuns, browser: Browser
) -> None:
    for width, height in ((1300, 900), (390, 844)):
        opened = browser.new_page(viewport={"width": width, "height": height})
        opened.goto((standard_run(study).folder / "report.html").as_uri())
        top = opened.locator("#overview .mark").first.evaluate(
            "mark => mark.getBoundingClientRect().top"
        )
        over = opened.evaluate("document.documentElement.scrollWidth - innerWidth")
        opened.close()
        assert top < height / 2.5
        assert over <= 0


@pytest.mark.browser
def test_a_mark_opens_the_answers_of_its_system(standard_run: SharedRuns, browser: Browser) -> None:
    opened = browser.new_page()
    opened.goto((standard_run("rated").folder / "report.html").as_uri())
    mark = opened.locator("#overview a.mark").first
    name = mark.evaluate("mark => mark.closest('td').dataset.row")
    mark.press("Enter")
    opened.wait_for_selector("#cases > details[open]")
    chosen = opened.locator("#f-system").evaluate("f => f.selectedOptions[0].textContent")
    assert chosen == name
    opened.close()
