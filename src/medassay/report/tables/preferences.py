"""What raters preferred when they saw two answers side by side."""

from medassay.analyses.results import PreferencesResult, Results
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
from medassay.exhibits.numbers import PROPORTION, bounds, count_of
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Row, Table
from medassay.report.names import Names

__all__ = ["preference_pairs", "preference_standings"]


def preference_standings(results: Results, found: PreferencesResult) -> Table:
    """Order the systems by how often they were preferred."""
    names = Names(results)
    chosen = sorted(found.standings, key=lambda s: -1.0 if s.share is None else s.share)
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
                    estimate(s.share, s.interval, "It was never compared.", PROPORTION, (0, 1)),
                    count(s.wins),
                    count(s.ties),
                    count(s.losses),
                    count(s.n),
                )
            )
            for s in reversed(chosen)
        ),
        empty=as_sentence(found.reason) or "There are no preferences.",
        synthetic=results.study.synthetic,
    )


def _unlabelled(found: PreferencesResult) -> str:
    if not found.unlabelled:
        return ""
    return f" In {found.unlabelled} more, the rater gave a reason instead of a choice."


def _agreement(found: PreferencesResult) -> str:
    twice = found.judged_more_than_once
    if found.pairwise_agreement is None:
        reason = as_sentence(found.reason) or "No pair of answers was judged twice."
        return f"Agreement of the raters: none. {reason}"
    share = PROPORTION(found.pairwise_agreement)
    around = bounds(found.pairwise_agreement_interval)
    value = f"{share} {around}".strip()
    return f"Of the {count_of(twice, 'pair')} judged more than once, raters agreed in {value}."


def preference_pairs(results: Results, found: PreferencesResult) -> Table:
    """Show for each system, against each other: preferred, tied, not preferred."""
    names = Names(results)
    by_pair: dict[tuple[str, str], tuple[int, int, int]] = {}
    for pair in found.pairs:
        by_pair[pair.system_a, pair.system_b] = (pair.a, pair.tie, pair.b)
        by_pair[pair.system_b, pair.system_a] = (pair.b, pair.tie, pair.a)
    known = [s.id for s in results.systems if any(s.id in pair for pair in by_pair)]
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
        synthetic=results.study.synthetic,
    )
