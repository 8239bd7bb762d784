"""Draw up who rates what in which order, and anew as raters come and go."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import Final, Protocol, TypeVar

import numpy as np

from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign.plan import Assignment, CampaignPlan, Item, Settings
from medassay.judgements.campaign.secret import Draws, Secret, draw_codes

_FEW: Final = (
    'Add raters, or let others rate it too: specialties = "prefer" under [plan] of campaign.toml.'
)
_T = TypeVar("_T")
_ROUNDS: Final = 30
Had = Callable[[Item, str], bool]


class Fit(Protocol):
    """Who may rate what."""

    def may(self, item: Item, rater: str) -> bool:
        """Say whether a rater may see an item at all."""

    def knows(self, item: Item, rater: str) -> bool:
        """Say whether an item should go to this rater."""


def make_assignments(
    settings: Settings,
    main: Sequence[Item],
    secret: Secret,
    calibration: Sequence[Item] = (),
    taken: Collection[str] = (),
    *,
    fit: Fit | None = None,
    everybody: Collection[Item] = (),
) -> tuple[Assignment, ...]:
    """Give every rater their items, in an order of their own, under codes that say nothing.

    The calibration items come first, the same in the same order for everyone. Then come the main
    items, each with `overlap` raters, shuffled; some of the first half are met again in the second.
    Where the settings say `by_case`, all answers to one question follow one another: the questions
    are in a drawn order, and so are the answers to each.
    Where the settings say `own_first`, so many of these open as the rater's own calibration.
    Of a pair each rater sees every system about as often on the left as on the right.

    Args:
        settings: Name, raters, overlap, repeats and batch size.
        main: What is rated; their order does not matter.
        secret: What codes, orders and repeats follow from, together with the campaign's name.
        calibration: What everybody rates first.
        taken: Codes that other campaigns use.
        fit: Who may rate what; everybody everything if not given.
        everybody: Items that every rater gets, whatever the overlap.

    Returns:
        The assignments by rater, then by position.

    Raises:
        InvalidInput: There is nothing to rate, or the numbers do not fit together.

    Example:
        >>> settings = Settings(name="main", kind="answers", raters=("a", "b"), overlap=1)
        >>> items = [Item("1", "A"), Item("1", "B"), Item("2", "A")]
        >>> plan = make_assignments(settings, items, Secret(bytes(32)))
        >>> [(one.rater, one.position, one.item.case, one.item.system) for one in plan]
        [('a', 1, '1', 'A'), ('a', 2, '1', 'B'), ('b', 1, '2', 'A')]
    """
    items = sorted(main)
    if settings.order == "by_case" and settings.repeats:
        must, got = "come without repeats", f"{settings.repeats} repeats"
        hint = "An answer that comes again would stand among answers to another question."
        raise InvalidInput(Problem('order = "by_case"', must, got, hint))
    if not items and not calibration:
        raise InvalidInput(Problem("the study", "have answers to rate", "none"))
    name, raters = settings.name, settings.raters
    for_panels, for_orders, for_codes = (
        secret.draws(name, purpose) for purpose in ("panels", "orders", "codes")
    )
    names = sorted({item.pair for item in items})
    groups = [names.index(item.pair) for item in items]
    panels = _panels(settings, items, groups, fit, everybody, for_panels)
    shared = [sorted(calibration)[i] for i in for_orders.permutation(len(calibration))]
    rows: list[tuple[str, str, int, int, Item]] = []
    for place, rater in enumerate(raters):
        mine = [item for item, panel in zip(items, panels, strict=True) if place in panel]
        later = max(len(mine) - settings.own_first, 0)
        if settings.own_first and not later:
            got = f"{settings.own_first}, and {rater} rates {len(mine)}"
            raise InvalidInput(Problem("calibration", "be fewer than a rater rates", got))
        if settings.repeats > later // 2:
            got = f"{settings.repeats}, and {rater} rates {later}"
            must = "be at most half of the answers that a rater rates"
            raise InvalidInput(Problem("repeats", must, got))
        # Nobody is shown what they built, not even to get used to the questions.
        first = [item for item in shared if fit is None or fit.may(item, rater)]
        order = [mine[i] for i in for_orders.permutation(len(mine))]
        if settings.order == "by_case":
            order = _by_case(order, [item.case for item in order], for_orders)
        first += order[: settings.own_first]
        met = [("calibration", item) for item in first]
        met += [
            ("repeat" if again else settings.phase, item)
            for item, again in with_repeats(
                order[settings.own_first :], settings.repeats, for_orders
            )
        ]
        batches = batches_of(len(first), settings.batch)
        done = batches[-1] if batches else 0
        batches += [done + end for end in batches_of(len(met) - len(first), settings.batch)]
        shown = _with_sides([item for _, item in met], for_orders)
        rows += [
            (rater, phase, position, batch, item)
            for position, ((phase, _), item, batch) in enumerate(
                zip(met, shown, batches, strict=True), start=1
            )
        ]
    codes = draw_codes(len(rows), for_codes, taken)
    return tuple(
        Assignment(code, rater, phase, position, batch, item)
        for code, (rater, phase, position, batch, item) in zip(codes, rows, strict=True)
    )


def _panels(
    settings: Settings,
    items: Sequence[Item],
    groups: Sequence[int],
    fit: Fit | None,
    everybody: Collection[Item],
    draws: Draws,
) -> list[tuple[int, ...]]:
    """Give each item its raters."""
    raters, overlap = settings.raters, settings.overlap
    if fit is None and not everybody:
        return balanced_panels(groups, len(raters), overlap, draws)
    allowed, sizes = list[list[int]](), list[int]()
    problems = []
    for item in items:
        may = [at for at, person in enumerate(raters) if fit is None or fit.may(item, person)]
        knows = [at for at in may if fit is None or fit.knows(item, raters[at])]
        everyone = item in everybody
        allowed.append(may if everyone else knows)
        sizes.append(len(may) if everyone else overlap)
        if len(allowed[-1]) < sizes[-1]:
            must = f"name {overlap} raters for each answer who may rate it"
            got = f"{len(knows)} for case {item.case}, {' and '.join(item.pair)}"
            problems.append(Problem("--raters", must, got, _FEW))
    if problems:
        raise InvalidInput(problems)
    return _fitted_panels(groups, allowed, sizes, len(raters), draws)


def draw_calibration(
    items: Sequence[Item], count: int, secret: Secret, name: str
) -> tuple[list[Item], list[Item]]:
    """Draw the items that everybody rates first, of as many systems as can be.

    Returns:
        The drawn ones, and the others.

    Raises:
        InvalidInput: More are asked for than there are.
    """
    if count >= len(items) and count:
        must, got = f"be less than the {len(items)} answers there are", str(count)
        raise InvalidInput(Problem("calibration", must, got))
    inorder = sorted(items)
    turn = [inorder[i] for i in secret.draws(name, "calibration").permutation(len(inorder))]
    times: dict[tuple[str, ...], int] = {}
    rank: dict[Item, int] = {}
    for item in turn:
        rank[item] = times[item.pair] = times.get(item.pair, 0) + 1
    drawn = sorted(turn, key=rank.__getitem__)[:count]
    chosen = set(drawn)
    return drawn, [item for item in inorder if item not in chosen]


def draw_cases(items: Sequence[Item], count: int, secret: Secret, name: str) -> list[Item]:
    """Draw cases, and keep every item of theirs: systems are compared on the same cases.

    Raises:
        InvalidInput: There are fewer.
    """
    cases = sorted({item.case for item in items})
    if count > len(cases):
        got = f"{count}, and there are {len(cases)} with answers"
        raise InvalidInput(Problem("--cases", "be at most the cases there are", got))
    drawn = {cases[i] for i in secret.draws(name, "cases").sample(len(cases), count)}
    return [item for item in items if item.case in drawn]


def _with_sides(items: Sequence[Item], draws: Draws) -> list[Item]:
    """Turn pairs so that each system stands about as often on the left as on the right."""
    left: dict[str, int] = {}
    shown = []
    for item in items:
        if not item.system_b:
            shown.append(item)
            continue
        lean = left.get(item.system, 0) - left.get(item.system_b, 0)
        turn = lean > 0 if lean else bool(draws.below(2))
        seen = item.turned if turn else item
        left[seen.system] = left.get(seen.system, 0) + 1
        left[seen.system_b] = left.get(seen.system_b, 0) - 1
        shown.append(seen)
    return shown


def _by_case(order: Sequence[_T], cases: Sequence[str], draws: Draws) -> list[_T]:
    """Draw an order of cases, within which what is rated keeps the order that was drawn."""
    names = sorted(set(cases))
    turn = {names[at]: place for place, at in enumerate(draws.permutation(len(names)))}
    return [item for _, item in sorted(zip(cases, order, strict=True), key=lambda p: turn[p[0]])]


def with_repeats(order: Sequence[_T], repeats: int, draws: Draws) -> list[tuple[_T, bool]]:
    """Put some items of the first half into the second half again.

    They keep their order, so that about half of all items lies between the two times.

    Args:
        order: The items as the rater meets them.
        repeats: How many to repeat, at most half of them.
        draws: Say which ones, and where they stand.

    Returns:
        The items in order, each with whether it is a repeat.

    Example:
        >>> from medassay.judgements.campaign import Secret
        >>> met = with_repeats("abcdef", 2, Secret(bytes(32)).draws("orders"))
        >>> "".join(item.upper() if again else item for item, again in met)
        'abcdABef'
    """
    half = len(order) // 2
    # The earliest third is far enough from the second half; more repeats need the rest of the half.
    pool = min(half, max(repeats, len(order) // 3))
    drawn = draws.sample(pool, repeats)
    rest = list(order[half:])
    # A repeat never stands first in the second half, where its first time may just have been.
    places = [1 + place for place in draws.sample(len(rest) + repeats - 1, repeats)]
    again = {place: order[item] for place, item in zip(places, drawn, strict=True)}
    others = iter(rest)
    tail = [
        (again[place], True) if place in again else (next(others), False)
        for place in range(len(rest) + repeats)
    ]
    return [*((item, False) for item in order[:half]), *tail]


def batches_of(count: int, size: int) -> list[int]:
    """Part `count` items into batches of about `size`, as even as can be.

    Returns:
        For each item its batch, from 1.

    Example:
        >>> batches_of(5, 2), [batches_of(62, 12).count(n) for n in range(1, 6)]
        ([1, 1, 1, 2, 2], [13, 13, 12, 12, 12])
    """
    number = max(1, round(count / size)) if count else 0
    return (
        [
            batch
            for batch, items in enumerate(np.array_split(np.arange(count), number), start=1)
            for _ in items
        ]
        if number
        else []
    )


def balanced_panels(
    groups: Sequence[int], raters: int, overlap: int, draws: Draws
) -> list[tuple[int, ...]]:
    """Give each item a panel of `overlap` raters, as even as can be.

    First, no rater has more than one item more than another. Then, as far as that allows, each
    rater sees each group (each system) equally often, so that a severe rater is no system's fate;
    and each pair of raters shares equally many items, so that every pair can be compared.

    Args:
        groups: For each item the number of its group, such as its system.
        raters: How many raters there are.
        overlap: How many raters an item gets; at most `raters`.
        draws: Break ties.

    Returns:
        For each item the positions of its raters, ascending.

    Example:
        >>> from medassay.judgements.campaign import Secret
        >>> panels = balanced_panels([0, 1] * 3, 3, 2, Secret(bytes(32)).draws("panels"))
        >>> sorted(panels)
        [(0, 1), (0, 1), (0, 2), (0, 2), (1, 2), (1, 2)]
    """
    if overlap == raters:
        return [tuple(range(raters))] * len(groups)
    loads = [0] * raters
    seen = [[0] * (max(groups, default=0) + 1) for _ in range(raters)]
    shared = [[0] * raters for _ in range(raters)]
    panels: list[tuple[int, ...]] = [()] * len(groups)
    # Group after group: where loads are even before one, what raters see of it comes out even.
    turns = sorted(draws.permutation(len(groups)), key=lambda item: groups[item])
    for item in turns:
        group, panel = groups[item], list[int]()
        turn = draws.permutation(raters)
        for _ in range(overlap):
            best = min(
                (rater for rater in turn if rater not in panel),
                key=lambda rater: (
                    loads[rater],
                    seen[rater][group],
                    sum(shared[rater][other] for other in panel),
                ),
            )
            for other in panel:
                shared[best][other] += 1
                shared[other][best] += 1
            panel.append(best)
            loads[best] += 1
            seen[best][group] += 1
        panels[item] = tuple(panel)
    _even_pairs(panels, groups, shared, draws)
    return [tuple(sorted(panel)) for panel in panels]


def _even_pairs(
    panels: list[tuple[int, ...]],
    groups: Sequence[int],
    shared: list[list[int]],
    draws: Draws,
) -> None:
    """Let two raters change places between two items of a group where that evens out the pairs.

    Neither the load of a rater nor what they see of a group changes by it.
    """
    of_group: dict[int, list[int]] = {}
    for item, group in enumerate(groups):
        of_group.setdefault(group, []).append(item)
    for _ in range(_ROUNDS):
        counts = [shared[a][b] for a, b in combinations(range(len(shared)), 2)]
        if max(counts) - min(counts) <= 1:
            return
        for items in of_group.values():
            turn = [items[i] for i in draws.permutation(len(items))]
            for first, other in pairwise(turn):
                _swap_if_better(panels, first, other, shared)


def _swap_if_better(
    panels: list[tuple[int, ...]], first: int, other: int, shared: list[list[int]]
) -> None:
    here, there = panels[first], panels[other]
    for a in sorted(set(here) - set(there)):
        for b in sorted(set(there) - set(here)):
            with_a = [rater for rater in here if rater != a]
            with_b = [rater for rater in there if rater != b]
            # The sum of squares falls by twice this, less two for each pair that changes.
            gain = sum(shared[a][r] - shared[b][r] for r in with_a)
            gain += sum(shared[b][r] - shared[a][r] for r in with_b)
            if gain <= len(with_a) + len(with_b):
                continue
            for left, joined, rest in ((a, b, with_a), (b, a, with_b)):
                for rater in rest:
                    for x, y, step in ((left, rater, -1), (joined, rater, 1)):
                        shared[x][y] += step
                        shared[y][x] += step
            panels[first] = (*with_a, b)
            panels[other] = (*with_b, a)
            return


def _fitted_panels(
    groups: Sequence[int],
    allowed: Sequence[Collection[int]],
    sizes: Sequence[int],
    raters: int,
    draws: Draws,
    before: Sequence[Sequence[int]] = (),
) -> list[tuple[int, ...]]:
    """Give each item a panel of raters who may rate it, as evenly loaded as that can be.

    Items that few may rate are dealt first, each to the least loaded; then an item passes from one
    rater to the next, along the shortest chain of raters who may take one over, from whoever has
    most to whoever has least, for as long as that evens out the loads. No other allotment has a
    lower highest load (semi-matchings, Harvey et al. 2006, https://doi.org/10.1016/j.jalgor.2005.01.005).

    Args:
        groups: For each item the number of its group, such as its system.
        allowed: For each item the raters who may rate it.
        sizes: For each item how many raters it gets; at most as many as are allowed.
        raters: How many raters there are.
        draws: Break ties.
        before: For each rater how many items of each group they have already; none if not given.

    Returns:
        For each item the positions of its raters, ascending.

    Example:
        >>> from medassay.judgements.campaign import Secret
        >>> draws = Secret(bytes(32)).draws("panels")
        >>> panels = _fitted_panels([0] * 4, [{0}, {0, 1}, {0, 1}, {0, 1}], [1] * 4, 2, draws)
        >>> panels[0], sorted(panels[1:])
        ((0,), [(0,), (1,), (1,)])
    """
    seen = [list(counts) for counts in before]
    seen = seen or [[0] * (max(groups, default=0) + 1) for _ in range(raters)]
    loads = [sum(counts) for counts in seen]
    panels: list[set[int]] = [set() for _ in groups]
    turns = sorted(
        draws.permutation(len(groups)),
        key=lambda item: (len(allowed[item]) - sizes[item], groups[item]),
    )
    for item in turns:
        turn = [rater for rater in draws.permutation(raters) if rater in allowed[item]]
        for rater in sorted(
            turn, key=lambda candidate: (loads[candidate], seen[candidate][groups[item]])
        ):
            if len(panels[item]) == sizes[item]:
                break
            panels[item].add(rater)
            loads[rater] += 1
            seen[rater][groups[item]] += 1
    while _pass_on(panels, allowed, loads):
        pass
    return [tuple(sorted(panel)) for panel in panels]


def _pass_on(panels: list[set[int]], allowed: Sequence[Collection[int]], loads: list[int]) -> bool:
    """Move one item along a chain from a rater with much to one with at least two less."""
    takes: dict[int, dict[int, int]] = {}
    for item, panel in enumerate(panels):
        for giver in panel:
            for taker in allowed[item]:
                if taker not in panel:
                    takes.setdefault(giver, {}).setdefault(taker, item)
    for start in sorted(range(len(loads)), key=lambda rater: -loads[rater]):
        chain = _chain(start, takes, loads)
        if not chain:
            continue
        for giver, taker in pairwise(chain):
            panels[takes[giver][taker]].remove(giver)
            panels[takes[giver][taker]].add(taker)
        loads[chain[0]] -= 1
        loads[chain[-1]] += 1
        return True
    return False


def _chain(start: int, takes: dict[int, dict[int, int]], loads: list[int]) -> list[int]:
    """Find the shortest chain to a rater with at least two less; each link passes on one item."""
    came: dict[int, int] = {start: start}
    waiting = deque([start])
    while waiting:
        giver = waiting.popleft()
        for taker in sorted(takes.get(giver, {}), key=lambda rater: loads[rater]):
            if taker in came:
                continue
            came[taker] = giver
            if loads[taker] <= loads[start] - 2:
                chain = [taker]
                while chain[-1] != start:
                    chain.append(came[chain[-1]])
                return chain[::-1]
            waiting.append(taker)
    return []


@dataclass(frozen=True)
class Change:
    """Who comes, who goes, and what is handed on.

    Attributes:
        come: Raters who are new, or who come back.
        go: Raters who leave.
        hand_on: Codes whose answers pass to somebody else, each with the rater who gets it; an
            empty name is whoever has least.
        done: Codes that are judged: they stay whose they are.
        time: The moment.
    """

    come: tuple[str, ...] = ()
    go: tuple[str, ...] = ()
    hand_on: Mapping[str, str] = field(default_factory=dict)
    done: Collection[str] = ()
    time: str = ""


def reassigned(
    plan: CampaignPlan,
    change: Change,
    secret: Secret,
    *,
    fit: Fit | None = None,
    had: Had = lambda item, rater: False,  # noqa: ARG005 - nobody had anything
    everybody: Collection[Item] = (),
    taken: Collection[str] = (),
) -> CampaignPlan:
    """Give what a leaving rater has not judged, and what nobody has, to those who may rate it.

    What is judged stays. An answer that passes on goes to a rater who never had it, may see it and
    has its specialty; of these to whoever has fewest answers in all, then fewest of that system.
    Where nobody is left it waits for the next who comes. A newcomer also gets the calibration
    answers first, what every rater gets, and repeats where half of what they get allows them.
    What raters hold already keeps its code, place and order.

    Args:
        plan: The plan.
        change: Who comes, who goes, what is handed on.
        secret: What new codes and orders follow from.
        fit: Who may rate what; everybody everything if not given.
        had: Whether a rater has judged an item elsewhere, or is asked about it in another campaign.
        everybody: Items that every rater gets.
        taken: Codes that other campaigns use.

    Raises:
        InvalidInput: A code is of no answer that can be handed on, or not to that rater.

    Example:
        >>> from medassay.judgements.campaign import Settings, make_assignments
        >>> settings = Settings(name="main", kind="answers", raters=("a", "b"), overlap=1)
        >>> items = [Item("1", "A"), Item("1", "B"), Item("2", "A"), Item("2", "B")]
        >>> secret = Secret(bytes(32))
        >>> plan = CampaignPlan(settings, "", "", make_assignments(settings, items, secret))
        >>> later = reassigned(plan, Change(come=("c",), go=("a",), time="now"), secret)
        >>> [len(later.holding(rater)) for rater in ("a", "b", "c")]
        [0, 2, 2]
    """
    return _Reassigning(plan, change, secret, fit, had, everybody).plan_with(taken)


class _Reassigning:
    """One change of raters, worked out."""

    def __init__(
        self,
        plan: CampaignPlan,
        change: Change,
        secret: Secret,
        fit: Fit | None,
        had: Had,
        everybody: Collection[Item],
    ) -> None:
        self.plan, self.change, self.secret, self.fit = plan, change, secret, fit
        self.had_elsewhere = had
        self.own_first = plan.settings.own_first
        self.phases = plan.settings.shared_out
        self.everybody = {item.upright for item in everybody}
        self.wave = 1 + max((row.wave for row in plan.assignments), default=0)
        raters = (*plan.settings.raters, *change.come)
        left = {*plan.left, *change.go} - {*change.come}
        self.raters = tuple(dict.fromkeys(raters))
        self.left = tuple(rater for rater in self.raters if rater in left)
        self.active = [rater for rater in self.raters if rater not in left]
        self.met = {(row.rater, row.item.upright) for row in plan.assignments}
        # A repeat goes with its first time.
        given = {
            (row.rater, row.item.upright) for row in plan.assignments if row.code in change.hand_on
        }
        self.rows = [self._ended(row, given) for row in plan.assignments]

    def plan_with(self, taken: Collection[str]) -> CampaignPlan:
        """Give the plan as it is afterwards."""
        share = self._dealt(self._open())
        fresh = [row for rater in self.active for row in self._new_rows(rater, share[rater])]
        used = {*taken, *self.plan.by_code}
        codes = draw_codes(len(fresh), self._draws("codes"), used)
        rows = [*self.rows, *(replace(row, code=c) for row, c in zip(fresh, codes, strict=True))]
        place = {rater: at for at, rater in enumerate(self.raters)}
        rows.sort(key=lambda row: (place[row.rater], row.position))
        settings = self.plan.settings.model_copy(update={"raters": self.raters})
        return replace(self.plan, settings=settings, assignments=tuple(rows), left=self.left)

    def _draws(self, purpose: str) -> Draws:
        return self.secret.draws(self.plan.settings.name, "reassign", str(self.wave), purpose)

    def _ended(self, row: Assignment, given: Collection[tuple[str, Item]]) -> Assignment:
        passes = row.rater in self.change.go or (row.rater, row.item.upright) in given
        if row.ended or row.code in self.change.done or not passes:
            return row
        return replace(row, ended=self.change.time)

    def _open(self) -> list[Assignment]:
        """List the assignments whose place nobody has taken; refuse what cannot be handed on."""
        replaced = {row.instead_of for row in self.rows}
        waiting = [
            row
            for row in self.rows
            if row.ended and row.phase in self.phases
            and row.code not in {*replaced, *self.change.done}
            and row.item.upright not in self.everybody
        ]  # fmt: skip
        can = {row.code for row in waiting}
        must = "be the code of an answer that is not judged yet, no repeat and none that all rate"
        strange = [code for code in self.change.hand_on if code not in can]
        if strange:
            raise InvalidInput(Problem("--give", must, f'"{code}"') for code in strange)
        return waiting

    def _may(self, item: Item, rater: str) -> bool:
        item = item.upright
        if (rater, item) in self.met or self.had_elsewhere(item, rater):
            return False
        return self.fit is None or (self.fit.may(item, rater) and self.fit.knows(item, rater))

    def _dealt(self, waiting: Sequence[Assignment]) -> dict[str, list[Assignment]]:
        """Give each rater the assignments whose place they take."""
        share: dict[str, list[Assignment]] = {rater: [] for rater in self.active}
        problems = []
        for row in waiting:
            rater = self.change.hand_on.get(row.code, "")
            if not rater:
                continue
            if rater in share and self._may(row.item, rater):
                share[rater].append(row)
                self.met.add((rater, row.item.upright))
                continue
            must = "name a rater of the campaign who may rate the answer and never had it"
            problems.append(Problem("--give", must, f'"{row.code}={rater}"'))
        if problems:
            raise InvalidInput(problems)
        named = {row.code for rows in share.values() for row in rows}
        by_item: dict[Item, list[Assignment]] = {}
        for row in waiting:
            if row.code not in named:
                by_item.setdefault(row.item.upright, []).append(row)
        items = sorted(by_item)
        names = sorted({row.item.upright.pair for row in self.rows})
        allowed = [
            [at for at, rater in enumerate(self.active) if self._may(item, rater)] for item in items
        ]
        panels = _fitted_panels(
            [names.index(item.pair) for item in items],
            allowed,
            [min(len(by_item[item]), len(mine)) for item, mine in zip(items, allowed, strict=True)],
            len(self.active),
            self._draws("panels"),
            self._before(names, share),
        )
        for item, panel in zip(items, panels, strict=True):
            for row, at in zip(by_item[item], panel, strict=False):
                share[self.active[at]].append(row)
        return share

    def _before(
        self, names: Sequence[tuple[str, ...]], share: Mapping[str, Sequence[Assignment]]
    ) -> list[list[int]]:
        """Count how many answers of each system each rater has already."""
        counts = Counter(
            (row.rater, row.item.pair)
            for row in self.rows
            if not row.ended and row.phase in self.phases
        )
        counts.update((rater, row.item.pair) for rater, rows in share.items() for row in rows)
        return [[counts[rater, name] for name in names] for rater in self.active]

    def _new_rows(self, rater: str, share: Sequence[Assignment]) -> list[Assignment]:
        """Put what a rater gets into an order, behind what the rater has; codes come later."""
        draws, settings = self._draws(f"order of {rater}"), self.plan.settings
        comes = rater in self.change.come
        first = self._of_all(rater, "calibration", None) if comes and not self.own_first else []
        main = [*share, *(self._of_all(rater, settings.phase, self.everybody) if comes else [])]
        order = [main[at] for at in draws.permutation(len(main))]
        if settings.order == "by_case":
            order = _by_case(order, [row.item.case for row in order], draws)
        own = self.own_first if comes else 0
        first, order = [*first, *order[:own]], order[own:]
        repeats = min(settings.repeats, len(order) // 2) if comes else 0
        met = [(row, "calibration") for row in first]
        met += [
            (replace(row, code="") if again else row, "repeat" if again else settings.phase)
            for row, again in with_repeats(order, repeats, draws)
        ]
        mine = [row for row in self.rows if row.rater == rater]
        position = max((row.position for row in mine), default=0)
        batch = max((row.batch for row in mine), default=0)
        batches = batches_of(len(first), settings.batch)
        done = batches[-1] if batches else 0
        batches += [done + end for end in batches_of(len(met) - len(first), settings.batch)]
        sides = _with_sides([row.item.upright for row, _ in met], draws)
        return [
            Assignment(
                code="",
                rater=rater,
                phase=phase,
                position=position + at,
                batch=batch + within,
                item=item,
                shown=row.shown,
                wave=self.wave,
                instead_of=row.code,
            )
            for at, ((row, phase), item, within) in enumerate(
                zip(met, sides, batches, strict=True), start=1
            )
        ]

    def _of_all(self, rater: str, phase: str, among: Collection[Item] | None) -> list[Assignment]:
        """List what every rater gets in a phase, as others have it; nobody is handed it on."""
        found: dict[Item, Assignment] = {}
        rows = [row for row in self.plan.assignments if row.phase == phase]
        for row in sorted(rows, key=lambda row: row.position):
            item = row.item.upright
            wanted = among is None or item in among
            if wanted and (rater, item) not in self.met and self._sees(item, rater):
                found.setdefault(item, replace(row, code=""))
        return list(found.values())

    def _sees(self, item: Item, rater: str) -> bool:
        barred = self.fit is not None and not self.fit.may(item, rater)
        return not barred and not self.had_elsewhere(item, rater)
