"""Tables that were laid out by hand come out as the README beside them says."""

import csv
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.front_door.compared import import_as_a_script
from tests.front_door.found import Found, found_in
from tests.front_door.matched import plain

from medassay.study.folder import Study

TABLES = Path(__file__).parents[1] / "data" / "others-tables"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads(
    (TABLES / "expected.toml").read_text(encoding="utf-8")
)
LEAST_RIGHT = 19


def ended(name: str, into: Path) -> tuple[int, str, list[str]]:
    """Import one of them: its exit code, what was said, and what in the study is not right."""
    expected = EXPECTED[name]
    files = [str(TABLES / file) for file in expected["files"]]
    words = [*files, "--into", str(into), *expected.get("arguments", []), "--yes"]
    code, said = import_as_a_script(words)
    wrong = list(differences(expected, into)) if code == 0 else []
    return code, said, wrong


@pytest.mark.parametrize("name", EXPECTED)
def test_a_table_laid_out_by_hand_comes_out_as_it_must(name: str, tmp_path: Path) -> None:
    code, said, wrong = ended(name, tmp_path / "study")
    outcomes = EXPECTED[name]["outcome"].split(" or ")
    assert code in {0, 2}, said
    assert code == 0 or not (tmp_path / "study" / "study.toml").exists()
    assert ("right" in outcomes) if code == 0 else outcomes != ["right"], said
    if code:
        assert EXPECTED[name].get("says", "") in said
    assert not wrong


@pytest.mark.slow
def test_most_are_read_without_a_question(tmp_path: Path) -> None:
    may = [name for name, expected in EXPECTED.items() if "right" in expected["outcome"]]
    right = []
    for name in may:
        code, _, wrong = ended(name, tmp_path / name)
        right += [name] if code == 0 and not wrong else []
    assert len(right) >= LEAST_RIGHT, sorted(set(may) - set(right))


def differences(expected: Mapping[str, Any], folder: Path) -> Iterator[str]:
    study = Study.open(folder)
    found = found_in(study)
    texts = [answer.text for answer in found.answers.values() if answer.text]
    references = {case.reference for case in found.cases.values() if case.reference}
    labels = found.labels
    counts = {
        "cases": len(found.cases),
        "systems": len(found.systems),
        "answers": len(texts),
        "raters": len({rater for rater, _, _ in labels}),
        "labels": len(labels),
        "references": len(references),
        "preferences": len(found.preferences),
        "preferring": len({rater for rater, _, _ in found.preferences}),
        "turns": max((len(case.turns) for case in study.cases), default=0),
        "named": sorted(found.systems),
        "samples": sorted({sample for _, _, sample in found.answers}),
        "numbers": sorted({label.number for label in labels.values() if label.number is not None}),
        "asked": len(asked(folder)),
    }
    for what, must in expected.items():
        if what in counts and counts[what] != must:
            yield f"{what}: {counts[what]} in place of {must}"
    if len(labels) < expected.get("least_labels", 0):
        yield f"labels: {len(labels)}"
    if not any(text.startswith(expected.get("begins", "")) for text in texts or [""]):
        yield f"answers: such as {texts[:1]}"
    yield from _more(expected, found)


def asked(folder: Path) -> list[list[str]]:
    path = folder / "asked.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))[1:]


def _more(expected: Mapping[str, Any], found: Found) -> Iterator[str]:
    for name, ends in expected.get("ends", {}).items():
        own = [one for at, one in found.dimensions.items() if plain(name) in plain(at)]
        if [one.ends for one in own] != [tuple(map(float, ends))]:
            yield f"the scale of {name}: {[one.ends for one in own]}"
    if "scores" in expected:
        held: dict[str, int] = {}
        for source, _ in found.scores:
            source = source.removesuffix("_given")  # noqa: PLW2901 - we compute one so called
            held[plain(source)] = held.get(plain(source), 0) + 1
        if held != {plain(name): count for name, count in expected["scores"].items()}:
            yield f"scores: {held}"
    tags = {plain(name) for case in found.cases.values() for name in case.tags}
    for name in expected.get("no_tags", []):
        if plain(name) in tags:
            yield f"tag: {name}"
    if any("{'" in case.question or '{"' in case.question for case in found.cases.values()):
        yield "a question shows Python or JSON"
