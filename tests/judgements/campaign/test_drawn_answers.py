"""How many of 500 drawn leaks are found, and how many of 500 innocent answers are called one."""

import json
import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from tests.judgements.campaign.drawn_answers import SETS, Drawn, draw_innocents, draw_leaks

from medassay.judgements.campaign import find_give_aways
from medassay.stats import clopper_pearson

# Drawn by somebody who never saw the search; see simulations/blinding-names.md.
APART = Path(__file__).parents[2] / "data" / "blinding" / "apart.jsonl"
PAGE = Path(__file__).parents[3] / "simulations" / "blinding-names.md"
SEED = 35
UNSEEN = SETS[-1]  # the search was never changed by these sentences
KINDS = {"named": "its name", "made": "its maker", "itself": "itself as a model"}


@cache
def counts(sentences: str) -> Counter[tuple[str, str]]:
    """Count what is said of drawn answers, by what is in them."""
    rng = random.Random(SEED)  # noqa: S311 - drawn again alike, not a secret
    drawn = [*draw_leaks(rng, sentences), *draw_innocents(rng, sentences)]
    assert len({(answer.text, answer.names) for answer in drawn}) == 1000
    return Counter((answer.kind, verdict(answer)) for answer in drawn)


@cache
def counts_apart() -> Counter[tuple[str, str]]:
    """Count what is said of the answers that were drawn apart, each with its system's id alone."""
    answers = map(json.loads, APART.read_text(encoding="utf-8").splitlines())
    return Counter((row["kind"], said_of(row["text"], (row["system"],))) for row in answers)


def verdict(answer: Drawn) -> str:
    return said_of(answer.text, answer.names)


def said_of(text: str, names: tuple[str, ...]) -> str:
    places = find_give_aways(text, names)
    if any(place.certain for place in places):
        return "called"
    return "shown" if places else "passed"


def row(sentences: str, label: str, kinds: list[str]) -> str:
    cells = []
    of = counts_apart() if sentences == "apart" else counts(sentences)
    total = sum(of[kind, word] for kind in kinds for word in ("called", "shown", "passed"))
    for words in (("called", "shown"), ("called",)):
        n = sum(of[kind, word] for kind in kinds for word in words)
        exact = clopper_pearson(n, total, estimand="drawn answers")
        cells.append(
            f"{n} ({100 * n / total:.1f}; {100 * exact.low:.1f} to {100 * exact.high:.1f})"
        )
    return f"| {sentences} | {label} | {total} | {' | '.join(cells)} |"


def rows() -> list[str]:
    apart = dict.fromkeys(kind for kind, _ in counts_apart())
    return [
        line
        for sentences in SETS
        for line in (
            *(row(sentences, f"says {label}", [kind]) for kind, label in KINDS.items()),
            row(sentences, "gives its system away", list(KINDS)),
            row(sentences, "is innocent", ["innocent"]),
        )
    ] + [row("apart", kind, [kind]) for kind in sorted(apart)]


@pytest.mark.slow
def test_the_page_says_what_is_measured() -> None:
    page = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in page if line.split(" | ")[0].strip("| ") in {*SETS, "apart"}] == rows()


@pytest.mark.parametrize("sentences", SETS)
def test_an_answer_that_names_its_system_or_maker_is_found(sentences: str) -> None:
    named = [counts(sentences)[kind, "passed"] for kind in ("named", "made")]
    missed = clopper_pearson(sum(named), 400, estimand="missed")
    assert missed.high < 0.05


def test_answers_that_somebody_else_drew_are_judged_as_well() -> None:
    counted = counts_apart()
    missed = clopper_pearson(counted["gives its system away", "passed"], 500, estimand="missed")
    assert missed.high < 0.05
    assert not counted["is innocent", "called"]


@pytest.mark.parametrize("sentences", SETS)
def test_an_innocent_answer_is_seldom_called_a_leak(sentences: str) -> None:
    called = clopper_pearson(counts(sentences)["innocent", "called"], 500, estimand="called")
    assert called.high < 0.02


def test_how_models_speak_of_themselves_is_found_as_often_as_the_page_says() -> None:
    """Sentences that were never seen are found in a third; others in nearly all."""
    found = {name: 100 - counts(name)["itself", "passed"] for name in SETS}
    assert found[UNSEEN] >= 35
    assert min(found[name] for name in SETS if name != UNSEEN) >= 95
