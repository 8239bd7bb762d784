"""Draw up who rates what in which order."""

from collections.abc import Collection, Sequence
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign.assignment import Assignment, Item
from medassay.judgements.campaign.balance import balanced_panels
from medassay.judgements.campaign.codes import draw_codes
from medassay.judgements.campaign.fitted import Fit, fitted_panels
from medassay.judgements.campaign.order import batches_of, with_repeats
from medassay.judgements.campaign.secret import Draws, Secret
from medassay.judgements.campaign.settings import Settings

__all__ = ["draw_calibration", "draw_cases", "make_assignments", "with_sides"]

_FEW: Final = (
    'Add raters, or let others rate it too: specialties = "prefer" under [plan] of campaign.toml.'
)


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
        shown = with_sides([item for _, item in met], for_orders)
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
    return fitted_panels(groups, allowed, sizes, len(raters), draws)


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


def with_sides(items: Sequence[Item], draws: Draws) -> list[Item]:
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
