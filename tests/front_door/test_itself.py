"""The generator is right: what it says of a table is there, and what it compares it would find."""

import csv
import io
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.front_door.compared import compare
from tests.front_door.drawn import Drawn, draw
from tests.front_door.ideal import write_ideal
from tests.front_door.laid_out import Laid, laid_by_seed, lay_out
from tests.front_door.plans import Plan, draw_plan, shares
from tests.front_door.words import header_words

SEEDS = range(200)


@cache
def drawn() -> tuple[Laid, ...]:
    return tuple(map(laid_by_seed, SEEDS))


@pytest.mark.slow
def test_the_study_of_a_reader_without_fault_is_equal(tmp_path: Path) -> None:
    wrong = {}
    for laid in drawn():
        write_ideal(laid, tmp_path / str(laid.seed))
        differences = compare(laid, tmp_path / str(laid.seed))
        # The file that tells of a design, asked.csv, is the one thing that is not written.
        unsaid = [line for line in differences if line.startswith("not asked:")]
        if len(unsaid) != laid.plan.sampled or len(differences) > len(unsaid):
            wrong[laid.seed] = differences
    assert not wrong


def test_the_same_seed_gives_the_same_bytes() -> None:
    for laid in drawn()[::10]:
        assert laid_by_seed(laid.seed).files == laid.files


def test_every_layout_script_language_and_scale_occurs() -> None:
    derived = {
        "design",
        "repeats",
        "header",
        "extras",
        "harm_share",
        "rater_word",
        "raters",
        "scale",
    }
    for heading, table in shares().items():
        occur = {getattr(laid.plan, heading, "") for laid in drawn()}
        assert heading in derived or not set(table) - occur, heading
    rated = [laid for laid in drawn() if laid.shown.ratings]
    assert {laid.plan.raters for laid in rated} == set(shares()["raters"])
    scales = {one.scale.kind for laid in rated for one in laid.shown.dimensions}
    assert scales == set(shares()["scale"])
    assert {laid.plan.sampled for laid in drawn()} == {True, False}
    assert {laid.plan.samples for laid in drawn()} == {1, 2}
    assert {laid.settled for laid in drawn()} == {True, False}
    roles = {extra for laid in drawn() for extra in laid.plan.extras}
    assert roles == {"topic", "age", "reference", "contexts", "retrieved", "choice", "confidence",
                     "seconds", "tokens", "cost", "scores", "comment"}  # fmt: skip


def test_both_halves_of_the_words_are_apart_and_as_many() -> None:
    for language, roles in header_words().items():
        assert roles.keys() == header_words()["en"].keys()
        words: Counter[str] = Counter()
        for role, halves in roles.items():
            assert len(halves["known"]) == len(halves["held_out"]) == 3, (language, role)
            words.update(map(str.casefold, halves["known"] + halves["held_out"]))
        assert max(words.values()) == 1, language


def test_a_plain_table_holds_what_its_truth_says() -> None:
    """A long table without disorder is read by Python's own reader of CSV, by its headers."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        plan = replace(
            draw_plan(rng), layout="long", file="csv", notes="none", fill="each", encoding="utf-8",
            question="text", scale_place="header",
        )  # fmt: skip
        laid = lay_out(draw(plan, rng), plan, rng)
        [content] = laid.files.values()
        rows = list(csv.DictReader(io.StringIO(content.decode())))
        questions = {case.case: case.question for case in laid.shown.cases}
        told_of = laid.shown.answers.items()
        texts = {(questions[case], given.text or "") for (case, _, _), given in told_of}
        read = {(a, b) for row in rows for a in row.values() for b in row.values()}
        assert texts <= read, seed
        for dimension in laid.shown.dimensions:
            given = [one for at, one in laid.shown.ratings.items() if at[1] == dimension.name]
            column = next(name for name in rows[0] if name.startswith(dimension.name))
            labels = [row[column] for row in rows if row[column] not in {"", "-", "n/a"}]
            assert len(labels) == len(given), seed
            if not dimension.scale.words:
                told = Counter(float(label.split()[0]) for label in labels)
                assert told == Counter(given), seed


def test_what_differs_is_found(tmp_path: Path) -> None:
    plan = replace(
        laid_by_seed(0).plan, layout="long", file="csv", scale="1-5", scale_place="header",
        scale_words="(1-5)", raters="latin", rater_place="column", blank="none", sampled=False,
        samples=1, extras=("topic", "comment", "scores"), texts="long",
    )  # fmt: skip
    plans = (lay_out(draw(plan, rng), plan, rng) for rng in map(np.random.default_rng, range(99)))
    laid = next(one for one in plans if len(one.shown.raters) == len(one.shown.dimensions) == 2)
    for number, (change, expected) in enumerate(changes(laid)):
        folder = tmp_path / str(number)
        write_ideal(change, folder)
        kinds = {line.partition(":")[0] for line in compare(laid, folder)}
        assert expected in kinds, (expected, kinds)


def test_the_wrong_end_of_a_scale_and_other_preferences_are_found(tmp_path: Path) -> None:
    plan = replace(
        laid_by_seed(0).plan, layout="long", file="csv", raters="latin", rater_place="column",
        blank="none", sampled=False, samples=1, extras=(), harm_most=False,
    )  # fmt: skip
    harm = first_drawn(replace(plan, scale="yes/no", scale_place="nowhere"), "harmful")
    [dimension, *others] = harm.dimensions
    unsaid = replace(harm, dimensions=(replace(dimension, role="correct"), *others))
    turned = {at: 1 - value if at[1] == dimension.name else value
              for at, value in harm.ratings.items()}  # fmt: skip
    expect(harm, unsaid, "wrong polarity of harm", tmp_path / "1")
    expect(harm, replace(harm, ratings=turned), "other labels", tmp_path / "2")
    worded = replace(plan, scale="1-6", scale_place="header", scale_words="(1 = best)")
    low = first_drawn(worded, "accuracy")
    [dimension, *others] = low.dimensions
    up = replace(dimension, scale=replace(dimension.scale, best_is_low=False))
    expect(low, replace(low, dimensions=(up, *others)), "wrong end", tmp_path / "3")
    pairs = first_drawn(replace(plan, layout="preferences"), None)
    fewer = dict(list(pairs.preferences.items())[1:])
    expect(pairs, replace(pairs, preferences=fewer), "other preferences", tmp_path / "4")


def first_drawn(plan: Plan, role: str | None) -> Drawn:
    """Draw until the first dimension is of this role."""
    drawn_ones = (draw(plan, np.random.default_rng(seed)) for seed in range(99))
    return next(one for one in drawn_ones if role is None or one.dimensions[0].role == role)


def expect(truth: Drawn, fault: Drawn, kind: str, folder: Path) -> None:
    ends = {one.name: frozenset({one.scale.ends, None}) for one in truth.dimensions}
    laid = replace(laid_by_seed(0), shown=truth, files={}, ends=ends)
    laid = replace(laid, plan=replace(laid.plan, sampled=False))
    write_ideal(laid, folder / "right")
    assert compare(laid, folder / "right") == ()
    write_ideal(replace(laid, shown=fault), folder / "wrong")
    kinds = {line.partition(":")[0] for line in compare(laid, folder / "wrong")}
    assert kind in kinds, (kind, kinds)


def changes(laid: Laid) -> list[tuple[Laid, str]]:
    """Give the faults of a reader, each with the kind of difference that it must be called."""
    study = laid.shown
    key = next(key for key, given in study.answers.items() if given.text is not None)
    rated = next(iter(study.ratings))
    first, second = study.dimensions[:2]
    swapped = {first.name: second.name, second.name: first.name}
    people = (*study.raters, "one more")
    wider = replace(first, scale=replace(first.scale, kind="0-100", values=(0.0, 100.0), words=()))
    case = study.cases[0]
    given = study.answers[key]
    ends = first.scale.ends if rated[1] == first.name else second.scale.ends
    another = ends[study.ratings[rated] == ends[0]]
    faults = {
        "lost answers": replace(study, answers=without(study.answers, key)),
        "other answers": replace(
            study, answers={**study.answers, key: replace(given, text="Another.")}
        ),
        "lost labels": replace(study, ratings=without(study.ratings, rated)),
        "other labels": replace(study, ratings={**study.ratings, rated: another}),
        "rater split": replace(
            study,
            raters=people,
            ratings={
                (people[-1] if at[:2] == (people[0], first.name) else at[0], *at[1:]): value
                for at, value in study.ratings.items()
            },
        ),
        "swapped dimensions": replace(
            study,
            ratings={
                (at[0], swapped.get(at[1], at[1]), at[2]): value
                for at, value in study.ratings.items()
            },
        ),
        "wrong scale": replace(study, dimensions=(wider, *study.dimensions[1:])),
        "lost scores": replace(study, scores=dict(list(study.scores.items())[1:])),
        "lost comments": replace(study, comments={}),
        "lost tag": replace(study, cases=(replace(case, tags={}), *study.cases[1:])),
        "read as a tag": replace(
            study,
            cases=(replace(case, tags={**case.tags, "Accuracy (1-6)": "5"}), *study.cases[1:]),
        ),
        "lost cases": replace(
            study,
            cases=study.cases[1:],
            answers={at: one for at, one in study.answers.items() if at[0] != case.case},
            ratings={at: one for at, one in study.ratings.items() if at[2][0] != case.case},
            scores={at: one for at, one in study.scores.items() if at[1][0] != case.case},
        ),
    }
    return [(replace(laid, shown=fault), kind) for kind, fault in faults.items()]


def without(mapping: Mapping[Any, Any], key: object) -> dict[Any, Any]:
    return {at: value for at, value in mapping.items() if at != key}
