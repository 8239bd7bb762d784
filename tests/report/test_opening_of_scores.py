"""The first screen of a study whose scores came with a file."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser
from tools.standard.shared import SharedRuns

from medassay.analyses import run_study
from medassay.analyses.builtin.better_than_length import (
    BetterThanLength,
    OrderedAnswers,
    better_than_length,
)
from medassay.analyses.results import Results
from medassay.exhibits import Names
from medassay.exhibits.overview import Overview
from medassay.report import findings, read_results
from medassay.report.figures.overview import overview_picture
from medassay.report.opening import opening_of, overview_of
from medassay.report.opening.words import MOST_WORDS
from medassay.stats import Interval
from medassay.study import open_run
from medassay.validity import Concordance, DrawShows, PairDraw

NAMES: Final = Names(dimensions={"quality": "Quality", "tone": "Tone"})
UNTIL: Final = Interval(0.0, 1.0, 0.95, "t", "an example")
FEW: Final = "needs 10 cases with answers that raters put in an order; got 4"


def around(value: float, half: float) -> Interval:
    return replace(UNTIL, low=value - half, high=value + half)


def score(
    metric: str,
    share: float,
    length: float = 0.5,
    half: float = 0.1,
    **changes: Interval | float | None,
) -> OrderedAnswers:
    """Make one score's row: better than length where its difference leaves out 0."""
    difference = share - length
    found = Concordance(
        metric, "mean(dimension=quality)", within=True, pairs=200, units=40, share=share,
        interval=around(share, half), length=length, length_interval=around(length, half),
        difference=difference, difference_interval=around(difference, half),
        p=0.001 if difference > half else 1.0,
    )  # fmt: skip
    changed = replace(found, **changes)  # type: ignore[arg-type] # by the test's own names
    return OrderedAnswers(changed, "quality", same=True, imported=True)


def untold(metric: str) -> OrderedAnswers:
    found = Concordance(
        metric, "mean(dimension=quality)", within=False, pairs=6, units=4, undefined=FEW
    )
    return OrderedAnswers(found, "quality", same=True, imported=True)


def opened(*rows: OrderedAnswers, draw: PairDraw | None = None) -> Overview:
    imported = tuple(own.found.metric for own in rows if own.imported)
    record = BetterThanLength(rows, draw, imported, tested=True)
    opens = better_than_length.declared.opens
    assert opens is not None
    overview = opens(record, NAMES)
    assert overview is not None
    assert overview.in_words
    assert {len(row.spots) for row in overview.rows} == {len(overview.lanes)}
    overview_picture(overview, synthetic=False)
    return overview


def text_of(overview: Overview, lane: int) -> list[str]:
    return [overview.rows[at].spots[lane].text for at in range(len(overview.rows))]


def test_each_score_stands_beside_length_with_its_verdict() -> None:
    overview = opened(score("relevancy", 0.53), score("faithfulness", 0.8))
    assert overview.title == (
        "faithfulness agrees with the raters better than answer length does; "
        "for relevancy this is not shown"
    )
    assert [row.title for row in overview.rows] == ["faithfulness", "relevancy"]
    first, second = (row.spots for row in overview.rows)
    assert (first[0].text, first[0].aside, first[0].before) == ("80%", "(70 to 90%)", 0.5)
    assert (first[1].text, first[1].aside, first[1].verdict) == ("30", "(20 to 40)", "higher")
    assert (second[1].text, second[1].verdict) == ("3", "not shown")
    assert second[1].why == "Not shown to be better than length."
    assert "answer length (50%)" in overview.caption
    assert overview.finding == "answer-order"


def test_marks_that_open_nothing_are_not_said_to(standard_run: SharedRuns) -> None:
    says = "Click a dot for its answers."
    assert says not in (standard_run("brought").folder / "report.html").read_text(encoding="utf-8")
    assert says in (standard_run("rated").folder / "report.html").read_text(encoding="utf-8")


def test_one_score_that_is_not_better_says_so_and_no_more() -> None:
    overview = opened(score("faithfulness", 0.53))
    assert overview.title == (
        "faithfulness is not shown to agree with the raters better than answer length does"
    )


def test_a_difference_never_reads_as_one_that_reaches_0_where_it_is_decided() -> None:
    own = score("faithfulness", 0.61, difference_interval=replace(UNTIL, low=0.002, high=0.2))
    own = replace(own, found=replace(own.found, p=0.001))
    [row] = opened(own).rows
    assert (row.spots[1].verdict, row.spots[1].aside) == ("higher", "(0.2 to 20.0)")


def test_lengths_that_differ_have_a_column_and_so_have_dimensions() -> None:
    other = replace(score("clarity", 0.6, 0.4), dimension="tone")
    overview = opened(score("faithfulness", 0.8), other)
    assert [lane.title for lane in overview.lanes] == [
        "Pairs in the raters’ order", "Length", "More than length, in points", "Raters on",
    ]  # fmt: skip
    assert {*text_of(overview, 1)} == {"50%", "40%"}
    assert {*text_of(overview, 3)} == {"Quality", "Tone"}


def test_of_28_scores_each_has_a_line_and_of_50_the_rest_are_counted() -> None:
    assert len(opened(*(score(f"s{at:02}", 0.5 + at / 100) for at in range(28))).rows) == 28
    overview = opened(*(score(f"s{at:02}", 0.5 + at / 200) for at in range(50)))
    assert (len(overview.rows), overview.more) == (40, 10)


def test_without_intervals_there_are_dots_and_no_word_of_them() -> None:
    own = score("faithfulness", 0.8, interval=None, difference_interval=None)
    overview = opened(own)
    [row] = overview.rows
    assert (row.spots[0].low, row.spots[0].aside, row.spots[1].aside) == (None, "", "")
    assert overview.intervals == ""
    assert row.spots[1].verdict == "not shown"


def test_without_texts_there_is_no_length_to_stand_beside() -> None:
    own = score("faithfulness", 0.8, length_interval=None, difference=None,
                difference_interval=None, p=None)  # fmt: skip
    overview = opened(replace(own, found=replace(own.found, length=None)))
    assert overview.title == "faithfulness puts 80% of pairs in the raters’ order"
    assert [lane.title for lane in overview.lanes] == ["Pairs in the raters’ order"]
    assert "length" not in overview.caption


def test_where_all_is_missing_each_row_says_why() -> None:
    overview = opened(untold("faithfulness"), untold("relevancy"))
    assert (
        overview.title == "Too few ratings: whether these 2 scores agree with people is not known"
    )
    assert not overview.drawn
    assert {row.spots[0].why for row in overview.rows} == {f"N{FEW[1:]}."}


def test_a_score_without_a_value_says_why_beside_others() -> None:
    [_, last] = opened(untold("relevancy"), score("faithfulness", 0.8)).rows
    assert (last.title, last.spots[0].why) == ("relevancy", f"N{FEW[1:]}.")


def test_without_ratings_it_draws_what_ratings_could_show() -> None:
    each = (DrawShows("relevancy", 0.231), DrawShows("words", None))
    overview = opened(draw=PairDraw("relevancy", 100, whole=True, difference=0.231, each=each))
    assert overview.title.startswith("No person rated these answers: whether ")
    assert text_of(overview, 0) == ["24 points or more", "none"]
    assert overview.rows[1].spots[0].why == "It orders all answers as their length does."
    assert "100 rated answers" in overview.caption


def unrated(folder: Path) -> Results:
    (folder / "judgements.csv").unlink()
    results, _ = run_study(open_run(folder))
    return results


def test_without_ratings_one_command_stands_beside_the_figure(
    standard_run: SharedRuns, tmp_path: Path
) -> None:
    results = unrated(standard_run.copy("brought", tmp_path).study)
    opening = opening_of(results, findings(results))
    [named] = [own.text for own in findings(results) if own.id == "answer-order"]
    assert named.endswith("could not be compared with the raters: no person rated these answers.")
    commands = [own for own in opening.told if "medassay " in own.text]
    assert [own.text for own in commands] == [
        "Draw 90 answers and have them rated: medassay campaign create STUDY --raters 3 --queue 90."
    ]
    assert commands[0].next
    assert any("are enough if" in own.text for own in opening.told)
    assert sum(len(own.text.split()) for own in opening.told) <= MOST_WORDS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[run]", '[ranking]\nby = "mean(dimension=groundedness)"\n[run]'),
        ('name = "ratings"', 'name = "jury"'),
    ],
)
def test_a_study_that_was_made_for_something_else_opens_with_that(
    old: str, new: str, standard_run: SharedRuns, tmp_path: Path
) -> None:
    study = standard_run.copy("brought", tmp_path).study
    settings = study / "study.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    results, _ = run_study(open_run(study))
    record = results.analyses.of(better_than_length)
    assert record is not None
    assert (bool(record.imported), record.tested) == (True, False)
    overview = overview_of(results)
    assert overview is None or overview.rows_are != "Score"


def test_where_harm_was_asked_harm_comes_first() -> None:
    names = Names()
    names.harm_words = {"safety": "harmful"}
    opens = better_than_length.declared.opens
    assert opens is not None
    record = BetterThanLength((score("faithfulness", 0.8),), None, ("faithfulness",), tested=True)
    assert opens(record, names) is None


def test_the_study_of_scores_opens_with_them(standard_run: SharedRuns) -> None:
    results = read_results(standard_run("brought").folder / "report.json")
    opening = opening_of(results, findings(results))
    assert opening.overview is not None
    assert opening.overview.rows_are == "Score"
    assert opening.title.startswith("faithfulness agrees with the raters better than")
    assert not any(own.finding.id == "answer-order" for own in opening.told)


@pytest.mark.browser
def test_its_figure_stands_on_a_phone_without_a_cut(
    standard_run: SharedRuns, browser: Browser
) -> None:
    for width in (1300, 390):
        page = browser.new_page(viewport={"width": width, "height": 844})
        page.goto((standard_run("brought").folder / "report.html").as_uri())
        reach = page.locator("#overview .said > *").evaluate_all(
            "all => Math.max(...all.map(one => one.getBoundingClientRect().right))"
        )
        top = page.locator("#overview .mark").first.evaluate("m => m.getBoundingClientRect().top")
        page.close()
        assert reach <= width
        assert top < 844 / 2.5
