"""The demo study, as it ships.

A made-up study with the margins and the agreement of a published one.

The notes and the human labels of the ArchEHR-QA study are under a data use agreement. What enters
here is a seed and the published tables; what leaves is a study of the same size (28 systems, 100
cases, 26 raters, three an answer) whose label totals, majority counts and agreement are those of
the published Tables 2 and 3, and whose texts, systems and raters are invented. It is marked
synthetic, so every page and figure says so.

How many answers have which three labels was made by tools/solve_synthetic_patterns.py, which says
how. A pattern such as (2, 1, 0) means that two of three raters chose the first label and one the
second. Source of the margins: Soni & Demner-Fushman, Automated evaluation can distinguish the good
and bad AI responses to patient questions about hospitalization, Tables 2 and 3.
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.tables import csv_bytes, jsonl_bytes, write_atomically

LABELS: Final = {
    "answers-question": ("Yes", "Partially", "No"),
    "uses-evidence": ("Yes", "No", "Refutes"),
    "uses-knowledge": ("Yes", "No", "Conflicting"),
}

PATTERNS: Final[dict[str, dict[tuple[int, int, int], int]]] = {
    "answers-question": {
        (0, 0, 3): 341, (0, 1, 2): 147, (0, 2, 1): 162, (0, 3, 0): 198, (1, 0, 2): 92,
        (1, 1, 1): 167, (1, 2, 0): 407, (2, 0, 1): 112, (2, 1, 0): 588, (3, 0, 0): 586,
    },
    "uses-evidence": {
        (0, 0, 3): 24, (0, 1, 2): 11, (0, 2, 1): 19, (0, 3, 0): 51, (1, 0, 2): 66,
        (1, 1, 1): 68, (1, 2, 0): 89, (2, 0, 1): 302, (2, 1, 0): 396, (3, 0, 0): 1774,
    },
    "uses-knowledge": {
        (0, 0, 3): 12, (0, 1, 2): 16, (0, 2, 1): 103, (0, 3, 0): 1104, (1, 0, 2): 12,
        (1, 1, 1): 90, (1, 2, 0): 880, (2, 0, 1): 34, (2, 1, 0): 406, (3, 0, 0): 143,
    },
}  # fmt: skip


SYSTEMS: Final = 28
CASES: Final = 100
RATERS: Final = 26
PANEL: Final = 3

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class World:
    """What is true in the made-up study.

    Attributes:
        skill: How good each system is, shape (systems,).
        ease: How easy each case is, shape (cases,).
        quality: How well each answer answers the question, shape (systems, cases).
        grounding: How well it uses the evidence, the same shape.
        knowledge: How much general knowledge it brings in, the same shape.
    """

    skill: Floats
    ease: Floats
    quality: Floats
    grounding: Floats
    knowledge: Floats


def _make_world(rng: np.random.Generator) -> World:
    """Draw the systems, the cases, and how good each answer is."""
    skill = rng.normal(size=SYSTEMS)
    ease = rng.normal(size=CASES)
    common = 0.35 * skill[:, None] + 0.7 * ease[None, :]

    def drawn(weight: float) -> Floats:
        noise = rng.normal(size=(SYSTEMS, CASES))
        return weight * common + noise

    grounding_skill = 0.3 * rng.normal(size=SYSTEMS)
    knowledge_skill = 0.5 * rng.normal(size=SYSTEMS)
    return World(
        skill,
        ease,
        drawn(1.0),
        drawn(0.3) + grounding_skill[:, None],
        drawn(0.1) + knowledge_skill[:, None],
    )


def _judgement_rows(world: World, rng: np.random.Generator) -> list[dict[str, str]]:
    """Give every judgement: three raters an answer, each with an order of their own.

    The better an answer is, the better the pattern of labels it gets, with noise; within a pattern
    the severer rater tends to the lower label. The counts of patterns are fixed, so the margins
    come out exactly as published whatever is drawn.
    """
    panels = _panels(rng)
    severity = rng.normal(size=RATERS)
    latent = {
        "answers-question": world.quality,
        "uses-evidence": world.grounding,
        "uses-knowledge": world.knowledge,
    }
    labels_of = {
        dimension: _labels(dimension, latent[dimension], panels, severity, rng)
        for dimension in LABELS
    }
    position = _positions(panels, rng)
    return [
        {
            "rater": f"R{panels[answer, seat] + 1:02}",
            "system": system_name(answer // CASES),
            "case": case_name(answer % CASES),
            "dimension": dimension,
            "label": LABELS[dimension][labels_of[dimension][answer, seat]],
            "position": str(position[answer, seat]),
        }
        for answer in range(SYSTEMS * CASES)
        for seat in range(PANEL)
        for dimension in LABELS
    ]


def system_name(place: int) -> str:
    """Name a system by its place."""
    return f"S{place + 1:02}"


def case_name(place: int) -> str:
    """Name a case by its place."""
    return f"{place + 1:03}"


def _panels(rng: np.random.Generator) -> NDArray[np.int64]:
    """Give each answer three different raters, every rater nearly the same number of answers."""
    answers = SYSTEMS * CASES
    panels = np.empty((answers, PANEL), dtype=np.int64)
    load = np.zeros(RATERS)
    for answer in range(answers):
        # The least busy raters, ties at random.
        order = np.lexsort((rng.random(RATERS), load))[:PANEL]
        panels[answer] = rng.permutation(order)
        load[order] += 1
    return panels


def _positions(panels: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Give each rater an order of their own over the answers that they judge."""
    position = np.zeros(panels.shape, dtype=np.int64)
    for rater in range(RATERS):
        mine = np.argwhere(panels == rater)
        for place, (answer, seat) in enumerate(mine[rng.permutation(len(mine))], start=1):
            position[answer, seat] = place
    return position


def _labels(
    dimension: str,
    latent: Floats,
    panels: NDArray[np.int64],
    severity: Floats,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Give each answer of each seat the position of its label."""
    points = _points(dimension)
    patterns = sorted(
        (pattern for pattern, count in PATTERNS[dimension].items() for _ in range(count)),
        key=lambda pattern: (-sum(n * p for n, p in zip(pattern, points, strict=True)), pattern),
    )
    order = np.argsort(-(latent.ravel() + 0.5 * rng.normal(size=latent.size)), kind="stable")
    labels = np.empty(panels.shape, dtype=np.int64)
    for answer, pattern in zip(order.tolist(), patterns, strict=True):
        # Best label first; the mildest rater of the panel gets it most often.
        points_down = sorted(
            (k for k, n in enumerate(pattern) for _ in range(n)), key=lambda k: -points[k]
        )
        mild = np.argsort(severity[panels[answer]] + 1.5 * rng.normal(size=PANEL), kind="stable")
        labels[answer, mild] = points_down
    return labels


def _points(dimension: str) -> tuple[int, int, int]:
    """Give the labels the scores of the rubric."""
    return (2, 1, 0) if dimension == "answers-question" else (1, 0, -1)


_YEARS: Final = ("third year", "fourth year")
# So that the way from the listed to the counted raters has every step.
_EXCLUDED: Final = (
    "Invented: did not finish the calibration answers",
    "Invented: did not finish the calibration answers",
    "Invented: helped to build one of the systems",
)


def _rater_rows() -> list[dict[str, str]]:
    """Give a row for each rater who judged, and for three who were left out before they did."""
    return [
        {
            "rater": f"R{place:02}",
            "rater_kind": "person",
            "expertise": f"Invented: medical student, {_YEARS[place % len(_YEARS)]}",
            "external": "no" if "helped" in reason else "yes",
            "conflicts": "built a system" if "helped" in reason else "none",
            "status": "excluded" if reason else "qualified",
            "reason": reason,
        }
        for place, reason in enumerate([*[""] * RATERS, *_EXCLUDED], start=1)
    ]


_LIMIT: Final = 75
"""Words: the shared task's own limit."""
_WANTED: Final = {"essential": 0.6, "supplementary": -0.2, "not-relevant": -1.6}
"""How readily an answer takes up a sentence."""
_CARELESS: Final = -1.0
"""Below this grounding a citation is forgotten or made up."""
_WRONG: Final = -1.8
"""Below this grounding an answer says something that the note refutes."""
_REWORDED: Final = 1 / 3


@dataclass(frozen=True)
class _Quality:
    """How good one answer is, on the three latent scales."""

    answers: float
    grounds: float
    knows: float


def _case_records(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Make the cases: a story, a question, eight sentences of a note, a clinician's answer."""
    source = _source()
    records: list[dict[str, Any]] = []
    for place in range(CASES):
        story = source["stories"][place % len(source["stories"])]
        day, weeks = (int(number) for number in rng.integers(1, 7, size=2))
        facts = {**story, "day": str(day), "weeks": str(weeks)}
        evidence = [
            {
                "id": str(i),
                "text": sentence["text"].format(**facts),
                "relevance": sentence["relevance"],
            }
            for i, sentence in enumerate(source["sentences"], start=1)
        ]
        records.append(
            {
                "case": case_name(place),
                "narrative": f"{source['watermark']} {source['narrative'].format(**facts)}",
                "question": source["question"].format(**facts),
                "evidence": evidence,
                "references": [{"text": source["reference"].format(**facts)}],
                "tags": {"illness": story["illness"]},
            }
        )
    return records


def _answer_records(
    system: int, cases: list[dict[str, Any]], world: World, rng: np.random.Generator
) -> list[dict[str, Any]]:
    """Make one system's answers: the better, the more of the essential evidence, rightly cited."""
    return [
        {
            "case": case["case"],
            "statements": _statements(
                case["evidence"],
                _Quality(
                    world.quality[system, place],
                    world.grounding[system, place],
                    world.knowledge[system, place],
                ),
                rng,
            ),
        }
        for place, case in enumerate(cases)
    ]


def _statements(
    evidence: list[dict[str, Any]], quality: _Quality, rng: np.random.Generator
) -> list[dict[str, Any]]:
    source = _source()
    statements: list[dict[str, Any]] = []
    for sentence in evidence:
        if quality.answers / 2 + _WANTED[sentence["relevance"]] + rng.normal() > 0:
            cited = [sentence["id"]] if quality.grounds + rng.normal() > _CARELESS else []
            if quality.grounds + rng.normal() < _CARELESS:
                cited.append(str(int(rng.integers(1, 1 + len(evidence)))))
            text = _retold(sentence["text"], rng)
            statements.append({"text": text, "citations": list(dict.fromkeys(cited))})
    if quality.knows + rng.normal() > 0 or not statements:
        filler = source["fillers"][rng.integers(len(source["fillers"]))]
        statements.append({"text": filler, "citations": []})
    if quality.grounds + rng.normal() / 2 < _WRONG:
        wrong = source["wrong"][rng.integers(len(source["wrong"]))]
        statements.append({"text": wrong, "citations": [str(int(rng.integers(1, 4)))]})
    while (
        sum(len(statement["text"].split()) for statement in statements) > _LIMIT
        and len(statements) > 1
    ):
        statements.pop()
    return statements


def _retold(text: str, rng: np.random.Generator) -> str:
    """Say a sentence of the note to the patient, now and then in other words."""
    for pair in _source()["retold"]:
        if pair.get("always", False) or rng.random() < _REWORDED:
            text = text.replace(pair["note"], pair["told"])
    return text


@cache
def _source() -> dict[str, Any]:
    text = (files("medassay") / "data" / "synthetic" / "texts.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


SEED: Final = 2800
_FAMILIES: Final = 12


def synthetic_files() -> dict[str, bytes]:
    """Give every file of the study by its name; the same bytes at every call."""
    rng = np.random.default_rng(SEED)
    world = _make_world(rng)
    cases = _case_records(rng)
    contents = {"cases.jsonl": jsonl_bytes(cases)}
    source = files("medassay") / "data" / "synthetic" / "study.toml"
    settings = source.read_text(encoding="utf-8")
    for system in range(SYSTEMS):
        name = system_name(system)
        contents[f"answers/{name}.jsonl"] = jsonl_bytes(_answer_records(system, cases, world, rng))
        family = f"team-{int(rng.integers(1, 1 + _FAMILIES)):02}"
        settings += f'[systems.{name}]\nfamily = "{family}"\n\n'
    rows = _judgement_rows(world, rng)
    header = list(rows[0])
    contents["judgements.csv"] = csv_bytes(header, ([row[name] for name in header] for row in rows))
    raters = _rater_rows()
    contents["raters.csv"] = csv_bytes(list(raters[0]), (list(row.values()) for row in raters))
    contents["study.toml"] = f"{settings.rstrip()}\n".encode()
    return contents


FIRST_DEMO: Final = "misleading"
"""What `medassay demo` shows to who names none."""
_MADE: Final[dict[str, Callable[[], dict[str, bytes]]]] = {"archehr-synthetic": synthetic_files}
"""Studies that a program writes; every other demo is a folder of data/studies, known by being
there."""


def demo_names() -> list[str]:
    """List the studies that come with medassay.

    Example:
        >>> demo_names()[2:]
        ['cochrane', 'environmental-health', 'healthbench-synthetic', 'misleading']
    """
    folder = files("medassay") / "data" / "studies"
    return sorted([*_MADE, *(entry.name for entry in folder.iterdir())])


def write_demo(folder: Path, name: str = FIRST_DEMO) -> None:
    """Write a demo study's files; those that are there already and the same are left alone.

    Raises:
        UnknownName: There is no such study.
        InvalidInput: The folder holds another study, or a file of the demo that was changed.
    """
    if name not in demo_names():
        raise UnknownName("demo study", name, demo_names())
    contents = _contents(name)
    other = _other_demo(folder, name)
    if other:
        must, hint = f"be a new folder, or that of the demo {name}", "Give another folder."
        raise InvalidInput(Problem(str(folder), must, f"that of the demo {other}", hint))
    problems = [
        Problem(
            str(folder / shipped),
            "be unchanged since the demo wrote it",
            "a changed file",
            "Give another folder; this one is left as it is.",
        )
        for shipped, content in contents.items()
        if (folder / shipped).exists() and (folder / shipped).read_bytes() != content
    ]
    if problems:
        raise InvalidInput(problems)
    for file, content in contents.items():
        if not (folder / file).exists():
            write_atomically(folder / file, content)


def _contents(name: str) -> dict[str, bytes]:
    if name in _MADE:
        return _MADE[name]()
    return dict(_files(files("medassay") / "data" / "studies" / name, ""))


def _other_demo(folder: Path, name: str) -> str:
    """Name the other demo whose settings the folder holds; empty where there is none."""
    settings = folder / "study.toml"
    held = settings.read_bytes() if settings.is_file() else b""
    others = (demo_name for demo_name in demo_names() if held and demo_name != name)
    return next((demo for demo in others if _contents(demo)["study.toml"] == held), "")


def _files(source: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(source.iterdir(), key=lambda item: item.name):
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_bytes()
