"""Raters who come and go midway: nothing judged moves, nothing is asked twice, all is even."""

from collections import Counter

import pytest

from medassay.errors import InvalidInput
from medassay.judgements.campaign import (
    CampaignPlan,
    Change,
    Item,
    Secret,
    Settings,
    make_assignments,
    reassigned,
)

RATERS = ("anna", "ben", "cleo", "dora")
SYSTEMS = ("clinic", "phi-3", "robot")
ITEMS = tuple(Item(f"{case:02}", system) for case in range(20) for system in SYSTEMS)
NOW = "2026-03-02T09:00:00.000000Z"


class Knows:
    """Emil built the robot; case 03 is for ben and cleo alone."""

    def may(self, item: Item, rater: str) -> bool:
        return not (rater == "emil" and "robot" in item.pair)

    def knows(self, item: Item, rater: str) -> bool:
        return item.case != "03" or rater in {"ben", "cleo"}


def planned(number: int = 0, **settings: object) -> CampaignPlan:
    choices = {"name": "main", "kind": "answers", "raters": RATERS, "overlap": 2, **settings}
    secret = Secret(number.to_bytes(32))
    chosen = Settings(**choices)  # type: ignore[arg-type] # the tests' own words
    calibration = [Item("99", "clinic")]
    return CampaignPlan(chosen, "", "", make_assignments(chosen, ITEMS, secret, calibration))


def first_of(plan: CampaignPlan, rater: str, count: int) -> set[str]:
    return {row.code for row in plan.of_rater(rater)[:count]}


@pytest.mark.parametrize("number", range(6))
def test_what_is_judged_stays_and_the_rest_passes_on_evenly(number: int) -> None:
    plan = planned(number, repeats=3)
    done = first_of(plan, "anna", 11) | first_of(plan, "ben", 30)
    change = Change(come=("emil",), go=("anna",), done=done, time=NOW)
    later = reassigned(plan, change, Secret(number.to_bytes(32)), fit=Knows())
    assert {row.code for row in later.holding("anna")} == first_of(plan, "anna", 11)
    assert later.left == ("anna",)
    # Each answer has as many raters as before, but where nobody else may rate it.
    before = Counter(row.item for row in plan.assignments if row.phase == "main")
    now = Counter(row.item for row in later.assignments if row.phase == "main" and not row.ended)
    short = {item for item in before if now[item] != before[item]}
    assert {item.case for item in short} <= {"03"}
    # Nobody has an answer twice, outside the repeats; nobody gets what they built.
    held = Counter((row.rater, row.item) for row in later.assignments if row.phase != "repeat")
    assert set(held.values()) == {1}
    assert not any("robot" in row.item.pair for row in later.of_rater("emil"))
    # What stood stands as it stood, and codes are new.
    as_it_was = {row.code: (row.rater, row.position, row.item) for row in plan.assignments}
    same = {row.code: (row.rater, row.position, row.item) for row in later.assignments}
    assert {code: same[code] for code in as_it_was} == as_it_was
    assert len(same) == len(later.assignments)
    # The newcomer calibrates first, and takes over most of what was freed, having least.
    emil = later.of_rater("emil")
    assert emil[0].phase == "calibration"
    assert [row.position for row in emil] == list(range(1, len(emil) + 1))
    freed = sum(row.ended == NOW and row.phase == "main" for row in later.assignments)
    assert sum(row.phase == "main" for row in emil) >= freed * 2 // 3 - 3
    for rater in ("ben", "cleo", "dora"):
        positions = [row.position for row in later.of_rater(rater)]
        assert positions == list(range(1, len(positions) + 1))


@pytest.mark.parametrize("number", range(4))
def test_without_a_newcomer_loads_stay_within_one_of_each_other(number: int) -> None:
    plan = planned(number)
    change = Change(go=("anna",), done=first_of(plan, "anna", 7), time=NOW)
    later = reassigned(plan, change, Secret(number.to_bytes(32)))
    loads = [sum(row.phase == "main" for row in later.holding(one)) for one in RATERS[1:]]
    assert max(loads) - min(loads) <= 1
    of_system = Counter(
        (row.rater, row.item.system) for row in later.assignments if row.phase == "main"
    )
    assert (
        max(of_system.values()) - min(of_system[one, s] for one in RATERS[1:] for s in SYSTEMS) <= 5
    )


def test_an_answer_is_handed_to_whom_the_lead_names_with_its_repeat() -> None:
    plan = planned(repeats=3)
    again = next(row for row in plan.of_rater("anna") if row.phase == "repeat")
    code = next(
        row.code for row in plan.of_rater("anna") if row.phase == "main" and row.item == again.item
    )
    may = [r for r in RATERS if not any(row.item == again.item for row in plan.of_rater(r))]
    later = reassigned(plan, Change(hand_on={code: may[0]}, time=NOW), Secret(bytes(32)))
    (new,) = [row for row in later.assignments if row.code not in plan.by_code]
    assert (new.rater, new.instead_of, new.item) == (may[0], code, again.item)
    assert {row.code for row in later.assignments if row.ended} == {code, again.code}
    taken = next(r for r in RATERS[1:] if r not in may)
    for wish in ({code: taken}, {again.code: ""}, {"NONE": ""}, {code: "nobody"}):
        with pytest.raises(InvalidInput, match="--give"):
            reassigned(plan, Change(hand_on=wish, time=NOW), Secret(bytes(32)))
    with pytest.raises(InvalidInput, match="not judged yet"):
        reassigned(plan, Change(hand_on={code: ""}, done={code}, time=NOW), Secret(bytes(32)))


def test_what_nobody_may_rate_waits_for_whoever_comes() -> None:
    plan = planned(raters=("anna", "ben"), overlap=2)
    gone = reassigned(plan, Change(go=("anna",), time=NOW), Secret(bytes(32)))
    assert [row for row in gone.assignments if row.wave] == []
    later = reassigned(gone, Change(come=("emil",), time="later"), Secret(bytes(32)))
    assert sum(row.phase == "main" for row in later.of_rater("emil")) == len(ITEMS)
    back = reassigned(later, Change(come=("anna",), go=("emil",), time="x"), Secret(bytes(32)))
    assert back.left == ("emil",)
    # She had all of them once, judged or not: nobody is asked about an answer twice.
    assert back.holding("anna") == ()


def test_pairs_pass_on_whichever_side_they_stood_on() -> None:
    choices = Settings(name="main", kind="preferences", raters=RATERS[:3], overlap=2)
    pairs = [Item(f"{case}", "a", "b") for case in range(30)]
    plan = CampaignPlan(choices, "", "", make_assignments(choices, pairs, Secret(bytes(32))))
    later = reassigned(plan, Change(go=("anna",), time=NOW), Secret(bytes(32)))
    held = Counter((row.rater, row.item.upright) for row in later.assignments)
    assert set(held.values()) == {1}
    new = [row.item for row in later.assignments if row.wave]
    assert 0.2 < sum(item.system == "a" for item in new) / len(new) < 0.8
