"""Which systems do raters prefer when they see two answers side by side?"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from medassay.agreement import Agreement, agree_on_preferences
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design, Randomness
from medassay.annotations import DesignName, SystemName, Words, record
from medassay.consensus import (
    BradleyTerry,
    PreferenceTally,
    Strength,
    SystemTally,
    bradley_terry,
    tally_preferences,
)
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import LEVEL, Finding, implied_p
from medassay.exhibits.columns import (
    celled,
    counted,
    estimated,
    how,
    missing,
    named,
    no_such,
    system_column,
    table_of,
)
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import PROPORTION, Style, bounds, count_of, level, outward
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Table
from medassay.judgements import Preferences
from medassay.stats import Interval


@record(infers=False)
class PairCount:
    """Two systems, how often either was preferred.

    Attributes:
        system_a: A system.
        system_b: Another.
        a: Times that the first was preferred.
        b: Times that the second was.
        tie: Times that neither was.
    """

    system_a: SystemName
    system_b: SystemName
    a: int
    b: int
    tie: int


@record(infers=True)
class PreferredOn:
    """All comparisons on one dimension.

    Attributes:
        dimension: The dimension.
        n: Comparisons with a choice.
        unlabelled: Comparisons where a rater gave a reason instead of a choice; they are not among
            n.
        raters: Raters who made a choice.
        cases: Cases with a choice.
        standings: Each system, the one preferred in the largest share first.
        pairs: Each pair of systems.
        judged_more_than_once: Pairs of answers that more than one rater compared.
        pairwise_agreement: The share of those on which raters agree.
        pairwise_agreement_interval: Around it.
        reason: Why there is no such share; empty where there is.
        strengths: Bradley-Terry strengths, the strongest first.
        tie_weight: How ready raters are to call a tie: two equal systems tie with w / (2 + w).
        no_strengths: Why there are no strengths; empty where there are.
    """

    dimension: DesignName
    n: int
    unlabelled: int
    raters: int
    cases: int
    standings: tuple[SystemTally, ...]
    pairs: tuple[PairCount, ...]
    judged_more_than_once: int
    pairwise_agreement: float | None
    pairwise_agreement_interval: Interval | None
    reason: Words
    strengths: tuple[Strength, ...] = ()
    tie_weight: float | None = None
    no_strengths: Words = ""


@record(infers=True)
class SideBySide:
    """What raters preferred, by dimension."""

    dimensions: tuple[PreferredOn, ...]


def preferred_on(
    preferences: Preferences, clusters: Mapping[str, str], randomness: Randomness
) -> Iterator[PreferredOn]:
    """Count, fit and compare on each dimension that answers were compared on."""
    replicates = randomness.replicates
    agreed = agree_on_preferences(
        preferences, rng=randomness.stream("s47"), clusters=clusters, replicates=replicates
    )
    for dimension in sorted(preferences.current()["dimension"].unique()):
        yield _on(
            tally_preferences(
                preferences,
                dimension,
                rng=randomness.stream("s48", dimension),
                clusters=clusters,
                replicates=replicates,
            ),
            next((agreement for agreement in agreed if _is_share(agreement, dimension)), None),
            bradley_terry(
                preferences,
                dimension,
                rng=randomness.stream("s52", dimension),
                clusters=clusters,
                replicates=replicates,
            ),
        )


def _is_share(agreement: Agreement, dimension: str) -> bool:
    return agreement.dimension == dimension and agreement.coefficient == "mean_pairwise"


def _on(tally: PreferenceTally, agreed: Agreement | None, fitted: BradleyTerry) -> PreferredOn:
    return PreferredOn(
        dimension=tally.dimension,
        n=int(tally.wins.sum() + tally.ties.sum() // 2),
        unlabelled=tally.unlabelled,
        raters=tally.raters,
        cases=tally.n_cases,
        standings=tuple(
            sorted(
                tally.systems,
                key=lambda system_tally: (
                    -(-1 if system_tally.win_share is None else system_tally.win_share),
                    system_tally.system,
                ),
            )
        ),
        pairs=_pairs(tally),
        judged_more_than_once=0 if agreed is None else agreed.n_units,
        pairwise_agreement=None if agreed is None else agreed.value,
        pairwise_agreement_interval=None if agreed is None else agreed.interval,
        reason="" if agreed is None or agreed.reason is None else str(agreed.reason),
        strengths=tuple(
            sorted(
                fitted.systems,
                key=lambda strength: (-(strength.log_strength or 0.0), strength.system),
            )
        ),
        tie_weight=fitted.tie,
        no_strengths=fitted.undefined,
    )


def _pairs(tally: PreferenceTally) -> tuple[PairCount, ...]:
    names = [system_tally.system for system_tally in tally.systems]
    return tuple(
        PairCount(a, b, int(tally.wins[i, j]), int(tally.wins[j, i]), int(tally.ties[i, j]))
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i < j
    )


def preference_tables(on_dimensions: Sequence[PreferredOn], names: Names) -> list[Table]:
    """Show on each dimension the standings, the strengths behind them, and each pair."""
    return [
        table(preferred_on, names)
        for preferred_on in on_dimensions
        for table in (_standings, _strengths, _pair_table)
    ]


def _standings(preferred_on: PreferredOn, names: Names) -> Table:
    """Order the systems by how often they were preferred."""
    chosen = sorted(
        preferred_on.standings, key=lambda s: -1.0 if s.win_share is None else s.win_share
    )
    return table_of(
        reversed(chosen),
        (
            system_column(names),
            estimated(
                "Preferred",
                "win_share",
                why_not=lambda _: "It was never compared.",
                file="share",
                axis=(0, 1),
            ),
            counted("Preferred", "wins", group="Times"),
            counted("Tied", "ties", group="Times"),
            counted("Not preferred", "losses", group="Times"),
            counted("Comparisons", "n", file="comparisons"),
        ),
        id=f"preferences-{slug(preferred_on.dimension)}",
        title=f"Preferences: {names.of_dimension(preferred_on.dimension)}",
        caption="Share of comparisons in which a system was preferred; a tie counts one half. "
        f"{count_of(preferred_on.n, 'comparison')} by {count_of(preferred_on.raters, 'rater')} on "
        f"{count_of(preferred_on.cases, 'case')}.{_unlabelled(preferred_on)} "
        f"{how(s.interval for s in chosen)} {_agreement(preferred_on)}",
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
    return table_of(
        preferred_on.strengths,
        (
            system_column(names),
            estimated(
                "Strength", "log_strength", Style(2), why_not=lambda _: preferred_on.no_strengths
            ),
            counted("Comparisons", "n", file="comparisons"),
        ),
        id=f"strengths-{slug(preferred_on.dimension)}",
        title=f"Strength behind the preferences: {names.of_dimension(preferred_on.dimension)}",
        caption="Bradley-Terry strengths with ties (Davidson), which take the opponents into "
        "account. 0 is the average system; 0.7 more doubles the odds of being preferred."
        f"{ties} {how(strength.interval for strength in preferred_on.strengths)}",
        empty=as_sentence(preferred_on.no_strengths) or "There are no preferences.",
    )


def _pair_table(preferred_on: PreferredOn, names: Names) -> Table:
    """Show for each system, against each other: preferred, tied, not preferred."""
    by_pair: dict[tuple[str, str], tuple[int, int, int]] = {}
    for pair in preferred_on.pairs:
        by_pair[pair.system_a, pair.system_b] = (pair.a, pair.tie, pair.b)
        by_pair[pair.system_b, pair.system_a] = (pair.b, pair.tie, pair.a)
    known = [system for system in names.system if any(system in pair for pair in by_pair)]

    def against(other: str) -> Callable[[str], Cell]:
        def cell(system: str) -> Cell:
            counts = by_pair.get((system, other))
            if counts is not None:
                return Cell(" : ".join(map(str, counts)), counts)
            return no_such(3) if system == other else missing("Never compared.", 3)

        return cell

    return table_of(
        known,
        (
            celled("System", "system", lambda system: named(names.of_system(system), system)),
            *(
                celled(
                    names.of_system(s),
                    (f"preferred_to_{s}", f"tied_with_{s}", f"not_preferred_to_{s}"),
                    against(s),
                    numeric=True,
                )
                for s in known
            ),
        ),
        id=f"preference-pairs-{slug(preferred_on.dimension)}",
        title=f"Preferences pair by pair: {names.of_dimension(preferred_on.dimension)}",
        caption="How often the system of the row was preferred, tied and not preferred against the "
        "system of the column.",
        empty="There are no preferences.",
    )


_EVEN = 0.5
_FINDING = "preferences"


def preference_claims(dimensions: Sequence[PreferredOn]) -> Iterator[Claim]:
    """Claim that a system is preferred, on the first dimension on which anybody chose."""
    preferred_on = _first(dimensions)
    if preferred_on is not None:
        p = [_luck(preferred_on.standings)]
        yield Claim.of(
            _FINDING, preferred_on.dimension, VerdictKind.CLAIM, p, row=VerdictRow.PREFERRED
        )


def preference_finding(dimensions: Sequence[PreferredOn], names: Names) -> Finding | None:
    """Say which system was preferred most often, and whether more than half of the time.

    It speaks of the first dimension on which anybody made a choice.
    """
    preferred_on = _first(dimensions)
    if preferred_on is None:
        return None
    return Finding(
        _FINDING, _said(preferred_on, names), (f"preferences-{slug(preferred_on.dimension)}",)
    )


def _first(dimensions: Sequence[PreferredOn]) -> PreferredOn | None:
    valued = (p for p in dimensions if any(s.win_share is not None for s in p.standings))
    return next(valued, None)


def stands_out(standings: Sequence[SystemTally], level: float = LEVEL) -> SystemTally | None:
    """Give the system that was preferred more than half of the time, all of them tried, if any."""
    shares = [(s.win_share, s) for s in standings if s.win_share is not None]
    share, top = max(shares, key=lambda item: item[0])
    if not _above(top.interval) or sum(value == share for value, _ in shares) > 1:
        return None
    if top.uneven and not _above(top.evened_interval):
        return None
    luck = _luck(standings)
    return top if luck is not None and luck <= level else None


def _above(around: Interval | None) -> bool:
    return around is not None and around.low > _EVEN


def _said(preferred_on: PreferredOn, names: Names) -> str:
    shares = [(s.win_share, s) for s in preferred_on.standings if s.win_share is not None]
    share, top = max(shares, key=lambda item: item[0])
    if sum(value == share for value, _ in shares) > 1:
        many = count_of(preferred_on.n, "comparison")
        return f"No system was preferred more often than every other ({many})."
    who, around = names.of_system(top.system), ""
    if top.interval:
        low, high = (f"{100 * float(end):.0f}" for end in outward(top.interval))
        around = f"{level(top.interval)} CI {low} to {high}; "
    of = count_of(top.n, "comparison")
    text = (
        f"{who} was preferred most often: in {100 * share:.0f}% of {of} ({around}ties count half)."
    )
    own_level = names.level(_FINDING, preferred_on.dimension)
    if top.interval and top.interval.low <= _EVEN:
        text += " Whether it is preferred more than half of the time is undecided."
    elif top.interval and top.uneven and not _above(top.evened_interval):
        first = f"{top.shown_first:,}"
        text += f" Raters saw it first in {first}, so a liking for that place can explain it."
    elif top.interval and stands_out(preferred_on.standings, own_level) is None:
        open_ = names.undecided(_FINDING, preferred_on.dimension, _luck(preferred_on.standings))
        text += f" The largest of {len(shares)} shares can be as high by chance, so it is {open_}."
    elif top.uneven:
        text += " This holds with first and second place counted alike."
    return text


def _luck(standings: Sequence[SystemTally]) -> float | None:
    """Give the p of the largest of so many shares against one half, all of them tried.

    Of two systems one share is the other turned round, and one is tried.
    """
    shares = [(s.win_share, s) for s in standings if s.win_share is not None]
    share, top = max(shares, key=lambda item: item[0])
    p = implied_p(share, top.interval, _EVEN)
    if top.uneven and p is not None:
        if top.evened is None:
            return None
        evened = implied_p(top.evened, top.evened_interval, _EVEN)
        p = None if evened is None else max(p, evened)
    tried = len(shares) if len(shares) > 2 else 1  # noqa: PLR2004 - two are one
    return None if p is None else min(1.0, tried * p)


@analysis(
    Declaration(
        id="preferences",
        title="Preferences",
        question="Which systems do raters prefer when they see two answers side by side?",
        section="preferences",
        infers=True,
        reader="organiser",
        place=1,
        tables=lambda record, names: preference_tables(record.dimensions, names),
        finding=lambda record, names: preference_finding(record.dimensions, names),
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda record, _: preference_claims(record.dimensions),
    )
)
def preferences(
    preferences_made: Preferences, design: Design, randomness: Randomness
) -> SideBySide | None:
    """Count preferences and fit strengths, on each dimension."""
    on_dimensions = tuple(preferred_on(preferences_made, design.clusters, randomness))
    return SideBySide(on_dimensions) if on_dimensions else None
