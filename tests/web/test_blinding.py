"""Nothing that the room answers tells whose an answer is: a whole campaign is crawled by all."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin
from uuid import uuid4

import numpy as np
import pytest
from tests.campaign.attacker import Example, Learner, example, naming, pairing

from medassay.campaign import Wishes, create_campaign
from medassay.campaign.room import Information, Reviewed, Room, RoomOptions, create_room
from medassay.judgements.campaign import (
    CampaignPlan,
    Item,
    Kind,
    Secret,
    Settings,
    find_plans,
    make_assignments,
)
from medassay.study import Study
from medassay.tables import csv_bytes
from medassay.web import Setup
from medassay.web.routes import ROUTES

from .conftest import ADDRESS, INFORMATION, PASSPHRASE, Visitor

pytestmark = pytest.mark.web

# Words that stand nowhere but in the ids and titles of the study, so that each is a leak.
SYSTEMS = ("zebrafish-9", "marmot-x", "quokka")
CASES = ("kingfisher01", "kingfisher02", "kingfisher03", "kingfisher04")
RATERS = ("rater-ann", "rater-bob", "rater-cas")
STAFF = ("reviewer", "lead")
CHANCE = 1e-3
STATIC = Path(__file__).parents[2] / "src/medassay/web/static"


KINDS = ("answers", "pairs", "conversations", "parts")
"""Everything that a room can ask: each is a campaign of its own."""

_RUBRICS = {"conversations": 'rubric = "criteria"', "parts": 'rubric = "rubric.toml"'}
_PARTS = """\
name = "parts"
[[dimensions]]
id = "relevance"
question = "Does the note help?"
about = "document"
scale = "nominal"
labels = [{ label = "helps" }, { label = "does not" }]
confidence = ["unsure", "sure"]
[[dimensions]]
id = "errors"
question = "What is wrong?"
about = "span"
kinds = [{ label = "contradicted" }, { label = "unsupported" }]
[[dimensions]]
id = "usefulness"
question = "How useful?"
number = { low = 0, high = 100 }
"""


def case_of(kind: str, case: str, at: int) -> dict[str, Any]:
    """Give a case as this kind of rating needs it; ids of criteria follow from its own."""
    question = f"How long do I rest ankle {at}?"
    if kind == "conversations":
        turns = [("user", "I fell."), ("assistant", "Does it hurt?"), ("user", question)]
        criteria = [{"text": f"Says rest, {at}.", "points": 5}, {"text": "Asks.", "points": 1}]
        said = [{"role": role, "text": text} for role, text in turns]
        return {"case": case, "turns": said, "criteria": criteria}
    if kind == "parts":
        notes = [{"id": str(part), "text": f"Note {part} of ankle {at}."} for part in (1, 2)]
        return {"case": case, "question": question, "documents": notes}
    return {"case": case, "question": question}


def write_study(folder: Path, kind: str = "answers") -> Path:
    (folder / "answers").mkdir(parents=True)
    rubric = _RUBRICS.get(kind, 'rubric = "archehr"')
    settings = f'schema = 1\ntitle = "Ankles"\n[[dimensions]]\n{rubric}\n'
    settings += "".join(f'[systems.{one}]\nfamily = "axolotl-{one}"\n' for one in SYSTEMS)
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    if kind == "parts":
        (folder / "rubric.toml").write_text(_PARTS, encoding="utf-8")
    cases = "".join(f"{json.dumps(case_of(kind, case, at))}\n" for at, case in enumerate(CASES))
    (folder / "cases.jsonl").write_text(cases, encoding="utf-8")
    for place, system in enumerate(SYSTEMS):
        rows = [[case, f"Rest for {place + 2} days, ankle {at}."] for at, case in enumerate(CASES)]
        (folder / "answers" / f"{system}.csv").write_bytes(csv_bytes(["case", "text"], rows))
    return folder


@dataclass
class Crawl:
    """Everybody in a room, who ask for all that there is and keep what they are answered.

    Attributes:
        each: How many answers of each rater everybody asks for by their codes; None for all.
    """

    room: Room
    visitors: dict[str, Visitor]
    each: int | None = None
    heard: list[tuple[str, str, str]] = field(default_factory=list)
    statuses: dict[tuple[str, str], set[int]] = field(default_factory=dict)

    def keep(self, who: str, path: str, answer: Any) -> Any:  # noqa: ANN401 - a response
        # What somebody typed is no answer: of addresses those count that the room gives.
        headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.multi_items())
        self.heard.append((who, path, f"{headers}\n{answer.text}"))
        self.statuses.setdefault((who, path), set()).add(answer.status_code)
        return answer

    def around(self) -> None:
        """Let everybody ask for every address, with every code, rater and number that there is."""
        codes = [place.code for rater in RATERS for place in self.places(rater)[: self.each]]
        values = {
            "{code}": codes,
            "{rater}": list(RATERS),
            "{item}": [str(number) for number in range(1, len(SYSTEMS) * len(CASES) + 1)],
            "{file}": sorted(file.name for file in STATIC.iterdir()),
        }
        followed: set[tuple[str, str]] = set()
        for route in ROUTES:
            if route.method != "GET":
                continue
            word = next((one for one in values if one in route.path), "")
            paths = [route.path.replace(word, v) for v in values[word]] if word else [route.path]
            for who, visitor in self.visitors.items():
                for path in paths:
                    found = self.keep(who, path, visitor.get(path))
                    links = {(who, link) for link in re.findall(r'href="(/[^"#]*)"', found.text)}
                    for _, link in sorted(links - followed):
                        self.keep(who, link, visitor.get(urljoin(visitor.setup.address, link)))
                    followed |= links

    def places(self, rater: str) -> list[Any]:
        with self.room.database.reading() as connection:
            return [p for p in self.room.kept.places(connection) if p.rater == rater]

    def rate(self, rater: str, label: int) -> None:
        """Answer all that is open to a rater, through the interface."""
        visitor = self.visitors[rater]
        while True:
            now = self.keep(rater, "/api/now", visitor.get("/api/now")).json()
            if now["standing"] == "break":
                body = {"after": now["pause"]["after"]}
                self.keep(rater, "/api/breaks", visitor.post("/api/breaks", body))
                continue
            if now["standing"] == "sign":
                batches = [{"batch": o["batch"], "sha256": o["sha256"]} for o in now["signing"]]
                body = {"passphrase": PASSPHRASE, "batches": batches}
                sent = self.keep(rater, "/api/signatures", visitor.post("/api/signatures", body))
                assert sent.json()["signed"], sent.text
                continue
            if now["standing"] != "task":
                return
            path = f"/api/tasks/{now['code']}"
            task = self.keep(rater, path, visitor.get(path)).json()
            given = {(one["dimension"], one["about"]) for one in task["given"]}
            said = [
                {
                    "client": str(uuid4()),
                    "code": task["code"],
                    "dimension": question["id"],
                    "about": about,
                    **answer_to(question, label),
                }
                for question in task["questions"]
                for about in abouts(question)
                if (question["id"], about) not in given
            ]
            sent = self.keep(rater, "/api/said", visitor.post("/api/said", {"said": said}))
            assert all(receipt["saved"] for receipt in sent.json()["receipts"]), sent.text


def abouts(question: dict[str, Any]) -> list[str]:
    """Say what a question is answered about; of passages the first four letters are marked."""
    return ["span:0-4"] if question["kind"] == "span" else [o["about"] for o in question["about"]]


def answer_to(question: dict[str, Any], place: int) -> dict[str, Any]:
    """Give a label, or a number, that differs between raters; and how sure, where it is asked."""
    sure = {"confidence": question["confidence"][0]} if question["confidence"] else {}
    if question["number"]:
        return {"number": 40 + place, **sure}
    labels = question["labels"]
    return {"label": labels[place % len(labels)]["label"], **sure}


@pytest.fixture(scope="module", params=KINDS)
def crawl(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[tuple[Crawl, str]]:
    with played(tmp_path_factory.mktemp("crawl"), request.param) as crawled:
        yield crawled


@contextmanager
def played(
    home: Path,
    rated: str,
    address: str = ADDRESS,
    through: Callable[[Any], Any] = lambda app: app,
    each: int | None = None,
) -> Iterator[tuple[Crawl, str]]:
    """Play a campaign from the first page to the guesses, and crawl it at every stage."""
    folder = write_study(home / "study", rated)
    kind: Kind = "preferences" if rated == "pairs" else "answers"
    names = ",".join(RATERS)
    wishes = Wishes(raters=names, kind=kind, calibration=1, repeats=1, batch=4)
    create_campaign(Study.open_whole(folder), wishes, Secret.new())
    plan = find_plans(folder)["main"]
    # Each rater signs; the pages that show it to the lead are crawled too.
    options = RoomOptions(information=Information(**INFORMATION), guesses=2, signatures=True)
    study = Study.open_whole(folder)
    records: list[str] = []

    class Keeps(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record.getMessage())

    handler = Keeps(level=logging.DEBUG)
    logging.getLogger().addHandler(handler)
    create_room(study, plan, Secret(bytes(32)), home / "room.db", options)
    with Room(home / "room.db") as room:
        everybody = ("", *RATERS, *STAFF)
        all_in = Crawl(
            room,
            {one: Visitor(room, one, Setup(address, busy=10_000), through) for one in everybody},
            each,
        )
        all_in.around()
        for place, rater in enumerate(RATERS):
            room.rating.consent(rater, room.design.options.information.version)
            secret = {"passphrase": PASSPHRASE}
            sent = all_in.visitors[rater].post("/api/passphrase", secret)
            all_in.keep(rater, "/api/passphrase", sent)
            all_in.rate(rater, place)
        for rater in RATERS:
            room.lead.review("reviewer", Reviewed(rater, "passed"))
        for place, rater in enumerate(RATERS):
            all_in.rate(rater, place)
        all_in.around()
        for rater in RATERS:
            offered = all_in.visitors[rater].get("/api/guesses").json()
            for task in offered["tasks"]:
                body = {"client": str(uuid4()), "code": task["code"],
                        "system": offered["systems"][0], "sure": 0.5}  # fmt: skip
                sent = all_in.visitors[rater].post("/api/guesses", body)
                all_in.keep(rater, "/api/guesses", sent)
        room.lead.set_status("lead", "closed")
        all_in.around()
        yield all_in, "\n".join(records)
    logging.getLogger().removeHandler(handler)


def leaks(crawl: Crawl, words: tuple[str, ...], *, who: tuple[str, ...] = ()) -> list[Any]:
    return [
        (visitor, path, word)
        for visitor, path, text in crawl.heard
        for word in words
        if word in text.lower() and (not who or visitor in who)
    ]


def test_the_crawl_has_been_everywhere(crawl: tuple[Crawl, str]) -> None:
    """What was heard holds every answer for its rater, and each page for whoever may see it."""
    heard, _ = crawl
    for rater in RATERS:
        for place in heard.places(rater):
            if place.phase != "adjudication":
                assert 200 in heard.statuses[rater, f"/api/tasks/{place.code}"], place
        assert 200 in heard.statuses[rater, "/api/guesses"]
    for route in ROUTES:
        if route.method == "GET":
            shape = re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(route.path)))
            found = {
                s
                for (_, path), some in heard.statuses.items()
                if shape.fullmatch(path)
                for s in some
            }
            assert found & {200, 303}, route.path
    assert any(re.fullmatch(r"/settle/\d+", path) and 200 in some
               for (_, path), some in heard.statuses.items())  # fmt: skip


def test_no_system_is_named_but_where_raters_guess(crawl: tuple[Crawl, str]) -> None:
    heard, logged = crawl
    named = leaks(heard, (*SYSTEMS, "axolotl"))
    assert {(path, word in SYSTEMS) for _, path, word in named} == {("/api/guesses", True)}
    for who, path, text in heard.heard:
        if path == "/api/guesses" and '"tasks"' in text:
            assert who in RATERS
            # The list of all systems, in one order for everybody, and nothing beside an answer.
            tasks = text.partition('"tasks"')[2].partition('"systems"')[0]
            assert not any(system in tasks for system in SYSTEMS)
    assert not any(word in logged.lower() for word in (*SYSTEMS, *CASES, PASSPHRASE))


def test_no_case_is_named_and_no_rater_to_another(crawl: tuple[Crawl, str]) -> None:
    heard, _ = crawl
    assert leaks(heard, CASES) == []
    for rater in RATERS:
        others = tuple(one for one in RATERS if one != rater)
        assert leaks(heard, others, who=(rater,)) == []
    # Whoever settles does not learn who said what.
    settled = [(p, t) for who, p, t in heard.heard if who in STAFF and p.startswith("/settle/")]
    assert settled
    assert not any(rater in text for _, text in settled for rater in RATERS)


def test_codes_of_others_answer_as_if_they_were_not_there(crawl: tuple[Crawl, str]) -> None:
    heard, _ = crawl
    for rater in RATERS:
        for other in (one for one in RATERS if one != rater):
            for place in heard.places(other):
                assert heard.statuses[rater, f"/api/tasks/{place.code}"] == {404}


MANY = tuple(f"system-{letter}" for letter in "abcde")
QUESTIONS = tuple(f"{number:02}" for number in range(8))


def shown_to_adjudicators(study: Study, number: int, *, weak: bool = False) -> Example:
    """Give the answers in the order of their numbers in the room, with the codes of one rater."""
    secret = Secret(number.to_bytes(32, "big"))
    settings = Settings(name="main", kind="answers", raters=("ann", "bob"), overlap=2)
    items = [Item(case, system) for case in QUESTIONS for system in MANY]
    plan = CampaignPlan(settings, "", "", make_assignments(settings, items, secret))
    where = study.path.parent / f"{number}-{weak}.db"
    create_room(study, plan, secret, where, RoomOptions())
    with Room(where) as room, room.database.reading() as connection:
        places = [place for place in room.kept.places(connection) if place.rater == "ann"]
    seen = {place.code: plan.by_code[place.code].item for place in places}
    if weak:
        places.sort(key=lambda place: seen[place.code])
    else:
        places.sort(key=lambda place: place.item)
    rows = [(place.code, seen[place.code].case, seen[place.code].system) for place in places]
    return example(rows, MANY, QUESTIONS)


def test_numbers_of_answers_tell_no_more_than_the_structure(tmp_path: Path) -> None:
    """Learn from 24 rooms with other secrets, attack 8; the same attack breaks numbers by id."""
    folder = tmp_path / "study"
    (folder / "answers").mkdir(parents=True)
    settings = 'schema = 1\ntitle = "Ankles"\n[[dimensions]]\nrubric = "archehr"\n'
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    cases = [[case, f"How long do I rest ankle {case}?"] for case in QUESTIONS]
    (folder / "cases.csv").write_bytes(csv_bytes(["case", "question"], cases))
    for system in MANY:
        rows = [[case, f"{system} says rest, {case}."] for case in QUESTIONS]
        (folder / "answers" / f"{system}.csv").write_bytes(csv_bytes(["case", "text"], rows))
    study = Study.open_whole(folder)
    rng = np.random.default_rng(21)
    numbers = rng.permutation(10_000)[:32].tolist()
    for weak in (False, True):
        rooms = [shown_to_adjudicators(study, number, weak=weak) for number in numbers]
        learner, others = Learner(rooms[:24]), rooms[24:]
        named = naming([(sheet, truth, learner.name(sheet)) for sheet, truth in others])
        paired = pairing([(sheet, truth, learner.pair(sheet)) for sheet, truth in others])
        if weak:
            assert min(named.p, paired.p) < CHANCE
        else:
            assert min(named.p, paired.p) > CHANCE, (named, paired)
