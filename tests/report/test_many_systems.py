"""More systems than letters fit beside each other: whose order is undecided is said in words."""

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser
from tests.report.ranked import board_by, with_pairs, with_rows
from tests.report.tried import with_tried

from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.leaderboards.words import prints_letters
from medassay.analyses.results import Results
from medassay.exhibits.sentences import alike, alike_words, letters_of
from medassay.report import findings
from medassay.report.figures import draw
from medassay.report.page import page
from medassay.report.tables import table_csv, table_markdown
from medassay.stats import compact_letters

Factory = Callable[..., Results]


def chained(count: int) -> list[str]:
    """Give the letters of systems in a row, of which neighbours share one."""
    place = np.arange(count)
    return compact_letters(np.abs(place[:, None] - place[None, :]) > 1)


def with_systems(small: Results, letters: list[str]) -> Results:
    """Give the run one source, and as many systems as there are groups of letters."""
    source = small.primary
    (like, *_) = leaderboards_in(small.analyses).by(source)
    ids = [f"s{place:03}" for place in range(len(letters))]
    systems = [small.systems[0].model_copy(update={"id": one, "title": one}) for one in ids]
    standings = [
        replace(like, system=one, rank=place, letters=own, mean=2 - place / 200)
        for place, (one, own) in enumerate(zip(ids, letters, strict=True), start=1)
    ]
    pair = leaderboards_in(small.analyses).comparisons[0]
    pairs: list[Any] = [
        replace(pair, source=source, system_a=a, system_b=b)
        for place, a in enumerate(ids)
        for b in ids[place + 1 :]
    ]
    sources = [one for one in small.sources if one.name == source]
    changes = {"systems": systems, "cases": [], "sources": sources}
    ranked = with_pairs(with_rows(small, standings), pairs)
    return with_tried(ranked.model_copy(update=changes), ())


def leaders(results: Results) -> str:
    return next(found.text for found in findings(results) if found.id == "leaders")


def test_the_53rd_group_is_not_the_first() -> None:
    letters = compact_letters(~np.eye(54, dtype=bool))
    assert (letters[0], letters[52]) == ("a", "a1")
    assert not alike(letters[0], letters[52])
    assert letters_of("".join(letters)) == letters


def test_a_leader_apart_from_all_leads_alone_among_however_many(small: Results) -> None:
    text = leaders(with_systems(small, compact_letters(~np.eye(60, dtype=bool))))
    assert text.startswith("s000 leads on ")
    assert "It is better than every other system (corrected for all pairs)." in text
    assert "undecided" not in text


def test_the_first_finding_names_a_few_and_counts_the_rest(small: Results) -> None:
    text = leaders(with_systems(small, ["a"] * 42 + ["b"] * 10))
    assert "Whether it is better than s001, s002 and 39 others is undecided on the" in text
    assert "s003" not in text
    assert "It is better than s042" in text


def test_few_groups_are_letters_and_many_are_words(small: Results) -> None:
    few, many = (with_systems(small, chained(count)) for count in (17, 18))
    assert prints_letters(leaderboards_in(few.analyses))
    assert not prints_letters(leaderboards_in(many.analyses))
    board = board_by(few, few.primary)
    assert [row.cells[3].text for row in board.rows][:3] == ["a", "a b", "b c"]
    assert "share a letter" in board.caption
    board = board_by(many, many.primary)
    said = [row.cells[3].text for row in board.rows]
    assert said == ["1 below", *["1 above, 1 below"] * 16, "1 above"]
    assert all(row.cells[3].draw is None for row in board.rows)
    assert "counts the systems above and below" in board.caption


def test_the_file_keeps_every_letter(small: Results) -> None:
    letters = chained(143)
    results = with_systems(small, letters)
    board = board_by(results, results.primary)
    rows = list(csv.DictReader(io.StringIO(table_csv(board).decode())))
    assert [row["group"] for row in rows] == letters
    longest = max(map(len, table_markdown(board).decode().splitlines()[4:]))
    assert longest < 200


@pytest.mark.slow
def test_words_hold_what_letters_hold() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        upper = np.triu(rng.random((70, 70)) < 0.6, k=1)
        different = upper | upper.T
        names = [f"s{place}" for place in range(70)]
        said = alike_words(dict(zip(names, compact_letters(different), strict=True)))
        for place, name in enumerate(names):
            above = int((~different[place, :place]).sum())
            below = int((~different[place, place + 1 :]).sum())
            told = [f"{n} {where}" for n, where in ((above, "above"), (below, "below")) if n]
            assert said[name] == (", ".join(told) or "none")


def test_the_page_of_143_systems_names_the_file_of_the_pairs(small: Results) -> None:
    results = with_systems(small, ["a" if place < 40 else ascii_lowercase[1:][place % 25]
                                   for place in range(143)])  # fmt: skip
    text = page(results).decode()
    assert "<code>tables/comparisons.csv</code>" in text
    assert 'id="t-comparisons"' not in text
    table = text.split('id="t-at-a-glance"')[1].split("</figure>")[0]
    assert table.count("<tr>") == 1 + 12
    assert "131 more systems in the leaderboard." in table
    assert len(text) < 1_000_000


@pytest.mark.slow
def test_the_figure_of_143_systems_says_it_in_words(small: Results) -> None:
    drawn = draw(with_systems(small, chained(143)))["leaderboard"]
    texts = [one.get_text() for one in drawn.figure.axes[0].texts]
    assert "1 above, 1 below" in texts
    assert not [one for one in texts if len(one) > 40]


def with_documents(small: Results, count: int) -> Results:
    case = small.cases[3]
    answer = case.answers[0].model_copy(update={"retrieved": [f"d{n}" for n in range(count)]})
    changed = case.model_copy(update={"answers": [answer, *case.answers[1:]]})
    return small.model_copy(update={"cases": [changed]})


@pytest.mark.browser
@pytest.mark.parametrize(
    ("count", "end"), [(20, "d18 · d19"), (1000, "d18 · d19 and 980 more")], ids=["few", "many"]
)
def test_of_a_thousand_documents_the_page_names_twenty(
    browser: Browser, small: Results, tmp_path: Path, count: int, end: str
) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(page(with_documents(small, count)))
    shown = browser.new_page()
    shown.goto(path.as_uri())
    shown.get_by_role("button", name="Open all chapters").click()
    shown.locator("#case-list summary").first.click()
    text = shown.get_by_text("Retrieved d0").first.inner_text().strip()
    assert text.endswith(end)
    shown.close()
