"""Tables of what raters preferred when they saw two answers side by side."""

from collections.abc import Sequence

from medassay.analyses.builtin.preferences.record import PreferredOn
from medassay.exhibits import Names
from medassay.exhibits.cells import (
    count,
    estimate,
    estimate_fields,
    how,
    missing,
    named,
    no_such,
)
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import PROPORTION, Style, bounds, count_of
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table

__all__ = ["preference_tables"]


def preference_tables(found: Sequence[PreferredOn], names: Names) -> list[Table]:
    """Show on each dimension the standings, the strengths behind them, and each pair."""
    return [table(one, names) for one in found for table in (_standings, _strengths, _pairs)]


def _standings(found: PreferredOn, names: Names) -> Table:
    """Order the systems by how often they were preferred."""
    chosen = sorted(found.standings, key=lambda s: -1.0 if s.win_share is None else s.win_share)
    return Table(
        f"preferences-{slug(found.dimension)}",
        f"Preferences: {names.of_dimension(found.dimension)}",
        f"Share of comparisons in which a system was preferred; a tie counts one half. "
        f"{count_of(found.n, 'comparison')} by {count_of(found.raters, 'rater')} on "
        f"{count_of(found.cases, 'case')}.{_unlabelled(found)} "
        f"{how(s.interval for s in chosen)} {_agreement(found)}",
        (
            Column("System", ("system",)),
            Column("Preferred", estimate_fields("share"), numeric=True, axis=("0", "1")),
            Column("Preferred", ("wins",), numeric=True, group="Times"),
            Column("Tied", ("ties",), numeric=True, group="Times"),
            Column("Not preferred", ("losses",), numeric=True, group="Times"),
            Column("Comparisons", ("comparisons",), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(s.system), s.system),
                    estimate(s.win_share, s.interval, "It was never compared.", PROPORTION, (0, 1)),
                    count(s.wins),
                    count(s.ties),
                    count(s.losses),
                    count(s.n),
                )
            )
            for s in reversed(chosen)
        ),
        empty=as_sentence(found.reason) or "There are no preferences.",
    )


def _unlabelled(found: PreferredOn) -> str:
    if not found.unlabelled:
        return ""
    return f" In {found.unlabelled} more, the rater gave a reason instead of a choice."


def _agreement(found: PreferredOn) -> str:
    twice = found.judged_more_than_once
    if found.pairwise_agreement is None:
        reason = as_sentence(found.reason) or "No pair of answers was judged twice."
        return f"Agreement of the raters: none. {reason}"
    share = PROPORTION(found.pairwise_agreement)
    around = bounds(found.pairwise_agreement_interval)
    value = f"{share} {around}".strip()
    return f"Of the {count_of(twice, 'pair')} judged more than once, raters agreed in {value}."


def _strengths(found: PreferredOn, names: Names) -> Table:
    """Order the systems by Bradley-Terry strength."""
    ties = ""
    if found.tie_weight is not None:
        share = PROPORTION(found.tie_weight / (2 + found.tie_weight))
        ties = f" Two equal systems would tie in {share} of comparisons."
    return Table(
        f"strengths-{slug(found.dimension)}",
        f"Strength behind the preferences: {names.of_dimension(found.dimension)}",
        "Bradley-Terry strengths with ties (Davidson), which take the opponents into account. 0 is "
        f"the average system; 0.7 more doubles the odds of being preferred.{ties} "
        f"{how(one.interval for one in found.strengths)}",
        (
            Column("System", ("system",)),
            Column("Strength", estimate_fields("log_strength"), numeric=True),
            Column("Comparisons", ("comparisons",), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(one.system), one.system),
                    estimate(one.log_strength, one.interval, found.no_strengths, Style(2)),
                    count(one.n),
                )
            )
            for one in found.strengths
        ),
        empty=as_sentence(found.no_strengths) or "There are no preferences.",
    )


def _pairs(found: PreferredOn, names: Names) -> Table:
    """Show for each system, against each other: preferred, tied, not preferred."""
    by_pair: dict[tuple[str, str], tuple[int, int, int]] = {}
    for pair in found.pairs:
        by_pair[pair.system_a, pair.system_b] = (pair.a, pair.tie, pair.b)
        by_pair[pair.system_b, pair.system_a] = (pair.b, pair.tie, pair.a)
    known = [one for one in names.system if any(one in pair for pair in by_pair)]
    rows = []
    for one in known:
        cells = [named(names.of_system(one), one)]
        for other in known:
            counts = by_pair.get((one, other))
            if counts is not None:
                cells.append(Cell(" : ".join(map(str, counts)), counts))
            else:
                cells.append(no_such(3) if one == other else missing("Never compared.", 3))
        rows.append(Row(tuple(cells)))
    return Table(
        f"preference-pairs-{slug(found.dimension)}",
        f"Preferences pair by pair: {names.of_dimension(found.dimension)}",
        "How often the system of the row was preferred, tied and not preferred against the system "
        "of the column.",
        (
            Column("System", ("system",)),
            *(
                Column(
                    names.of_system(s),
                    (f"preferred_to_{s}", f"tied_with_{s}", f"not_preferred_to_{s}"),
                    numeric=True,
                )
                for s in known
            ),
        ),
        tuple(rows),
        empty="There are no preferences.",
    )
