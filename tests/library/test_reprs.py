"""Whatever a notebook shows fits a screen, and hides no interval."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, make_dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

import medassay as ma
from medassay.annotations import brief, record
from medassay.exhibits.numbers import PROPORTION, Style, outward
from medassay.judgements import load_rubric
from medassay.report import tables_of
from medassay.report.figures import figure_bytes
from medassay.stats import Interval

MOST, WIDE = 20, 100
OF_EACH = 3
"""So many records of a kind are printed."""


def held_in(value: object) -> Iterator[object]:
    """Every record inside, itself first."""
    if is_dataclass(value) and not isinstance(value, type):
        yield value
        for field in fields(value):
            yield from held_in(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from held_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from held_in(part)


def fits(shown: str) -> bool:
    lines = shown.splitlines()
    return 0 < len(lines) <= MOST and max(map(len, lines)) <= WIDE


def says(shown: str, interval: Interval) -> bool:
    ways = [
        (f"{interval.low:.4g}", f"{interval.high:.4g}"),
        (repr(interval.low), repr(interval.high)),
    ]
    ways += [outward(interval, style) for style in (PROPORTION, Style(2), Style(3), Style(1))]
    return any(lower in shown and upper in shown for lower, upper in ways)


@pytest.mark.parametrize("name", STANDARD)
def test_each_record_of_a_run_fits_a_screen_and_shows_its_intervals(
    standard_run: SharedRuns, name: str
) -> None:
    seen: dict[type, int] = {}
    for found in held_in(list(standard_run(name).results.analyses.values())):
        kind = type(found)
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] > OF_EACH or not kind.__module__.startswith("medassay."):
            continue
        shown = repr(found)
        assert fits(shown), shown
        if isinstance(found, Interval):
            continue
        own = [
            value
            for field in fields(found)  # type: ignore[arg-type]  # a record
            if isinstance(value := getattr(found, field.name), Interval)
        ]
        assert [interval for interval in own if not says(shown, interval)] == [], shown
    assert len(seen) > 1


@pytest.mark.parametrize("name", STANDARD)
def test_each_table_of_a_run_fits_a_screen(standard_run: SharedRuns, name: str) -> None:
    run = standard_run(name)
    read = ma.CompletedRun(run.folder)
    for table in tables_of(run.results):
        held = read.table(table.id)
        assert fits(repr(held)), repr(held)
        assert held._repr_html_().count("<tr>") == len(held) + 1


@pytest.fixture(scope="module")
def judgements() -> ma.Judgements:
    draw = np.random.default_rng(1)
    return ma.Judgements.from_rows(
        [
            {"rater": rater, "system": system, "case": str(case), "dimension": "quality",
             "label": str(draw.integers(1, 6))}
            for rater in "abc" for system in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for case in range(12)
        ],
        load_rubric("likert5"),
    )  # fmt: skip


@pytest.fixture(scope="module")
def results(judgements: ma.Judgements) -> dict[str, Any]:
    """What the functions of the library give, of more than fits a screen."""
    table = ma.consensus(judgements, ["mean", "majority"])
    systems = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    cases = [str(case) for case in range(12)]
    sources = [ma.Source(name, table.grid(name, systems, cases)) for name in table.sources]
    board = ma.rank_systems(sources[1], rng=1, replicates=50)
    correlated = ma.correlate(sources[:1], sources[1:], rng=1, replicates=20)
    rows = [
        {"rater": "r", "case": str(at), "system_a": "A", "system_b": other, "choice": choice}
        for at, choice in enumerate("abbabaabba")
        for other in systems[1:]
    ]
    preferences = ma.Preferences.from_rows(rows)
    return {
        "agree": ma.agree(judgements, rng=1, replicates=50),
        "agree, one": ma.agree(judgements, rng=1, replicates=50)[0],
        "consensus": table,
        "correlate": correlated[0],
        "judgements": judgements,
        "kendall": ma.kendall([1, 2, 3, 4], [1, 3, 2, 4], rng=1),
        "preferences": preferences,
        "rank_systems": board,
        "rank_systems, one": board.standings[0],
        "rubric": judgements.rubric,
        "source": sources[0],
        "tally_preferences": ma.tally_preferences(preferences, rng=1, replicates=50),
    }


def test_what_a_function_gives_fits_a_screen(results: dict[str, Any]) -> None:
    assert {name: repr(each) for name, each in results.items() if not fits(repr(each))} == {}


@pytest.mark.parametrize("name", ["agree", "agree, one", "rank_systems", "rank_systems, one",
                                  "correlate", "tally_preferences"])  # fmt: skip
def test_its_first_interval_is_shown(results: dict[str, Any], name: str) -> None:
    inside = held_in([*results[name]] if name == "agree" else results[name])
    first = next(each for each in inside if isinstance(each, Interval))
    assert says(repr(results[name]), first), repr(results[name])


def test_a_record_of_very_much_is_still_a_screen() -> None:
    fields_of = {f"field_{at}": "x" * 60 for at in range(60)}

    @record(infers=False)
    class Much:
        rows: tuple[float, ...]

    assert fits(brief(Much(tuple(map(float, range(1000))))))
    made = make_dataclass("Long", [(name, str) for name in fields_of])
    shown = brief(made(**fields_of))
    assert fits(shown)
    assert "lines more" in shown


def test_a_plot_is_drawn_on_given_axes_and_changes_no_setting(results: dict[str, Any]) -> None:
    before = dict(mpl.rcParams)
    axes = Figure().subplots(1, 2)
    for given, name in zip(axes, ("agree", "rank_systems"), strict=True):
        assert results[name].plot(given) is given
        own = results[name].plot()
        assert isinstance(own, Axes)
        rows = results[name] if name == "agree" else results[name].standings
        assert len(own.get_yticklabels()) == len(rows)
        low, high = rows[0].interval.low, rows[0].interval.high
        assert any(np.asarray(line.get_xdata()).tolist() == [low, high] for line in own.lines)
    assert dict(mpl.rcParams) == before
    assert plt.get_fignums() == []


def test_a_figure_of_a_run_is_one_of_matplotlib(standard_run: SharedRuns, tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    read = ma.CompletedRun(standard_run("clinical").folder)
    drawing = read.figure(read.figures[0])
    assert isinstance(drawing.figure, Figure)
    assert drawing.axes == drawing.figure.axes
    for form in ("png", "pdf"):
        drawing.save(tmp_path / f"figure.{form}")
        picture = drawing._drawn()
        assert (tmp_path / f"figure.{form}").read_bytes() == figure_bytes(
            picture.figure, form, picture.title
        )
    with pytest.raises(ma.InvalidInput, match=r"must end in one of \.svg, \.pdf, \.png"):
        drawing.save(tmp_path / "figure.jpeg")
    assert dict(mpl.rcParams) == before
