"""What the leaderboards claim: who is ahead, on the study's own question and on others."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from medassay.analyses.builtin.leaderboards.order import ordered
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import LEVEL
from medassay.exhibits.groups import alike
from medassay.exhibits.names import ScoreColumn
from medassay.stats import compact_letters

__all__ = ["FINDING", "HARM", "at_their_levels", "leaders_claims", "other_columns"]

FINDING = "leaders"
HARM = "harm"
_MOST = 4
"""Other dimensions that the sentence names; the first table has all."""


def other_columns(names: Names) -> list[ScoreColumn]:
    """Give the columns beside the primary one whose leaders are told."""
    primary = names.sources.get(names.primary)
    if primary is None:
        return []
    others = [
        source
        for source in names.sources.values()
        if (source.kind, source.method) == ("consensus", primary.method)
        and source.name != primary.name
    ]
    return others[:_MOST]


def leaders_claims(boards: Leaderboards, names: Names) -> Iterator[Claim]:
    """Give the primary question where the study asked it, each other column, margins, and harm."""
    first = VerdictKind.PRIMARY if names.asked else VerdictKind.CLAIM
    told = [(names.primary, first)] if names.primary in names.sources else []
    told += [(source.name, VerdictKind.CLAIM) for source in other_columns(names)]
    for source, kind in told:
        pairs = [pair.p_adjusted for pair in boards.comparisons if pair.source == source]
        if pairs and any(row.letters for row in boards.by(source)):
            yield Claim.of(FINDING, source, kind, pairs, row=VerdictRow.LEADS)
    if any(within.source == source for source, _ in told for within in boards.margins):
        own, row = VerdictKind.OWN_RATE, VerdictRow.SIMILAR
        yield Claim.of(FINDING, "similar within a margin", own, row=row)
    if boards.harm_p is not None:
        row = VerdictRow.HARM_APART
        yield Claim.of(FINDING, HARM, VerdictKind.WARNING, [boards.harm_p], row=row)


def at_their_levels(boards: Leaderboards, names: Names) -> Leaderboards:
    """Give the leaderboards with the groups that the tests bear out at each column's level."""
    told = [names.primary, *(source.name for source in other_columns(names))]
    for source in told:
        level = names.level(FINDING, source)
        if level != LEVEL:
            boards = _regrouped(boards, names, source, level)
    return boards


def _regrouped(boards: Leaderboards, names: Names, source: str, level: float) -> Leaderboards:
    """Join the groups of pairs that this level does not tell apart."""
    grouped = [row for row in ordered(boards, names, source) if row.letters]
    place = {row.system: at for at, row in enumerate(grouped)}
    apart = np.zeros((len(grouped), len(grouped)), dtype=np.bool_)
    for pair in boards.comparisons:
        if pair.source == source and {pair.system_a, pair.system_b} <= place.keys():
            a, b = place[pair.system_a], place[pair.system_b]
            stands = pair.p_adjusted is not None and pair.p_adjusted <= level
            apart[a, b] = stands and not alike(grouped[a].letters, grouped[b].letters)
    letters = dict(zip(place, compact_letters(apart | apart.T), strict=True))
    rows = [
        replace(row, letters=letters[row.system]) if row.source == source and row.letters else row
        for row in boards.standings
    ]
    return replace(boards, standings=tuple(rows))
