"""What users type in Python: numbers as seeds, one clear error, and results that fit a screen."""

import contextlib
import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, get_type_hints

import numpy as np
import pytest
from tools.standard.shared import SharedRuns

import medassay as ma
from medassay.api_checks import refuse_others
from medassay.judgements import load_rubric
from medassay.scores import Score
from medassay.stats import Rng

SCREEN = 3_000
loose: Any = ma
"""The library, without what a type checker would say of bad arguments before they are tried."""
RATERS = {"r1": "5454142", "r2": "5444152", "r3": "5453252"}


@pytest.fixture(scope="module")
def judgements() -> ma.Judgements:
    rows = [
        {"rater": rater, "system": "AB"[at % 2], "case": str(at), "dimension": "quality",
         "label": label}
        for rater, labels in RATERS.items()
        for at, label in enumerate(labels)
    ]  # fmt: skip
    return ma.Judgements.from_rows(rows, load_rubric("likert5"))


def public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """Every function that a room offers, its classes' methods included."""
    for room in iter_modules(ma.__path__):
        module = import_module(f"medassay.{room.name}")
        own = [
            name
            for name, value in vars(module).items()
            if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
        ]
        for name in getattr(module, "__all__", own):
            offered = getattr(module, name)
            if inspect.isfunction(offered):
                yield f"{room.name}.{name}", offered
            elif inspect.isclass(offered) and offered.__module__.startswith("medassay."):
                for method, held in inspect.getmembers(offered, inspect.isroutine):
                    if inspect.isfunction(inspect.unwrap(held)):
                        yield f"{room.name}.{name}.{method}", held


def test_whatever_draws_takes_a_whole_number() -> None:
    drawing = {
        name: function
        for name, function in public_functions()
        if "rng" in inspect.signature(function).parameters
    }
    assert len(drawing) > 30
    kinds = {
        name: get_type_hints(inspect.unwrap(function))["rng"] for name, function in drawing.items()
    }
    assert [name for name, kind in kinds.items() if kind not in {Rng, Rng | None}] == []


def test_a_whole_number_draws_what_its_generator_draws(judgements: ma.Judgements) -> None:
    for method in ("mace", "mace(restarts=5)"):
        by_number = ma.consensus(judgements, method, rng=3)
        by_generator = ma.consensus(judgements, method, rng=np.random.default_rng(3))
        assert by_number.frame.equals(by_generator.frame)
    assert ma.agree(judgements, rng=3) == ma.agree(judgements, rng=np.random.default_rng(3))


@pytest.mark.parametrize("method", ["mace", "dawid_skene", "majority", ["mean", "majority"]])
def test_a_consensus_is_one_call(judgements: ma.Judgements, method: str | list[str]) -> None:
    table = ma.consensus(judgements, method, rng=1)
    names = [method] if isinstance(method, str) else method
    assert [source.partition("(")[0] for source in table.sources] == sorted(names)
    assert table.frame["value"].null_count() < len(table)


def test_the_room_and_its_function_bear_one_name(judgements: ma.Judgements) -> None:
    room: object = import_module("medassay.consensus")
    assert loose.consensus is room
    assert len(ma.consensus(judgements, "mean")) == len(RATERS["r1"])


BAD: dict[str, tuple[Callable[[Any], object], str]] = {
    "a name alone": (
        lambda j: loose.agree(j, dimensions="quality"),
        'dimensions: must be a list of names; got "quality". Write ["quality"].',
    ),
    "a frame": (lambda j: loose.agree(j.frame), "must be a Judgements; got a DataFrame"),
    "a level in percent": (lambda j: loose.agree(j, level=95), "level: must lie between 0 and 1"),
    "no draws": (lambda j: loose.agree(j, replicates=0), "replicates: must be 1 or more; got 0"),
    "a word as seed": (lambda j: loose.agree(j, rng="1"), "rng: must be a whole number, 0 or more"),
    "a seed below 0": (lambda j: loose.consensus(j, "mace", rng=-1), "rng: must be a whole number"),
    "no seed": (lambda j: loose.consensus(j, "mace"), "Pass rng=1"),
    "True as seed": (lambda j: loose.consensus(j, "mace", rng=True), "rng: must be a whole number"),
    "a method misspelt": (lambda j: loose.consensus(j, "majorty"), 'Did you mean "majority"'),
    "letters": (lambda _: loose.kendall(["a"], [1], rng=1), "x: must be numbers; got ['a']"),
    "a table of letters": (lambda _: loose.cohen_kappa([["a"]]), "table: must be numbers"),
    "a study by number": (lambda _: loose.open_study(3), "path: must be a path or text; got 3"),
    "dicts as cases": (lambda _: loose.Cases.of([{"case": "1"}]), "must be a Case; got a dict"),
    "text as answers": (lambda _: loose.Answers.of("x"), 'row 1: must be an Answer; got "x"'),
    "a key misspelt": (lambda _: loose.Case(cas="1"), 'Did you mean "case"'),
    "a key missing": (lambda _: loose.Answer(system="A"), "Answer, column case: must be given"),
    "one metric": (lambda _: loose.score(ma.Cases.of([]), ma.Answers.of([]), "length"),
                   'names: must be a list; got "length". Write ["length"].'),
    "text as source": (lambda _: loose.rank_systems("x", rng=1), "source: must be a Source"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_a_bad_argument_is_named_in_one_sentence(judgements: ma.Judgements, what: str) -> None:
    call, message = BAD[what]
    with pytest.raises(ma.MedassayError) as caught:
        call(judgements)
    assert message in str(caught.value)


def test_the_run_of_a_study_refuses_what_it_does_not_take(standard_run: SharedRuns) -> None:
    loose_run: Any = ma.open_study(standard_run("clinical").study).run
    for wrong, message in (
        ({"metrics": "length"}, 'Write ["length"]'),
        ({"texts": "some"}, "texts: must be one of full, ids, none"),
        ({"seed": -1}, "seed: must be 0 or more"),
        ({"seed": "1"}, "seed: must be a whole number"),
    ):
        with pytest.raises(ma.InvalidInput) as caught:
            loose_run(**wrong)
        assert message in str(caught.value)


def test_several_problems_come_at_once(judgements: ma.Judgements) -> None:
    with pytest.raises(ma.InvalidInput) as caught:
        ma.agree(judgements, dimensions="quality", level=95, replicates=0)
    assert len(caught.value.problems) == 3


def test_a_long_list_of_others_is_named_by_place() -> None:
    with pytest.raises(ma.InvalidInput, match="scores, row 2: must be a Score; got 2"):
        refuse_others([Score(1), 2], Score, "scores")


def test_results_of_a_large_study_fit_a_screen(standard_run: SharedRuns) -> None:
    held = ma.open_study(standard_run("summaries").study).study
    table = ma.consensus(held.judgements, ["mean", "majority"])
    sources = [
        ma.Source(name, table.grid(name, held.systems, held.cases.ids)) for name in table.sources
    ]
    results = [
        held.rubric, held.judgements, held.preferences, table, sources[0], sources[0].grid,
        ma.agree(held.judgements), ma.rank_systems(sources[0], rng=1, replicates=20),
        *ma.correlate(sources[:1], sources[1:2], rng=1, replicates=20),
        ma.tally_preferences(held.preferences),
    ]  # fmt: skip
    assert [repr(each) for each in results if not 0 < len(repr(each)) < SCREEN] == []
    assert [each for each in map(repr, results) if " object at 0x" in each] == []


def test_tables_are_shown_as_tables(judgements: ma.Judgements) -> None:
    table = ma.consensus(judgements, "mean")
    for shown in (judgements, table, ma.agree(judgements)):
        html = shown._repr_html_()
        assert html.count("<table") == 1
        assert html.startswith(f"<p>{type(shown).__name__}(")


def test_a_coefficient_is_found_by_a_word_of_its_name(judgements: ma.Judgements) -> None:
    rows = ma.agree(judgements, coefficient_names=["icc", "krippendorff"])
    assert {row.coefficient for row in rows if "icc" in row.name} == {"icc"}
    assert {row.coefficient for row in rows if row.name.startswith("krippendorff")} == {
        "krippendorff"
    }


def public_names() -> Iterator[tuple[str, Any]]:
    """Every function and class of the library, and the methods that its classes bring."""
    for name in ma.__all__:
        held = getattr(ma, name)
        held = getattr(held, name) if inspect.ismodule(held) else held
        if not callable(held):
            continue
        yield name, held
        if inspect.isclass(held):
            for method, value in vars(held).items():
                bare = getattr(value, "__func__", value)
                if inspect.isfunction(bare) and not method.startswith("_"):
                    yield f"{name}.{method}", bare


def test_a_signature_reads_in_one_screen_and_names_nothing_private() -> None:
    shown = {}
    for name, held in public_names():
        with contextlib.suppress(ValueError):  # exceptions, whose makers are C
            shown[name] = str(inspect.signature(held))
    assert {"kendall", "agree", "Case", "Answer", "Judgements.from_frame"} <= shown.keys()
    private = re.compile(r"(?<![A-Za-z0-9_])_[A-Za-z]|<function|<factory>| at 0x")
    assert {name: text for name, text in shown.items() if private.search(text)} == {}
    assert {name: len(text) for name, text in shown.items() if len(text) > 800} == {}
    assert len(str(inspect.signature(ma.kendall))) < 100


def test_no_function_of_a_room_shows_a_name_that_is_private() -> None:
    private = re.compile(r"numpy\._typing|medassay\.[\w.]*\._\w|Annotated\[|_Range")
    shown = {
        name: str(inspect.signature(held))
        for name, held in public_functions()
        if not name.endswith("__")  # records are made by the library, not by who reads this
    }
    assert {name: text for name, text in shown.items() if private.search(text)} == {}
