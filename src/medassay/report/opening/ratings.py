"""Systems as rows: harm, each quality on its scale, and how each stands to the best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from medassay.analyses.builtin.harm_by_system import HarmOf
from medassay.analyses.builtin.leaderboards import leaderboards_in, ordered
from medassay.analyses.builtin.leaderboards.tables import axis_of
from medassay.analyses.builtin.leaderboards.words import FINDING, at_their_levels
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.analyses.results import Results, SourceResult
from medassay.exhibits.numbers import count_of, listed_few
from medassay.exhibits.overview import (
    Lane,
    Links,
    Overview,
    OverviewRow,
    Spot,
    Verdict,
    difference_words,
    intervals_words,
    missing_spot,
    spot_of,
)
from medassay.exhibits.sentences import alike, stopped, upper_first
from medassay.report.names import Names
from medassay.report.opening.harm import harm_lane, harm_of, harm_spot, harm_title
from medassay.report.tables import heading
from medassay.report.whose import unsettled
from medassay.validity import Comparison, LeaderboardRow

_LANES: Final = 3
_NAMED: Final = 3
_ALONE: Final = "The interval is for this pair alone; corrected for all pairs it is undecided."
_REVERSED: Final[Mapping[str, Verdict]] = {"lower": "worse", "higher": "better"}
"""What a verdict is called where the scale reads as if less were better."""
_RARE: Final = "Rare large losses that so few cases may not show could reverse it."


@dataclass(frozen=True, slots=True)
class _Difference:
    """How a system stands to the best, why so in spite of its interval, and a margin of alike."""

    value: float
    low: float | None
    high: float | None
    verdict: Verdict
    why: str = ""
    within: float | None = None


def ratings_overview(results: Results, names: Names) -> Overview | None:
    """Give the figure of systems by qualities; None where no system has a place."""
    boards = at_their_levels(leaderboards_in(results.analyses), names)
    order = ordered(boards, names, results.primary)
    if not order:
        return None
    harms = harm_of(results)
    dimensions = scored_lanes(results, boards, harms)
    lanes = dimensions[: _LANES - bool(harms)]
    spots = {row.system: _spots(results, boards, lanes, row, harms) for row in order}
    against = from_best(boards, names, order)
    harm_spots = [own[0] for own in spots.values()]
    best = next((row for row in order if row.rank is not None), None)
    last = [difference_lane(names, results, best)] if against and best else []
    verdicts = verdict_spots(names, results.primary, order, against)
    scored = [row for source in lanes for row in boards.by(source.name)]
    harm_title_words = harm_title(results, harms, names)
    return Overview(
        title=harm_title_words or leader_title(results, names, order),
        rows_are="System",
        lanes=(
            *([harm_lane(harms, harm_spots)] if harms else []),
            *(quality_lane(names, boards, source) for source in lanes),
            *last,
        ),
        rows=tuple(
            OverviewRow(
                names.of_system(row.system),
                (*spots[row.system], *([verdicts[row.system]] if last else [])),
            )
            for row in order
        ),
        caption=_caption(results, harms, lanes, order)
        + also_rated(names, dimensions[len(lanes) :])
        + margin_words(boards, names, order)
        + undecided_words(against)
        + rounding_words(names, results.primary, order, against),
        says=(("harm", 1), (FINDING, -1), ("human-scores", -1)) if harms else ((FINDING, -1),),
        intervals=intervals_words([*(row.interval for row in scored),
                                   *(harm.interval for harm in harms.values())]),
        pairs=tested_pairs(boards, results.primary) if last else 0,
        cautions=_cautions(results, lanes),
        finding="harm" if harm_title_words else FINDING,
    )  # fmt: skip


def scored_lanes(
    results: Results, boards: Leaderboards, harms: dict[str, HarmOf]
) -> list[SourceResult]:
    """Give what ranks the systems and the raters' other dimensions by the same way.

    The dimension that harm is counted on needs no second lane, unless nothing else is there.
    """
    primary = next(source for source in results.sources if source.name == results.primary)
    joined = [source for source in results.sources if source.kind == "consensus"]
    method = primary.method or next((source.method for source in joined), None)
    others = [s for s in joined if s.method == method and s.name != primary.name]
    harmful = {harm.dimension for harm in harms.values()}
    known = [source for source in (primary, *others) if boards.by(source.name)]
    shown = [source for source in known if source.dimension not in harmful]
    return shown or ([] if harms else known)


def also_rated(names: Names, left: Sequence[SourceResult]) -> str:
    """Say which dimensions the figure has no room for; empty where it shows all."""
    titles = [names.of_dimension(source.dimension) for source in left if source.dimension]
    return f" Not in the figure: {listed_few(titles, _NAMED)}." if titles else ""


def _spots(
    results: Results,
    boards: Leaderboards,
    lanes: list[SourceResult],
    row: LeaderboardRow,
    harms: dict[str, HarmOf],
) -> tuple[Spot, ...]:
    place = boards.of_pair
    own = [harm_spot(results, harms.get(row.system), row.system)] if harms else []
    for source in lanes:
        scored = place.get((source.name, row.system))
        leads = Links(row.system, dimension=source.dimension or "")
        if scored is None or scored.mean is None:
            why = scored.reason if scored and scored.reason else "It has no value here."
            own.append(missing_spot(why, leads))
        else:
            names = Names(results)
            own.append(
                spot_of(scored.mean, scored.interval, names.style_of(source.name).decimals, leads)
            )
    return tuple(own)


def quality_lane(names: Names, boards: Leaderboards, source: SourceResult) -> Lane:
    """Head a lane with the dimension, its scale with the ends that are worst and best."""
    title = names.of_dimension(source.dimension) if source.dimension else names.of_source(
        source.name
    )  # fmt: skip
    if source.dimension and source.low is not None and source.high is not None:
        axis = (source.low, source.high)
    else:
        axis = axis_of(source, boards.by(source.name))
    low, high = (f"{end:g}".replace("-", "−") for end in axis)
    if axis[1] != source.high or source.direction == "none":
        return Lane(title, axis, (low, high))
    ends = (low, f"{high} best") if source.direction == "higher" else (f"{low} best", high)
    return Lane(title, axis, ends)


def difference_lane(names: Names, results: Results, best: LeaderboardRow) -> Lane:
    """Name what the difference is of with the end that is best: lower must not read as better."""
    source = names.sources[results.primary]
    return Lane(
        f"{heading(results, names, source)}: difference from {names.of_system(best.system)}"
    )


def from_best(
    boards: Leaderboards, names: Names, order: list[LeaderboardRow]
) -> dict[str, _Difference | str]:
    """Give each system's difference from the first, or why there is none."""
    top, source = order[0], names.primary
    if top.rank is None or len(order) == 1:
        return {}
    found: dict[str, _Difference | str] = {}
    for row in order[1:]:
        pair = next(
            (
                pair
                for pair in boards.comparisons
                if pair.source == source
                and {pair.system_a, pair.system_b} == {top.system, row.system}
            ),
            None,
        )
        if pair is None or pair.difference is None:
            found[row.system] = (pair.reason if pair else "") or "They were not compared."
        else:
            found[row.system] = _or_similar(
                _difference(pair, top, row, names.level(FINDING, source)), boards, names, top, row
            )
    compared = any(isinstance(own, _Difference) for own in found.values())
    return found if compared else {}


def _difference(
    pair: Comparison, top: LeaderboardRow, row: LeaderboardRow, level: float
) -> _Difference:
    """Turn a pair to 'this one less the best', and decide before anything is rounded."""
    sign = -1.0 if pair.system_a == top.system else 1.0
    value = sign * (pair.difference or 0.0)
    around = pair.interval
    low, high = (None, None) if around is None else sorted((sign * around.low, sign * around.high))
    apart = bool(top.letters and row.letters) and not alike(top.letters, row.letters)
    leaves_out = low is None or high is None or not low <= 0 <= high
    if not (top.letters and row.letters):
        return _Difference(value, low, high, "")
    if apart and leaves_out and value:
        return _Difference(value, low, high, "lower" if value < 0 else "higher")
    if low is None or not leaves_out:
        return _Difference(value, low, high, "undecided")
    stands = pair.p_adjusted is not None and pair.p_adjusted <= level
    return _Difference(value, low, high, "undecided", _RARE if stands else _ALONE)


def _or_similar(
    found: _Difference, boards: Leaderboards, names: Names, top: LeaderboardRow, row: LeaderboardRow
) -> _Difference:
    """Call what is undecided similar where all of it lies inside the margin, as it is shown too."""
    within = boards.margin(top.source, top.system, row.system)
    if found.verdict != "undecided" or within is None:
        return found
    shown = [end for end in (found.low, found.high) if end is not None]
    inside = all(abs(end) < within.margin for end in shown)
    if inside and within.similar(names.level(FINDING, top.source)):
        return replace(found, verdict="similar", why="", within=within.margin)
    return found


def undecided_words(against: Mapping[str, _Difference | str]) -> str:
    """Say why a difference is undecided whose interval leaves out 0; empty where none is."""
    whys = {own.why for own in against.values() if isinstance(own, _Difference)}
    told = {
        _ALONE: " Intervals are for one pair, verdicts are corrected for all pairs: an interval "
        "without 0 can be undecided.",
        _RARE: " Undecided also where rare large losses that these cases may not show could reverse"
        " a difference.",
    }
    return "".join(words for why, words in told.items() if why in whys)


def rounding_words(
    names: Names, source: str, order: list[LeaderboardRow], against: Mapping[str, _Difference | str]
) -> str:
    """Say where differences come from when they are not those of the rounded means beside them."""
    digits = names.style_of(source).decimals
    first = next((row.mean for row in order if row.mean is not None), 0.0)
    for row in order:
        own = against.get(row.system)
        if isinstance(own, _Difference) and row.mean is not None:
            beside = round(row.mean, digits) - round(first, digits)
            plain = abs(row.mean - first - own.value) < 10.0**-9
            if plain and round(beside, digits) != round(own.value, digits):
                return " Differences are computed before rounding."
    return ""


def margin_words(boards: Leaderboards, names: Names, order: list[LeaderboardRow]) -> str:
    """Say what similar means, or why a margin is of no use here; empty without a margin."""
    own = [w for w in boards.margins if w.source == names.primary]
    if not own or len(order) == 1:
        return ""
    if all(within.interval is None for within in own):
        return f" The margin of {own[0].margin:g} is not tested: {stopped(own[0].reason)}"
    pairs = "" if len(own) == 1 else f", corrected over {len(own)} pairs,"
    return (
        f" Similar: the whole interval of the difference from the first{pairs} lies inside the "
        f"margin of {own[0].margin:g}."
    )


def verdict_spots(
    names: Names, source: str, order: list[LeaderboardRow], against: dict[str, _Difference | str]
) -> dict[str, Spot]:
    """Say of each system whether it is higher or lower than the first, or why that is open."""
    known = {name: own for name, own in against.items() if isinstance(own, _Difference)}
    printed = dict(
        zip(
            known,
            difference_words(
                [
                    (own.value, own.low, own.high, own.verdict in {"lower", "higher"})
                    for own in known.values()
                ],
                names.style_of(source).decimals,
                [own.within for own in known.values()],
            ),
            strict=True,
        )
    )
    spots = {}
    for row in order:
        own = against.get(row.system)
        if isinstance(own, _Difference):
            text, span = printed[row.system]
            verdict = own.verdict
            if names.sources[source].dimension in names.best_ends:
                verdict = _REVERSED.get(verdict, verdict)
            spots[row.system] = Spot(text, span, verdict=verdict, why=own.why)
        else:
            spots[row.system] = missing_spot(own) if own else Spot("–" if against else "")
    return spots


def tested_pairs(boards: Leaderboards, source: str) -> int:
    """Count the pairs over which the verdicts are corrected."""
    return sum(p.source == source and p.p_adjusted is not None for p in boards.comparisons)


def leader_title(results: Results, names: Names, order: list[LeaderboardRow]) -> str:
    """Say who scored highest and whom that leaves undecided."""
    source = names.sources[results.primary]
    if source.dimension:
        end = names.best_ends.get(source.dimension)
        on = f"on {_lower(names.of_dimension(source.dimension))}{f' ({end})' if end else ''}"
    else:
        on = f"by {names.of_source(source.name)}"
    placed = [row for row in order if row.mean is not None]
    if not placed:
        return f"No system has a value {on}"
    top = placed[0]
    who = names.of_system(top.system)
    if len(placed) == 1:
        shown = f"{top.mean or 0.0:.{names.style_of(source.name).decimals}f}".replace("-", "−")
        most = f" of {source.high:g}" if source.dimension and source.high else ""
        return f"{who} scored {shown}{most} {on}"
    if source.direction == "none":
        return f"{who} has the most {on}, which says nothing of quality"
    if top.rank is None:
        return f"The systems are not ranked {on}"
    highest = "lowest, which is best," if source.direction == "lower" else "highest"
    if source.dimension in names.best_ends:
        highest = "best"
    return f"{who} {_how(results, names, placed, highest, on)}"


def _how(
    results: Results, names: Names, placed: list[LeaderboardRow], highest: str, on: str
) -> str:
    """Say how the first stands: alone, level with others, or undecided against them."""
    top = placed[0]
    level = [row for row in placed[1:] if row.rank == top.rank]
    if level:
        tied = listed_few([names.of_system(row.system) for row in level], _NAMED)
        return f"and {tied} scored {highest} {on}, all the same"
    if not results.study.counts.judgements:
        return f"scored {highest} {on}; no rater has judged whether it is better"
    if not top.letters:
        return f"scored {highest} {on}; no test compares the systems"
    within = [row for row in placed[1:] if alike(row.letters, top.letters)]
    if not within:
        return f"leads {on}"
    boards, at = leaderboards_in(results.analyses), names.level(FINDING, top.source)
    if all(boards.similar(top.source, top.system, row.system, at) for row in within):
        them = listed_few([names.of_system(row.system) for row in within], _NAMED)
        verb = "is" if len(within) == 1 else "are"
        own = boards.margin(top.source, top.system, within[0].system)
        return f"scored {highest} {on}; {them} {verb} similar, within {own.margin if own else 0:g}"
    few = len(within) <= _NAMED
    others = [names.of_system(row.system) for row in within]
    rest = listed_few(others, _NAMED) if few else count_of(len(others), "other system")
    return f"scored {highest} {on}; whether it is better than {rest} is undecided"


def _lower(title: str) -> str:
    """Write a dimension inside a sentence: one word small, a phrase in quotation marks."""
    if " " in title:
        return f"“{title}”"
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def _caption(
    results: Results,
    harms: dict[str, HarmOf],
    lanes: list[SourceResult],
    order: list[LeaderboardRow],
) -> str:
    cases = count_of(len(results.ranking_cases), "case")
    parts = [f"{cases}: dots are estimates, lines their intervals."]
    if harms:
        harm = next(iter(harms.values()))
        whose = "at least half of an answer's raters"
        whose = f"{harm.judge}, a model" if harm.judge else whose
        parts.append(f"{upper_first(harm.words)}: by the labels of {whose}.")
        if any(own.at_most and not (own.found and own.interval) for own in harms.values()):
            parts.append("Up to: one-sided 95% bound.")
    if any(source.kind == "consensus" for source in lanes):
        parts.append("Quality: the raters' mean.")
    if any(row.adjusted is not None for row in order):
        parts.append("Not every system answered every case: ranks and differences are adjusted.")
    return " ".join(parts)


def _cautions(results: Results, lanes: list[SourceResult]) -> tuple[str, ...]:
    """Say which marks rest on labels that somebody may have read the other way round."""
    doubted = unsettled(results)
    on = [doubted[source.dimension] for source in lanes if source.dimension in doubted]
    return tuple(
        f"Check before you use these means: {who} may have read the scale the other way round."
        for who in on
    )
