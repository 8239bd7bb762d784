"""What kinds of statistics a report holds is said of all its records, whatever they are made of."""

from dataclasses import replace

from tools.standard.shared import SharedRuns

from medassay.analyses.builtin.leaderboards import leaderboards, leaderboards_in
from medassay.analyses.descriptive import _parts, kinds_of_statistics
from medassay.analyses.results.whole import Records
from medassay.annotations import Inference, PValue, record


@record(infers=True)
class WithP:
    p: PValue


def test_a_report_that_infers_says_so(standard_run: SharedRuns) -> None:
    results = standard_run("pool").results
    assert set(results.statistics) >= {Inference.INTERVAL, Inference.TEST, Inference.RELIABILITY}
    assert results.statistics == kinds_of_statistics(results)


def test_what_analyses_found_counts() -> None:
    found = Records({"mine": WithP(0.5)})
    assert list(_parts(found)) == [WithP(0.5)]


def test_an_interval_is_named_wherever_it_stands(standard_run: SharedRuns) -> None:
    results = standard_run("pool").results
    # Nothing but the leaderboard: its ends of ranks are left out, its intervals are not.
    ranked = leaderboards_in(results.analyses)
    bare = tuple(replace(row, rank_low=None, rank_high=None) for row in ranked.standings)
    records = Records({leaderboards.id: replace(ranked, standings=bare, comparisons=())})
    empty: dict[str, object] = {name: [] for name, held in results if isinstance(held, list)}
    alone = results.model_copy(update=empty | {"analyses": records})
    assert "interval" in kinds_of_statistics(alone)
