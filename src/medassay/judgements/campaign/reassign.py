"""Raters who come, go and hand on answers while a campaign runs."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign.assignment import Assignment, Item
from medassay.judgements.campaign.codes import draw_codes
from medassay.judgements.campaign.fitted import Fit, fitted_panels
from medassay.judgements.campaign.make_plan import with_sides
from medassay.judgements.campaign.order import batches_of, with_repeats
from medassay.judgements.campaign.plan import CampaignPlan
from medassay.judgements.campaign.secret import Draws, Secret

__all__ = ["Change", "reassigned"]

Had = Callable[[Item, str], bool]


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
        panels = fitted_panels(
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
        sides = with_sides([row.item.upright for row, _ in met], draws)
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
