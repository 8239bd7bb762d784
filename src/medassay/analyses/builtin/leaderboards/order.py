"""A leaderboard read back, best first."""

from math import inf

from medassay.analyses.inputs.system_boards import NO_LEADERBOARDS, Leaderboards
from medassay.analyses.results.records import Records
from medassay.exhibits import Names
from medassay.exhibits.sentences import in_letters
from medassay.validity import LeaderboardRow

__all__ = ["leaderboards_in", "ordered", "prints_letters"]


def leaderboards_in(records: Records) -> Leaderboards:
    """Give the leaderboards of a run; none where it was not asked for them."""
    boards: Leaderboards = records.get("leaderboards", NO_LEADERBOARDS)
    return boards


def prints_letters(boards: Leaderboards) -> bool:
    """Say whether groups are printed as letters: no column has more than fit beside each other."""
    return in_letters((row.source, row.letters) for row in boards.standings)


def ordered(boards: Leaderboards, names: Names, source: str) -> list[LeaderboardRow]:
    """Sort the standings of a source, best first; systems without a mean last."""
    place = {system: i for i, system in enumerate(names.system)}
    own = boards.by(source)
    better = names.sources[source].direction if source in names.sources else "none"
    # Where nobody may be ranked, an order by the means would rank all the same.
    unordered = better != "none" and any(s.reason and s.mean is not None for s in own if not s.rank)

    def key(standing: LeaderboardRow) -> tuple[float, float, int]:
        worst = inf if standing.mean is None else standing.mean
        mean = worst if better == "lower" or standing.mean is None else -worst
        mean = 0.0 if unordered and standing.mean is not None else mean
        rank = inf if standing.rank is None else standing.rank
        return (rank, mean, place.get(standing.system, len(place)))

    return sorted(own, key=key)
