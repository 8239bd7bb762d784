"""Write a new study: a commented study.toml, and every file with its columns."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.judgements import NO_SPAN, About, Dimension, Rubric, RubricFile, load_rubric
from medassay.study.config.protocol import Protocol, load_protocol, own_protocol, protocol_names
from medassay.study.files.lock import LOCK
from medassay.study.opening.choices import STARTERS, protocol_problems
from medassay.tables import csv_bytes, file_bytes, make_folder, printable, write_atomically

JUDGEMENT_COLUMNS: Final = (
    "rater", "rater_kind", "system", "case", "dimension", "label", "reason", "phase", "position",
    "time", "seconds", "comment",
)  # fmt: skip
PREFERENCE_COLUMNS: Final = (
    "rater", "rater_kind", "case", "system_a", "system_b", "dimension", "choice", "reason", "phase",
    "position", "time", "seconds", "comment",
)  # fmt: skip
_RATERS: Final = ("r1", "r2")
_PLAIN: Final = "plain"
_RUBRIC: Final = "rubric.toml"
_COMMENTS: Final = "comments.txt"
_ANSWERS: Final = "answers/"
_JUDGEMENTS: Final = "judgements.csv"


def new_study(
    folder: Path,
    protocol: str,
    *,
    empty: bool = False,
    synthetic: bool = False,
    rubric: RubricFile | None = None,
) -> list[Path]:
    """Write a study's files into a new or empty folder.

    Args:
        folder: Where to.
        protocol: The protocol's name, or a file that holds one, which is copied into the study; so
            is the rubric beside it, where it names one.
        empty: Write headers only. Otherwise a few invented cases show the form of every file that
            the protocol reads, and the study is marked synthetic, so that no page can be mistaken
            for a result.
        synthetic: Mark an empty study so too: what will be put in is made up.
        rubric: What raters are asked in place of the protocol's rubric; the study gets it as a file
            of its own.

    Returns:
        The files that were written.

    Raises:
        InvalidInput: The folder holds something already, or the protocol does not hold together.
        UnknownName: There is no such protocol.
    """
    chosen = _chosen(protocol).asking(rubric)
    if folder.exists() and not _is_empty(folder):
        raise InvalidInput(
            Problem(str(folder), "be a new or empty folder", "one that holds files already")
        )
    readme = (files("medassay") / "data" / "templates" / "README.md").read_bytes()
    starter = {} if empty else _starter(chosen)
    about = starter.pop(_COMMENTS, b"").decode()
    note = _synthetic_note(about, empty=empty, synthetic=synthetic)
    contents = {
        "study.toml": _settings(chosen, printable(folder.resolve().name), note).encode(),
        **chosen.files,
        "README.md": readme,
        "cases.jsonl": b"",
        _JUDGEMENTS: csv_bytes(_columns(chosen.rubric), []),
        "preferences.csv": csv_bytes(PREFERENCE_COLUMNS, []),
        **starter,
    }
    make_folder(folder / "answers")
    for name, content in contents.items():
        write_atomically(folder / name, content)
    return [folder / name for name in contents]


def _columns(rubric: Rubric) -> tuple[str, ...]:
    """Name the columns of judgements, with one for numbers where a dimension asks for them."""
    at = JUDGEMENT_COLUMNS.index("label") + 1
    asks = any(dimension.number is not None for dimension in rubric.dimensions)
    return (*JUDGEMENT_COLUMNS[:at], *(["number"] if asks else []), *JUDGEMENT_COLUMNS[at:])


@dataclass(frozen=True)
class _Chosen:
    """A protocol with what a study by it needs.

    Attributes:
        name: What study.toml calls it.
        rules: What it says.
        rubric: The rubric that it names.
        files: Its own files, by their place in the study.
        own: Whether the rubric is another than the protocol's.
    """

    name: str
    rules: Protocol
    rubric: Rubric
    files: Mapping[str, bytes]
    own: bool = False

    def asking(self, rubric: RubricFile | None) -> "_Chosen":
        """Give the same with another rubric, as a file of the study."""
        if rubric is None:
            return self
        held = {**self.files, _RUBRIC: rubric.content}
        return replace(self, rubric=rubric.rubric, files=held, own=True)


def _chosen(protocol: str) -> _Chosen:
    if not protocol.endswith(".toml"):
        rules = load_protocol(protocol)
        return _Chosen(protocol, rules, load_rubric(rules.rubric), {})
    path = Path(protocol)
    rules = own_protocol(path.parent, path.name)
    problems = protocol_problems(path.parent, rules, path.name)
    if problems:
        raise InvalidInput(problems)
    own = [path.name, *([rules.rubric] if rules.rubric.endswith(".toml") else [])]
    rubric = load_rubric(path.parent / rules.rubric if own[1:] else rules.rubric)
    held = {name: file_bytes(path.parent / name, name) for name in own}
    return _Chosen(path.name, rules, rubric, held)


def _is_empty(folder: Path) -> bool:
    """Say whether nothing is in a folder but the lock of whoever is about to write."""
    results = folder / "results"
    if not folder.is_dir() or set(folder.iterdir()) - {results}:
        return False
    return not results.exists() or set(results.iterdir()) <= {results / LOCK}


def _starter(chosen: _Chosen) -> dict[str, bytes]:
    """Read the invented files that go with a protocol, by their place in the study."""
    root = files("medassay") / "data" / STARTERS / (chosen.rules.starter or _PLAIN)
    contents = {entry.name: entry.read_bytes() for entry in _in_order(root) if entry.is_file()}
    for entry in _in_order(root / "answers"):
        contents[f"{_ANSWERS}{entry.name}"] = entry.read_bytes()
    if chosen.own or _JUDGEMENTS not in contents:
        header, rows = _judgements(chosen.rubric, contents)
        contents[_JUDGEMENTS] = csv_bytes(header, rows)
    return contents


def _in_order(folder: Traversable) -> list[Traversable]:
    return sorted(folder.iterdir(), key=lambda item: item.name)


def _synthetic_note(about: str, *, empty: bool, synthetic: bool) -> str:
    if not empty:
        text = "# The cases here are invented. Put yours in their place and remove this line.\n"
        return f"{text}synthetic = true\n{about}"
    if synthetic:
        return "# The data is made up: every page and figure says so.\nsynthetic = true\n"
    return "# synthetic = true           # prints a banner on every page and figure\n"


def _settings(chosen: _Chosen, title: str, note: str) -> str:
    rules = chosen.rules

    def listed(words: list[str]) -> str:
        return ", ".join(f'"{word}"' for word in words)

    metrics = "".join(f'# [[metrics]]\n# name = "{name}"\n' for name in rules.metrics)
    template = (files("medassay") / "data" / "templates" / "study.toml").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=title.replace("\\", "").replace('"', "'"),
        synthetic=note,
        protocols=", ".join(protocol_names()),
        protocol=chosen.name,
        own="" if chosen.own else "# ",
        rubric=_RUBRIC if chosen.own else rules.rubric,
        dimensions=listed(list(chosen.rubric.ids)),
        metrics=metrics,
        agreement=listed(rules.agreement),
        consensus=listed(rules.consensus),
        rank_by=f"mean(dimension={chosen.rubric.ids[0]})" if chosen.own else rules.rank_by,
        rank_cases=rules.rank_cases,
    )


def _judgements(
    rubric: Rubric, contents: Mapping[str, bytes]
) -> tuple[tuple[str, ...], list[list[str]]]:
    """Give every answer a label by every rater, walking through the labels of each scale.

    A question about criteria is asked of each criterion of the case.
    """
    rows = []
    criteria = _criteria(contents)
    answered = [
        (name.removeprefix(_ANSWERS).removesuffix(".jsonl"), str(json.loads(line)["case"]))
        for name, content in contents.items()
        if name.startswith(_ANSWERS)
        for line in content.decode().splitlines()
    ]
    whole = all(dimension.about == "answer" for dimension in rubric.dimensions)
    columns = dict.fromkeys(dimension.column for dimension in rubric.dimensions)
    more = [name for name in (*columns, *([] if whole else ["about"])) if name != "label"]
    header = (*JUDGEMENT_COLUMNS, *more)
    for turn, rater in enumerate(_RATERS):
        for place, (system, case) in enumerate(answered):
            for dimension in rubric.dimensions:
                abouts = criteria[case] if dimension.about == "criterion" else [""]
                for nth, about in enumerate(abouts, place):
                    filled = {
                        "rater": rater,
                        "rater_kind": "person",
                        "system": system,
                        "case": case,
                        "dimension": dimension.id,
                        dimension.column: _said(dimension, nth + turn * (nth % 2)),
                        "phase": "main",
                        "position": str(place + 1),
                        "about": about,
                    }
                    rows.append([filled.get(column, "") for column in header])
    return header, rows


def _said(dimension: Dimension, nth: int) -> str:
    """Give what an invented rater says: walking through labels, or up a range of numbers."""
    if dimension.labels:
        return dimension.labels[nth % len(dimension.labels)].label
    if dimension.number is None:
        return NO_SPAN
    low = 0.0 if dimension.number.low is None else dimension.number.low
    high = low + 10 if dimension.number.high is None else dimension.number.high
    steps = 5
    return f"{low + (high - low) * (nth % steps) / steps:g}"


def _criteria(contents: Mapping[str, bytes]) -> dict[str, list[str]]:
    """Give what judgements of a starter's cases may be about: case to criteria."""
    lines = contents.get("cases.jsonl", b"").decode().splitlines()
    return {
        str(case["case"]): [
            About("criterion", item["id"]).written for item in case.get("criteria", ())
        ]
        for case in map(json.loads, lines)
    }
