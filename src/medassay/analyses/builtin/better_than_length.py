"""Does a metric order answers as the raters do, and more often than answer length?"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import ceil, floor
from typing import Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.answer_order import AnswerPairs
from medassay.analyses.inputs.readable import Randomness
from medassay.annotations import DesignName, record
from medassay.exhibits import (
    Claim,
    Finding,
    Names,
    Picture,
    Table,
    VerdictKind,
    VerdictRow,
    shown,
    table_of,
)
from medassay.exhibits.claim import ReaderQuestion
from medassay.exhibits.columns import estimated
from medassay.exhibits.numbers import count_of, listed_few, shown_p
from medassay.exhibits.overview import (
    Lane,
    Overview,
    OverviewRow,
    Spot,
    difference_words,
    intervals_words,
    missing_spot,
    percent_spot,
)
from medassay.exhibits.sentences import as_sentence, stopped
from medassay.judgements.raters import FIRST_RATERS
from medassay.stats import Interval
from medassay.validity import Concordance, PairDraw, concordances, pair_draw

_ID: Final = "answer-order"
DRAW: Final = f"{_ID}-labels"
_ABOUT: Final = "metrics and length"
_LABELS: Final = 100
_MINUS: Final = "−"
_CAPTION: Final = (
    "Of the pairs of answers that raters put in an order, the share that each score puts in the "
    "same order; a tie counts half; 0.5: chance. Length: the longer answer counts as the better "
    "one, whatever the data say. p: the share is no higher than that of length, or no higher "
    "than 0.5; adjusted over all scores (max-T). Intervals: 95%, cluster bootstrap over cases; "
    "those of the difference hold for all scores together."
)


@record(infers=True)
class OrderedAnswers:
    """One metric's answers in the raters' order, on one dimension.

    Attributes:
        found: The shares.
        dimension: What the raters were asked.
        same: Whether the metric asks the same, by the words of both names.
        imported: Whether its scores came with a file.
    """

    found: Concordance
    dimension: DesignName
    same: bool
    imported: bool


@record(infers=True)
class BetterThanLength:
    """Every metric beside answer length.

    Attributes:
        metrics: One a metric; empty where nobody rated.
        draw: What labels of answers that nobody rated could show; None where none is open, or where
            people rated and no scores came with a file.
        imported: Names of the scores that came with a file.
        tested: Whether the study was made to test them.
    """

    metrics: tuple[OrderedAnswers, ...]
    draw: PairDraw | None
    imported: tuple[DesignName, ...]
    tested: bool

    @property
    def told(self) -> list[OrderedAnswers]:
        """List those with a share, scores that came with a file first, then by what they show."""
        known = [own for own in self.metrics if own.found.share is not None]
        return sorted(known, key=_order)


def _order(own: OrderedAnswers) -> tuple[bool, float, float]:
    p = 1.0 if own.found.p is None else own.found.p
    return (not own.imported, p, -(own.found.difference or own.found.share or 0.0))


def _claims(record: BetterThanLength, _: Names) -> Iterable[Claim]:
    p = [own.found.p for own in record.told]
    if any(value is not None for value in p):
        yield Claim.of(_ID, _ABOUT, VerdictKind.CLAIM, p, row=VerdictRow.LENGTH)


def _better(own: OrderedAnswers, names: Names) -> bool:
    """Say whether the test and the interval both say so."""
    found, around = own.found, own.found.difference_interval
    p = 1.0 if found.p is None else found.p
    return around is not None and around.low > 0 and p <= names.level(_ID, _ABOUT)


def _findings(record: BetterThanLength, names: Names) -> list[Finding]:
    told = record.told
    question = ReaderQuestion.METRICS if record.imported else ReaderQuestion.FURTHER
    findings = []
    if told:
        findings.append(Finding(_ID, _sentences(told, names), (_ID,), question))
    elif record.imported:
        why = next((own.found.undefined for own in record.metrics if own.imported), _UNRATED)
        who = listed_few([names.of_source(name) for name in record.imported], _NAMED)
        this = "this " if why.startswith("needs ") else ""
        text = f"{who} could not be compared with the raters: {this}{stopped(why)}"
        findings.append(Finding(_ID, text, (_ID,), question))
    settled = told and (not record.tested or any(_better(own, names) for own in told))
    if (draw := record.draw) is not None and not settled and (could := _could_show(draw, names)):
        command = f"medassay campaign create STUDY --raters {FIRST_RATERS} --queue {draw.answers}"
        text = f"Draw {count_of(draw.answers, 'answer')} and have them rated: {command}. {could}."
        findings.append(Finding(DRAW, text, (_ID,), ReaderQuestion.NEXT))
    return findings


_UNRATED: Final = "no person rated these answers"


def _could_show(draw: PairDraw, names: Names) -> str:
    """Say what ratings of answers that nobody rated could show; empty where that is not known."""
    if draw.difference is None:
        return ""
    return can_show(draw.answers, names.of_source(draw.metric), draw.difference)


def can_show(answers: int, metric: str, difference: float) -> str:
    """Say how much more than length a metric must agree for so many rated answers to show it.

    Example:
        >>> can_show(90, "Faithfulness", 0.141)
        '90 rated answers are enough if Faithfulness agrees with raters on 15 more of 100 pairs \
than answer length (80% power, few ties)'
    """
    return (
        f"{answers:,} rated answers are enough if {metric} agrees with raters on "
        f"{ceil(100 * difference)} more of 100 pairs than answer length (80% power, few ties)"
    )


def _sentences(told: Sequence[OrderedAnswers], names: Names) -> str:
    """Say it of one metric in one estimate a sentence; of the others how many are better."""
    own = told[0]
    found = own.found
    on = "" if own.same else f" on {names.of_dimension(own.dimension)}"
    parts = [
        (
            f"{names.of_source(found.metric)} orders answers as your raters do{on} in "
            f"{_share(found.share)} of pairs{_around(found.interval)}."
        )
    ]
    if found.length is None:
        parts.append("Answer length is not known, since the texts are not held.")
    else:
        verdict = _verdict(own, names)
        parts += [
            f"Answer length does in {_share(found.length)}.",
            (f"The difference is {_points(found)}{_around(found.difference_interval)}: {verdict}."),
        ]
    if not found.within:
        parts.append("Few cases have two answers, so pairs are of answers to two cases.")
    if found.length is not None and len(told) > 1:
        better = sum(_better(each, names) for each in told)
        parts.append(
            f"Of {len(told)} scores tested, {better or 'none'} "
            f"{'are' if better > 1 else 'is'} shown to be better than length."
        )
    return " ".join(parts)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f}%"


def _signed(value: int) -> str:
    return f"{_MINUS}{-value}" if value < 0 else f"{value}"


def _difference(found: Concordance) -> int:
    """Give the difference of the two shares as they are printed, in points."""
    return round(100 * (found.share or 0.0)) - round(100 * (found.length or 0.0))


def _points(found: Concordance) -> str:
    count = _difference(found)
    return f"{_signed(count)} {'point' if abs(count) == 1 else 'points'}"


def _verdict(own: OrderedAnswers, names: Names) -> str:
    """Say what the difference shows; where its interval excludes 0 and it shows nothing, why."""
    around, alone = own.found.difference_interval, own.found.interval
    if _better(own, names):
        return "shown to be better than length"
    if around is None or around.low <= 0:
        return "not shown to be better than length"
    if alone is not None and alone.low <= _CHANCE:
        return "its own share may be chance (50%), so it is not shown to be better than length"
    share = names.undecided(_ID, _ABOUT, own.found.p).removeprefix("undecided")
    return f"not shown to be better than length{share}"


_CHANCE: Final = 0.5


def _around(interval: Interval | None) -> str:
    """Print an interval in percent, each end rounded outward."""
    if interval is None:
        return ""
    low, high = floor(100 * interval.low + _ROUND), ceil(100 * interval.high - _ROUND)
    return f" (95% CI {_signed(low)} to {_signed(high)})"


_ROUND: Final = 1e-6


def _tables(record: BetterThanLength, names: Names) -> list[Table]:
    columns = (
        shown("Score", lambda own: names.of_source(own.found.metric), file="title",
              adds={"metric": lambda own: own.found.metric, "imported": lambda own: own.imported}),
        shown("Raters on", lambda own: names.of_dimension(own.dimension), file="raters_on",
              adds={"dimension": lambda own: own.dimension, "same": lambda own: own.same},
              aside=lambda own: "asks the same" if own.same else ""),
        estimated("Orders alike", "found.share", interval="found.interval",
                  why_not="found.undefined", file="share", axis=(0.0, 1.0)),
        estimated("Length does", "found.length", interval="found.length_interval",
                  why_not=_no_length, file="length"),
        estimated("Difference", "found.difference", interval="found.difference_interval",
                  why_not=_no_length, file="difference"),
        shown("p", "found.p", shown_p, file="p", why_not=_no_length),
        shown("Pairs", "found.pairs", "{:,}".format, file="pairs",
              adds={"units": lambda own: own.found.units, "within": lambda own: own.found.within},
              aside=lambda own: _pairs_of(own.found)),
    )  # fmt: skip
    rows: list[OrderedAnswers] = sorted(record.metrics, key=_order)
    drawn = any(own.found.drawn for own in rows)
    caption = _CAPTION
    if drawn:
        caption += " Answers are weighted by one over the chance with which they were drawn."
    if not record.told and record.draw is not None and (could := _could_show(record.draw, names)):
        caption += f" {could}; the campaign for them has {FIRST_RATERS} raters."
    return [
        table_of(
            rows,
            columns,
            id=_ID,
            title="Answers in the raters' order, by each score and by length",
            caption=caption,
            empty="Nobody rated these answers, or no score has a value.",
            figure=_ID if record.told else "",
            stands="page" if record.imported else "file",
        )
    ]


def _no_length(own: OrderedAnswers) -> str:
    return own.found.undefined or "the texts of the answers are not held"


def _pairs_of(found: Concordance) -> str:
    kind = count_of(found.units, "case")
    return f"within {kind}" if found.within else f"between {kind}"


def _pictures(record: BetterThanLength, names: Names) -> dict[str, Picture]:
    """Draw one row a metric and one panel a dimension; length is the line."""
    from medassay.exhibits.drawing import DotPanel, Mark, dot_grid

    told = record.told[:_MOST]
    if not told:
        return {}
    panels = []
    for dimension in dict.fromkeys(own.dimension for own in told):
        own_rows = [own for own in told if own.dimension == dimension]
        widest = max(own_rows, key=lambda own: own.found.pairs).found
        marks = {
            names.of_source(own.found.metric): [
                Mark(
                    own.found.share or 0.0,
                    own.found.interval.low if own.found.interval else None,
                    own.found.interval.high if own.found.interval else None,
                    full=_better(own, names),
                )
            ]
            for own in own_rows
        }
        panels.append(DotPanel(names.of_dimension(dimension), marks, widest.length, (0.0, 1.0)))
    rows = list(dict.fromkeys(names.of_source(own.found.metric) for own in told))
    figure = dot_grid(panels, rows, 2, synthetic=names.synthetic)
    more = len(record.told) - len(told)
    caption = (
        "Share of pairs of answers that each score puts in the raters' order, with its 95% CI. "
        "Line: the share by answer length. Filled: shown to be better than length. 0.5 is chance."
        + (f" {count_of(more, 'more score')} in the table." if more else "")
    )
    return {_ID: Picture("Scores beside answer length", figure, caption if record.imported else "")}


_MOST: Final = 30


def _opens(record: BetterThanLength, names: Names) -> Overview | None:
    """Give each score beside length, or what ratings could show; None where harm was asked."""
    if not record.tested or names.harm_words:
        return None
    return _beside_length(record, names) if record.told else _unrated(record, names)


def _beside_length(record: BetterThanLength, names: Names) -> Overview:
    """Draw one row a score: its share of pairs, that of length hollow, and the difference."""
    held = sorted(record.metrics, key=_by_share)
    shown = held[:_ROWS]
    dimensions = list(dict.fromkeys(own.dimension for own in held))
    on = f" on {names.of_dimension(dimensions[0])}" if len(dimensions) == 1 else ""
    several = [Lane("Raters on")] if len(dimensions) > 1 else []
    lengths = {_share(own.found.length) for own in held if own.found.length is not None}
    lone = min(lengths) if len(lengths) == 1 else ""
    apart = [Lane("Length")] if lengths and not lone else []
    printed = _printed_differences(shown, names)
    caption = f"Pairs of answers that the raters put in an order{on}: a tie counts half. "
    caption += "The thin line is chance, 50%."
    if lengths:
        caption += f" Hollow dots: answer length{f' ({lone})' if lone else ''}, the longer answer "
        caption += "counting as the better one. "
        caption += "Higher: shown to be better than length, over all scores at once."
    if not all(own.found.within for own in shown if own.found.share is not None):
        caption += " Few cases have two answers, so pairs are of answers to two cases."
    return Overview(
        title=_title(record, names),
        rows_are="Score",
        lanes=(
            Lane("Pairs in the raters’ order", (0.0, 1.0), ("0%", "100%"), line=_CHANCE),
            *apart,
            *([Lane("More than length, in points")] if lengths else []),
            *several,
        ),
        rows=tuple(
            OverviewRow(
                names.of_source(own.found.metric),
                (
                    _share_spot(own.found),
                    *([Spot(_share(own.found.length))] if apart else []),
                    *([printed[own.found.metric]] if lengths else []),
                    *([Spot(names.of_dimension(own.dimension))] if several else []),
                ),
            )
            for own in shown
        ),
        caption=caption,
        says=((_ID, -1),),
        intervals=intervals_words([own.found.interval for own in held]),
        more=len(held) - len(shown),
        finding=_ID,
        shows=(),
    )


def _by_share(own: OrderedAnswers) -> tuple[bool, bool, float]:
    return (own.found.share is None, not own.imported, -(own.found.share or 0.0))


_ROWS: Final = 40
_NAMED: Final = 3


def _share_spot(found: Concordance) -> Spot:
    if found.share is None:
        return missing_spot(as_sentence(found.undefined))
    return replace(percent_spot(found.share, found.interval, 1), before=found.length)


def _printed_differences(shown: Sequence[OrderedAnswers], names: Names) -> dict[str, Spot]:
    """Print each difference from length in points, so that no bound belies what is shown."""
    spots = {own.found.metric: missing_spot(as_sentence(_no_length(own))) for own in shown}
    known = [own for own in shown if own.found.difference is not None]
    points = [
        (float(_difference(own.found)),
         *((None, None) if (around := own.found.difference_interval) is None
           else (100 * around.low, 100 * around.high)),
         _better(own, names))
        for own in known
    ]  # fmt: skip
    for own, (text, span) in zip(known, difference_words(points, 0), strict=True):
        better = _better(own, names)
        why = "" if better else as_sentence(_verdict(own, names))
        spots[own.found.metric] = Spot(
            text, span, verdict="higher" if better else "not shown", why=why
        )
    return spots


def _title(record: BetterThanLength, names: Names) -> str:
    """Say which of the scores that came with a file are better than length."""
    held = sorted((own for own in record.metrics if own.imported), key=_by_share)
    told = [own for own in held if own.found.share is not None]
    what = _scores(record, names)
    if not told:
        return f"Too few ratings: whether {what} with people is not known"
    if all(own.found.length is None for own in told):
        best = told[0].found
        who = names.of_source(best.metric)
        return f"{who} puts {_share(best.share)} of pairs in the raters’ order"
    better = [own for own in told if _better(own, names)]
    who = listed_few([names.of_source(own.found.metric) for own in better], _NAMED)
    than = "with the raters better than answer length does"
    if better:
        rest = len(held) - len(better)
        verb = "agrees" if len(better) == 1 else "agree"
        lacks = [own for own in held if own not in better]
        other = names.of_source(lacks[0].found.metric) if rest == 1 else f"{rest} other scores"
        more = f"; for {other} this is not shown" if rest else ""
        return f"{who} {verb} {than}{more}"
    if len(held) == 1:
        return f"{names.of_source(held[0].found.metric)} is not shown to agree {than}"
    return f"None of {len(held)} scores is shown to agree {than}"


def _scores(record: BetterThanLength, names: Names) -> str:
    if len(record.imported) == 1:
        return f"{names.of_source(record.imported[0])} agrees"
    return f"these {len(record.imported)} scores agree"


def _unrated(record: BetterThanLength, names: Names) -> Overview:
    """Draw which difference ratings could show of each score: nobody rated, or too few did."""
    draw = record.draw
    shows = {own.metric: own.difference for own in draw.each} if draw else {}
    lacks = {own.found.metric: own.found.undefined for own in record.metrics}
    every = dict.fromkeys([*shows, *lacks, *record.imported])
    order = sorted(every, key=lambda own: (own not in record.imported, shows.get(own) or 2.0, own))
    spots = {name: _could_spot(shows.get(name), draw, lacks.get(name, "")) for name in order}
    end = 0.5 if all((spot.value or 0.0) <= 0.5 for spot in spots.values()) else 1.0  # noqa: PLR2004 - half the scale
    ends = ("0", f"{100 * end:.0f} points")
    caption = "What ratings could show is not known: each row says why."
    if draw is not None:
        caption = (
            "The least difference between a score and answer length, in points of the share of "
            f"pairs in the raters’ order, that {count_of(draw.answers, 'rated answer')} could show "
            "(80% power, if raters seldom tie)."
        )
    lacking = "Too few ratings" if lacks else "No person rated these answers"
    return Overview(
        title=f"{lacking}: whether {_scores(record, names)} with people is not known",
        rows_are="Score",
        lanes=(Lane("Difference from length that ratings could show", (0.0, end), ends),),
        rows=tuple(OverviewRow(names.of_source(name), (spots[name],)) for name in order[:_ROWS]),
        caption=caption,
        says=((_TAUS, 2), (_ID, -1), *([(_START, -1)] if draw else [])),
        more=max(0, len(order) - _ROWS),
        shows=(),
    )


_TAUS: Final = "validity"
_START: Final = "rate"
"""What says how to begin rating; here the draw does."""


def _could_spot(difference: float | None, draw: PairDraw | None, lacks: str) -> Spot:
    if difference is not None:
        return Spot(
            f"{ceil(100 * difference)} points or more", value=difference, low=difference, high=1.0
        )
    if draw is not None:
        return missing_spot("It orders all answers as their length does.")
    return missing_spot(as_sentence(lacks or "the texts of the answers are not held"))


@analysis(
    Declaration(
        id="better_than_length",
        title="Scores beside answer length",
        question="Does a score order answers as the raters do, and more often than their length?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="developer",
        place=15,
        finding_place=70,
        tables=_tables,
        pictures=_pictures,
        finding=_findings,
        opens=_opens,
        verdicts=(VerdictKind.CLAIM,),
        claims=_claims,
    )
)
def better_than_length(pairs: AnswerPairs, randomness: Randomness) -> BetterThanLength | None:
    """Hold every metric, and the length of answers, against the raters on pairs of answers."""
    if not pairs.metrics or pairs.given is None:
        return None
    found = concordances(
        [(own.metric, own.consensus) for own in pairs.held],
        pairs.length,
        rng=randomness.stream("s73"),
        clusters=pairs.clusters,
        chances=pairs.chances,
        given=pairs.given,
    )
    rows = tuple(
        OrderedAnswers(each, own.consensus.dimension, own.same, own.imported)
        for own, each in zip(pairs.held, found, strict=True)
    )
    draw = None
    useful = pairs.tested or not any(own.found.share is not None for own in rows)
    if useful and pairs.length is not None and pairs.open is not None and pairs.open.any():
        _, _, draw = pair_draw(pairs.metrics, pairs.length, pairs.given, pairs.open, _LABELS)
    return BetterThanLength(rows, draw, tuple(sorted(pairs.imported)), pairs.tested)
