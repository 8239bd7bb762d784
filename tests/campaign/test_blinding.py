"""What a rater can find out about whose answers they read: no more than the design itself tells.

Every attack is run on a weakened campaign too, where it must succeed.
"""

import hashlib
import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from tools.endurance import Endurance

from medassay.analyses.inputs.answer_draw import draw_entries
from medassay.campaign import Wishes, create_campaign, write_sheets
from medassay.exchange.other_tools.declaring import draw_handout
from medassay.judgements.campaign import (
    Assignment,
    CampaignPlan,
    Change,
    Item,
    Secret,
    Settings,
    draw_calibration,
    draw_codes,
    find_plans,
    make_assignments,
    reassigned,
)
from medassay.scores import Unit
from medassay.study import Study
from medassay.tables import csv_bytes
from medassay.validity import seeded_lot

from .attacker import (
    Example,
    Ints,
    Learner,
    Sheet,
    best_order,
    example,
    find_secret,
    guessable,
    naming,
    pairing,
    pairs_named_alike,
    rows_of,
)
from .conftest import ratings, sheet_of

SYSTEMS = tuple(f"system-{letter}" for letter in "abcdef")
CASES = tuple(f"{number:02}" for number in range(1, 21))
ITEMS = tuple(Item(case, system) for case in CASES for system in SYSTEMS)
REPEATS = 4
# Of some hundred outcomes that are looked at, chance puts about one in ten thousand below.
CHANCE = 1e-3


def secret_of(number: int) -> Secret:
    """Give a fixed secret that is in nobody's list of guesses."""
    return Secret(hashlib.sha256(f"drawn once, long ago: {number}".encode()).digest())


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blinding") / "study"
    (folder / "answers").mkdir(parents=True)
    settings = 'schema = 1\ntitle = "Ankles"\n[[dimensions]]\nrubric = "archehr"\n'
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    cases = [[case, f"How long do I rest ankle {case}?"] for case in CASES]
    (folder / "cases.csv").write_bytes(csv_bytes(["case", "question"], cases))
    for system in SYSTEMS:
        texts = [hashlib.sha256(f"{system} {case}".encode()).hexdigest() for case in CASES]
        rows = [list(row) for row in zip(CASES, texts, strict=True)]
        path = folder / "answers" / f"{system}.csv"
        path.write_bytes(csv_bytes(["case", "text"], rows))
    return folder


def sent(study: Path, name: str, secret: Secret) -> Example:
    """Export a campaign, and read the first rater's workbook as that rater can."""
    wishes = Wishes(raters=f"anna-{name},ben-{name}", name=name, repeats=REPEATS)
    create_campaign(Study.open_whole(study), wishes, secret)
    write_sheets(Study.open_whole(study), name)
    header, *rows = ratings(sheet_of(study, f"anna-{name}", name))
    shown = [(row[header.index("Question")], row[header.index("Answer")]) for row in rows]
    cases = [re.findall(r"ankle (\d\d)", question)[0] for question, _ in shown]
    texts = sorted({text for _, text in shown})
    plan = find_plans(study)[name].by_code
    truth = np.array([SYSTEMS.index(plan[row[0]].item.system) for row in rows])
    seen = Sheet(
        [row[0] for row in rows],
        np.array([CASES.index(case) for case in cases]),
        np.array([texts.index(text) for _, text in shown]),
        len(SYSTEMS),
    )
    return seen, truth


def first_code(name: str) -> Callable[[Secret], str]:
    return lambda secret: draw_codes(1, secret.draws(name, "codes"))[0]


def plan_of(secret: Secret, name: str = "main") -> list[Assignment]:
    """Draw up what the first of two raters gets."""
    settings = Settings(
        name=name, kind="answers", raters=("anna", "ben"), overlap=2, repeats=REPEATS
    )
    plan = make_assignments(settings, ITEMS, secret)
    return [one for one in plan if one.rater == "anna"]


def seen_in(plan: Iterable[Assignment]) -> Example:
    return example(rows_of(plan), SYSTEMS, CASES)


def guessed_plans(name: str, seeds: Iterable[int]) -> Iterable[Example]:
    return (
        seen_in(plan_of(secret, name)) for seed in seeds for secret in islice(guessable(seed), 2)
    )


@pytest.mark.parametrize("way", range(4))
def test_a_secret_that_follows_from_a_seed_is_found_and_names_every_row(
    study: Path, way: int
) -> None:
    name, weak = f"weak-{way}", list(guessable(2718))[way]
    sheet, truth = sent(study, name, weak)
    found = find_secret(sheet, first_code(name), range(2600, 2800))
    assert found == weak
    _, named = seen_in(plan_of(found, name))
    assert (named == truth).all()
    assert len(truth) == len(ITEMS) + REPEATS


@pytest.mark.slow
def test_an_order_that_follows_from_a_seed_names_every_row_without_any_code(study: Path) -> None:
    sheet, truth = sent(study, "weak-order", next(guessable(31)))
    named = best_order(sheet, guessed_plans("weak-order", range(60)))
    assert (named == truth).all()
    assert naming([(sheet, truth, named)]).p < CHANCE
    assert pairing([(sheet, truth, pairs_named_alike(sheet, named))]).p < CHANCE


@pytest.mark.slow
def test_seeds_find_no_secret_and_the_best_guess_is_no_better_than_the_structure(
    study: Path,
) -> None:
    attacks: list[tuple[Sheet, Ints, Ints]] = []
    for number in range(5):
        name = f"blind-{number}"
        sheet, truth = sent(study, name, secret_of(number))
        assert find_secret(sheet, first_code(name), range(2000)) is None
        named = best_order(sheet, guessed_plans(name, range(30)))
        attacks.append((sheet, truth, named))
    outcome = naming(attacks)
    assert outcome.p > CHANCE, outcome
    assert 80 < outcome.expected < 130  # a sixth of 5 x 124 rows: the test has something to count
    pairs = [(sheet, truth, pairs_named_alike(sheet, named)) for sheet, truth, named in attacks]
    outcome = pairing(pairs)
    assert outcome.p > CHANCE, outcome


@pytest.mark.slow
@pytest.mark.endure
def test_many_seeds_find_no_secret(study: Path, endurance: Endurance) -> None:
    seeds = endurance.size("seeds", short=50_000, whole=1_000_000)
    sheet, _ = sent(study, "many", secret_of(1000))
    found = find_secret(sheet, first_code("many"), range(seeds))
    weak, _ = sent(study, "many-weak", list(guessable(seeds - 1))[3])
    weak_found = find_secret(weak, first_code("many-weak"), range(seeds))
    endurance.found(f"{found or 'no secret'}; of a weak one, {'it' if weak_found else 'none'}")
    assert found is None
    assert weak_found is not None


def everybody(secret: Secret) -> Example:
    return seen_in(plan_of(secret))


def one_of_three(secret: Secret) -> Example:
    """Let an answer be rated by one rater of three, some by all of them first."""
    first, rest = draw_calibration(ITEMS, 4, secret, "main")
    settings = Settings(
        name="main", kind="answers", raters=("anna", "ben", "cleo"), overlap=1, repeats=3
    )
    plan = make_assignments(settings, rest, secret, first)
    return seen_in(one for one in plan if one.rater == "ben")


def handed_out(secret: Secret) -> Example:
    """Hand all answers to another tool."""
    handout = draw_handout("potato", {item: item.system for item in ITEMS}, secret)
    rows = [(code, item.case, item.system) for code, item in handout.items.items()]
    return example(rows, SYSTEMS, CASES)


def came_midway(secret: Secret) -> Example:
    """Let somebody take over what another has not judged."""
    raters = ("anna", "ben", "cleo")
    settings = Settings(name="main", kind="answers", raters=raters, overlap=2)
    plan = CampaignPlan(settings, "", "", make_assignments(settings, ITEMS, secret))
    done = {one.code for one in plan.of_rater("anna")[:10]}
    change = Change(come=("dora",), go=("anna",), done=done, time="then")
    return seen_in(reassigned(plan, change, secret).of_rater("dora"))


DESIGNS = (everybody, one_of_three, handed_out, came_midway)


def in_the_order_of_ids(secret: Secret) -> Example:
    plan = sorted(plan_of(secret), key=lambda one: (one.item, one.code))
    return seen_in(plan)


def in_turns(secret: Secret) -> Example:
    """Shuffle the cases, and let the systems take turns within each."""
    place = {case: at for at, case in enumerate(secret.draws("turns").permutation(len(CASES)))}
    return seen_in(
        sorted(
            plan_of(secret),
            key=lambda one: (place[CASES.index(one.item.case)], one.item.system, one.code),
        )
    )


def with_codes_by_system(secret: Secret) -> Example:
    """Draw codes at random, and give them out system after system."""
    plan = plan_of(secret)
    codes = sorted(one.code for one in plan)
    items = sorted(plan, key=lambda one: (one.item.system, one.position))
    new = {one.code: code for one, code in zip(items, codes, strict=True)}
    return seen_in([replace(one, code=new[one.code]) for one in plan])


def with_a_letter_for_the_system(secret: Secret) -> Example:
    """Let the last letter say the system, one row in three."""
    plan = plan_of(secret)
    told = [
        replace(one, code=one.code[:-1] + "BCDFGH"[SYSTEMS.index(one.item.system)])
        if one.position % 3 == 0
        else one
        for one in plan
    ]
    return seen_in(told)


WEAK = (in_the_order_of_ids, in_turns, with_codes_by_system, with_a_letter_for_the_system)


def attacked(design: Callable[[Secret], Example]) -> tuple[float, float]:
    """Learn from 80 campaigns, attack 20 others; give the p of naming and of pairing."""
    learner = Learner([design(secret_of(number)) for number in range(80)])
    others = [design(secret_of(number)) for number in range(80, 100)]
    named = naming([(sheet, truth, learner.name(sheet)) for sheet, truth in others])
    paired = pairing([(sheet, truth, learner.pair(sheet)) for sheet, truth in others])
    return named.p, paired.p


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_codes_places_and_neighbours_tell_nothing_that_other_campaigns_teach(
    design: Callable[[Secret], Example],
) -> None:
    named, paired = attacked(design)
    assert named > CHANCE
    assert paired > CHANCE


@pytest.mark.slow
@pytest.mark.parametrize("design", WEAK)
def test_what_other_campaigns_teach_breaks_a_weak_blinding(
    design: Callable[[Secret], Example],
) -> None:
    named, paired = attacked(design)
    assert min(named, paired) < CHANCE


def test_a_workbook_differs_by_the_secret_in_nothing_but_codes_and_order(
    study: Path, tmp_path: Path
) -> None:
    books = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        for path in study.glob("*.*"):
            (folder / path.name).write_bytes(path.read_bytes())
        (folder / "answers").mkdir()
        for path in (study / "answers").iterdir():
            (folder / "answers" / path.name).write_bytes(path.read_bytes())
        create_campaign(Study.open_whole(folder), Wishes(raters="anna,ben"), secret_of(number))
        write_sheets(Study.open_whole(folder))
        books.append({p.name: p.read_bytes() for p in (folder / "campaigns/main/sheets").iterdir()})
    one, other = books
    assert set(one) == set(other) == {"anna.xlsx", "ben.xlsx"}
    for name, content in one.items():
        parts, others = _parts(content), _parts(other[name])
        assert set(parts) == set(others)
        rows = {"xl/worksheets/sheet2.xml", "xl/sharedStrings.xml"}
        assert all(parts[part] == others[part] for part in set(parts) - rows)
        assert sorted(_rows(content)) == sorted(_rows(other[name]))


def _parts(book: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert not archive.comment
        return {name: archive.read(name) for name in archive.namelist()}


def _rows(book: bytes) -> list[tuple[str, ...]]:
    """Give every row of the page but its code and its place: its height, looks and texts."""
    parts = _parts(book)
    texts = re.findall(r"<si>(.*?)</si>", parts["xl/sharedStrings.xml"].decode(), re.DOTALL)
    page = parts["xl/worksheets/sheet2.xml"].decode()
    rows = re.findall(r"<row r=\"\d+\"([^>]*)>(.*?)</row>", page, re.DOTALL)
    assert len(rows) > len(ITEMS)
    found = []
    for looks, cells in rows:
        _, *others = re.findall(r'<c r="([A-Z]+)\d+"([^>]*?)(?:/>|><v>(\d+)</v></c>)', cells)
        shown = [(column, look, texts[int(n)] if n else "") for column, look, n in others]
        found.append((looks, *(" ".join(cell) for cell in shown)))
    return found


def drawn_by(lot: Callable[..., float]) -> set[tuple[str, str]]:
    """Draw about one answer of a case by chance, as `medassay triage --for mean` does."""
    doubts = {Unit(system, case): 1.0 for system in SYSTEMS for case in CASES}
    entries = draw_entries(doubts, {}, len(CASES), lot=lot, even=0.25)
    return {(one.case, one.system) for one in entries if one.drawn == "yes"}


def queue_attacked(
    queue: set[tuple[str, str]], guesses: Iterable[set[tuple[str, str]]]
) -> tuple[Sheet, Ints, Ints]:
    """Name the systems by the guess whose cases are most like those of the sheet."""
    sheet, truth = example([("", *one) for one in sorted(queue)], SYSTEMS, CASES)
    cases = Counter(case for case, _ in queue)
    best = max(guesses, key=lambda one: (Counter(case for case, _ in one) & cases).total())
    # Several answers of a case cannot be told apart: the guess takes them as they come.
    left = sorted(best)
    named = []
    for case in sheet.cases:
        found = next((one for one in left if one[0] == CASES[case]), None)
        named.append(0 if found is None else SYSTEMS.index(found[1]))
        left = [one for one in left if one != found]
    return sheet, truth, np.array(named)


@pytest.mark.slow
def test_a_draw_that_follows_from_a_seed_names_systems_and_one_of_a_secret_does_not() -> None:
    guesses = [drawn_by(seeded_lot(seed)) for seed in range(200)]
    weak = naming([queue_attacked(drawn_by(seeded_lot(seed)), guesses) for seed in range(20)])
    assert weak.p < CHANCE
    assert weak.right > 4 * weak.expected
    secrets = [secret_of(number) for number in range(60)]
    blind = [drawn_by(partial(secret.share, "triage")) for secret in secrets]
    outcome = naming([queue_attacked(queue, guesses) for queue in blind])
    assert outcome.p > CHANCE, outcome
    assert 160 < outcome.expected < 240  # a sixth of about 1,200 rows
