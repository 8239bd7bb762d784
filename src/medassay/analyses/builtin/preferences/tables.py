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


def preference_tables(on_dimensions: Sequence[PreferredOn], names: Names) -> list[Table]:
    """Show on each dimension the standings, the strengths behind them, and each pair."""
    return [
        table(preferred_on, names)
        for preferred_on in on_dimensions
        for table in (_standings, _strengths, _pairs)
    ]


def _standings(preferred_on: PreferredOn, names: Names) -> Table:
    """Order the systems by how often they were preferred."""
    chosen = sorted(
        preferred_on.standings, key=lambda s: -1.0 if s.win_share is None else s.win_share
    )
    return Table(
        f"preferences-{slug(preferred_on.dimension)}",
        f"Preferences: {names.of_dimension(preferred_on.dimension)}",
        f"Share of comparisons in which a system was preferred; a tie counts one half. "
        f"{count_of(preferred_on.n, 'comparison')} by {count_of(preferred_on.raters, 'rater')} on "
        f"{count_of(preferred_on.cases, 'case')}.{_unlabelled(preferred_on)} "
        f"{how(s.interval for s in chosen)} {_agreement(preferred_on)}",
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
        empty=as_sentence(preferred_on.reason) or "There are no preferences.",
    )


def _unlabelled(preferred_on: PreferredOn) -> str:
    if not preferred_on.unlabelled:
        return ""
    return f" In {preferred_on.unlabelled} more, the rater gave a reason instead of a choice."


def _agreement(preferred_on: PreferredOn) -> str:
    twice = preferred_on.judged_more_than_once
    if preferred_on.pairwise_agreement is None:
        reason = as_sentence(preferred_on.reason) or "No pair of answers was judged twice."
        return f"Agreement of the raters: none. {reason}"
    share = PROPORTION(preferred_on.pairwise_agreement)
    around = bounds(preferred_on.pairwise_agreement_interval)
    value = f"{share} {around}".strip()
    return f"Of the {count_of(twice, 'pair')} judged more than once, raters agreed in {value}."


def _strengths(preferred_on: PreferredOn, names: Names) -> Table:
    """Order the systems by Bradley-Terry strength."""
    ties = ""
    if preferred_on.tie_weight is not None:
        share = PROPORTION(preferred_on.tie_weight / (2 + preferred_on.tie_weight))
        ties = f" Two equal systems would tie in {share} of comparisons."
    return Table(
        f"strengths-{slug(preferred_on.dimension)}",
        f"Strength behind the preferences: {names.of_dimension(preferred_on.dimension)}",
        "Bradley-Terry strengths with ties (Davidson), which take the opponents into account. 0 is "
        f"the average system; 0.7 more doubles the odds of being preferred.{ties} "
        f"{how(strength.interval for strength in preferred_on.strengths)}",
        (
            Column("System", ("system",)),
            Column("Strength", estimate_fields("log_strength"), numeric=True),
            Column("Comparisons", ("comparisons",), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(strength.system), strength.system),
                    estimate(
                        strength.log_strength,
                        strength.interval,
                        preferred_on.no_strengths,
                        Style(2),
                    ),
                    count(strength.n),
                )
            )
            for strength in preferred_on.strengths
        ),
        empty=as_sentence(preferred_on.no_strengths) or "There are no preferences.",
    )


def _pairs(preferred_on: PreferredOn, names: Names) -> Table:
    """Show for each system, against each other: preferred, tied, not preferred."""
    by_pair: dict[tuple[str, str], tuple[int, int, int]] = {}
    for pair in preferred_on.pairs:
        by_pair[pair.system_a, pair.system_b] = (pair.a, pair.tie, pair.b)
        by_pair[pair.system_b, pair.system_a] = (pair.b, pair.tie, pair.a)
    known = [system for system in names.system if any(system in pair for pair in by_pair)]
    rows = []
    for system in known:
        cells = [named(names.of_system(system), system)]
        for other in known:
            counts = by_pair.get((system, other))
            if counts is not None:
                cells.append(Cell(" : ".join(map(str, counts)), counts))
            else:
                cells.append(no_such(3) if system == other else missing("Never compared.", 3))
        rows.append(Row(tuple(cells)))
    return Table(
        f"preference-pairs-{slug(preferred_on.dimension)}",
        f"Preferences pair by pair: {names.of_dimension(preferred_on.dimension)}",
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
