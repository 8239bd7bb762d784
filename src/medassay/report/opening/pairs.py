"""Answers compared in pairs: how often each system was preferred."""

from typing import Final

from medassay.analyses.builtin.preferences import PreferredOn, preferences, stands_out
from medassay.analyses.results import Results
from medassay.consensus.preferences import SystemTally
from medassay.exhibits.numbers import count_of, listed, percent_words
from medassay.exhibits.overview import (
    Lane,
    Links,
    Overview,
    OverviewRow,
    Spot,
    intervals_words,
    missing_spot,
    percent_spot,
)
from medassay.report.names import Names

_FINDING: Final = "preferences"
_EVEN: Final = 0.5


def pairs_overview(results: Results, names: Names) -> Overview | None:
    """Give the figure of wins on the first dimension with a choice; None without any."""
    compared = results.analyses.of(preferences)
    dimensions = compared.dimensions if compared else ()
    first = next(
        (on for on in dimensions if any(s.win_share is not None for s in on.standings)), None
    )
    if first is None:
        return None
    return Overview(
        title=_title(first, names),
        rows_are="System",
        lanes=(
            Lane("Preferred", (0.0, 1.0), ("never", "always"), line=_EVEN),
            Lane("Won, tied, lost"),
        ),
        rows=tuple(
            OverviewRow(
                names.of_system(tally.system),
                (
                    _share(tally),
                    Spot(f"{tally.wins:,}, {tally.ties:,}, {tally.losses:,}"),
                ),
            )
            for tally in first.standings
        ),
        caption=f"{count_of(first.n, 'comparison')} on {count_of(first.cases, 'case')}: the share "
        "of a system's comparisons that it won, ties counting one half. The thin line is one half.",
        says=((_FINDING, 1),),
        intervals=intervals_words([tally.interval for tally in first.standings]),
        finding=_FINDING,
    )


def _share(tally: SystemTally) -> Spot:
    if tally.win_share is None:
        return missing_spot("No rater made a choice.")
    return percent_spot(tally.win_share, tally.interval, tally.n, Links(tally.system))


def _title(on: PreferredOn, names: Names) -> str:
    valued = [(s.win_share, s) for s in on.standings if s.win_share is not None]
    share = max(value for value, _ in valued)
    first = [s for value, s in valued if value == share]
    if len(first) > 1:
        who = listed([names.of_system(s.system) for s in first])
        return f"{who} won equally often; which is better is undecided"
    top = first[0]
    who = names.of_system(top.system)
    often = f"{percent_words(share, top.n)} of {count_of(top.n, 'comparison')}"
    alone = stands_out(on.standings, names.level(_FINDING, on.dimension))
    if alone is not None and alone.system == top.system:
        return f"{who} was preferred in {often}"
    return f"{who} won most often, {often}; whether it is better is undecided"
